/** Guarded actions and their targets in words. */
import type {GuardedAction} from '../model/guard.ts'
import {counted, formOf} from './numbers.ts'
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

/** `Isolate 12 computers` */
export function actWords(kind: GuardedAction, count: number) {
	return `${actVerbs[kind]} ${targetsWords(kind, count)}`
}
