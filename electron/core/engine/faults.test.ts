/** Runs while processes compete and disks fill up. */
import {randomBytes} from 'node:crypto'

import {CordonError} from '#contract/errors.ts'
import {testFolder} from '#base/testing/folder.ts'
import {until} from '#base/testing/until.ts'
import {mayMount, mountSmallDisk, type SmallDisk} from '#core/store/testing/small-disk.ts'

import {createEngine} from './engine.ts'
import {openOwned, type Frame} from './owned.ts'
import type {RunRow, RunStore} from './port.ts'
import type {Program} from './types.ts'
import {inThread} from '#core/store/async.ts'
import {openRunRepository} from './sqlite.ts'
import {carryOut, openDrill, openStore, program, request, stepOf, untilTag, type Drill} from './testing/drill.ts'
import {openMachine} from './testing/process.ts'

let drill: Drill

beforeEach(() => {
	drill = openDrill()
})
afterEach(() => drill.stop())

const full = new CordonError('disk_full')

describe('a store that takes no writes', () => {
	test('begins no run', async () => {
		const one = drill.start(context => drill.change(context, 'a'))
		drill.store.fail(full)
		await expect(one.begin({...request, id: 'r1'})).rejects.toMatchObject({code: 'disk_full'})
		drill.store.fail(null)
		expect(await one.get('r1')).toBeUndefined()
		expect((await carryOut(one, {id: 'r1'})).output).toBe('a done')
		expect(drill.done).toEqual(['a'])
	})

	test('starts no step whose intent it refuses, and the run continues later', async () => {
		const {one, id} = await drill.begin(async context => {
			await drill.change(context, 'a')
			drill.store.fail(full)
			return await drill.change(context, 'b')
		})
		const row = await one.settled(id)
		expect([row.state, one.whereIs(row), drill.done]).toEqual(['open', 'nowhere', ['a']])
		expect(one.troubles).toEqual([expect.stringContaining('could not be stored'), expect.stringContaining('full')])
		drill.store.fail(null)
		const two = drill.start(async context => [await drill.change(context, 'a'), await drill.change(context, 'b')])
		await expect(two.resume(id)).rejects.toMatchObject({code: 'busy'})
		await one.stop()
		await two.resume(id)
		expect(await two.output(id)).toEqual(['a done', 'b done'])
		expect(drill.done).toEqual(['a', 'b'])
	})

	test('loses an outcome, which a later reading finds', async () => {
		let isFirst = true
		const {one, id} = await drill.begin(context =>
			drill.change(context, 'a', () => {
				if (isFirst) drill.store.fail(full)
				isFirst = false
			})
		)
		await one.settled(id)
		expect((await stepOf(one, id, 'a'))?.phase).toBe('intent')
		drill.store.fail(null)
		await one.resume(id)
		expect(await one.output(id)).toBe('a found')
		expect(drill.done).toEqual(['a'])
	})

	test('cannot store the end: the run is not reported as ended, and ends later', async () => {
		const {one, id} = await drill.begin(async context => {
			await drill.change(context, 'a')
			if (context.run.epoch === 1) drill.store.fail(full)
			return 'end'
		})
		expect(await one.settled(id)).toMatchObject({state: 'open', output: null})
		drill.store.fail(null)
		await one.resume(id)
		expect(await one.settled(id)).toMatchObject({state: 'done', output: 'end'})
		expect(drill.done).toEqual(['a'])
	})

	test('takes no signal, and the sender learns it', async () => {
		const {one, id} = await drill.begin(context => context.decision({id: 'go'}))
		await untilTag(one, id, 'go')
		drill.store.fail(full)
		await expect(one.signal(id, 'go')).rejects.toMatchObject({code: 'disk_full'})
		drill.store.fail(null)
		await one.signal(id, 'go')
		expect((await one.settled(id)).state).toBe('done')
	})

	test('and cannot be read is reported once, until it can be read again', async () => {
		const one = drill.start()
		const idle = drill.start()
		drill.store.fail(new Error('gone'), 'all')
		const told: string[] = []
		one.onChange(({run}) => told.push(run))
		await until('it is told', () => one.troubles.length > 0)
		// An unused engine does not touch its store.
		expect(idle.troubles).toEqual([])
		drill.store.fail(null)
		const two = drill.start(async () => 1)
		const {id} = await carryOut(two)
		await until('the change of the other process', () => told.includes(id))
		expect(one.troubles).toHaveLength(1)
	})

	test('that reports a failure after writing refuses the whole batch, and stored runs can continue', async () => {
		let fails = true
		const store = openStore()
		const lying: RunStore = {
			...store,
			apply: async ops => {
				const results = await store.apply(ops)
				const isFirst = fails
				fails = false
				if (isFirst) throw new CordonError('storage')
				return results
			}
		}
		const machine = openMachine(lying, drill.clock)
		const one = machine.start([program(context => drill.change(context, context.run.id))])
		const ids = ['r1', 'r2']
		const both = await Promise.allSettled(ids.map(id => one.begin({...request, id})))
		expect(both).toMatchObject(ids.map(() => ({status: 'rejected', reason: {code: 'storage'}})))
		for (const id of ids) await one.resume(id)
		for (const id of ids) expect(await one.settled(id)).toMatchObject({state: 'done', owner: null})
		expect(drill.done).toEqual(ids)
		await machine.stop()
	})

	test('refuses only the faulty write of a batch', async () => {
		const one = drill.start(async _context => 'fine')
		const circle: Record<string, unknown> = {}
		circle['self'] = circle
		const both = await Promise.allSettled([one.begin({...request, input: circle}), one.begin({...request, id: 'r2'})])
		expect(both.map(({status}) => status)).toEqual(['rejected', 'fulfilled'])
		expect((await one.settled('r2')).output).toBe('fine')
	})
})

