import type {ReactNode} from 'react'

import {requestedText, stepTitles} from '#text/changes.ts'

import {useOperator} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {type StepLine, Steps} from '#ui/Steps.tsx'
import {acceptedLine} from '../accepted.ts'
import {t} from '../text.ts'
import type {Change} from './use-change.ts'

interface ChangeReceiptProps<Seen> {
	change: Change<Seen>
	/** What is read again, such as `group`. */
	what: string
	/** Whether what was read shows the change, and what it shows. */
	confirmed: (seen: Seen) => {isSo: boolean; text: string}
	children?: ReactNode
}

/** Requested, accepted, confirmed by a reading. */
export function ChangeReceipt<Seen>({change, what, confirmed, children}: ChangeReceiptProps<Seen>) {
	const {accepted, requestedAt, isReading, fields} = change
	const operator = useOperator()
	if (accepted === null) return null
	return (
		<>
			<Steps
				lines={[
					{title: stepTitles.requested, state: 'done', at: requestedAt, text: requestedText(operator, fields.reason.trim())},
					acceptedLine(accepted.result, accepted.at),
					{title: stepTitles.confirmed, at: change.observed?.at ?? null, ...observation(change, what, confirmed)}
				]}
			/>
			{children}
			<span>
				<Button small onPress={change.look} reason={isReading ? t.loadingNow : null}>
					{t.checkAgain1}
				</Button>
			</span>
		</>
	)
}

function observation<Seen>(
	{observed}: Change<Seen>,
	what: string,
	confirmed: ChangeReceiptProps<Seen>['confirmed']
): Pick<StepLine, 'state' | 'text'> {
	if (observed === null) return {state: 'waiting', text: `refreshing the ${what}`}
	const {seen, problem} = observed
	if (seen === null) return {state: 'failed', text: problem ?? `The service has no such ${what} any more.`}
	const {isSo, text} = confirmed(seen)
	return {state: isSo ? 'done' : 'failed', text}
}
