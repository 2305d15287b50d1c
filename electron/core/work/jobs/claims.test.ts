/** One job, many who want to begin with it: pages, the recovery at the start, and other processes on the profile. */
import {join} from 'node:path'

import {expectRefused} from '#base/testing/code-of.ts'
import {CordonError} from '#contract/errors.ts'

import {openDatabase} from '#core/store/database.ts'
import {until} from '#base/testing/until.ts'
import {isolate, openWorld, type Process, type World} from './testing/world.ts'

let world: World

beforeEach(async () => {
	world = await openWorld({computers: 300, seed: 'claims'})
	return world.stop
})

/** A job that a process left behind with its first change. */
async function left(count: number) {
	const targets = world.ready(count)
	return {targets, id: await (await world.start()).leave(isolate, targets)}
}

/** Another, whose first claim comes after `first` has resumed the job. */
async function beaten(first: Process, id: string) {
	let resumed: Promise<unknown> | undefined
	const two = await world.start({
		beforeWrite: async ops => {
			if (!ops.some(({kind}) => kind === 'claim')) return
			resumed ??= first.jobs.resume(id)
			await resumed
		}
	})
	return {two, resumed: () => resumed}
}

function sentBy(one: Process) {
	return one.calls.filter(call => call.startsWith('PUT')).toSorted()
}

/** Each computer once, and reported once. */
async function expectOnce(one: Process, job: string, targets: readonly string[]) {
	expect(await one.doneOf(job)).toBe(targets.length)
	expect(sentBy(one)).toEqual(targets.map(guid => `PUT computers/${guid}/isolation`).toSorted())
	expect(world.took(targets)).toBe(1)
	expect(await one.notesOf(job)).toEqual(['Job ended', 'Job started'])
	expect(one.troubles).toEqual([])
}

test('isolations that a job has yet to send count towards the limit, in every process', async () => {
	const {targets} = await left(8)
	const two = await world.start()
	const others = world.ready(19).filter(guid => !targets.includes(guid))
	const because = async () => (await two.plan(isolate, others)).because
	expect(await because()).toContainEqual(expect.stringContaining('8 were isolated in the last 24 hours, running jobs included'))
	// It does not go on by itself any more.
	await world.ports.clock.advance(31 * 60_000)
	expect(await because()).toContainEqual(expect.stringContaining('1 was isolated'))
})

describe('in one process', () => {
	test.each<[string, (one: Process, id: string) => Promise<unknown>]>([
		['two that resume a job', ({jobs}, id) => jobs.resume(id)],
		['the recovery and a click', ({jobs}) => jobs.recover()]
	])('%s at once find one run', async (_who, beside) => {
		const {targets, id} = await left(6)
		const two = await world.start()
		const [summary] = await Promise.all([two.jobs.resume(id), beside(two, id)])
		expect(summary.id).toBe(id)
		await expectOnce(two, id, targets)
	})

	test('a starting job is not started twice', async () => {
		const targets = world.ready(6)
		const gate = Promise.withResolvers<void>()
		const reached = Promise.withResolvers<void>()
		const one = await world.start({
			inventory: async () => {
				if ((await one.jobs.list()).matching > 0) {
					reached.resolve()
					await gate.promise
				}
				return one.inventory
			}
		})
		const {id} = await one.plan(isolate, targets)
		const began = one.jobs.apply({plan: id, confirm: '6', surface: 'screen'})
		await Promise.race([reached.promise, began])
		const again = one.jobs.resume(id)
		gate.resolve()
		await Promise.all([began, again])
		await expectOnce(one, id, targets)
	})

	test('a job whose calls cannot be reserved can be resumed', async () => {
		const {targets, id} = await left(4)
		let refusals = 1
		const reserve = () => {
			if (refusals-- > 0) throw new Error('no room on the disk')
		}
		const two = await world.start({planner: {reserve, room: () => null}})
		await two.jobs.resume(id)
		expect(await two.jobs.settled(id)).toMatchObject({phase: 'interrupted', because: expect.stringContaining('no room on the disk')})
		expect(sentBy(two)).toEqual([])
		await two.jobs.resume(id)
		expect(await two.jobs.settled(id)).toMatchObject({phase: 'done', because: null, counts: {done: 4}})
		expect(world.took(targets)).toBe(1)
	})

	test.each(['resume', 'stop'] as const)('a job that the disk did not let go can be reached by %s', async how => {
		const {id} = await left(2)
		const two = await world.start()
		const disk = openDatabase(join(world.ports.profile, 'runs.db'), {synchronous: 'NORMAL'})
		disk.exec(`CREATE TRIGGER stuck BEFORE UPDATE ON run WHEN NEW.owner_pid IS NULL BEGIN SELECT RAISE(ABORT, 'disk'); END`)
		world.sandbox.weather.set(['GET *=status:403'])
		await two.jobs.resume(id)
		expect(await two.jobs.settled(id)).toMatchObject({phase: 'interrupted'})
		world.sandbox.weather.set([])
		disk.exec('DROP TRIGGER stuck')
		disk.close()
		expect((await two.jobs.get(id)).runs).toBe('nowhere')
		const end = await (how === 'stop' ? two.jobs.stop(id) : two.jobs.resume(id).then(() => two.jobs.settled(id)))
		expect(end).toMatchObject(how === 'stop' ? {phase: 'stopped'} : {phase: 'done', counts: {done: 2}})
	})

	test('what another engine of the same process runs is not run here, and can be stopped from here', async () => {
		const targets = world.ready(6)
		const self = {pid: 1, started: 'run-1'}
		const [one, two] = [await world.start({self}), await world.start({self})]
		const id = await one.begin(isolate, targets)
		expect(await two.jobs.get(id)).toMatchObject({runs: 'elsewhere', summary: {phase: 'applying'}})
		await two.jobs.recover()
		await expectRefused(two.jobs.resume(id), 'busy')
		await two.jobs.stop(id)
		expect(await one.jobs.settled(id)).toMatchObject({phase: 'stopped', because: expect.stringContaining('Cancelled.')})
		expect(sentBy(two)).toEqual([])
	})

	test('closing waits for a job that is about to begin', async () => {
		const {id} = await left(2)
		const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
		const two = await world.start({
			inventory: async () => {
				reached.resolve()
				await gate.promise
				return two.inventory
			}
		})
		const resumed = two.jobs.resume(id).catch(() => {})
		await reached.promise
		let closed = false
		const closing = two.jobs.close().then(() => (closed = true))
		await new Promise(setImmediate)
		expect(closed).toBe(false)
		gate.resolve()
		await Promise.all([resumed, closing])
		expect(two.troubles).toEqual([])
		expect(await (await world.start()).jobs.get(id)).toMatchObject({runs: 'nowhere', summary: {phase: 'interrupted'}})
	})
})

