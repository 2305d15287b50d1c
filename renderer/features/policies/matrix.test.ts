import {exportedMatrix, exportedPolicies} from './PoliciesScreen.tsx'
import {groupLines, listColumns, listColumnsAtOnce, noListWords, productsIn, unreadGroups} from './matrix.ts'
import {group, policy} from './testing/policies.ts'

const use = {guid: 'p', name: 'Protect', product: 'windows', inherited: false}
const groups = [
	group({guid: 'root', policies: [use, {...use, product: 'ios'}]}),
	group({guid: 'child', parent: 'root', policies: [{...use, inherited: true}]}),
	group({guid: 'unread'})
]
const list = (name: string, type = 'simple_custom_detections') => ({guid: name, name, type})

test('groups are in tree order, with data that is not loaded marked as unknown', () => {
	const lines = groupLines(groups, '')
	expect(lines.map(({group: {guid}, level}) => `${guid} ${level}`)).toEqual(['root 1', 'child 2', 'unread 1'])
	expect(lines.map(({uses}) => uses?.get('windows')?.inherited)).toEqual([false, true, undefined])
	expect(unreadGroups(lines)).toBe(1)
})

test('a search finds groups by their name and by their policies', () => {
	expect(groupLines(groups, 'protect').map(({group: {guid}}) => guid)).toEqual(['root', 'child'])
	expect(groupLines(groups, 'protect', 'ios').map(({group: {guid}}) => guid)).toEqual(['root'])
})

test('products of groups and policies are columns once', () => {
	expect(productsIn(groups, [policy({guid: 'x', product: 'zeppelin'})])).toEqual(['windows', 'ios', 'zeppelin'])
})

test('lists come by kind and name, a page of them, and a page beyond the last is the last', () => {
	const lists = Array.from({length: listColumnsAtOnce + 3}, (_, index) => list(`L${String(index).padStart(2, '0')}`))
	const all = [policy({guid: 'a', fileLists: lists}), policy({guid: 'b', fileLists: [list('A', 'allowed_applications')]})]
	expect(listColumns(all, 0).columns[0]?.name).toBe('L00')
	expect(listColumns(all, 999).columns.at(-1)?.name).toBe('A')
	expect(listColumns(all, 0).columns).toHaveLength(listColumnsAtOnce)
	expect(listColumns(all, 999)).toMatchObject({from: listColumnsAtOnce, of: lists.length + 1})
	expect(listColumns([], 5)).toEqual({columns: [], from: 0, of: 0})
})

test('"no list" is shown only when every policy was loaded', () => {
	const read = policy({guid: 'a', fileLists: []})
	expect(noListWords([read])).toBe('None of these policies uses a list.')
	expect(noListWords([read, policy({guid: 'b'})])).toBe('Their lists are not known yet.')
	// No match, or not loaded: the table says which.
	expect(noListWords([])).toBeNull()
})

test('what is not read is a question mark in a file', () => {
	expect(exportedMatrix(groupLines(groups, ''), ['windows']).rows.map(row => row[2])).toEqual(['Protect', '(Protect)', '?'])
	const {columns, rows} = exportedPolicies([policy({guid: 'a', fileLists: [list('X'), list('Y')]})])
	expect(rows[0]?.[columns.indexOf('File lists')]).toBe('X; Y')
	expect(rows[0]?.[columns.indexOf('Groups')]).toBe('?')
	expect(rows[0]).toHaveLength(columns.length)
})
