import type {GroupNode, PolicyRow} from '#contract/directory.ts'

import {describeGroup, filterOf, listsOf, policiesOf, shareOf} from './group-facts.ts'
import {groupsOf, used} from './testing/groups.ts'

const [root, middle, leaf] = groupsOf('Hospital', 'Wards > Hospital', 'Carts > Wards') as [GroupNode, GroupNode, GroupNode]
const own = used('windows', 'Clinical')
const inherited = used('windows', 'Clinical', true)

test('an inherited policy names the nearest group that sets it', () => {
	const path = [
		{...root, policies: [own]},
		{...middle, policies: [inherited]},
		{...leaf, policies: [inherited]}
	]
	expect(policiesOf(path)?.[0]?.from).toEqual({guid: 'hospital', name: 'Hospital'})
	expect(policiesOf(path.slice(0, 1))?.[0]?.from).toBeNull()
})

test('where an ancestor is not read, nobody is named', () => {
	const path = [root, middle, {...leaf, policies: [inherited]}]
	expect(policiesOf(path)?.[0]?.from).toBeNull()
	expect(policiesOf([root, middle, leaf])).toBeNull()
})

test('the lists of a group come through its policies, and those that are not read are named', () => {
	const lists = [{guid: 'l', name: 'Known bad', type: 'simple_custom_detections'}]
	const policy = (guid: string, fileLists: PolicyRow['fileLists']) => [guid, {guid, fileLists} as PolicyRow] as const // only the used part
	const uses = [used('windows', 'Clinical'), used('mac', 'Protect'), used('linux', 'Server')]
	const known = new Map([policy('windows-clinical', lists), policy('mac-protect', lists), policy('linux-server', null)])
	const applied = listsOf(uses, known)
	expect(applied.lists).toHaveLength(1)
	expect(applied.lists[0]?.through.map(({product}) => product)).toEqual(['windows', 'mac'])
	expect(applied.unknown.map(({name}) => name)).toEqual(['Server'])
})

test('one of thousands is still seen, and none is not', () => {
	expect(shareOf(1, 100_000)).toBe(2)
	expect(shareOf(0, 10)).toBe(0)
	expect(shareOf(5, 10)).toBe(50)
})

test('a filter over too many groups would be no address', () => {
	expect(filterOf([{guid: 'a'}, {guid: 'b'}])).toBe('group:a,b')
	expect(filterOf(Array.from({length: 61}, () => ({guid: 'a'})))).toBeNull()
})

test('a group is announced with what is wrong in it', () => {
	const below = {computers: 5, compromised: 1, isolated: 0}
	expect(describeGroup({...root, computers: 2, below, policies: []})).toBe('Hospital, 5 computers, 2 of its own, 1 compromised')
})
