/** Guarded actions and their targets in words. */
import type {GuardedAction} from '../model/guard.ts'
import type {JobSummary, TargetOutcome} from '../model/job.ts'
import {counted, formatCount, formOf} from './numbers.ts'
import {nothingToDo} from './states.ts'
import {nouns} from './terms.ts'

export const actVerbs: Readonly<Record<GuardedAction, string>> = {
	isolate: 'Isolate',
	release: 'Release',
	move: 'Move',
	policies: 'Set the policies of',
	add_hashes: 'Add',
	remove_hashes: 'Remove',
	change_hashes: 'Change'
}

function formsOf(kind: GuardedAction) {
	return nouns[kind === 'policies' ? 'group' : kind.endsWith('hashes') ? 'hash' : 'computer']
}

export function nounOf(kind: GuardedAction, count: number) {
	return formOf(count, formsOf(kind))
}

/** `1 computer`, `2,000 hashes` */
export function targetsWords(kind: GuardedAction, count: number) {
	return counted(count, formsOf(kind))
}

/** `Isolate 12 computers`, `Move 30 computers to Triage` */
export function actWords(kind: GuardedAction, count: number, goal?: string) {
	return `${actVerbs[kind]} ${targetsWords(kind, count)}${goal === undefined ? '' : ` to ${goal}`}`
}

/** Of the targets of a job; what needs attention comes first. */
export const outcomeNames: Readonly<Record<TargetOutcome, string>> = {
	done: 'done',
	nothing_to_do: nothingToDo.word,
	failed: 'failed',
	unknown: 'outcome unknown',
	not_confirmed: 'not confirmed',
	not_tried: 'not sent',
	accepted: 'awaiting confirmation',
	sending: 'being sent',
	waiting: 'waiting'
}

export const outcomeOrder = Object.keys(outcomeNames) as readonly TargetOutcome[] // the keys of the literal above

/** `41 done, 9 not sent` */
export function countsText(counts: JobSummary['counts'], between = ', ') {
	const parts = outcomeOrder.filter(outcome => counts[outcome] > 0)
	return parts.map(outcome => `${formatCount(counts[outcome])} ${outcomeNames[outcome]}`).join(between)
}
