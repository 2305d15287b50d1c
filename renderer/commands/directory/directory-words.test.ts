import type {DirectoryState} from '#contract/directory.ts'

import {calls, inProductOrder, productTitle, refreshPrice, retryDetails} from './directory-words.ts'

const state: DirectoryState = {
	phase: 'complete',
	readAt: '2026-01-31T12:00:00.000Z',
	details: {read: 0, of: 40},
	error: null,
	refreshCalls: 4,
	detailCalls: 40,
	lackingCalls: 0,
	revision: 1
}

test('known products come first in their order, an unknown one last and as it is spelled', () => {
	expect(inProductOrder(['zeppelin', 'ios', 'windows', 'ios'])).toEqual(['windows', 'ios', 'zeppelin'])
	expect(productTitle('mac')).toBe('macOS')
	expect(productTitle('zeppelin')).toBe('zeppelin')
})

test('a reading shows its cost, with and without details', () => {
	expect(refreshPrice(state, false)).toBe('about 4 calls')
	expect(refreshPrice(state, true)).toBe('about 44 calls')
	expect(refreshPrice({...state, refreshCalls: null, detailCalls: null}, true)).toBe('cost unknown')
	expect(refreshPrice(undefined, false)).toBe('cost unknown')
	expect(calls(1)).toBe('1 call')
})

test('another try reads the details that failed, and none when only a listing did', () => {
	const partial = {...state, phase: 'partial'} as const
	expect(retryDetails(partial)).toBe(false)
	expect(retryDetails({...partial, lackingCalls: 3})).toBe('lacking')
	expect(refreshPrice({...partial, lackingCalls: 3}, 'lacking')).toBe('about 7 calls')
})
