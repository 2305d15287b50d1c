import {endOf, picturedTimes, shownTimes, spanOf} from './span.ts'

const now = Date.parse('2024-05-29T10:07:30Z')

describe('the time that is shown', () => {
	it.each([
		['2024-05-29T01:00:00Z', '24h'],
		['2024-05-25T01:00:00Z', '7d'],
		['2024-05-02T01:00:00Z', '30d'],
		['2024-01-01T01:00:00Z', 'all']
	])('a chosen time from %s on lies in the picture of %s', (from, span) => {
		expect(spanOf({from}, now)).toBe(span)
	})

	it('is all stored time when the address says nothing', () => {
		expect(spanOf({}, now)).toBe('all')
		expect(shownTimes({}, 'all', now)).toEqual({from: null, to: null})
	})

	it('ends on a whole step, and the rows go on behind it', () => {
		const end = endOf('24h', now)
		expect(picturedTimes('24h', end)).toEqual({from: '2024-05-28T10:15:00.000Z', to: '2024-05-29T10:15:00.000Z'})
		expect(shownTimes({span: '24h'}, '24h', end)).toEqual({from: '2024-05-28T10:15:00.000Z', to: null})
	})

	it('is the chosen one, whatever the span', () => {
		const chosen = {from: '2024-05-29T01:00:00Z', to: '2024-05-29T02:00:00Z'}
		expect(shownTimes({span: '7d', ...chosen}, '7d', now)).toEqual(chosen)
		expect(spanOf({span: '7d', ...chosen}, now)).toBe('7d')
	})
})
