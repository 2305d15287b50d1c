import type {AuditState} from '#contract/log.ts'

import {callWords, elsewhereWords, problemWords, triedWord} from './ElsewhereBar.tsx'
import {hashesOf, placeOf} from './places.ts'

const state: AuditState = {
	elsewhere: 36,
	own: 0,
	oldestAt: null,
	readAt: '2026-01-01T00:00:00.000Z',
	total: 36,
	complete: true,
	calls: 1,
	problem: null,
	price: 1
}

test('known changes elsewhere are counted, with those omitted', () => {
	expect(elsewhereWords({...state, readAt: null, elsewhere: 0}, 0, true)).toContain('has not been loaded yet')
	expect(elsewhereWords(state, 36, true)).toBe('36 actions outside Cordon.')
	expect(elsewhereWords({...state, own: 4}, 2, true)).toBe('2 of 36 actions outside Cordon. 4 more repeat entries of this log and are skipped.')
	expect(elsewhereWords({...state, elsewhere: 1}, 0, false)).toBe('1 action outside Cordon.')
	expect([callWords(1), callWords(1200)]).toEqual(['1 call', '1,200 calls'])
})

test('a reading without result is not reported as one', () => {
	const refused = {...state, elsewhere: 0, complete: false, problem: {code: 'forbidden', message: 'No'} as never}
	expect([triedWord(refused), triedWord(state)]).toEqual(['Tried', 'Loaded'])
	expect(elsewhereWords(refused, 0, true)).toContain('has not been loaded yet')
	expect(elsewhereWords({...refused, elsewhere: 36}, 36, true)).toBe('36 actions outside Cordon.')
	expect(triedWord({problem: {code: 'incomplete', message: 'More'} as never})).toBe('Loaded')
})

test.each([
	['forbidden', 'may not read'],
	['unauthorized', 'does not know this key'],
	['rate_limited', 'was not loaded'],
	['incomplete', 'Only the newest'],
	['dns', 'may be missing: No such host.']
] as const)('a reading that ended with %s says so', (code, words) => {
	expect(problemWords({code, message: 'No such host'} as never)).toContain(words)
})

const guid = 'D7FBCDB6-0a14-4e39-867e-02f5e1649497'

test.each([
	['svc_put_computers_isolation', `/computers/${guid.toLowerCase()}`],
	['svc_set_file_list_files_by_sha', `/file-lists/${guid.toLowerCase()}`],
	['svc_set_group_policy', `/groups/${guid.toLowerCase()}`],
	['Policy', `/policies/${guid.toLowerCase()}`],
	['User', null]
])('%s is about an object at %s', (kind, place) => {
	expect(placeOf(kind, guid)).toBe(place)
})

test('hashes of an entry are found in its arguments, data and message, each once', () => {
	const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)]
	const entry = {args: {sha256: one.toUpperCase()}, data: {id: 5n, other: two}, message: `Added ${one}.`}
	expect(hashesOf(entry as never)).toEqual([one, two])
	expect(placeOf('computer', 'not a guid')).toBeNull()
})
