import {exportedGroups} from './GroupsDialogs.tsx'
import {groupsOf, used} from './testing/groups.ts'

test('a group is exported with its path and policies, and what is not read is a question mark', () => {
	const all = groupsOf('Hospital', 'Wards > Hospital').map(group =>
		group.name === 'Wards' ? {...group, policies: [used('windows', 'Clinical', true), used('mac', 'Protect')]} : group
	)
	const {columns, rows} = exportedGroups(all, all)
	const cell = (row: number, column: string) => rows[row]?.[columns.indexOf(column)]
	expect(rows.every(row => row.length === columns.length)).toBe(true)
	expect(cell(1, 'Path')).toBe('Hospital ▸ Wards')
	expect(cell(1, 'Own policies')).toBe('mac: Protect')
	expect(cell(1, 'Inherited policies')).toBe('windows: Clinical')
	expect(cell(0, 'Own policies')).toBe('?')
})
