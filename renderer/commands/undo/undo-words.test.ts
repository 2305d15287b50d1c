import type {UndoItem, UndoPreview} from '#model/undo-list.ts'

import {actOf, confirmProblem, itemCount, reasonOf, refusalOf, standingOf} from './undo-words.ts'

const item: UndoItem = {
	id: 'job:1',
	kind: 'move',
	at: '2026-01-02T03:04:05.000Z',
	by: 'anna',
	title: 'Moved 3 computers',
	targets: 3,
	reads: 1,
	impossible: null,
	undoneAt: null,
	until: '2026-01-03T03:04:05.000Z'
}
const call = {id: 'a', label: 'FIN-1', command: 'svc_move_computer a b', effect: 'Moves FIN-1 back.'}
const drifted = {id: 'b', label: 'FIN-2', planned: {group: 'x'}, found: null}
const preview: UndoPreview = {item, calls: [call], drift: [], plans: [], confirm: null, cost: 2}

test('changes that can be undone, cannot be undone, and were undone are distinguished', () => {
	expect(standingOf(item)).toBe('possible')
	expect(standingOf({...item, impossible: 'The old group is not known.'})).toBe('impossible')
	expect(standingOf({...item, impossible: 'x', undoneAt: item.at})).toBe('undone')
	expect([itemCount(item), itemCount({kind: 'add_hash', targets: 1})]).toEqual(['3 computers', '1 hash'])
})

test('a change has no button before the history is known, and one that says why while the history cannot be loaded', () => {
	const reasons = (items: UndoItem[] | undefined, error: Error | null) => [item.id, 'other'].map(id => reasonOf({items, error}, id))
	const failure = new Error('The host did not answer.')
	expect(reasons(undefined, null)).toEqual([undefined, undefined])
	expect(reasons(undefined, failure)).toEqual(Array(2).fill('Could not load the undo history'))
	for (const error of [null, failure]) expect(reasons([item], error)).toEqual([null, undefined])
})

test('nothing is sent when everything has changed since, when it was undone, or when it cannot be undone', () => {
	expect(refusalOf(preview)).toBeNull()
	expect(refusalOf({...preview, drift: [drifted]})).toBeNull()
	expect(refusalOf({...preview, calls: [], drift: [drifted]})).toContain('Someone has changed this since')
	expect(refusalOf({...preview, item: {...item, undoneAt: item.at}})).toContain('already undone')
	expect(refusalOf({...preview, item: {...item, impossible: 'It was inherited.'}})).toBe('It was inherited.')
	expect(refusalOf({...preview, calls: []})).toContain('No change needed')
})

test('a confirmation must be typed exactly', () => {
	expect(confirmProblem(null, '')).toBeNull()
	expect(confirmProblem('30', ' 30 ')).toBeNull()
	expect(confirmProblem('30', '')).toBe('Type 30.')
	expect(confirmProblem('30', '3')).toBe('This is not 30.')
	expect([actOf(preview), actOf({...preview, calls: [call, call]})]).toEqual(['Undo change', 'Undo 2 changes'])
})
