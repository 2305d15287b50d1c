import fc from 'fast-check'
import {type Drag, dragged, gripAt, moved} from './use-brush.ts'

const count = 24
const brush = {first: 8, last: 11}
const drag = (grip: Drag['grip'], from: number) => ({grip, brush, from})

test('the inside of a brush moves it, its edges resize it, anything else starts a new one', () => {
	const gripped = (place: number) => gripAt(place, brush, count, 0.3)
	expect([0, 7.6, 12.4, 23.9].map(gripped)).toEqual(['span', 'span', 'span', 'span'])
	expect([7.8, 8.2].map(gripped)).toEqual(['first', 'first'])
	expect([11.8, 12.2].map(gripped)).toEqual(['last', 'last'])
	expect([8.4, 10, 11.6].map(gripped)).toEqual(['move', 'move', 'move'])
	expect(gripAt(10, null, count, 0.3)).toBe('span')
})

test('a brush narrower than its edges can still be moved; one over everything cannot', () => {
	expect(gripAt(5.5, {first: 5, last: 5}, count, 4)).toBe('move')
	expect(gripAt(12, {first: 0, last: count - 1}, count, 0.3)).toBe('span')
	expect(gripAt(0.1, {first: 0, last: count - 1}, count, 0.3)).toBe('first')
})

test('moving keeps the length and stops at the ends', () => {
	expect(dragged(drag('move', 10), 12.4, count)).toEqual({first: 10, last: 13})
	expect(dragged(drag('move', 10), 10.4, count)).toEqual(brush)
	expect(dragged(drag('move', 10), -50, count)).toEqual({first: 0, last: 3})
	expect(dragged(drag('move', 10), 50, count)).toEqual({first: 20, last: 23})
	expect(moved(brush, -1, count)).toEqual({first: 7, last: 10})
})

test('an edge goes to the nearest border of two bins, leaves at least one, and may pass the other edge', () => {
	expect(dragged(drag('last', 12), 14.4, count)).toEqual({first: 8, last: 13})
	expect(dragged(drag('last', 12), 8.2, count)).toEqual({first: 8, last: 8})
	expect(dragged(drag('last', 12), 6, count)).toEqual({first: 6, last: 7})
	expect(dragged(drag('first', 8), 5.6, count)).toEqual({first: 6, last: 11})
	expect(dragged(drag('first', 8), 12, count)).toEqual({first: 11, last: 11})
	expect(dragged(drag('first', 8), 15, count)).toEqual({first: 12, last: 14})
})

test('whatever is dragged, the result is a range of what is shown', () => {
	const place = fc.double({min: -10, max: count + 10, noNaN: true})
	fc.assert(
		fc.property(fc.constantFrom('span', 'move', 'first', 'last'), place, place, (grip, from, to) => {
			const {first, last} = dragged(drag(grip, from), to, count)
			expect(first).toBeGreaterThanOrEqual(0)
			expect(last).toBeGreaterThanOrEqual(first)
			expect(last).toBeLessThan(count)
		})
	)
})
