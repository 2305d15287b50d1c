import fc from 'fast-check'

import type {KnownGroup} from './snapshot.ts'
import {descendantsOf, treeOf} from './tree.ts'
import type {ComputerCell} from './types.ts'

function group(guid: string, parent: string | null, name = guid): KnownGroup {
	const blank = {description: '', source: null, policies: null, readAt: 0, problem: null, vanishedAt: null}
	return {guid, name, parent, ...blank}
}

function cell(groupGuid: string, computers: number, groupName = ''): ComputerCell {
	return {groupGuid, groupName, policyGuid: '', os: '', computers, compromised: 1, isolated: 0}
}

function tree(groups: KnownGroup[], cells: ComputerCell[] = []) {
	return treeOf(new Map(groups.map(one => [one.guid, one])), cells, 0)
}

test('a circle is opened at its first group by name, and loses nobody', () => {
	const nodes = tree([group('1', '3', 'Cherry'), group('2', '1', 'Apple'), group('3', '2', 'Banana')], [cell('3', 4)])
	expect(nodes.map(({name, parent}) => [name, parent])).toEqual([
		['Apple', null],
		['Banana', '2'],
		['Cherry', '3']
	])
	expect(nodes[0]?.below).toEqual({computers: 4, compromised: 1, isolated: 0})
})

test('a group that is its own parent is a root', () => {
	expect(tree([group('1', '1')])).toMatchObject([{guid: '1', parent: null, children: []}])
})

test('an unknown parent makes a root', () => {
	expect(tree([group('1', 'somewhere'), group('2', '1')]).map(({parent}) => parent)).toEqual([null, '1'])
})

test('groups that only computers name are there, so that nobody is left out', () => {
	expect(tree([group('1', null)], [cell('9', 3, 'Unlisted'), cell('', 2)])).toMatchObject([
		{guid: '1', computers: 0},
		{guid: '9', name: 'Unlisted', computers: 3}
	])
})

test('ten thousand groups in one line are no problem', () => {
	const deep = Array.from({length: 10_000}, (_, index) => group(`g${index}`, index === 0 ? null : `g${index - 1}`))
	const nodes = tree(deep, [cell('g9999', 5)])
	expect(nodes[0]?.below.computers).toBe(5)
	expect(descendantsOf(nodes, 'g0').size).toBe(9999)
})

test('whatever the parents, every group is there once, behind its parent, and the roots hold all computers', () => {
	const some = fc.array(fc.option(fc.nat({max: 24}), {nil: null}), {minLength: 1, maxLength: 20})
	fc.assert(
		fc.property(some, parents => {
			const groups = parents.map((parent, index) => group(String(index), parent === null ? null : String(parent)))
			const nodes = tree(
				groups,
				groups.map(({guid}) => cell(guid, Number(guid) + 1))
			)
			expect(nodes.map(({guid}) => guid).toSorted()).toEqual(groups.map(({guid}) => guid).toSorted())
			const before = new Set<string>()
			for (const {guid, parent, children} of nodes) {
				if (parent !== null) expect(before).toContain(parent)
				for (const child of children) expect(nodes.find(node => node.guid === child)?.parent).toBe(guid)
				before.add(guid)
			}
			const roots = nodes.filter(({parent}) => parent === null)
			expect(roots.reduce((sum, {below}) => sum + below.computers, 0)).toBe(groups.reduce((sum, {guid}) => sum + Number(guid) + 1, 0))
		})
	)
})
