import {acceptsGzip, isNotModified, rangeOf} from './conditional.ts'

const validators = {etag: '"1"', modifiedAt: Date.UTC(2026, 0, 1) + 5}
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toUTCString()

test.each([
	['bytes=0-3', 10, [0, 3]],
	[' Bytes=5-99', 10, [5, 9]],
	['bytes=0-1,3-4', 10, null],
	['items=0-1', 10, null],
	['bytes=9-9', 10, [9, 9]],
	['bytes=9-', 10, [9, 9]],
	['bytes=10-', 10, 'unsatisfiable'],
	['bytes=0-', 0, 'unsatisfiable'],
	['bytes=-3', 10, [7, 9]],
	['bytes=-30', 10, [0, 9]],
	['bytes=-0', 10, 'unsatisfiable'],
	['bytes=-3', 0, 'unsatisfiable'],
	['bytes=-', 10, null],
	['bytes=4-3', 10, null],
	['bytes=12-11', 10, null]
])('%s of %i bytes is %j', (range, size, expected) => {
	const [first, last] = Array.isArray(expected) ? expected : []
	expect(rangeOf({range}, size, validators)).toEqual(first === undefined ? expected : {first, last})
})

test('a part is given of the same list only', () => {
	const isGiven = (header: string) => rangeOf({range: 'bytes=0-3', 'if-range': header}, 10, validators) !== null
	expect(['"1"', '"2"', 'W/"1"', at(0), at(1), at(-1), 'today'].map(isGiven)).toEqual([true, false, false, true, false, false, false])
})

test('a list is not sent again to whom has it, by its tag, else by its time', () => {
	const has = (tags: string | undefined, since?: string) =>
		isNotModified({...(tags !== undefined && {'if-none-match': tags}), 'if-modified-since': since}, validators)
	expect(['"1"', 'W/"1"', '"0", "1"', ' * ', '"2"', ''].map(tags => has(tags))).toEqual([true, true, true, true, false, false])
	expect([at(-1), at(0), at(1), 'today', undefined].map(since => has(undefined, since))).toEqual([false, true, true, false, false])
	expect(has('"2"', at(1))).toBe(false)
})

test.each([
	['gzip', true],
	['br, *;q=0.1', true],
	['x-gzip;q=1', true],
	['*, gzip;q=0', false],
	['gzip;q=x', false],
	['identity', false],
	[undefined, false]
])('gzip is accepted by %s: %s', (header, expected) => {
	expect(acceptsGzip(header)).toBe(expected)
})
