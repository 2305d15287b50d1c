import type {GroupNode, PolicyRow} from '#contract/directory.ts'

import {verdictOf, type DiffLine} from '#commands/compare/diff-line.ts'
import {groupDiff, type Known, unreadPolicies} from './CompareScreen.tsx'
import {groupsOf, used} from './testing/groups.ts'
import {byGuid} from './tree-model.ts'

const [hospital, wards, servers] = groupsOf('Hospital', 'Wards > Hospital', 'Servers > Hospital') as [GroupNode, GroupNode, GroupNode]

function policy(product: string, name: string, lists: readonly string[] | null, sets: readonly string[] = []): PolicyRow {
	const named = (each: string) => ({guid: each.toLowerCase(), name: each})
	return {
		...used(product, name),
		description: '',
		isDefault: false,
		serial: 1,
		groups: [],
		fileLists: lists === null ? null : lists.map(each => ({...named(each), type: 'simple_custom_detections'})),
		ipLists: [],
		exclusionSets: lists === null ? null : sets.map(named),
		computers: 0,
		readAt: '2026-01-31T12:00:00.000Z',
		problem: null,
		vanishedAt: null
	}
}

function knowing(groups: readonly GroupNode[], policies: readonly PolicyRow[] = [], isCounted = true): Known {
	return {groups: byGuid(groups), policies: new Map(policies.map(each => [each.guid, each])), isCounted}
}

const named = (lines: readonly DiffLine[], title: string) =>
	lines.filter(line => line.title === title).map(line => [line.a, line.b, verdictOf(line)])

test('the same policy differs when only one of the groups has it of its own', () => {
	const parent = {...hospital, policies: [used('windows', 'Protect')]}
	const a = {...wards, policies: [used('windows', 'Protect', true)]}
	const b = {...servers, policies: [used('windows', 'Protect'), used('linux', 'Server')]}
	const lines = groupDiff(a, b, knowing([parent, a, b]))
	expect(named(lines, 'Policy for Windows')).toEqual([['Protect · inherited from Hospital', 'Protect · own', 'differs']])
	expect(named(lines, 'Policy for Linux')).toEqual([['', 'Server · own', 'differs']])
})

test('the place in the tree, and numbers that lead to their rows', () => {
	const a = {...wards, computers: 12, compromised: 2, below: {computers: 12, compromised: 2, isolated: 0}}
	const lines = groupDiff(a, hospital, knowing([hospital, a, servers]))
	expect(named(lines, 'Under')).toEqual([['Hospital', 'at the top', 'differs']])
	expect(named(lines, 'Computers')).toEqual([['12', '0', 'differs']])
	expect(lines.find(({title}) => title === 'Compromised')?.links).toEqual({
		a: `/computers?filter=${encodeURIComponent('group:wards compromised:yes')}`,
		b: null
	})
})

test('where the computers have not been loaded yet, nothing is counted', () => {
	const lines = groupDiff(wards, servers, knowing([hospital, wards, servers], [], false))
	expect(named(lines, 'Computers')).toEqual([[null, null, 'unknown']])
})

test('lists and exclusions that only one of them has through its policies', () => {
	const a = {...wards, policies: [used('windows', 'Protect')]}
	const b = {...servers, policies: [used('windows', 'Server')]}
	const policies = [policy('windows', 'Protect', ['Main', 'Old'], ['Office']), policy('windows', 'Server', ['Main'])]
	const lines = groupDiff(a, b, knowing([hospital, a, b], policies))
	expect(named(lines, 'File list')).toEqual([
		['Main (simple custom detections) · Windows', 'Main (simple custom detections) · Windows', 'same'],
		['Old (simple custom detections) · Windows', '', 'differs']
	])
	expect(named(lines, 'Exclusion set')).toEqual([['Office · Windows', '', 'differs']])
})

test('data that is not loaded is neither there nor missing, and names what to load', () => {
	const a = {...wards, policies: [used('windows', 'Protect')]}
	const b = {...servers, policies: [used('windows', 'Server')]}
	const known = knowing([hospital, a, b], [policy('windows', 'Protect', ['Main']), policy('windows', 'Server', null)])
	expect(named(groupDiff(a, b, known), 'File list')).toEqual([['Main (simple custom detections) · Windows', null, 'unknown']])
	expect(unreadPolicies([a, b], known).map(({name}) => name)).toEqual(['Server'])
	const unread = {...servers, policies: null}
	expect(named(groupDiff(a, unread, knowing([hospital, a, unread])), 'Policy for Windows')).toEqual([['Protect · own', null, 'unknown']])
	expect(named(groupDiff(wards, unread, knowing([hospital, wards, unread])), 'Policies')).toEqual([[null, null, 'unknown']])
})
