import type {CommandResult} from '#shared/commands/result.ts'
import {answerText, isNoChange, stepTitles} from '#text/changes.ts'

import type {StepLine} from '#ui/Steps.tsx'

/** The service's answer to a change: the second fact of requested, accepted, confirmed. */
export function acceptedLine(result: Pick<CommandResult, 'status' | 'requestId' | 'message'>, at: string): StepLine {
	const text = answerText(result)
	return isNoChange(result) ? {title: stepTitles.noChange, state: 'none', at, text} : {title: stepTitles.accepted, state: 'done', at, text}
}
