import type {PolicyRow} from '#contract/directory.ts'

import {listUseOf, policyFlowOf, reachOf} from './GroupPolicies.tsx'

const way = (group: string, policy: string, computers: number) => ({
	group: {guid: group, name: group.toUpperCase()},
	policy: {guid: policy, name: policy.toUpperCase(), product: 'windows'},
	computers
})
const lists = (guid: string, fileLists: PolicyRow['fileLists']): [string, PolicyRow] => [
	guid,
	{
		...{guid, name: guid, product: 'windows', description: '', isDefault: false, serial: 1, computers: 0},
		...{fileLists, groups: null, ipLists: null, exclusionSets: null},
		...{readAt: '2026-01-31T12:00:00.000Z', problem: null, vanishedAt: null}
	}
]
const policies = new Map([
	lists('protect', [{guid: 'main', name: 'Main', type: 'simple_custom_detections'}]),
	lists('audit', []),
	lists('unread', null)
])
const ways = [way('legal', 'protect', 30), way('labs', 'audit', 20), way('legal', 'audit', 5), way('labs', 'unread', 2)]

test('bands lead from each group to its policies, with what they sum up to', () => {
	const {nodes, links} = policyFlowOf(ways, policies)
	expect(nodes.map(({key, column, value}) => [key, column, value])).toEqual([
		['g legal', 0, 35],
		['g labs', 0, 22],
		['p protect', 1, 30],
		['p audit', 1, 25],
		['p unread', 1, 2]
	])
	expect(links).toContainEqual({from: 'g legal', to: 'p audit', value: 5})
})

test('a list marks the policies that use it, in words too, and what is not read stays open', () => {
	const {nodes} = policyFlowOf(ways, policies, 'main')
	expect(nodes.filter(({column}) => column === 1).map(({name, tone}) => [name, tone])).toEqual([
		['PROTECT (Windows) · uses it', 'ok'],
		['AUDIT (Windows) · does not', 'accent'],
		['UNREAD (Windows) · ?', 'dim']
	])
	expect(reachOf(ways, policies, 'main')).toEqual({uses: 30, not: 25, unknown: 2})
	expect(listUseOf(undefined, 'main')).toBe('unknown')
})

test('of many groups the largest have bands of their own, the others one together', () => {
	const many = Array.from({length: 40}, (_, index) => way(`g${index}`, 'protect', 40 - index))
	const {nodes} = policyFlowOf(many, policies)
	expect(nodes.filter(({column}) => column === 0)).toHaveLength(16)
	expect(nodes.find(({name}) => name === 'Other groups')?.value).toBe((25 * 26) / 2)
})
