import {axisTop, barsOf, foldTo, lineOf} from './Chart.tsx'

test('the scale ends at a round number not below any value', () => {
	expect([0, 0.3, 1, 1.01, 4, 7, 10, 430].map(axisTop)).toEqual([1, 0.5, 1, 2, 5, 10, 10, 500])
})

test('a bar starts at the base line, and even a tiny one is visible', () => {
	expect(barsOf([0, 5, null], 10)).toBe('M1 100V50H2V100Z')
	expect(barsOf([0.001], 10)).toBe('M0 100V98H1V100Z')
})

test('a line breaks where there is no value', () => {
	expect(lineOf([10, 5, null, 0], 10)).toBe('M0.2 0H0.5L1.5 50M3.2 100H3.5')
})

test('counts are added and times take the worst; nothing stays nothing', () => {
	expect(foldTo([1, 2, null, null, 4], 2, 'sum')).toEqual([3, null, 4])
	expect(foldTo([1, 9, 3], 3, 'max')).toEqual([9])
})
