import type {EventHistogram} from '#contract/events.ts'

import {sparkOf} from './spark.ts'

const hour = 3_600_000
const none = [0, 0, 0, 0]

function histogram(changes: Partial<EventHistogram> = {}): EventHistogram {
	return {
		from: '2026-01-15T00:00:00.000Z',
		to: '2026-01-15T04:00:00.000Z',
		stepMs: hour,
		counts: {critical: [0, 2, 0, 1], high: [0, 1, 0, 0], medium: none, low: none, none, unknown: none},
		exact: true,
		countedFrom: null,
		gaps: [],
		...changes
	}
}

test('a sparkline adds the severities up, step by step', () => {
	expect(sparkOf(histogram())).toEqual({counts: [0, 3, 0, 1], total: 4, isPart: false})
})

test('a time that is not loaded yet is not shown as zero', () => {
	const gaps = [{from: '2026-01-14T00:00:00.000Z', to: '2026-01-15T01:30:00.000Z'}]
	// The second step was partly loaded, and has events.
	expect(sparkOf(histogram({gaps}))).toEqual({counts: [null, 3, 0, 1], total: 4, isPart: true})
})

test('a count that was given up is reported', () => {
	expect(sparkOf(histogram({exact: false})).isPart).toBe(true)
})
