import {groupsOf} from './testing/groups.ts'
import {byGuid, countMatches, linesOf, pathOf, withBelow} from './tree-model.ts'

const groups = groupsOf('Corporate', 'Finance > Corporate', 'Laptops > Finance', 'Legal > Corporate', 'Hospital')
const shown = (...args: Parameters<typeof linesOf>) => linesOf(...args).map(({node, level}) => `${'  '.repeat(level - 1)}${node.name}`)

test('a small tree is shown whole', () => {
	expect(shown(groups, new Map(), '')).toEqual(['Corporate', '  Finance', '    Laptops', '  Legal', 'Hospital'])
})

test('a closed group hides what is below, at any depth', () => {
	expect(shown(groups, new Map([['corporate', false]]), '')).toEqual(['Corporate', 'Hospital'])
	expect(shown(groups, new Map([['finance', false]]), '')).toEqual(['Corporate', '  Finance', '  Legal', 'Hospital'])
})

test('a large tree begins with the roots and what is right below them', () => {
	const many = groupsOf('Root', 'A > Root', 'B > A', ...Array.from({length: 400}, (_, index) => `Group ${index} > A`))
	expect(shown(many, new Map(), '')).toEqual(['Root', '  A'])
	expect(shown(many, new Map([['a', true]]), '')).toHaveLength(403)
})

test('a search shows what answers with its ancestors, even in what was closed', () => {
	const lines = linesOf(groups, new Map([['corporate', false]]), 'lap')
	expect(lines.map(({node}) => node.name)).toEqual(['Corporate', 'Finance', 'Laptops'])
	expect(lines.map(({isMatch}) => isMatch)).toEqual([false, false, true])
	expect(countMatches(lines)).toBe(1)
	expect(linesOf(groups, new Map(), 'nobody')).toEqual([])
})

test('each line knows its place among its brothers, and whether it opens', () => {
	const lines = linesOf(groups, new Map(), '')
	expect(lines.map(({place, brothers}) => `${place}/${brothers}`)).toEqual(['1/2', '1/2', '1/1', '2/2', '2/2'])
	expect(lines.map(({isOpen}) => isOpen)).toEqual([true, true, null, null, null])
})

test('a path leads from the root, and a group brings all that are below it', () => {
	expect(pathOf(byGuid(groups), 'laptops').map(({name}) => name)).toEqual(['Corporate', 'Finance', 'Laptops'])
	expect(pathOf(byGuid(groups), 'unknown')).toEqual([])
	expect(withBelow(groups, 'corporate').map(({name}) => name)).toEqual(['Corporate', 'Finance', 'Laptops', 'Legal'])
})

test('a deep chain of two thousand groups is walked without a stack', () => {
	const chain = groupsOf('G0', ...Array.from({length: 1999}, (_, index) => `G${index + 1} > G${index}`))
	const lines = linesOf(chain, new Map(chain.map(({guid}) => [guid, true])), '')
	expect(lines).toHaveLength(2000)
	expect(lines.at(-1)?.level).toBe(2000)
})
