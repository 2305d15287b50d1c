import {closeOrphans} from '#core/actions/commands/orphans.ts'
import {unknownOutcomes} from '#core/record/incidents/all-entries.ts'
import {changeComputer} from '#sandbox/testing/running.ts'
import {until} from '#base/testing/until.ts'
import {isolate, isWriting, openWorld, release, type Process, type World} from './testing/world.ts'

let world: World

beforeEach(async () => {
	world = await openWorld({computers: 300, seed: 'resume'})
	return world.stop
})

/** Until so many changes have arrived, answered or not. */
async function arrived(count: number) {
	await until('the changes', () => world.sent('PUT') >= count, Infinity)
}

async function crashAfter(count: number, targets: readonly string[]) {
	const one = await world.start()
	const id = await one.begin(isolate, targets)
	await arrived(count)
	await one.crash()
	return id
}

test.each([1, 2, 5, 9])('after a crash at change %i the next process goes on, and nothing is sent twice', async at => {
	const targets = world.ready(12)
	const id = await crashAfter(at, targets)
	const two = await world.start()
	expect(await two.jobs.get(id)).toMatchObject({summary: {phase: 'interrupted'}, runs: 'nowhere'})
	await two.jobs.recover()
	const end = await two.jobs.settled(id)
	expect(two.troubles).toEqual([])
	expect(two.calls[0]).toMatch(/^GET/)
	expect(end).toMatchObject({phase: 'done', targets: 12, counts: {done: 12}})
	expect(world.are(targets)).toBe('isolated')
	expect(targets.map(guid => [guid, world.taken(guid)])).toEqual(targets.map(guid => [guid, 1]))
})

test('a change that took effect while its process died is found by reading, and not sent again', async () => {
	const targets = world.ready(4)
	world.sandbox.weather.set(['PUT *=drop,after:1'])
	const id = await crashAfter(4, targets)
	world.sandbox.weather.set([])
	const two = await world.recovered()
	expect(await two.jobs.settled(id)).toMatchObject({counts: {done: 4}})
	expect(two.calls.filter(call => call.startsWith('PUT'))).toEqual([])
	expect(world.are(targets)).toBe('isolated')
})

test('a move that took effect while its process died is confirmed in the log, and no longer unknown', async () => {
	const group = world.sandbox.world.tenant.groups.at(-1)?.guid ?? ''
	const id = await (await world.start()).leave({kind: 'move', group, reason: 'tidying up'}, world.ready(2), 'after a change')
	const two = await world.start()
	const {log, locks, escrow} = two.profile
	expect(await closeOrphans({log, locks, codes: escrow.codes, onTrouble: expect.fail})).toBe(1)
	await two.jobs.recover()
	expect(await two.doneOf(id)).toBe(2)
	expect(await unknownOutcomes(log, 'sandbox', world.ports.clock.now())).toEqual([])
})

test('a process that runs keeps its job to itself', async () => {
	const one = await world.start()
	const two = await world.start()
	const id = await one.begin(isolate, world.ready(6))
	await two.jobs.recover()
	await expect(two.jobs.resume(id)).rejects.toMatchObject({code: 'busy'})
	expect((await two.jobs.get(id)).runs).toBe('elsewhere')
	await two.jobs.stop(id)
	expect((await one.jobs.settled(id)).because ?? 'to its end').toMatch(/Cancelled|to its end/)
})

test('what others changed in the meantime is not sent', async () => {
	const targets = world.ready(8)
	const id = await crashAfter(2, targets)
	const untouched = targets.filter(guid => world.status(guid) === 'not_isolated')
	const [done = '', gone = ''] = untouched.slice(-2)
	changeComputer(world.sandbox, done, {isolation: {status: 'isolated'}})
	changeComputer(world.sandbox, gone, {removed: true})
	const two = await world.recovered()
	expect((await two.jobs.settled(id)).counts).toMatchObject({done: 6, nothing_to_do: 1, failed: 1})
	expect([world.taken(done), world.taken(gone)]).toEqual([0, 0])
})

test('a release that was killed does not lift an isolation that came after it', async () => {
	const targets = world.ready(1)
	const one = await world.start()
	await one.carryOut(isolate, targets)
	const id = await one.leave(release, targets, 'after a change')
	await world.ports.clock.advance(60_000)
	const two = await world.start()
	expect(await two.carryOut(isolate, targets)).toMatchObject({counts: {done: 1}})
	await two.jobs.recover()
	expect(await two.jobs.settled(id)).toMatchObject({phase: 'done', counts: {unknown: 1}})
	expect((await two.jobs.receipts({job: id, offset: 0, limit: 1})).rows).toMatchObject([
		{observed: 'isolated', message: expect.stringContaining('it changed since, now: isolated.')}
	])
	expect([world.sent('DELETE'), targets.map(world.status)]).toEqual([1, ['isolated']])
})

