import {glanceOf, type IsolationReceipt} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'
import {alreadyText, answerText, isNoChange, requestedText, stepText, stepTitles} from '#text/changes.ts'

import {Step} from '../Steps.tsx'
import {Time} from '../Time.tsx'
import {t} from '../text.ts'
import styles from './Receipt.module.css'

/** Requested, accepted and confirmed: three separate facts with their times, none guessed. */
export function Receipt({receipt}: {receipt: IsolationReceipt}) {
	const {requested, accepted, refused, observed, checked} = receipt
	return (
		<ol className={styles.receipt}>
			<Step step="done" title={stepTitles.requested} at={requested.at}>
				{requestedText(requested.by, requested.reason)}
			</Step>
			<Answer receipt={receipt} />
			<Step step={observedStep(receipt)} title={stepTitles.confirmed} at={observed?.at ?? null}>
				{observed !== undefined
					? observedText(receipt.action, observed.state)
					: refused !== undefined && !refused.unknown
						? stepText.nothingChanged
						: accepted !== undefined || refused !== undefined
							? stepText.waitingForAgent
							: null}
				{checked !== undefined && (
					<span className="dim">
						{' '}
						{t.lastLoaded(wordOf(checked.state))} <Time at={checked.at} />
					</span>
				)}
			</Step>
		</ol>
	)
}

/** The service's answer; pending without one. */
function Answer({receipt: {accepted, refused}}: {receipt: IsolationReceipt}) {
	if (refused !== undefined)
		return (
			<Step step="failed" title={refused.unknown ? stepTitles.unknown : stepTitles.refused} at={refused.at}>
				{refused.message}
			</Step>
		)
	if (accepted === undefined)
		return (
			<Step step="waiting" title={stepTitles.accepted} at={null}>
				{stepText.waitingForService}
			</Step>
		)
	const {status, requestId, state, at} = accepted
	const noChange = isNoChange(accepted)
	const message = noChange ? alreadyText(state) : undefined
	const id = requestId === undefined ? undefined : `${requestId.slice(0, 8)}…`
	return (
		<Step step={noChange ? 'none' : 'done'} title={noChange ? stepTitles.noChange : stepTitles.accepted} at={at}>
			{answerText({message, status, requestId: id}) || t.byTheService}
		</Step>
	)
}

function observedStep({action, observed, refused}: IsolationReceipt) {
	const wanted = action === 'isolate' ? 'isolated' : 'not_isolated'
	if (observed !== undefined) return observed.state === wanted ? 'done' : 'failed'
	return refused !== undefined && !refused.unknown ? 'none' : 'waiting'
}

function observedText(action: IsolationReceipt['action'], state: string) {
	if (action === 'isolate' && state === 'not_isolated') return 'not isolated: the agent did not start the isolation'
	if (action === 'release' && state === 'isolated') return 'still isolated: the agent did not release the computer'
	return wordOf(state)
}

/** A state in words; unknown states are shown as received. */
function wordOf(status: string) {
	const glance = glanceOf({available: true, status})
	return glance === 'unknown' ? status : isolationStates[glance].word
}
