/** What a job is called. */
import type {JobAction, TargetOutcome} from '#model/job.ts'
import {actWords} from '#text/acts.ts'
import {formatCount} from '#text/numbers.ts'

/** `Isolate 12 computers`, `Move 30 computers to Triage` */
export function titleOf(kind: JobAction['kind'], targets: number, goal?: string) {
	return `${actWords(kind, targets)}${goal === undefined ? '' : ` to ${goal}`}`
}

const outcomeWords: Readonly<Record<TargetOutcome, string>> = {
	done: 'done',
	nothing_to_do: 'with nothing to do',
	accepted: 'accepted',
	not_confirmed: 'accepted and never confirmed',
	failed: 'failed',
	unknown: 'of unknown outcome',
	not_tried: 'not sent',
	sending: 'being sent',
	waiting: 'waiting'
}

/** `41 done, 9 not sent` */
export function countsSentence(counts: Readonly<Record<TargetOutcome, number>>) {
	// The words are keyed by every outcome there is.
	const outcomes = Object.keys(outcomeWords) as TargetOutcome[]
	const parts = outcomes.filter(outcome => counts[outcome] > 0)
	return parts.map(outcome => `${formatCount(counts[outcome])} ${outcomeWords[outcome]}`).join(', ')
}
