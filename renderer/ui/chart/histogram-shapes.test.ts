import fc from 'fast-check'

import {binsOf, binWords, heightsOf, logHeight, rangeWords, spanned, sumsOf, timesOf} from './histogram-shapes.ts'

const steps = {from: '2026-01-31T00:00:00.000Z', stepMs: 3_600_000, count: 24}

test('a range of bins and its times say the same', () => {
	fc.assert(
		fc.property(fc.integer({min: 0, max: 23}), fc.integer({min: 0, max: 23}), (a, b) => {
			const range = spanned(a, b)
			expect(binsOf(timesOf(range, steps), steps)).toEqual(range)
		})
	)
})

test('a span that ends inside a step is widened to it, and one off the axis is none', () => {
	expect(binsOf({from: '2026-01-31T01:30:00Z', to: '2026-01-31T02:10:00Z'}, steps)).toEqual({first: 1, last: 2})
	expect(binsOf({from: '2026-01-30T01:00:00Z', to: '2026-01-31T01:00:00Z'}, steps)).toEqual({first: 0, last: 0})
	expect(binsOf({from: '2026-02-02T00:00:00Z', to: '2026-02-03T00:00:00Z'}, steps)).toBeNull()
	expect(binsOf({from: 'yesterday', to: 'today'}, steps)).toBeNull()
})

test('on the logarithmic scale a bin is as high as its sum, and its parts share that', () => {
	const series = [
		[0, 1, 30],
		[0, 0, 70]
	]
	const heights = heightsOf(series, true)
	const sums = sumsOf(heights)
	expect(sums.map(sum => Math.round(sum * 1e9) / 1e9)).toEqual([0, 1, 3])
	expect((heights[0]?.[2] ?? 0) / (sums[2] ?? 1)).toBeCloseTo(0.3)
	expect(heightsOf(series, false)).toBe(series)
})

test('more is always higher', () => {
	fc.assert(fc.property(fc.nat(1e6), fc.nat(1e6), (a, b) => a <= b === logHeight(a) <= logHeight(b)))
})

test('a bin in words names only what it holds', () => {
	const series = [
		{name: 'critical', values: [1, 2]},
		{name: 'low', values: [0, 1200]},
		{name: 'none', values: [0, 0]}
	]
	expect(binWords(series, {first: 0, last: 0}, ['event', 'events'])).toBe('1 event: 1 critical')
	expect(binWords(series, {first: 0, last: 1}, ['event', 'events'])).toBe('1,203 events: 3 critical, 1,200 low')
	expect(binWords([], {first: 0, last: 0}, ['event', 'events'])).toBe('0 events')
})

test('a span in words names the day once', () => {
	expect(rangeWords({from: '2026-01-31T13:00:00Z', to: '2026-01-31T13:30:00Z'}, 'utc')).toBe('2026-01-31 13:00 to 13:30 UTC')
	expect(rangeWords({from: '2026-01-31T13:00:00Z', to: '2026-02-01T01:00:00Z'}, 'utc')).toBe('2026-01-31 13:00 to 2026-02-01 01:00 UTC')
})
