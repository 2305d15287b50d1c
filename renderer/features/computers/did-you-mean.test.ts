import type {ComputerFacets} from '#contract/computer-list.ts'
import {computerFilter} from '#model/computer-filter.ts'

import {meantInstead} from './ListStates.tsx'
import {computerFacets} from '#model/choices.ts'

const valued = (...values: string[]) => values.map(value => ({value, count: 1}))
const none = Object.fromEntries(computerFacets.map(facet => [facet, []])) as unknown as ComputerFacets['facets'] // its keys
const facets = {
	...none,
	group: valued('Finance Laptops', 'Finance Workstations', 'Pharmacy', ''),
	os: valued('Windows 11 (Build 26100.4349)', 'macOS 15.5'),
	tag: valued('tier 0', 'loaner')
}
const terms = (filter: string) => meantInstead(filter, facets).map(({term}) => term)

test.each([
	['group:Finnance', 'group:Finance'],
	['group:"Finanse Laptops"', 'group:"Finance Laptops"'],
	['group=Finance', 'group:Finance'],
	['os:Windoes', 'os:Windows'],
	['tag:loanre', 'tag:loaner'],
	['Pharamcy', 'Pharmacy']
])('%s was meant as %s', (typed, meant) => {
	expect(terms(typed)).toEqual([meant])
	expect(computerFilter.parse(meant).problems).toEqual([])
})

test('the rest of the filter stays as it was typed', () => {
	expect(meantInstead('last_seen>7d group:Finnance -os:mac', facets)).toEqual([
		{term: 'group:Finance', filter: 'last_seen>7d group:Finance -os:mac'}
	])
})

test.each(['group:Finance', '-group:Finnance', 'group:Fin*ance', 'FIN-LT-9999', 'tag:tir', 'last_seen>7d', 'group:empty'])(
	'of %s nothing else is suggested',
	typed => expect(terms(typed)).toEqual([])
)
