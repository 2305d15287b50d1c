import {writeFileSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'

import {CordonError} from '#contract/errors.ts'

import {anything, eventAt, eventsEvery, makeEventWorld, type EventWorld} from './testing/world.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

let world: EventWorld
beforeEach(() => {
	world = makeEventWorld()
})
afterEach(() => world.close())

const happen = (count: number, every: number) => (world.service.events = eventsEvery(world.clock, count, every))
const refresh: EventWorld['store']['refresh'] = (...how) => world.store.refresh(...how)
const reads = async (state: object) => expect(await refresh()).toMatchObject(state)

function expectAllStored() {
	expect(world.store.state().stored).toBe(world.service.events.length)
}

describe('reading', () => {
	test('the first reading covers a week; more is loaded on request', async () => {
		happen(28, day)
		await reads({phase: 'complete', stored: 7})
		expect(world.store.state().gaps).toHaveLength(1)
		expect(await refresh({days: 14})).toMatchObject({phase: 'complete', stored: 14})
		expect(await refresh({days: 30})).toMatchObject({phase: 'complete', stored: 28, gaps: []})
		const calls = world.service.asked.length
		await refresh({days: 30})
		expect(world.service.asked.length).toBe(calls + 1)
	})

	test('more that is requested during a reading is loaded after it', async () => {
		happen(28, day)
		const usual = refresh()
		expect(await refresh({days: 30})).toMatchObject({phase: 'complete', stored: 28, gaps: []})
		await usual
	})

	test('a failed reading keeps the time of the last successful one', async () => {
		happen(3, hour)
		const {readAt} = await refresh()
		world.clock.advance(10 * minute)
		world.service.failing = new CordonError('connect_timeout')
		await reads({phase: 'partial', readAt})
		world.service.failing = null
		const later = world.ago(0)
		expect([readAt === null, (await refresh()).readAt]).toEqual([false, later])
	})

	test('later it loads what is new, and late events of agents', async () => {
		happen(1200, minute)
		await refresh()
		world.clock.advance(5 * minute)
		for (const ago of [minute, 8 * minute, 3 * hour]) world.service.events.push(eventAt(world.clock, ago))
		const before = world.service.asked.length
		await refresh()
		expectAllStored()
		expect(world.service.asked.slice(before)).toHaveLength(1)
	})

	test('events that arrive between two pages neither hide others nor come twice', async () => {
		happen(2300, minute)
		world.service.beforePage = () => {
			world.clock.advance(1000)
			world.service.events.push(...Array.from({length: 37}, () => eventAt(world.clock, 500)))
		}
		await refresh()
		world.service.beforePage = () => {}
		await refresh()
		expectAllStored()
	})

	test('records that vanish between two pages hide no others', async () => {
		happen(2300, minute)
		const all = new Set(world.service.events.map(({id}) => String(id)))
		world.service.beforePage = page => {
			if (page === 0) return
			const gone = world.service.events.splice(0, 60)
			for (const {id} of gone) all.delete(String(id))
		}
		await refresh()
		const stored = new Set<string>()
		for (let offset = 0; offset < 2500; offset += 500)
			for (const {id} of world.store.query({...anything, offset, limit: 500}).rows) stored.add(id ?? '')
		expect([...all].filter(id => !stored.has(id))).toEqual([])
	})

	test('a second with more events than a page is read whole', async () => {
		world.service.events = Array.from({length: 1300}, () => eventAt(world.clock, hour))
		await refresh()
		expectAllStored()
	})

	test('a repeated record is stored once, and a reused id makes two events', async () => {
		const event = eventAt(world.clock, hour, {id: 7_398_343})
		const other = {...event, event_type_id: 553_648_166, event_type: 'Uninstall'}
		const nameless = {...eventAt(world.clock, hour), id: undefined, threat_hunting: {incident_id: 3}}
		const later = {...nameless, computer: {active: false}}
		world.service.events = [event, event, other, nameless, later]
		await refresh()
		await refresh()
		expect(world.keys()).toHaveLength(3)
	})

	test.each([-20 * minute, 20 * minute, -3 * hour, 40 * day])('a clock that is set by %i ms and back keeps no event out', async wrong => {
		happen(3, hour)
		await refresh()
		for (const step of [wrong, -wrong]) {
			world.clock.advance(step + 5 * minute)
			world.service.skew += step
			world.service.events.push(eventAt(world.clock, world.service.skew + minute))
			await refresh()
			const readAt = world.ago(0)
			await reads({phase: 'complete', stored: world.service.events.length, readAt})
			const {gaps} = world.store.state()
			expect(gaps.filter(({to}) => Date.parse(to) > world.clock.now() - world.service.skew - day)).toEqual([])
		}
	})

	test.each([undefined, 14])('a first reading of %s days by a clock that is ahead loses none of them', async days => {
		happen(28, day)
		world.service.skew = 5 * day
		world.clock.advance(5 * day)
		world.service.beforePage = page => {
			world.service.failing = page === 1 ? new CordonError('service_error') : null
		}
		await refresh({days})
		expect(await refresh()).toMatchObject({phase: 'complete', stored: days ?? 7})
	})

	test('a long reading stops after its pages, says so, and continues the next time', async () => {
		await world.close()
		world = makeEventWorld({unaskedPages: 4})
		happen(3200, 150_000)
		await reads({phase: 'partial', error: null})
		const {gaps, refreshCalls} = world.store.state()
		expect(gaps).toHaveLength(1)
		expect(refreshCalls).toBeGreaterThan(1)
		await reads({phase: 'complete'})
		expectAllStored()
	})
})

describe('failures', () => {
	test('before anything was loaded are reported as such', async () => {
		world.service.failing = new CordonError('response_timeout')
		expect(await refresh()).toMatchObject({phase: 'failed', stored: 0, error: {code: 'response_timeout'}})
		world.service.failing = null
		await reads({phase: 'complete', error: null})
	})

	test.each(['rate_limited', 'service_error', 'response_timeout', 'unauthorized'] as const)(
		'%s in the middle keeps what was read, and the next reading begins there',
		async code => {
			happen(2600, minute)
			world.service.beforePage = page => {
				world.service.failing = page === 3 ? new CordonError(code) : null
			}
			const state = await refresh()
			expect(state).toMatchObject({phase: 'partial', stored: 1480, error: {code}})
			expect(state.gaps.length).toBeGreaterThan(0)
			const before = world.service.asked.length
			await reads({phase: 'complete', error: null})
			expectAllStored()
			// One for new events, three for the 1120 missing ones.
			expect(world.service.asked.length - before).toBe(4)
		}
	)

	test('an abandoned reading ends, and keeps what it loaded', async () => {
		happen(2600, minute)
		const stop = new AbortController()
		world.service.beforePage = page => {
			if (page === 2) stop.abort()
		}
		await expect(refresh({signal: stop.signal})).rejects.toMatchObject({code: 'cancelled'})
		world.service.beforePage = () => {}
		await reads({phase: 'complete'})
		expectAllStored()
	})

	test('a reading that the file does not take says why, until one succeeds', async () => {
		happen(3, minute)
		await refresh()
		const file = new DatabaseSync(world.path)
		file.exec("CREATE TRIGGER full BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'full'); END")
		await reads({phase: 'partial', error: expect.objectContaining({code: 'storage'})})
		file.exec('DROP TRIGGER full')
		happen(5, 0)
		const {readAt} = world.store.state()
		file.exec("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'full'); END")
		await world.clock.advance(minute)
		await reads({phase: 'partial', readAt})
		file.exec('DROP TRIGGER full')
		file.close()
		await reads({phase: 'complete', error: null})
	})

	test('a failed list of types does not fail the reading', async () => {
		world.service.types = () => Promise.reject(new CordonError('service_error'))
		happen(3, minute)
		await reads({phase: 'complete', stored: 3})
		expect(world.store.types()).toEqual([{id: 554_696_714, name: 'Scan Started', description: '', count: 3}])
	})
})

describe('the file', () => {
	test('survives a restart, with the result of the last reading', async () => {
		happen(600, minute)
		const before = await refresh()
		await world.restart()
		expect(world.store.state()).toEqual(before)
		expect(world.keys('scan')).toHaveLength(500)
	})

	test('is recreated when damaged', async () => {
		happen(600, minute)
		await refresh()
		await world.store.stop()
		writeFileSync(world.path, Buffer.alloc(20_000, 'not a database'))
		await world.restart()
		expect(world.store.state()).toMatchObject({phase: 'empty', stored: 0})
		await refresh()
		expectAllStored()
	})

	test("drops events beyond the service's retention, and updates the sums", async () => {
		world.service.events = [
			...eventsEvery(world.clock, 5, hour),
			eventAt(world.clock, 29 * day, {detection_id: '7', event_type_id: 1_090_519_054, detection: 'W32.Old'})
		]
		await refresh({days: 30})
		expect(world.keys('detection:old')).toHaveLength(1)
		world.clock.advance(2 * day)
		await reads({stored: 5})
		expect(world.keys('detection:old')).toEqual([])
		expect(world.store.facets(anything).detection).toEqual([])
		expect(world.store.facets(anything).outcome).toEqual([])
	})

	test('drops the oldest when it is full, shows its limit, and does not load them again', async () => {
		await world.close()
		world = makeEventWorld({keptEvents: () => 900})
		happen(1400, minute)
		await reads({stored: 900, keptEvents: 900, phase: 'complete'})
		const {oldest} = world.store.state()
		const before = world.service.asked.length
		await refresh()
		expect(world.service.asked.length - before).toBe(1)
		expect(world.store.state()).toMatchObject({stored: 900, oldest})
		expect(world.store.histogram({...anything, from: world.ago(day), steps: 24}).gaps).toHaveLength(1)
	})
})

test('unknown fields and types are kept, shown and found', async () => {
	const odd = eventAt(world.clock, hour, {event_type_id: 999_999_999, event_type: 'Something New', quantum: {spin: 6839681950832132112n}})
	world.service.events = [odd]
	await refresh()
	expect(world.store.state().unknownFields).toEqual([{field: 'quantum', count: 1}])
	const [key = ''] = world.keys('type:new')
	expect(world.store.detail(key)?.json).toContain('"spin":6839681950832132112')
	expect(world.store.types()).toContainEqual({id: 999_999_999, name: 'Something New', description: '', count: 1})
})
