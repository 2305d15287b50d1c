/** What a job is called. */
import type {JobAction, TargetOutcome} from '#shared/model/job.ts'
import {counted, formatCount, type Forms} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'

const verbs: Readonly<Record<JobAction['kind'], string>> = {
	isolate: 'Isolate',
	release: 'Release',
	move: 'Move',
	policies: 'Set the policies of',
	add_hashes: 'Add',
	remove_hashes: 'Remove',
	change_hashes: 'Change',
}

const targetNouns: Readonly<Record<JobAction['kind'], Forms>> = {
	isolate: nouns.computer,
	release: nouns.computer,
	move: nouns.computer,
	policies: nouns.group,
	add_hashes: nouns.hash,
	remove_hashes: nouns.hash,
	change_hashes: nouns.hash,
}

/** `Isolate 12 computers`, `Move 30 computers to Triage` */
export function titleOf(kind: JobAction['kind'], targets: number, goal?: string): string {
	return `${verbs[kind]} ${countOf(kind, targets)}${goal === undefined ? '' : ` to ${goal}`}`
}

/** `1 computer`, `2,000 hashes` */
export function countOf(kind: JobAction['kind'], count: number): string {
	return counted(count, targetNouns[kind])
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
	waiting: 'waiting',
}

/** `41 done, 9 not sent` */
export function countsSentence(counts: Readonly<Record<TargetOutcome, number>>): string {
	// The words are keyed by every outcome there is.
	const outcomes = Object.keys(outcomeWords) as TargetOutcome[]
	const parts = outcomes.filter(outcome => counts[outcome] > 0)
	return parts.map(outcome => `${formatCount(counts[outcome])} ${outcomeWords[outcome]}`).join(', ')
}
