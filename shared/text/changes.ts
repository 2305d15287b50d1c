/** Results of changes: requested, accepted and confirmed are three facts with three times. */
import {plainState} from './isolation.ts'
import {counted} from './numbers.ts'

export const stepTitles = {
	requested: 'Requested',
	accepted: 'Accepted',
	/** The service answered that the object is already in the requested state, or changing to it (HTTP 409). */
	noChange: 'No change needed',
	confirmed: 'Confirmed',
	refused: 'Refused',
	unknown: 'Outcome unknown'
} as const

/** Label of such lists. */
export const receiptLabel = 'Result'

export type StepTitle = (typeof stepTitles)[keyof typeof stepTitles]

export const stepText = {
	waitingForService: 'waiting for the service',
	waitingForAgent: 'waiting for the agent',
	nothingChanged: 'nothing was changed'
} as const

/** The requester of a change: by the log's name, even for oneself, because several people may share an account. */
export function requestedText(by: string, reason: string): string {
	return `by ${by}${reason === '' ? '' : `: “${reason}”`}`
}

/** The service's answer: `HTTP 200 · request 1f3a…`. */
export function answerText(answer: {status?: number | undefined; requestId?: string | undefined; message?: string | undefined}): string {
	const {status, requestId, message} = answer
	const parts = [message, status === undefined ? undefined : `HTTP ${status}`, requestId === undefined ? undefined : `request ${requestId}`]
	return parts.filter(part => part !== undefined).join(' · ')
}

/** The state that made a change unnecessary. */
export function alreadyText(state: string | undefined): string | undefined {
	return state === undefined ? undefined : `already ${plainState(state)}`
}

/** Whether an answer means that there was nothing to change. Any other refusal is an error, not an answer. */
export function isNoChange({status}: {status?: number | undefined}) {
	return status === 409
}

/** Of a target for events and log entries. */
export function acceptedTestText(name: string | number, ms: number | string): string {
	return `${name} accepted the test message in ${ms} ms.`
}

/** After the sums of a dry run: what it cannot know. */
export function openSteps(open: number): string {
	const steps = counted(open, ['more step', 'more steps'])
	return open === 0 ? '' : ` ${steps} may change something, depending on answers and readings.`
}
