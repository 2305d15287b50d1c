/**
 * One hash added to a list or removed: the change that undoes it, and whether the present state is still the one it
 * made. Callers show the change before they send it.
 */
import {shortHash} from '#shared/model/file-hash.ts'

import type {HashReceipt} from '../../state/ui.tsx'

export type HashChange = HashReceipt['change']

/** The command that undoes a change. */
export interface Compensation {
	readonly name: 'svc_set_file_list_files_by_sha' | 'svc_delete_file_list_files_by_sha'
	readonly args: Readonly<Record<string, string>>
	readonly act: string
	/** What an undo leaves different; `null` when nothing. */
	readonly rest: string | null
}

/** Loads the current state; `not_found` means that the hash is not on the list. */
export interface Check {
	readonly name: 'svc_get_file_list_files_by_sha'
	readonly args: Readonly<Record<string, string>>
}

export const undoCalls = 3

export function titleOf({kind, list, sha256}: HashChange): string {
	const hash = shortHash(sha256)
	return kind === 'hash_added' ? `${hash} added to ${list.name}` : `${hash} removed from ${list.name}`
}

export function compensationOf({kind, list, sha256, note}: HashChange): Compensation {
	const item = {file_list_guid: list.guid, sha256}
	if (kind === 'hash_added') {
		const act = `Remove ${shortHash(sha256)} from ${list.name}`
		return {name: 'svc_delete_file_list_files_by_sha', args: item, act, rest: null}
	}
	return {
		name: 'svc_set_file_list_files_by_sha',
		args: note === '' ? item : {...item, description: note},
		act: `Add ${shortHash(sha256)} to ${list.name} again`,
		rest: 'The service writes a new source for it; its note is the old one.',
	}
}

export function checkOf({list, sha256}: HashChange): Check {
	return {name: 'svc_get_file_list_files_by_sha', args: {file_list_guid: list.guid, sha256}}
}

/** `as_made`: can be undone. `undone`: was undone. `changed`: someone changed it since. */
export type Standing = {readonly kind: 'as_made'} | {readonly kind: 'undone' | 'changed'; readonly sentence: string}

/** `present`: the service's present item; `null` when it is not on the list. */
export function standingOf(change: HashChange, present: {readonly note: string} | null): Standing {
	const {kind, list, note} = change
	if (kind === 'hash_added') {
		if (present === null) return undone(`It is no longer on ${list.name}: no undo needed.`)
		if (present.note === note) return {kind: 'as_made'}
		const now = present.note === '' ? 'it has no note' : `its note is “${present.note}”`
		return changed(`It was added again since: now ${now}. Undo is unavailable; remove it manually.`)
	}
	if (present === null) return {kind: 'as_made'}
	return undone(`It is on ${list.name} again: no undo needed.`)
}

function undone(sentence: string): Standing {
	return {kind: 'undone', sentence}
}

function changed(sentence: string): Standing {
	return {kind: 'changed', sentence}
}
