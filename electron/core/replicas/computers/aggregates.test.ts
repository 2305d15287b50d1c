import {computer, computers, guidOf, groupOf, makeWorld, startOfTime, type World} from './testing/world.ts'

const hour = 3_600_000
let world: World | undefined

afterEach(async () => world?.close())

async function read(records: Parameters<typeof makeWorld>[0]) {
	world = makeWorld(records)
	await world.inventory.refresh()
	return world
}

test('every computer is in one group and one build, and vanished ones in none', async () => {
	const {inventory} = await read(computers(500))
	inventory.vanished(guidOf(0), startOfTime)
	const {groups, builds} = inventory.sums()
	const sum = (counts: readonly {computers: number}[]) => counts.reduce((total, {computers: count}) => total + count, 0)
	expect(sum(groups)).toBe(499)
	expect(sum(builds)).toBe(499)
	expect(groups).toHaveLength(20)
	expect(groups.reduce((total, {compromised}) => total + compromised, 0)).toBe(inventory.counts().compromised)
	for (const {connector, os, computers: count} of builds)
		expect(matching(`connector="${connector}" os="${os}"`), `${connector} ${os}`).toBe(count)
})

test('the sums follow a change', async () => {
	const {inventory} = await read(computers(40))
	const before = inventory.sums().groups.find(({guid}) => guid === groupOf(1).guid)?.compromised
	inventory.observe([computer(1, {is_compromised: true})], startOfTime + 1)
	expect(inventory.sums().groups.find(({guid}) => guid === groupOf(1).guid)?.compromised).toBe((before ?? 0) + 1)
})

test('seen and stale computers are those that the filter finds', async () => {
	const {inventory, clock} = await read(computers(400))
	inventory.vanished(guidOf(0), startOfTime)
	const now = clock.now()
	expect(inventory.seenBetween(now - 24 * hour, now + 1)).toBe(matching('last_seen<24h'))
	expect(inventory.seenBetween(0, now - 20 * 24 * hour)).toBe(matching('last_seen>20d'))
})

test('an isolated computer not seen for an hour, or never, is offline', async () => {
	const isolated = {isolation: {available: true, status: 'isolated'}}
	const at = (ms: number) => new Date(startOfTime - ms).toISOString()
	const {inventory} = await read([
		computer(1, {...isolated, hostname: 'JUST-SEEN', last_seen: at(hour / 2)}),
		computer(2, {...isolated, hostname: 'LONG-AGO', last_seen: at(30 * hour)}),
		computer(3, {...isolated, hostname: 'SILENT', last_seen: at(2 * hour)}),
		computer(4, {hostname: 'FREE', last_seen: at(9 * hour), isolation: {available: true, status: 'not_isolated'}})
	])
	const silent = inventory.silentSince(startOfTime - hour, 1)
	expect(silent.count).toBe(2)
	expect(silent.first.map(({hostname}) => hostname)).toEqual(['LONG-AGO'])
})

test('computers are found by their exact name, whatever its capitals, and those that are gone are not', async () => {
	const {inventory} = await read([
		computer(1, {hostname: 'FIN-WS-1'}),
		computer(2, {hostname: 'fin-ws-1'}),
		computer(3, {hostname: 'FIN-WS-10'}),
		computer(4, {hostname: 'FIN-WS-4'})
	])
	inventory.vanished(guidOf(4), startOfTime)
	expect(inventory.named('Fin-WS-1')).toEqual([guidOf(1), guidOf(2)])
	expect([inventory.named('FIN-WS-4'), inventory.named('FIN-WS-')]).toEqual([[], []])
})

function matching(filter: string) {
	return world?.inventory.query({filter, sort: {column: 'hostname', descending: false}, offset: 0, limit: 1}).matching
}
