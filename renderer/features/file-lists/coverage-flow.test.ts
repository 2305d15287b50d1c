import type {Coverage} from '#contract/directory.ts'

import {flowOf, wayFilter} from './CoverageTab.tsx'

const way = (policy: string, group: string, computers: number): Coverage['ways'][number] => ({
	policy: {guid: policy, name: policy.toUpperCase(), product: 'windows'},
	group: {guid: group, name: group === '' ? 'No group' : group.toUpperCase()},
	computers
})

function coverage(ways: Coverage['ways']): Coverage {
	const enforced = ways.reduce((sum, {computers}) => sum + computers, 0)
	return {list: {guid: 'l', name: 'Bad'}, computers: enforced + 5, enforced, parts: [], ways, uncertain: null}
}

test('inflow equals outflow, and each node describes itself', () => {
	const {nodes, links, filters} = flowOf(coverage([way('a', 'x', 5), way('a', 'y', 3), way('b', 'x', 2)]))
	expect(nodes.map(({name, column, value}) => [name, column, value])).toEqual([
		['Bad', 0, 10],
		['A (Windows)', 1, 8],
		['B (Windows)', 1, 2],
		['X', 2, 7],
		['Y', 2, 3]
	])
	expect(links).toHaveLength(5)
	expect([...filters]).toEqual([
		['list', 'policy:a,b'],
		['p a', 'policy:a'],
		['p b', 'policy:b'],
		['g x', 'policy:a,b group:x'],
		['g y', 'policy:a group:y']
	])
})

test('many groups are put together, and nothing is lost', () => {
	const ways = Array.from({length: 60}, (_, index) => way(`p${index % 25}`, `g${index}`, index + 1))
	const {nodes, filters} = flowOf(coverage(ways))
	const sum = (column: number) => nodes.filter(node => node.column === column).reduce((all, {value}) => all + value, 0)
	expect([sum(0), sum(1), sum(2)]).toEqual([1830, 1830, 1830])
	expect(nodes.map(({name}) => name)).toContain('Other groups')
	expect(nodes.filter(({column}) => column === 1)).toHaveLength(10)
	expect(filters.has('g other')).toBe(false)
})

test('computers without a group have a filter too, and no way makes no picture', () => {
	expect(wayFilter(way('a', '', 1))).toBe('policy:a group:empty')
	expect(flowOf(coverage([])).nodes).toEqual([])
})
