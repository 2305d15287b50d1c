import type {GroupChangePreview, PolicyRow} from '#contract/directory.ts'

import {changedProducts, commandArgs, driftOf, holds, readingsOf} from './assign-facts.ts'
import {groupsOf, used} from './testing/groups.ts'

const [blank] = groupsOf('Wards')
if (blank === undefined) throw new Error('There is no group.')
const group = {...blank, policies: [used('windows', 'a'), used('mac', 'p')]}
const ref = (guid: string) => ({guid, name: guid})
const preview: GroupChangePreview = {
	group: ref('wards'),
	computers: 3,
	calls: 1,
	products: [
		{product: 'windows', before: ref('windows-a'), after: ref('windows-b'), listsGained: [], listsLost: [], computers: 3},
		{product: 'mac', before: ref('mac-p'), after: ref('mac-p'), listsGained: [], listsLost: [], computers: 2}
	]
}

test('only the chosen products are sent, and none that the service does not take', () => {
	expect(commandArgs('g', {windows: 'b', ios: 'x'})).toEqual({group_guid: 'g', windows_policy_guid: 'b'})
})

test('a policy changed by others meanwhile is detected, for the changed products alone', () => {
	expect(driftOf(preview, group)).toBeNull()
	expect(driftOf(preview, {...group, policies: [used('windows', 'c'), used('mac', 'p')]})).toMatch(/windows policy of Wards to c meanwhile/)
	expect(driftOf(preview, {...group, policies: [used('windows', 'a'), used('mac', 'other')]})).toBeNull()
})

test('the price of a preview is what it has to read', () => {
	const read = new Map([['windows-a', {fileLists: []} as unknown as PolicyRow]]) // only the used part
	expect(readingsOf(group, {windows: 'windows-b'}, read)).toBe(1)
	expect(readingsOf({...group, policies: null}, {windows: 'windows-b'}, read)).toBe(2)
	expect(readingsOf(group, {windows: 'windows-a'}, read)).toBe(0)
})

test('what stays the same is no change', () => {
	expect(changedProducts(preview).map(({product}) => product)).toEqual(['windows'])
})

test('the change is observed when the group has all that was sent', () => {
	expect(holds(group, {windows: 'windows-a'})).toBe(true)
	expect(holds(group, {windows: 'windows-a', mac: 'other'})).toBe(false)
})
