import {CordonError, type ErrorReport} from '#contract/errors.ts'
import {asSentence} from '#shared/sentence.ts'

import {CopyButton} from './Button.tsx'
import {curlOf, withoutRequest} from './error-words.ts'
import {Time} from './Time.tsx'
import {t} from './text.ts'

interface ReasonProps {
	error: CordonError | ErrorReport | null | undefined
	/** Default text for an unknown reason. */
	otherwise?: string
	/** A request id shown separately. */
	without?: string | undefined
}

/**
 * Why something failed, as a sentence, and a failed read as a command line for testing elsewhere. An exhausted API limit shows
 * its reset time once, in the operator's time zone.
 */
export function Reason({error, otherwise = 'no answer', without}: ReasonProps) {
	const {retryAt, asked} = (error instanceof CordonError ? error.details : error) ?? {}
	if (error?.code !== 'rate_limited' || retryAt === undefined)
		return (
			<>
				{asSentence(withoutRequest(error?.message ?? otherwise, without))}
				{asked !== undefined && (
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
