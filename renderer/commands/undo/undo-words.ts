import {typedProblem} from '#model/typed.ts'
import type {UndoItem, UndoKind, UndoPreview} from '#model/undo-list.ts'
import {formatCount} from '#text/numbers.ts'

import {t} from '../text.ts'

const nouns: Readonly<Record<UndoKind, readonly [string, string]>> = {
	move: ['computer', 'computers'],
	policies: ['group', 'groups'],
	add_hash: ['hash', 'hashes'],
	remove_hash: ['hash', 'hashes']
}

export function itemCount({kind, targets}: Pick<UndoItem, 'kind' | 'targets'>) {
	return `${formatCount(targets)} ${nouns[kind][targets === 1 ? 0 : 1]}`
}

/** Why the change cannot be undone; `null` as far as nothing speaks against it. */
function whyNot({undoneAt, impossible}: Pick<UndoItem, 'impossible' | 'undoneAt'>) {
	return undoneAt === null ? impossible : 'This change was already undone.'
}

/** Why the button of a change does nothing, `null` if it acts; `undefined`: nothing to undo, as far as is known. */
export function reasonOf({items, error}: {items: readonly UndoItem[] | undefined; error: unknown}, id: string): string | null | undefined {
	const item = items?.find(each => each.id === id)
	if (item !== undefined) return whyNot(item)
	return items === undefined && error !== null ? t.couldNotLoadUndo : undefined
}

export function standingOf(item: Pick<UndoItem, 'impossible' | 'undoneAt'>): 'possible' | 'undone' | 'impossible' {
	if (item.undoneAt !== null) return 'undone'
	return item.impossible === null ? 'possible' : 'impossible'
}

/** Why nothing can be sent; `null` when something can. */
export function refusalOf({item, calls, drift}: UndoPreview): string | null {
	const refusal = whyNot(item)
	if (refusal !== null || calls.length > 0) return refusal
	const [first] = drift
	return first !== undefined
		? String(first.found?.['protected'] ?? 'Someone has changed this since. Undo is unavailable.')
		: 'No change needed. The previous state is already restored.'
}

/** What is wrong with the typed confirmation; `null` when none is required or it is right. */
export function confirmProblem(expected: string | null, typed: string): string | null {
	return expected === null ? null : typedProblem({kind: 'name', expected}, typed)
}

export function actOf({calls}: UndoPreview) {
	return calls.length < 2 ? 'Undo change' : `Undo ${formatCount(calls.length)} changes`
}
