import {Taking} from './taking.ts'

const limits = {stallMs: 60_000, minTakeRate: 240}

/** Takes this many bytes in each second; returns the second of the cut, 0 for none within ten minutes. */
function secondOfTheCut(bytesIn: (second: number) => number, {waits = true, of = limits} = {}) {
	const taking = new Taking(of, 0)
	let taken = 0
	for (let second = 1; second <= 600; second += 1) {
		taken += bytesIn(second)
		if (taking.isTooSlow(second * 1000, taken, waits)) return second
	}
	return 0
}

describe('a client that takes what waits for it', () => {
	test('faster than the rate is served for as long as it takes', () => {
		expect(secondOfTheCut(() => 240)).toBe(0)
		// A pause may be as long as the stall limit if enough was taken before.
		expect(secondOfTheCut(second => (second % 50 === 0 ? 20_000 : 0))).toBe(0)
	})

	test('not at all is given up when the time is over', () => {
		expect(secondOfTheCut(() => 0)).toBe(61)
		expect(secondOfTheCut(second => (second <= 10 ? 1e9 : 0))).toBe(71)
	})

	test('a few bytes again and again is given up as well', () => {
		expect(secondOfTheCut(() => 5)).toBe(62)
		expect(secondOfTheCut(second => (second % 30 === 0 ? 150 : 0))).toBe(62)
		expect(secondOfTheCut(second => (second === 1 ? 10_000_000 : 1))).toBe(62)
		expect(secondOfTheCut(() => 200)).toBe(361)
	})

	test('is not hurried when nothing waits for it', () => {
		expect(secondOfTheCut(() => 0, {waits: false})).toBe(0)
		expect(secondOfTheCut(() => 0, {of: {stallMs: 0, minTakeRate: 240}})).toBe(0)
		expect(secondOfTheCut(() => 1, {of: {stallMs: 60_000, minTakeRate: 0}})).toBe(0)
	})
})
