import {columnsThatFit, pinnedThatFit} from './DataTable.tsx'

const columns = [
	{id: 'name', width: 200},
	{id: 'group', width: 150, yields: 1},
	{id: 'system', width: 190, yields: 2},
	{id: 'isolation', width: 120}
]
const idsAt = (width: number) => columnsThatFit(columns, width).map(({id}) => id)

test('all columns are there while there is room', () => {
	expect(idsAt(660)).toEqual(['name', 'group', 'system', 'isolation'])
})

test('the column that yields most goes first, the rest keeps its order', () => {
	expect(idsAt(659)).toEqual(['name', 'group', 'isolation'])
	expect(idsAt(469)).toEqual(['name', 'isolation'])
})

test('columns that do not yield stay, however narrow it is', () => {
	expect(idsAt(50)).toEqual(['name', 'isolation'])
})

test('a column keeps the width that it wants before others, and not before itself', () => {
	const wide = columns.map(column => (column.id === 'name' ? {...column, wants: 300} : column))
	const wideAt = (width: number) => columnsThatFit(wide, width).map(({id}) => id)
	expect([wideAt(760), wideAt(759), wideAt(321)].map(ids => ids.length)).toEqual([4, 3, 2])
})

describe('pinned columns', () => {
	const pinned = [
		{id: 'policy', width: 186, isPinned: true},
		{id: 'product', width: 86, isPinned: true},
		{id: 'list', width: 92}
	]
	const pinnedAt = (width: number) =>
		pinnedThatFit(pinned, width)
			.filter(({isPinned}) => isPinned === true)
			.map(({id}) => id)

	test('stay while they leave half of the room to the others', () => {
		expect(pinnedAt(544)).toEqual(['policy', 'product'])
	})

	test('scroll with the others where it is narrow, the last of them first; none is left out', () => {
		expect(pinnedAt(543)).toEqual(['policy'])
		expect(pinnedAt(371)).toEqual([])
		expect(pinnedThatFit(pinned, 371).map(({id}) => id)).toEqual(['policy', 'product', 'list'])
	})

	test('keep all columns the same where there is room for them', () => {
		expect(pinnedThatFit(pinned, 1000)).toBe(pinned)
	})
})
