import type {LabelKind, LabelReader} from '#core/service/labels/labels.ts'
import {withoutField} from './facets.ts'
import {computer, computers, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

let world: World

afterEach(() => world.close())

const day = 86_400_000
const given: Readonly<Record<LabelKind, {value: string; guids: string[]}[]>> = {
	tag: [
		{value: 'loaner', guids: [guidOf(1), guidOf(2)]},
		{value: 'Tier 0', guids: [guidOf(2), guidOf(999)]}
	],
	role: [{value: 'domain_controller', guids: [guidOf(3)]}]
}
const labels: LabelReader = {
	revision: () => 1,
	of: guid => ({
		tags: given.tag.filter(({guids}) => guids.includes(guid)).map(({value}) => value),
		roles: guid === guidOf(3) ? ['domain_controller'] : []
	}),
	having: (kind, passes) => [...new Set(given[kind].filter(({value}) => passes(value.toLowerCase())).flatMap(({guids}) => guids))],
	all: kind => given[kind]
}

async function open(count = 40) {
	world = makeWorld(computers(count), labels)
	await world.inventory.refresh()
}

function matching(filter: string) {
	const sort = {column: 'hostname', descending: false} as const
	return world.inventory.query({filter, sort, offset: 0, limit: 1}).matching
}

test('every value is counted as often as the filter gives rows for it', async () => {
	await open()
	const {facets, matching: all} = await world.inventory.facets('', undefined)
	expect(all).toBe(40)
	for (const {value, count} of facets.group) expect(matching(`group="${value}"`)).toBe(count)
	for (const {value, count} of facets.os) expect(matching(`os="${value}"`)).toBe(count)
	for (const {value, count} of facets.connector) expect(matching(`connector=${value}`)).toBe(count)
	for (const {value, count} of facets.isolation) expect(matching(`isolation:${value}`)).toBe(count)
	for (const {value, count} of facets.guess) expect(matching(`guess:${value}`)).toBe(count)
	for (const {value, count} of facets.role) expect(matching(`role:${value}`)).toBe(count)
	expect(facets.seen.reduce((sum, {count}) => sum + count, 0)).toBe(40)
	expect(facets.guess).toEqual([{value: 'server', count: 10}])
	expect(facets.tag).toEqual([
		{value: 'loaner', count: 2},
		{value: 'Tier 0', count: 1}
	])
})

test('a facet ignores its own filter in its counts, and no other does', async () => {
	await open()
	const {facets, matching: all} = await world.inventory.facets('policy:Audit -group="Group 1"', undefined)
	expect(all).toBe(matching('policy:Audit -group="Group 1"'))
	expect(facets.policy.length).toBe(4)
	expect(facets.group.map(({value}) => value)).not.toContain('Group 1')
	expect(facets.group.reduce((sum, {count}) => sum + count, 0)).toBe(all)
})

test('computers that were never seen are told apart from old ones', async () => {
	const seen = (time: number | null) => ({last_seen: time === null ? '' : new Date(time).toISOString()})
	const records = [seen(null), seen(startOfTime - 400 * day), seen(startOfTime)]
	world = makeWorld(records.map((change, index) => computer(index, change)))
	await world.inventory.refresh()
	const {facets} = await world.inventory.facets('', undefined)
	expect(facets.seen).toEqual([
		{value: '1h', count: 1},
		{value: 'older', count: 1},
		{value: 'never', count: 1}
	])
})

test('labels of the profile filter the rows and stand in them', async () => {
	await open()
	const filters: [string, number][] = [
		['tag:loaner', 2],
		['tag:tier', 1],
		['tag="tier 0"', 1],
		['tag:t*0,loaner', 2],
		['-tag:loaner', 38],
		['tag:empty', 38],
		['tag:empty,loaner', 40],
		['role:dc', 1],
		['role:empty', 39],
		['-role:empty', 1]
	]
	for (const [filter, count] of filters) expect([filter, matching(filter)]).toEqual([filter, count])
	expect(world.inventory.row(guidOf(2))?.tags).toEqual(['loaner', 'Tier 0'])
	expect(world.inventory.row(guidOf(3))?.roles).toEqual(['domain_controller'])
	expect(world.inventory.suggest('tag', 'ti', 5)).toEqual([{value: 'Tier 0', label: 'Tier 0'}])
})

test('computers that share a MAC address are found; one that is gone does not count', async () => {
	const mac = {network_addresses: [{mac: '00:11:22:33:44:55', ip: ''}]}
	world = makeWorld([computer(1, mac), computer(2, mac), computer(3)])
	await world.inventory.refresh()
	expect(matching('duplicate_mac:yes')).toBe(2)
	expect(matching('duplicate_mac:no')).toBe(1)
	world.inventory.vanished(guidOf(2), world.clock.now() + 1)
	expect(matching('duplicate_mac:yes')).toBe(0)
})

test.each([
	['group:HR FIN-', 'FIN-'],
	['FIN- group:HR', 'FIN-'],
	['group=HR,"Finance Laptops" -group:x os:windows', '-group:x os:windows']
])('without its groups “%s” is “%s”', (filter, rest) => {
	world = makeWorld()
	expect(withoutField(filter, 'group')).toBe(rest)
})

test('a copy that is closed in the middle ends the count', async () => {
	await open()
	const reading = world.inventory.facets('', undefined)
	const closed = world.close()
	await expect(reading).rejects.toMatchObject({code: 'cancelled'})
	await closed
	await open(1)
})
