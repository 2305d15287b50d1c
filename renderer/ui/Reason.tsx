import {CordonError, type ErrorReport} from '#shared/contract/errors.ts'
import {asSentence} from '#shared/sentence.ts'

import {CopyButton} from './CopyButton.tsx'
import {curlOf, withoutRequest} from './error-words.ts'
import {Time} from './Time.tsx'
import {t} from './text.ts'

interface ReasonProps {
	readonly error: CordonError | ErrorReport | null | undefined
	/** What is said when nothing is known of it. */
	readonly otherwise?: string
	/** A request id that stands beside it. */
	readonly without?: string | undefined
}

/** Why something failed, as a sentence, and a reading as a line to try elsewhere. A spent budget tells its time once, in the zone of the operator's clock. */
export function Reason({error, otherwise = 'no answer', without}: ReasonProps) {
	const {retryAt, asked} = (error instanceof CordonError ? error.details : error) ?? {}
	if (error?.code !== 'rate_limited' || retryAt === undefined)
		return (
			<>
				{asSentence(withoutRequest(error?.message ?? otherwise, without))}
				{asked === undefined ? null : (
					<>
						{' '}
						<CopyButton text={curlOf(asked)} what={t.requestCURL} />
					</>
				)}
			</>
		)
	return (
		<>
			{t.apiLimitReached} <Time at={retryAt} form="clock" focusable />.
		</>
	)
}
