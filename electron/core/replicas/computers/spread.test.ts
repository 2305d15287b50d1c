import type {ComputerSpread} from './aggregates.ts'
import {computer, computers, groupOf, guidOf, makeWorld, type World} from './testing/world.ts'

let world: World

beforeEach(async () => {
	world = makeWorld(computers(400))
	await world.inventory.refresh()
})

afterEach(() => world.close())

const everything = {filter: '', sort: {column: 'hostname', descending: false}} as const

/** The same sums, row by row. */
function counted() {
	const sums = new Map<string, number[]>()
	for (const {guid, os, compromised, isolation} of world.inventory.query({...everything, offset: 0, limit: 500}).rows) {
		const record = world.inventory.record(guid)
		const key = [record?.group_guid, record?.policy?.guid ?? '', os].join(' ')
		const [n = 0, bad = 0, apart = 0] = sums.get(key) ?? []
		sums.set(key, [n + 1, bad + Number(compromised), apart + Number(isolation === 'isolated')])
	}
	return sums
}

function told() {
	const key = (cell: ComputerSpread) => [cell.groupGuid, cell.policyGuid, cell.os].join(' ')
	return new Map(world.inventory.spread().map(cell => [key(cell), [cell.computers, cell.compromised, cell.isolated]]))
}

test('the spread is what the rows add up to', () => {
	expect(told()).toEqual(counted())
})

test('it follows moves, policies, isolation, compromise and computers that are gone', () => {
	const later = world.clock.now() + 1000
	world.clock.advance(2000)
	const moved = computer(5, {group_guid: groupOf(3).guid, policy: {guid: guidOf(7), name: 'New'}, is_compromised: true})
	world.inventory.observe([moved, computer(6, {operating_system: 'BeOS', policy: null})], later)
	world.inventory.observeIsolation(guidOf(8), {available: true, status: 'isolated'}, later)
	world.inventory.vanished(guidOf(9), later)
	expect(told()).toEqual(counted())
	expect(world.inventory.spread().reduce((sum, {computers: n}) => sum + n, 0)).toBe(399)
})