describe('two processes on one store', () => {
	const work = program(async context => {
		await drill.change(context, 'a')
		await context.decision({id: 'go'})
		return await drill.change(context, 'b')
	})

	test('that resume a run at the same time run it once', async () => {
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'go')
		one.kill()
		const processes = [0, 1, 2].map(() => drill.start(work))
		const tries = await Promise.allSettled(processes.map(one => one.resume(id)))
		expect(tries.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
		expect(tries.find(({status}) => status === 'rejected')).toMatchObject({reason: {code: 'busy'}})
		const [two = one] = processes
		await two.signal(id, 'go')
		expect(await two.ended(id)).toMatchObject({state: 'done', epoch: 2})
		expect(drill.done).toEqual(['a', 'b'])
	})

	test('one of which is considered dead: it writes and starts nothing more', async () => {
		const gate = Promise.withResolvers<void>()
		const slow = program(async context => {
			await context.step({
				id: 'a',
				act: async () => {
					drill.done.push('a')
					if (context.run.epoch === 1) await gate.promise
				},
				reconcile: async () => (drill.done.includes('a') ? {output: undefined} : undefined)
			})
			return await drill.change(context, `b${context.run.epoch}`)
		})
		const {one, id} = await drill.begin(slow)
		await drill.did(1)
		// As in a container, where process numbers mean other processes.
		const two = openMachine(drill.store, drill.clock, 'another computer').start([slow])
		await two.resume(id)
		expect(await two.settled(id)).toMatchObject({state: 'done', output: 'b2 done', epoch: 2})
		gate.resolve()
		await one.settled(id)
		expect(drill.done).toEqual(['a', 'b2'])
		expect(one.troubles).toEqual([])
		expect((await one.get(id))?.output).toBe('b2 done')
		await two.stop()
	})

	test('or two engines of one process: neither takes over a run of the other', async () => {
		const {one, id} = await drill.begin(work)
		const same = openMachine(drill.store, drill.clock)
		const two = same.start([work])
		await untilTag(one, id, 'go')
		await expect(two.resume(id)).rejects.toMatchObject({code: 'busy'})
		await two.recover()
		await two.signal(id, 'go')
		expect(await two.ended(id)).toMatchObject({state: 'done', epoch: 1})
		expect(drill.done).toEqual(['a', 'b'])
		await same.stop()
	})

	test('one of which waits: it lets go of a run that another has taken over', async () => {
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'go')
		const two = openMachine(drill.store, drill.clock, 'another computer').start([work])
		await two.resume(id)
		await one.settled(id)
		expect(await one.get(id)).toMatchObject({state: 'open', owner: {started: 'another computer 1'}})
		expect(one.troubles).toEqual([])
		await two.signal(id, 'go')
		expect((await two.settled(id)).state).toBe('done')
		expect(drill.done).toEqual(['a', 'b'])
		await two.stop()
	})

	test('one of which takes over between the claim of another and its first reading', async () => {
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'go')
		const row = await drill.store.run(id)
		const claimed = openOwned({store: drill.store} as unknown as Frame, {...row, epoch: 0} as RunRow) // what it reads first
		await expect(claimed).rejects.toMatchObject({kind: 'lost'})
	})

	test('one of which stops: the other continues its runs at once', async () => {
		const gate = Promise.withResolvers<void>()
		const both = program(async context => {
			await drill.change(context, 'a')
			if (context.run.epoch === 1) await gate.promise
			return await drill.change(context, 'b')
		})
		const {one, id} = await drill.begin(both)
		await drill.did(1)
		const stopped = one.halt()
		gate.resolve()
		await stopped
		expect(await one.get(id)).toMatchObject({state: 'open', owner: null})
		await expect(one.begin(request)).rejects.toMatchObject({code: 'cancelled'})
		const two = await drill.next(both)
		expect(await two.output(id)).toBe('b done')
		expect(drill.done).toEqual(['a', 'b'])
	})

	test('tells waiters that the run ends elsewhere', async () => {
		const {one, id} = await drill.begin(context => context.decision({id: 'go'}))
		const waiting = Promise.allSettled([one.ended(id)])
		await untilTag(one, id, 'go')
		await one.halt()
		expect(await waiting).toMatchObject([{status: 'rejected', reason: {code: 'cancelled'}}])
		await expect(one.ended(id)).rejects.toMatchObject({code: 'cancelled'})
	})
})