test('a possibly sent change is never reported as not sent', async () => {
	const targets = world.ready(1)
	const [guid = ''] = targets
	const one = await world.start()
	changeComputer(world.sandbox, guid, {online: false})
	expect(await one.carryOut(isolate, targets)).toMatchObject({counts: {not_confirmed: 1}})
	const id = await one.leave(release, targets)
	// The agent had answered before anybody read it again.
	changeComputer(world.sandbox, guid, {isolation: {status: 'isolated'}})
	const two = await world.recovered()
	expect(await two.jobs.settled(id)).toMatchObject({counts: {unknown: 1, not_tried: 0}})
	expect(world.sent('DELETE')).toBe(0)
})

test('an unsent release is skipped where the computer was released and isolated again', async () => {
	const targets = world.ready(12)
	const one = await world.start()
	await one.carryOut(isolate, targets)
	const id = await one.leave(release, targets)
	const two = await world.start()
	const [again] = (await two.jobs.receipts({job: id, outcomes: ['waiting'], offset: 0, limit: 1})).rows.map(row => row.id)
	if (again === undefined) throw new Error('all were sent')
	await two.carryOut(release, [again])
	await two.carryOut(isolate, [again])
	await two.jobs.recover()
	expect(await two.jobs.settled(id)).toMatchObject({counts: {done: 11, not_tried: 1}})
	expect(targets.filter(guid => world.status(guid) === 'isolated')).toEqual([again])
})

const ways = ['begins', 'goes on'] as const

/** A job of one change begins, or died before it was sent; its computer has been read when somebody else is at work. */
async function sentWhile(how: (typeof ways)[number], action: typeof isolate, meanwhile: (other: Process, guid: string) => Promise<unknown>) {
	const [guid = ''] = world.ready(1)
	const other = await world.start()
	if (action === release) await other.carryOut(isolate, [guid])
	const left = how === 'goes on' ? await (await world.start()).leave(action, [guid]) : undefined
	let isFirst = true
	const two = await world.start({
		beforeWrite: async ops => {
			if (!isWriting(ops, 'sending') || !isFirst) return
			isFirst = false
			await meanwhile(other, guid)
		}
	})
	const id = left ?? (await two.begin(action, [guid]))
	await two.jobs.recover()
	const {counts} = await two.jobs.settled(id)
	return {isFirst, counts, status: world.status(guid), sent: [world.sent('PUT'), world.sent('DELETE')]}
}

test.each(ways)('what another job changes after the reading is not sent by one that %s', async how => {
	const end = await sentWhile(how, isolate, (other, guid) => other.carryOut(isolate, [guid]))
	expect(end).toMatchObject({isFirst: false, counts: {nothing_to_do: 1}, status: 'isolated', sent: [1, 0]})
})

test.each(ways)('a release that %s is not sent where the computer was released and isolated again', async how => {
	const end = await sentWhile(how, release, async (other, guid) => {
		await other.carryOut(release, [guid])
		await other.carryOut(isolate, [guid])
	})
	expect(end).toMatchObject({isFirst: false, counts: {not_tried: 1}, status: 'isolated', sent: [2, 1]})
})

test('an old one waits for a person to resume it', async () => {
	const id = await crashAfter(2, world.ready(6))
	await world.ports.clock.advance(3_600_000)
	const two = await world.recovered()
	const sent = world.sent('PUT')
	expect(await two.jobs.settled(id)).toMatchObject({phase: 'interrupted', because: expect.stringContaining('a while ago')})
	expect(world.sent('PUT')).toBe(sent)
	await two.jobs.resume(id)
	expect(await two.jobs.settled(id)).toMatchObject({phase: 'done', counts: {done: 6}, because: null})
})

test('an orderly end lets what was sent have its answer, and the next process goes on', async () => {
	const targets = world.ready(10)
	const one = await world.start()
	const id = await one.begin(isolate, targets)
	await arrived(3)
	await one.stop()
	const two = await world.recovered()
	expect(await two.doneOf(id)).toBe(10)
	expect(world.took(targets)).toBe(1)
})
