import {largest, smallest} from './extremes.ts'

test('a million values have a smallest and a largest one', () => {
	const values = Array.from({length: 1_000_000}, (_, index) => (index * 7919) % 1_000_003)
	expect([smallest(values), largest(values)]).toEqual([0, 1_000_002])
})

test('an empty list has none', () => {
	expect([smallest([]), largest([])]).toEqual([Infinity, -Infinity])
})
