import {neighboursOf, offsetsOf} from './pages.ts'

test('a range inside one page needs that page', () => {
	expect(offsetsOf({from: 120, to: 160}, 100)).toEqual([100])
})

test('a range over an edge needs both pages, and its end is exclusive', () => {
	expect(offsetsOf({from: 90, to: 101}, 100)).toEqual([0, 100])
	expect(offsetsOf({from: 90, to: 100}, 100)).toEqual([0])
})

test('an empty range needs the first page', () => {
	expect(offsetsOf({from: 0, to: 0}, 100)).toEqual([0])
})

test('the pages before and after are read ahead, as far as there are rows', () => {
	expect(neighboursOf([100, 200], 100, 1000)).toEqual([300, 0])
	expect(neighboursOf([0], 100, 100)).toEqual([])
	expect(neighboursOf([900], 100, 1000)).toEqual([800])
})
