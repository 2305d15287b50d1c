import {marksAmong} from './SelectionBar.tsx'

const marks = {protected: ['a', 'b', 'gone'], isolated: ['b', 'c']}

test('only the selected count, and one may count twice', () => {
	const told = marksAmong(marks, new Set(['a', 'b', 'c', 'd'])).map(({what, guids}) => [what, guids])
	expect(told).toEqual([
		['protected', ['a', 'b']],
		['already isolated', ['b', 'c']]
	])
})

test('marks without selected computers are omitted', () => {
	expect(marksAmong(marks, new Set(['c'])).map(({what}) => what)).toEqual(['already isolated'])
	expect(marksAmong(marks, new Set(['d']))).toEqual([])
})

test('a selection of 100,000 with as many marks is counted at once', () => {
	const guids = Array.from({length: 100_000}, (_, index) => `guid-${index}`)
	const [first] = marksAmong({protected: guids, isolated: []}, new Set(guids))
	expect(first?.guids).toHaveLength(100_000)
})
