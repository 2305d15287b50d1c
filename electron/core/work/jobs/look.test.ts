/** What counts as news for a job: its own readings and those of others, each once, and none from before its change. */

import {until} from '#base/testing/until.ts'
import type {Op} from '#core/engine/port.ts'
import type {JobSummary} from '#model/job.ts'
import {changeComputer} from '#sandbox/testing/running.ts'

import {isolate, isWriting, openWorld, release, type Process, type World} from './testing/world.ts'

let world: World

beforeEach(async () => {
	world = await openWorld({computers: 300, seed: 'look', agentDelayMs: 60_000, quota: 1_000_000})
})
afterEach(() => world.stop())

/** Agents take up to a minute and a half, and readings grow half a minute apart. */
const soonMs = 240_000

async function released(one: Process, targets: readonly string[], arrange: () => void) {
	const id = await one.begin(release, targets, {stopShare: 1})
	const isSent = ({waiting, sending}: JobSummary['counts']) => waiting + sending === 0
	await until('all of it sent', async () => isSent((await one.jobs.get(id)).summary.counts))
	arrange()
	const from = world.ports.clock.now()
	expect(await one.jobs.settled(id)).toMatchObject({phase: 'done', counts: {done: targets.length}})
	expect(world.are(targets)).toBe('not_isolated')
	return world.ports.clock.now() - from
}

test('its own reading, sent late because the service was away, is no news at the next turn', async () => {
	const targets = world.ready(2)
	const one = await world.start()
	await one.inventory.refresh()
	await one.carryOut(isolate, targets)
	expect(await released(one, targets, () => world.sandbox.weather.set(['GET /v1/computers*=503,times:2']))).toBeLessThan(soonMs)
})

test('a reading by others is used once: without another, the job reads itself', async () => {
	const targets = world.ready(2)
	let isArranged = false
	const one = await world.start({
		inventory: () => ({
			...one.inventory,
			row: guid => {
				if (isArranged) targets.forEach(readOnce)
				isArranged = false
				return one.inventory.row(guid)
			}
		})
	})
	const readOnce = (guid: string) => one.inventory.observeIsolation(guid, {available: true, status: 'pending_stop'}, world.ports.clock.now() + 1)
	await one.inventory.refresh()
	await one.carryOut(isolate, targets)
	expect(await released(one, targets, () => (isArranged = true))).toBeLessThan(soonMs)
	expect(isArranged).toBe(false)
})

test('one reading of others that lags behind fails nothing, however often it is told', async () => {
	const {clock} = world.ports
	const [target = ''] = world.ready(1)
	let first: string | undefined
	const one = await world.start({
		inventory: () => ({
			...one.inventory,
			row: guid => {
				const row = one.inventory.row(guid)
				// The job's own readings are far apart by then.
				if (clock.monotonic() < 90_000 || row?.isolation !== 'pending_start') return row
				first ??= new Date(clock.now()).toISOString()
				return {...row, isolation: 'not_isolated', isolationReadAt: first}
			}
		})
	})
	await one.inventory.refresh()
	changeComputer(world.sandbox, target, {online: false})
	expect(await one.carryOut(isolate, [target])).toMatchObject({counts: {not_confirmed: 1}})
	expect(first).toBeDefined()
})

test('data older than a lost answer does not prevent a reading', async () => {
	const [guid = ''] = world.ready(1)
	const {clock} = world.ports
	let isArranged = false
	const begun = new Set<string>()
	const room = () => {
		// The plan asks as well, before the states are read for the last time.
		if (!isArranged || begun.size < 2) return null
		isArranged = false
		void clock.sleep(1000)
		one.inventory.observeIsolation(guid, {available: true, status: 'not_isolated'}, clock.now())
		void clock.sleep(1000)
		return null
	}
	const one = await world.start({planner: {reserve: (_connection, job) => void begun.add(job), room}})
	await one.inventory.refresh()
	await one.carryOut(isolate, [guid])
	world.sandbox.weather.set(['DELETE *=drop', 'GET */isolation=503'])
	isArranged = true
	expect(await released(one, [guid], () => {})).toBeLessThan(soonMs)
	expect(isArranged).toBe(false)
})

test('a lease whose answer was lost is held by no state alone, which tells not whose isolation it is', async () => {
	const one = await world.start()
	await one.inventory.refresh()
	world.sandbox.weather.set(['PUT *=drop', 'GET */isolation=503'])
	expect(await one.carryOut(isolate, world.ready(1))).toMatchObject({counts: {done: 1}})
	expect(one.profile.escrow.leases.list()).toMatchObject([{state: 'asked'}])
})

test('an isolation by somebody else is not that of a job whose answer was lost', async () => {
	const [guid = ''] = world.ready(1)
	const one = await world.start()
	await one.inventory.refresh()
	world.sandbox.weather.set(['PUT *=drop'])
	const id = await one.begin(isolate, [guid], {stopShare: 1})
	changeComputer(world.sandbox, guid, {isolation: {status: 'isolated', comment: 'Beaconing', by: 'Marta Weber'}})
	expect(await one.jobs.settled(id)).toMatchObject({counts: {nothing_to_do: 1}})
})

test.each([
	['stays unknown', 0, false, [], {unknown: 1}],
	['stays unknown', 0, false, ['GET */isolation=503'], {unknown: 1}],
	['stays unknown', 0, true, [], {unknown: 1}],
	['is that of somebody else', 11, false, [], {nothing_to_do: 1}]
])('a lost isolation that reads as one released %s: %i minutes later, killed: %s, %j', async (_what, minutes, killed, more, counts) => {
	const [guid = ''] = world.ready(1)
	const died = Promise.withResolvers<void>()
	const beforeWrite = async (ops: readonly Op[]) => {
		if (!isWriting(ops, 'unknown') || !killed) return
		one.crash().then(died.resolve, died.reject)
		await new Promise(() => {})
	}
	const one = await world.start({beforeWrite})
	await one.inventory.refresh()
	await one.carryOut(isolate, [guid])
	await one.carryOut(release, [guid])
	await world.ports.clock.advance(minutes * 60_000)
	world.sandbox.weather.set(['PUT *=drop', ...more])
	const id = await one.begin(isolate, [guid], {stopShare: 1})
	changeComputer(world.sandbox, guid, {isolation: {status: 'isolated', comment: 'Beaconing'}})
	if (killed) await died.promise
	const last = killed ? await world.start() : one
	await last.jobs.recover()
	expect(await last.jobs.settled(id)).toMatchObject({counts})
})
