import fc from 'fast-check'

import {backOff} from './wire-state.ts'

test('the wait grows and never exceeds 12.5 seconds', () => {
	expect([1, 2, 3, 4, 5, 6, 7].map(attempt => backOff(attempt, 0.5))).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000])
	fc.assert(fc.property(fc.integer({min: 1, max: 1000}), fc.double({min: 0, max: 0.999, noNaN: true}), (n, r) => backOff(n, r) <= 12_500))
})
