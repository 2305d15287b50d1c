import type {Connection} from '#model/connection.ts'
import type {Lease} from '#model/lease.ts'

import {frameOf, type FrameDependencies} from './publisher.ts'
import {computer, guidOf, makeWorld, startOfTime, type World} from '#core/replicas/computers/testing/world.ts'

const minute = 60_000
let world: World

afterEach(() => world.close())

function frame(leases: Partial<Lease>[] = []) {
	const client = {quota: () => null, link: () => ({kind: 'untried'}), clockSkewMs: () => null}
	const parts = {
		connections: {
			find: () => ({id: 'one'}) as Connection, // the frame shows it as it is
			client: () => client,
			mode: () => ({kind: 'guarded'})
		},
		runner: {running: () => 0},
		jobs: {totals: () => ({running: 0})},
		leases: {endingUntil: () => leases},
		streams: {state: () => null},
		clock: world.clock,
		inventory: () => world.inventory
	}
	return frameOf(parts as unknown as FrameDependencies, 'one') // of each part only what the frame asks
}

const isolated = (index: number, seenBeforeMs: number) =>
	computer(index, {isolation: {available: true, status: 'isolated'}, last_seen: new Date(startOfTime - seenBeforeMs).toISOString()})

async function read(records: Parameters<typeof makeWorld>[0]) {
	world = makeWorld(records)
	await world.inventory.refresh()
}

test('an isolated computer offline for an hour is an alarm, one seen within it is not', async () => {
	await read([isolated(1, 61 * minute), isolated(2, 59 * minute)])
	expect(frame().alarms).toEqual({silent: 1, ending: 0, over: 0})
	world.clock.advance(2 * minute)
	expect(frame().alarms.silent).toBe(2)
})

test('a request that waits for its agent for more than ten minutes is counted as too long', async () => {
	await read([computer(1, {isolation: {available: true, status: 'pending_start'}})])
	expect(frame().counts).toMatchObject({pendingStart: 1, pendingTooLong: 0})
	world.clock.advance(11 * minute)
	expect(frame().counts).toMatchObject({pendingStart: 1, pendingTooLong: 1})
})

test('leases that expire soon and expired leases are counted apart', async () => {
	await read([isolated(1, 0)])
	const at = (ms: number) => new Date(startOfTime + ms).toISOString()
	const lease = (endsInMs: number | null) => ({
		guid: guidOf(1),
		startedAt: at(-24 * 60 * minute),
		endsAt: endsInMs === null ? null : at(endsInMs)
	})
	expect(frame([lease(-1), lease(30 * minute), lease(5 * 60 * minute), lease(null)]).alarms).toMatchObject({ending: 1, over: 1})
})
