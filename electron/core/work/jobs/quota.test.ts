import {changeComputer} from '#sandbox/testing/running.ts'

import {isolate, openWorld, type World} from './testing/world.ts'

let world: World

afterEach(() => world.stop())

test('300 isolations, watched for ten minutes, stay under an hour of 3,000 calls and leave the reserve alone', async () => {
	world = await openWorld({computers: 1500, seed: 'quota'})
	const one = await world.start()
	await one.inventory.refresh()
	const targets = world.ready(300)
	// Watched for the whole ten minutes.
	for (const guid of targets.slice(-20)) changeComputer(world.sandbox, guid, {online: false})
	const from = world.ports.clock.now()
	const {id, cost} = await one.plan(isolate, targets)
	await one.jobs.apply({plan: id, confirm: '300', surface: 'cli'})
	const end = await one.jobs.settled(id)
	const minutes = (world.ports.clock.now() - from) / 60_000
	expect(one.troubles).toEqual([])
	expect(end).toMatchObject({phase: 'done', counts: {done: 280, not_confirmed: 20}})
	expect(minutes).toBeGreaterThan(10)
	expect(minutes).toBeLessThan(16)
	expect(world.sandbox.requests.length).toBeLessThan(1000)
	// It takes at most the cost shown.
	expect(world.sandbox.requests.length).toBeLessThanOrEqual(cost.calls + 20)
	expect(one.profile.connections.client('sandbox').quota()?.remaining).toBeGreaterThan(2000)
})

test('beyond the API limit the job waits for the next window, never using the reserve', async () => {
	world = await openWorld({computers: 400, seed: 'quota', quota: 60})
	const left: number[] = []
	const one = await world.start()
	const {profile} = one
	profile.connections.client('sandbox').onChange(() => {
		const quota = profile.connections.client('sandbox').quota()
		if (quota !== null && quota.remaining > 0) left.push(quota.remaining)
	})
	const targets = world.ready(80)
	const from = world.ports.clock.now()
	expect(await one.carryOut(isolate, targets)).toMatchObject({phase: 'done', counts: {done: 80}, waitingUntil: null})
	expect(world.ports.clock.now() - from).toBeGreaterThan(3_600_000)
	expect(Math.min(...left)).toBeGreaterThanOrEqual(3)
	expect(world.sandbox.requests.filter(({status}) => status === 429)).toEqual([])
})

test.each([0, -5])('a computer changed while the job waited an hour is skipped, the clock set by %i hours meanwhile', async hours => {
	world = await openWorld({computers: 400, seed: 'quota', quota: 60})
	const {now} = world.ports.clock
	let changed = false
	vi.spyOn(world.ports.clock, 'now').mockImplementation(() => now() + (changed ? hours * 3_600_000 : 0))
	const one = await world.start()
	const targets = world.ready(80)
	const last = targets.at(-1) ?? ''
	const client = one.profile.connections.client('sandbox')
	client.onChange(() => {
		// The reserve is 3: soon the next change waits for the next window.
		if (changed || world.sent('PUT') === 0 || (client.quota()?.remaining ?? 60) > 8) return
		changed = true
		changeComputer(world.sandbox, last, {available: false})
	})
	const end = await one.carryOut(isolate, targets)
	expect(changed).toBe(true)
	expect(end.counts).toMatchObject({done: 79, not_tried: 1})
	expect(world.sandbox.requests.filter(({method, path}) => method === 'PUT' && path.includes(last))).toEqual([])
})
