import {answering, describePolicy, groupsUsing} from './policy-facts.ts'
import {group, policy} from './testing/policies.ts'

const clinical = policy({
	guid: 'a',
	name: 'Clinical',
	groups: [
		{guid: 'g', name: 'Wards'},
		{guid: 'h', name: 'PACS'}
	]
})

test('a search and a product narrow the policies', () => {
	const all = [clinical, policy({guid: 'b', name: 'Clinical', product: 'mac'}), policy({guid: 'c', name: 'Audit'})]
	expect(answering(all, 'clin', undefined).map(({guid}) => guid)).toEqual(['a', 'b'])
	expect(answering(all, 'clin', 'mac').map(({guid}) => guid)).toEqual(['b'])
	expect(answering(all, '', undefined)).toHaveLength(3)
})

test('a group shows whether a policy is its own, if its details are loaded', () => {
	const use = {guid: 'a', name: 'Clinical', product: 'windows', inherited: true}
	const groups = new Map([
		['g', group({guid: 'g', policies: [use], computers: 4})],
		['h', group({guid: 'h'})]
	])
	expect(groupsUsing(clinical, groups)?.map(({origin}) => origin)).toEqual(['inherited', 'unknown'])
	expect(groupsUsing(policy({guid: 'x'}), groups)).toBeNull()
})

test('a policy is announced with what is not read', () => {
	expect(describePolicy(policy({guid: 'p', isDefault: true, computers: 1, groups: []}))).toBe(
		'p, for Windows, default, 1 computer, 0 groups, lists not loaded'
	)
})
