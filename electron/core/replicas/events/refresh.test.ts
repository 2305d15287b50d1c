import {CordonError} from '#contract/errors.ts'
import type {InventoryState, QuotaState} from '#model/frame.ts'

import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import type {Connection} from '#model/connection.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {testHost} from '../kit/testing/host.ts'
import {makeReplica, type Refresher} from '../kit/replica.ts'
import {firstLoadEnds, keptFresh} from './replica.ts'
import type {EventStore} from './store.ts'
import {anything, eventAt, eventsEvery, makeEventWorld, type EventWorld} from './testing/world.ts'
import {until} from '#base/testing/until.ts'

const minute = 60_000

let clock: TestClock
let world: EventWorld
let refresher: Refresher
let quota: QuotaState | null
let active: string | undefined
const troubles: string[] = []

beforeEach(() => {
	clock = testClock()
	world = makeEventWorld()
	world.service.events = [eventAt(world.clock, minute)]
	;[quota, active] = [null, 'one']
	troubles.length = 0
	const connections = {
		find: (id: string | undefined) => ({id}) as Connection, // nothing else of it is used
		client: () => ({quota: () => quota}) as ApiClient // nor of the client
	}
	const onTrouble = (message: string) => void troubles.push(message)
	const host = testHost({profile: '', clock: {...clock, now: world.clock.now}, connections, onTrouble})
	const open = () => world.store
	const made = makeReplica<EventStore>(host, {kind: 'events', open, refresh: keptFresh}).keepFresh(() => (active === undefined ? [] : [active]))
	if (made === undefined) expect.unreachable()
	refresher = made
})
afterEach(async () => {
	await refresher.stop()
	await world.close()
})

/** Moves time on, and lets a reading that began then end. */
async function pass(ms: number) {
	world.clock.advance(ms)
	await clock.advance(ms)
	await until('the refresher to rest', () => clock.pending().length > 0)
	return world.service.asked.length
}

function left(remaining: number): QuotaState {
	const resetAt = new Date(world.clock.now() + 60 * minute).toISOString()
	return {limit: 3000, remaining, reserve: 100, resetAt, observedAt: resetAt, waitingUntil: null, waiting: 0, reserved: 0, others: null}
}

test('events are read three seconds after the start, and then every five minutes', async () => {
	expect(await pass(2000)).toBe(0)
	expect(await pass(2000)).toBe(1)
	expect(world.store.query({...anything, offset: 0, limit: 1}).all).toBe(1)
	expect(await pass(4 * minute)).toBe(1)
	expect(await pass(2 * minute)).toBe(2)
})

test('with few API calls left, nothing is loaded', async () => {
	quota = left(800)
	expect(await pass(4000)).toBe(0)
	expect(await pass(5 * minute)).toBe(0)
	quota = left(900)
	expect(await pass(5 * minute)).toBe(1)
})

test('the state of an expired API limit does not count', async () => {
	quota = {...left(0), resetAt: world.ago(1)}
	expect(await pass(4000)).toBe(1)
})

test('without a connection it waits for one', async () => {
	active = undefined
	expect(await pass(4000)).toBe(0)
	active = 'one'
	refresher.trigger()
	expect(await pass(0)).toBe(1)
})

test('a failed reading is reported by the store, and retried later', async () => {
	world.service.failing = new CordonError('service_error')
	expect(await pass(4000)).toBe(1)
	expect(world.store.state()).toMatchObject({phase: 'failed'})
	expect(troubles).toEqual([])
	world.service.failing = null
	expect(await pass(5 * minute)).toBe(2)
	expect(world.store.state()).toMatchObject({phase: 'complete'})
})

describe('computers come first', () => {
	test('after its first page a reading waits for their first load; one that was requested does not', async () => {
		const loaded = Promise.withResolvers<void>()
		const waiting = makeEventWorld({mayGoOn: () => loaded.promise})
		try {
			waiting.service.events = eventsEvery(waiting.clock, 1200, minute)
			const reading = waiting.store.refresh()
			await until('the first page', () => waiting.store.state().stored === 500)
			expect(waiting.service.asked).toHaveLength(1)
			loaded.resolve()
			expect(await reading).toMatchObject({phase: 'complete', stored: 1200})
		} finally {
			await waiting.close()
		}
		const asking = makeEventWorld({mayGoOn: () => new Promise(() => {})})
		asking.service.events = eventsEvery(asking.clock, 1200, minute)
		expect(await asking.store.refresh({days: 7})).toMatchObject({phase: 'complete', stored: 1200})
		await asking.close()
	})

	test('only while there never was a whole list, and until the signal', async () => {
		let state: Partial<InventoryState> = {phase: 'loading', completeAt: null}
		const inventory = {state: () => state as InventoryState} // nothing else of it is used
		const abort = new AbortController()
		const wait = () =>
			firstLoadEnds(inventory, clock, abort.signal).then(
				() => 'over',
				() => 'aborted'
			)
		const ended = wait()
		await clock.advance(1500)
		expect(clock.pending()).not.toEqual([])
		state = {phase: 'partial', completeAt: null}
		await clock.advance(500)
		expect(await ended).toBe('over')
		state = {phase: 'loading', completeAt: '2026-01-01T00:00:00Z'}
		expect(await wait()).toBe('over')
		state = {phase: 'loading', completeAt: null}
		const cut = wait()
		abort.abort()
		expect(await cut).toBe('aborted')
	})
})