describe('two processes on one profile', () => {
	test('that resume a job at once run it once', async () => {
		const {targets, id} = await left(6)
		const [two, three] = [await world.start(), await world.start()]
		const [won, lost] = await Promise.allSettled([two.jobs.resume(id), three.jobs.resume(id)])
		expect(won.status).toBe('fulfilled')
		expect(lost).toMatchObject({status: 'rejected', reason: {code: 'busy'}})
		expect(await two.doneOf(id)).toBe(6)
		expect(sentBy(three)).toEqual([])
		await expectOnce(two, id, targets)
	})

	test('a second attempt that fails does not let go of the run of the first', async () => {
		const {targets, id} = await left(6)
		let asked = 0
		const two = await world.start({
			inventory: async () => {
				asked += 1
				if (asked === 2) throw new Error('out of memory')
				return two.inventory
			}
		})
		const three = await world.start()
		await Promise.allSettled([two.jobs.resume(id), two.jobs.resume(id)])
		await expectRefused(three.jobs.resume(id), 'busy')
		await expectOnce(two, id, targets)
	})

	test('a job resumed elsewhere meanwhile is not reported as interrupted', async () => {
		const {id} = await left(4)
		await world.ports.clock.advance(3_600_000)
		const three = await world.start()
		const {two, resumed} = await beaten(three, id)
		const told: string[] = []
		three.jobs.onChange(async () => void told.push((await three.jobs.get(id)).summary.because ?? ''))
		await two.jobs.recover()
		await resumed()
		expect((await three.jobs.get(id)).summary).toMatchObject({because: null})
		expect(await three.jobs.settled(id)).toMatchObject({phase: 'done', because: null})
		expect(new Set(told)).toEqual(new Set(['']))
	})

	test('a stop reaches a run that started meanwhile', async () => {
		const {id} = await left(6)
		const three = await world.start()
		const {two, resumed} = await beaten(three, id)
		await two.jobs.stop(id)
		await resumed()
		expect(await three.jobs.settled(id)).toMatchObject({phase: 'stopped', because: expect.stringContaining('Cancelled.')})
		expect(sentBy(three)).toEqual([])
	})

	test('a run taken over by another process sends and reports nothing more', async () => {
		const targets = world.ready(12)
		const two = await world.start()
		const id = await two.begin(isolate, targets)
		await until('two changes arrive', () => world.sent('PUT') >= 2)
		// As from a container of its own, where the numbers of processes mean others.
		const three = await world.recovered({isAlive: () => false})
		await two.jobs.settled(id)
		expect(sentBy(two).length).toBeLessThan(12)
		expect(await three.jobs.settled(id)).toMatchObject({phase: 'done', because: null, counts: {done: 12}})
		expect(world.took(targets)).toBe(1)
		expect(await three.notesOf(id)).toEqual(['Job ended', 'Job started'])
	})
})

