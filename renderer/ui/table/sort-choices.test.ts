import {sortChoices} from './DataTable.tsx'

const columns = [
	{id: 'name', title: 'Name', sortable: true},
	{id: 'group', title: 'Group'},
	{id: 'seen', title: 'Last seen', sortable: true}
]

test('only columns that can be sorted are offered, and the one that holds is turned around', () => {
	expect(sortChoices(columns, {column: 'seen', descending: true})).toEqual([
		{id: 'name', title: 'Name', now: null, next: 'ascending'},
		{id: 'seen', title: 'Last seen', now: 'descending', next: 'ascending'}
	])
	expect(sortChoices(columns, {column: 'name', descending: false})[0]).toMatchObject({now: 'ascending', next: 'descending'})
	expect(sortChoices(columns, null).map(({now}) => now)).toEqual([null, null])
})
