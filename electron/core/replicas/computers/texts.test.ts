import {makeWarming} from './inventory.ts'
import {computer, computers, guidOf, makeWorld, type World} from './testing/world.ts'

let world: World
afterEach(() => world.close())

async function worldOf(count: number) {
	world = makeWorld(computers(count))
	await world.inventory.refresh()
	return world
}

const namesOf = (filter: string, limit = 5, most = 10_000) => world.inventory.few(filter, limit, most).rows.map(({hostname}) => hostname)

test('text of another process is found, and overwritten text is not', async () => {
	const {inventory, clock, open} = await worldOf(3000)
	expect(namesOf('zebra')).toEqual([])
	const other = open()
	clock.advance(1000)
	other.observe([computer(2500, {hostname: 'ZEBRA-1'})], clock.now())
	expect(namesOf('zebra')).toEqual(['ZEBRA-1'])
	expect(inventory.find('zebra', 5)).toHaveLength(1)
	clock.advance(1000)
	other.observe([computer(2500, {hostname: 'GNU-1'})], clock.now())
	expect(namesOf('zebra')).toEqual([])
	expect(namesOf('gnu')).toEqual(['GNU-1'])
	// Each changed row drops the kept answers.
	expect(namesOf('gnu')).toEqual(['GNU-1'])
	other.observe([computer(2501, {hostname: 'GNU-2'})], clock.now())
	expect(namesOf('gnu')).toEqual(['GNU-1', 'GNU-2'])
	expect(inventory.few('gnu', 1, 1)).toMatchObject({matching: 1, exact: false})
})

test('computers gone from the service are neither counted nor shown unless requested', async () => {
	const {inventory, clock} = await worldOf(40)
	const {matching} = inventory.few('fin-ws', 5, 100)
	clock.advance(1000)
	inventory.vanished(guidOf(0), clock.now())
	expect(inventory.few('fin-ws', 5, 100).matching).toBe(matching - 1)
	expect(inventory.few('fin-ws vanished:yes', 5, 100).matching).toBe(1)
})

test('they are counted to the limit, and few of them come by name', async () => {
	const {inventory} = await worldOf(2000)
	expect(inventory.few('ws-', 5, 1000)).toMatchObject({matching: 1000, exact: false})
	expect(inventory.few('ws-', 5, 2000)).toMatchObject({matching: 2000, exact: true})
	expect(namesOf('hr-ws-3', 100)).toEqual(namesOf('hr-ws-3', 100).toSorted((one, other) => one.localeCompare(other, 'en', {numeric: true})))
	expect(inventory.few('ip:10.0.0.0/8', 5, 100)).toMatchObject({matching: 100, exact: false})
})

test.each([
	['all words, wherever they stand', 'eng-ws "group 2"', 100],
	['an address of the middle', '10.7.', 0],
	['a MAC in any form', '1EC0.0000.BC8F', 1],
	['the end of a GUID', guidOf(17).slice(-9), 1]
])('a row holds %s', async (_name, filter, atLeast) => {
	const {inventory} = await worldOf(2000)
	const sort = {column: 'hostname', descending: false} as const
	const {matching} = inventory.query({filter, sort, offset: 0, limit: 1})
	expect(inventory.few(filter, 5, 10_000).matching).toBe(matching)
	expect(matching).toBeGreaterThanOrEqual(atLeast)
})

test('a name with a line break in it belongs to its own computer alone', async () => {
	world = makeWorld([computer(1, {hostname: `ODD\n${guidOf(2)}`}), computer(2), computer(3)])
	await world.inventory.refresh()
	expect(world.inventory.few(`guid=${guidOf(2)}`, 5, 10).rows.map(({guid}) => guid)).toEqual([guidOf(2)])
	expect(namesOf('odd')).toHaveLength(1)
})

test('the first window is drawn before the pieces of the search are read', async () => {
	await worldOf(1)
	vi.useFakeTimers()
	let pieces = 3
	const warm = vi.fn<() => boolean>(() => (pieces -= 1) > 0)
	const warming = makeWarming({warm})
	warming.go()
	await vi.advanceTimersByTimeAsync(1400)
	expect(warm).not.toHaveBeenCalled()
	await vi.advanceTimersByTimeAsync(200)
	expect(warm).toHaveBeenCalledTimes(3)
	warming.go()
	await vi.advanceTimersByTimeAsync(1)
	expect(warm).toHaveBeenCalledTimes(4)
	vi.useRealTimers()
})