describe('a plan that is applied', () => {
	const apply = ({jobs}: Process, plan: string, confirm?: string) => jobs.apply({plan, confirm, surface: 'screen'})

	test('twice at once becomes one job, and its start is written down once', async () => {
		const targets = world.ready(4)
		const one = await world.start()
		const {id} = await one.plan(isolate, targets)
		const both = await Promise.allSettled([1, 2].map(() => apply(one, id, '4')))
		expect(both).toMatchObject([{status: 'fulfilled'}, {status: 'rejected', reason: {code: 'busy'}}])
		await expectOnce(one, id, targets)
	})

	test('in two processes at once becomes one job, and its start is written down once', async () => {
		const targets = world.ready(4)
		const [one, two] = [await world.start(), await world.start()]
		const {id} = await one.plan(isolate, targets)
		const both = await Promise.allSettled([one, two].map(each => apply(each, id, '4')))
		expect(both.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
		expect(both.find(({status}) => status === 'rejected')).toMatchObject({reason: {code: 'taken'}})
		await Promise.all([one, two].map(({jobs}) => jobs.settled(id)))
		expect(await one.notesOf(id)).toEqual(['Job ended', 'Job started'])
		expect(world.took(targets)).toBe(1)
	})

	test('counts a job that began elsewhere meanwhile', async () => {
		const {targets} = await left(4)
		let other: Promise<unknown> | undefined
		const one = await world.start({
			beforeWrite: async ops => {
				if (ops.some(({kind}) => kind === 'begin')) await (other ??= left(4))
			}
		})
		const {id} = await one.plan(isolate, targets)
		await expectRefused(apply(one, id), 'confirmation_needed')
		expect(sentBy(one)).toEqual([])
		await apply(one, id, '4')
		expect(await one.doneOf(id)).toBe(4)
	})

	test.each([
		[undefined, 'interrupted', 0],
		['4', 'done', 1]
	])('and killed before it begins is counted again where it goes on, confirmed by %s', async (confirm, phase, taken) => {
		await left(4)
		const {promise, resolve} = Promise.withResolvers<void>()
		const one = await world.start({
			beforeWrite: async ([op]) => {
				if (op?.kind === 'begin') await left(4)
				else if (op?.kind !== 'draft') await new Promise(() => resolve())
			}
		})
		const targets = world.ready(12).slice(-4)
		const {id} = await one.plan(isolate, targets)
		void apply(one, id, confirm)
		await promise
		await one.crash()
		const two = await world.recovered()
		expect([(await two.jobs.settled(id)).phase, world.took(targets)]).toEqual([phase, taken])
	})

	test('is refused for a reason, and can then be applied', async () => {
		const targets = world.ready(4)
		const one = await world.start()
		const {id} = await one.plan(isolate, targets)
		world.sandbox.weather.set(['GET *=status:500'])
		await expect(apply(one, id, '4')).rejects.toThrow()
		world.sandbox.weather.set([])
		await apply(one, id, '4')
		expect(await one.doneOf(id)).toBe(4)
		expect(await one.notesOf(id)).toEqual(['Job ended', 'Job started'])
	})

	test('is a job when its start is written down, and none when that cannot be written', async () => {
		const targets = world.ready(2)
		const there: boolean[] = []
		let isFull = true
		const one = await world.start({
			log: {
				append: async entry => {
					there.push((await one.jobs.list()).matching === 1)
					if (isFull) throw new CordonError('log_unavailable')
					return await one.profile.log.append(entry)
				}
			}
		})
		const {id} = await one.plan(isolate, targets)
		await expectRefused(apply(one, id), 'log_unavailable')
		expect([(await one.jobs.list()).rows, (await one.jobs.planOf(id)).targets.length, world.sent('PUT')]).toEqual([[], 2, 0])
		isFull = false
		await apply(one, id)
		expect(await one.doneOf(id)).toBe(2)
		expect(there.slice(0, 2)).toEqual([true, true])
		await expectOnce(one, id, targets)
	})

	test('killed before its start is logged logs it before anything is sent', async () => {
		const targets = world.ready(2)
		const reached = Promise.withResolvers<void>()
		const killed = await world.start({
			log: {
				append: async () => {
					reached.resolve()
					return await new Promise<never>(() => {})
				}
			}
		})
		const plan = await killed.plan(isolate, targets)
		void killed.jobs.apply({plan: plan.id, surface: 'cli'})
		await reached.promise
		await killed.crash()
		const one = await world.recovered()
		expect(await one.doneOf(plan.id)).toBe(2)
		await expectOnce(one, plan.id, targets)
		const [first] = (await one.profile.log.query({after: 0, limit: 1})).entries
		expect(first).toMatchObject({kind: 'note', message: 'Job started: Isolate 2 computers: beaconing', surface: 'cli'})
	})
})
