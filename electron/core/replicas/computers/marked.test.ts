import {guardRulesSchema, type GuardRules} from '#model/guard.ts'

import {computerTargets} from '#core/actions/guards/targets.ts'
import {protectedBy} from '#core/actions/guards/protection.ts'
import {computer, computers, groupOf, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

let world: World | undefined
afterEach(async () => world?.close())

async function read(count: number) {
	world = makeWorld(computers(count))
	await world.inventory.refresh()
	return world.inventory
}

const nobody: GuardRules['protected'] = guardRulesSchema.parse({}).protected
const all = {filter: '', sort: {column: 'hostname', descending: false}} as const

test.each([
	['nobody', {}],
	['GUIDs in capitals', {guids: [guidOf(3).toUpperCase(), guidOf(7)]}],
	['patterns of names', {names: ['fin-ws-*', '*-7?', ' ops-* ']}],
	['signs that mean something elsewhere', {names: ['[a-z]*', 'FIN.WS.*', 'fin[-]*']}],
	['everybody', {names: ['*']}],
	['a group and a GUID', {groups: [groupOf(4).guid.toUpperCase()], guids: [guidOf(5)]}],
	['a group that nobody knows', {groups: ['00000000-0000-4000-8000-000000000000']}]
] as const)('those that the guard rules protect, and no others: %s', async (_what, rules) => {
	const inventory = await read(200)
	const protection = {...nobody, ...rules} as GuardRules['protected']
	const targets = computerTargets('c', inventory.guids(all), inventory, () => [])
	const judged = targets.filter(target => protectedBy({...guardRulesSchema.parse({}), protected: protection}, target))
	expect(inventory.marks(protection).protected.toSorted()).toEqual(judged.map(({id}) => id).toSorted())
})

test('isolated ones are those of the filter, and the marks follow each change', async () => {
	const inventory = await read(120)
	expect(inventory.marks(nobody).isolated.toSorted()).toEqual(inventory.guids({...all, filter: 'isolation:isolated'}).toSorted())
	const [guid, other] = [guidOf(2), guidOf(4)]
	inventory.observeIsolation(guid, {available: true, status: 'isolated'}, startOfTime + 1000)
	expect(inventory.marks(nobody).isolated).toContain(guid)
	inventory.observe([computer(4, {hostname: 'CORE-1'})], startOfTime + 1000)
	expect(inventory.marks({...nobody, names: ['core-*']}).protected).toEqual([other])
	inventory.vanished(guid, startOfTime + 2000)
	expect(inventory.marks(nobody).isolated).not.toContain(guid)
})
