import {fieldsOf} from './Inspector.tsx'
import {spanWords, unknownOf} from './words.ts'

test('fields are paths, lists of plain values one line, and numbers keep their digits', () => {
	expect(fieldsOf('{"id":6419145890424881174,"file":{"names":["a","b"],"parts":[{"x":null}]},"none":[]}')).toEqual([
		{name: 'id', value: '6419145890424881174'},
		{name: 'file.names', value: 'a b'},
		{name: 'file.parts.0.x', value: 'null'},
		{name: 'none', value: ''}
	])
})

test('unknown types are shown with their counts', () => {
	expect(unknownOf({unknown: []})).toBeNull()
	expect(
		unknownOf({
			unknown: [
				{type: 'A', count: 2},
				{type: 'B', count: 1}
			]
		})
	).toBe('3 events are of a type that is not known here: A (2), B (1).')
})

test('a part of the time has its zone, so that a saved picture is understood elsewhere', () => {
	const from = Date.UTC(2026, 0, 31, 14, 2, 11)
	expect(spanWords({from, to: from + 60_000}, 'utc')).toBe('2026-01-31 14:02:11 UTC to 2026-01-31 14:03:11 UTC')
	expect(spanWords({from, to: from + 60_000}, 'local')).toMatch(/ \(UTC[+-]\d\d:\d\d\)$/)
})
