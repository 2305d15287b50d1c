import fc from 'fast-check'

import {keyInTable, type KeyFacts} from './movement.ts'

const plain = {shift: false, control: false, alt: false}
const table = {cursor: 5, count: 100, page: 20, letters: true}

test('arrows and letters move by one row', () => {
	expect(keyInTable({...plain, key: 'ArrowDown'}, table)).toEqual({kind: 'move', to: 6, extend: false})
	expect(keyInTable({...plain, key: 'k'}, table)).toEqual({kind: 'move', to: 4, extend: false})
})

test('letters do nothing when they are switched off', () => {
	for (const key of ['j', 'k', 'x']) expect(keyInTable({...plain, key}, {...table, letters: false})).toBeNull()
})

test('the first arrow down goes to the first row', () => {
	expect(keyInTable({...plain, key: 'ArrowDown'}, {...table, cursor: -1})).toEqual({kind: 'move', to: 0, extend: false})
})

test('Shift extends the selection', () => {
	expect(keyInTable({...plain, shift: true, key: 'ArrowUp'}, table)).toEqual({kind: 'move', to: 4, extend: true})
})

test('Enter, Space and x are about the row and Ctrl A about all; what has Alt is not for the table', () => {
	const kindOf = (key: Partial<KeyFacts>) => keyInTable({...plain, key: 'a', ...key}, table)?.kind
	expect(['Enter', ' ', 'x', 'y'].map(key => kindOf({key}))).toEqual(['open', 'peek', 'toggle', undefined])
	expect([{key: 'A'}, {key: 'b'}, {alt: true}].map(key => kindOf({...key, control: true}))).toEqual(['all', undefined, undefined])
})

test('an empty table has nowhere to go', () => {
	expect(keyInTable({...plain, key: 'End'}, {...table, cursor: -1, count: 0})).toBeNull()
})

test('no key leads out of the table', () => {
	const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'j', 'k')
	fc.assert(
		fc.property(keys, fc.integer({min: 1, max: 200_000}), fc.double({min: 0, max: 1, noNaN: true}), (key, count, share) => {
			const cursor = Math.floor(share * (count - 1))
			const facts: KeyFacts = {...plain, key}
			const result = keyInTable(facts, {...table, cursor, count})
			return result?.kind === 'move' && result.to >= 0 && result.to < count
		})
	)
})
