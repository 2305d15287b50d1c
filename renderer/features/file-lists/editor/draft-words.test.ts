import type {DraftRow} from '#model/list-draft.ts'

import {commitBlock} from './commit-block.ts'
import {commitCalls, commitSeconds, describeRow, isHashText, signedCounts} from './draft-words.ts'

const row: DraftRow = {
	key: 'a'.repeat(64),
	sha256: 'a'.repeat(64),
	operation: 'remove',
	note: 'loader',
	source: 'case.csv',
	place: 'line 3',
	given: 1,
	reason: null,
	marks: [{kind: 'not_there', level: 'idle', message: 'It is not on the list.'}],
	verdict: 'idle',
	prevalence: null,
	result: 'refused by the service'
}

test('a row is announced with its change, its state, and everything that speaks against it', () => {
	expect(describeRow(row)).toBe(
		`${'a'.repeat(64)}, remove, nothing to do, It is not on the list., note: loader, last commit: refused by the service`
	)
})

test('additions and removals are counted with their signs', () => {
	expect([signedCounts(1200, 0), signedCounts(0, 3), signedCounts(2, 1), signedCounts(0, 0)]).toEqual(['+1,200', '−3', '+2 −1', ''])
})

test('files of hashes are recognised by name, and those too long to be read at once are hashed', () => {
	const named = (name: string, size = 100) => isHashText({name, size})
	expect([named('iocs.CSV'), named('feed.json'), named('tool.exe'), named('noext')]).toEqual([true, true, false, false])
	expect(named('huge.txt', 20_000_000)).toBe(false)
})

test('a commit costs a call for each change, and the readings around it', () => {
	expect([commitCalls(2, 8), commitCalls(100, 8), commitCalls(100, null)]).toEqual([8, 124, 103])
})

test('what does not fit into this hour takes the next ones', () => {
	expect(commitSeconds(160, 1000, 2850, 600)).toBe(10)
	expect(commitSeconds(160, null, null, 0)).toBe(10)
	expect(commitSeconds(1600, 1000, 2850, 600)).toBe(700)
	expect(commitSeconds(8000, 1000, 2850, 600)).toBe(500 + 600 + 2 * 3600)
})

const list = {vanishedAt: null, items: 1200, itemsRead: {read: 500, of: 1200, at: null, running: false}} as const
const state = {rows: 3, ready: 2, listRead: true}

test('nothing is committed to a list that was not fully loaded, with the price of reading it', () => {
	const block = (change: Partial<Parameters<typeof commitBlock>[0]>) => commitBlock({list, state, frame: null, ...change})
	expect(block({})).toBeNull()
	expect(block({state: {...state, listRead: false}})).toContain('load it first, 3 calls')
	expect(block({state: {...state, ready: 0}})).toBe('No staged row is ready.')
	expect(block({state: {...state, rows: 0}})).toBe('Nothing is staged.')
	expect(block({list: {...list, vanishedAt: '2026-01-01T00:00:00Z'}})).toContain('deleted elsewhere')
	const error = {code: 'unauthorized', message: 'The service does not know the key.'} as const
	const link = {kind: 'failing', since: '2026-01-01T00:00:00Z', error} as never
	expect(block({frame: {link}})).toContain('does not know the key')
})