describe('what ended processes left', () => {
	test('continues even when another one cannot', async () => {
		const fine = program(async () => 'fine')
		const broken: Program = {
			...{...fine, kind: 'broken'},
			recover: () => {
				throw new Error('broken')
			}
		}
		const one = drill.machine.start([fine, broken].map(each => ({...each, run: () => new Promise<never>(() => {})})))
		await one.begin({...request, kind: 'broken', id: 'r1'})
		await one.begin({...request, id: 'r2'})
		one.kill()
		const two = await drill.next(fine, broken)
		expect(await two.settled('r2')).toMatchObject({state: 'done', output: 'fine'})
		expect(two.troubles).toEqual([expect.stringContaining('broken')])
	})

	test('continues, waits or ends as its program says', async () => {
		const kinds = {go_on: {kind: 'go_on'}, hold: {kind: 'hold', because: 'A while ago.'}} as const
		const ends = {end: {kind: 'end', because: 'The sandbox is gone.'}, leave: {kind: 'leave'}} as const
		const programs = Object.entries({...kinds, ...ends}).map(([kind, recovery]) => ({
			...program(async context => (await context.decision({id: 'go'}))?.payload),
			...{kind, recover: () => recovery},
			...(kind === 'end' && {abandon: () => ({steps: [], phase: 'stopped'})})
		}))
		const one = drill.machine.start(programs)
		for (const {kind} of programs) await one.begin({...request, kind, id: kind})
		const two = drill.machine.start(programs)
		await two.recover()
		const rows = () => Promise.all(programs.map(({kind}) => two.get(kind)))
		// Their process lives.
		expect(await rows()).toMatchObject(programs.map(() => ({state: 'open', epoch: 1})))
		one.kill()
		await two.recover()
		expect(await rows()).toMatchObject([
			{state: 'open', epoch: 2, owner: {pid: 2}},
			{state: 'held', because: 'A while ago.', owner: null},
			{state: 'cancelled', because: 'The sandbox is gone.', phase: 'stopped', owner: null},
			{state: 'open', epoch: 1}
		])
		await two.resume('hold')
		await two.signal('hold', 'go', 1)
		expect(await two.settled('hold')).toMatchObject({state: 'done', output: 1, because: null})
	})

	test('is found again when its process never learned that it started', async () => {
		const one = drill.start(async () => 1)
		const killed = one.killAt('after', ops => ops.some(({kind}) => kind === 'begin'))
		void one.begin({...request, id: 'r1'})
		await killed
		const two = drill.start(async () => 2)
		await expect(two.begin({...request, id: 'r1'})).rejects.toMatchObject({code: 'taken'})
		await two.recover()
		expect((await two.settled('r1')).output).toBe(2)
	})
})

describe.runIf(mayMount)('runs.db', () => {
	let folder: string
	let disk: SmallDisk

	beforeEach(() => {
		folder = testFolder()
		disk = mountSmallDisk(folder, 8)
	})
	afterEach(() => disk.remove())

	function open(troubles: string[] = []) {
		const store = inThread(openRunRepository(disk.path))
		const work = program(async context => {
			const steps: string[] = []
			for (let index = 0; index < 40; index += 1)
				steps.push(
					await context.step({
						id: `s${index}`,
						input: 'x'.repeat(5000),
						act: async () => {
							drill.done.push(`s${index}`)
							return 'acted'
						},
						reconcile: async () => (drill.done.includes(`s${index}`) ? {output: 'found'} : undefined)
					})
				)
			return steps.length
		})
		const {clock} = drill
		const onTrouble = (message: string) => void troubles.push(message)
		const engine = createEngine({store, clock, random: randomBytes, programs: [work], onTrouble})
		return Object.assign(engine, {close: () => engine.stop().then(() => store.close())})
	}

	test('on a disk that becomes full loses nothing, and does nothing twice after room was made', async () => {
		const troubles: string[] = []
		const engine = open(troubles)
		const id = await engine.begin(request)
		await drill.did(4)
		const makeRoom = disk.fill()
		await engine.settled(id)
		const done = drill.done.length
		expect([done < 40, troubles.length > 0]).toEqual([true, true])
		makeRoom()
		await engine.resume(id)
		expect(await engine.settled(id)).toMatchObject({state: 'done', output: 40})
		expect(new Set(drill.done).size).toBe(40)
		expect(drill.done).toHaveLength(40)
		await engine.close()
	})

	test('on a disk that is read-only can be read, and takes nothing', async () => {
		const first = open()
		const id = await first.begin(request)
		await until('its end', async () => (await first.settled(id)).state === 'done')
		disk.setReadOnly(true)
		const second = open()
		expect(await second.get(id)).toMatchObject({state: 'done', output: 40})
		await expect(second.begin(request)).rejects.toMatchObject({code: 'storage'})
		disk.setReadOnly(false)
		await second.begin({...request, id: 'again'})
		expect((await second.settled('again')).state).toBe('done')
		await second.close()
		await first.close()
	})
})
