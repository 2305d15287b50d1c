/** Runs that wait: for an operator, for a time, for each other. */
import {CordonError} from '#contract/errors.ts'
import {until} from '#base/testing/until.ts'

import {carryOut, openDrill, program, request, stepOf, untilState, untilTag, type Drill} from './testing/drill.ts'
import type {EngineProcess} from './testing/process.ts'
import type {Program} from './types.ts'

let drill: Drill

beforeEach(() => {
	drill = openDrill()
})
afterEach(() => drill.stop())

const all = {offset: 0, limit: 9}
const hour = 3_600_000

describe('a signal', () => {
	const asks = program(async context => {
		await drill.change(context, 'a')
		return [await context.decision({id: 'first', name: 'go'}), await context.decision({id: 'second', name: 'go'})]
	})

	test('answers the decision that waits for it', async () => {
		const {one, id} = await drill.begin(asks)
		await untilTag(one, id, 'first')
		expect(await one.signal(id, 'other')).toBe('kept')
		expect(await one.signal(id, 'go', {by: 'sam'})).toBe('kept')
		await untilTag(one, id, 'second')
		await one.signal(id, 'go', 2)
		const at = drill.clock.now()
		expect(await one.output(id)).toEqual([
			{payload: {by: 'sam'}, at},
			{payload: 2, at}
		])
		expect(await one.signal(id, 'go')).toBe('ended')
	})

	test('sent early is kept, and the same one twice counts once', async () => {
		const {one, id} = await drill.begin(async context => {
			await context.sleep('later', hour)
			return [await context.decision({id: 'go'}), await context.decision({id: 'go2', name: 'go', timeoutMs: 1000})]
		})
		await untilTag(one, id, 'later', 'intent')
		expect(await one.signal(id, 'go', 'yes', 'click-1')).toBe('kept')
		expect(await one.signal(id, 'go', 'yes', 'click-1')).toBe('duplicate')
		await drill.pauses()
		await drill.clock.advance(hour)
		await untilTag(one, id, 'go2')
		await until('it times out', () => drill.clock.pending().includes(1000))
		await drill.clock.advance(1000)
		expect(await one.output(id)).toMatchObject([{payload: 'yes'}, null])
	})

	test('sent while no process runs is kept for the next one', async () => {
		const {one, id} = await drill.begin(asks)
		await untilTag(one, id, 'first')
		one.kill()
		const sender = drill.start()
		await sender.signal(id, 'go', 1)
		await sender.signal(id, 'go', 2)
		const two = await drill.next(asks)
		expect(await two.output(id)).toMatchObject([{payload: 1}, {payload: 2}])
		expect(drill.done).toEqual(['a'])
	})

	test('from another process reaches the waiting one', async () => {
		const one = drill.start(asks)
		const two = drill.start()
		const id = await one.begin(request)
		await untilTag(one, id, 'first')
		await two.signal(id, 'go')
		await two.signal(id, 'go')
		expect((await two.ended(id)).state).toBe('done')
		expect(two.whereIs((await two.get(id)) ?? (await one.settled(id)))).toBe('nowhere')
	})

	test('that was kept before the time-out counts, whichever is looked at first', async () => {
		const {one, id} = await drill.begin(context => context.decision({id: 'go', timeoutMs: 1000, input: {what: 'isolate'}}))
		await drill.pauses()
		const sent = one.signal(id, 'go', 'in time')
		await drill.clock.advance(1000)
		await sent
		expect(await one.output(id)).toMatchObject({payload: 'in time'})
	})

	test('that never comes times out, also after a restart, and the question stays visible', async () => {
		const work = program(context => context.decision({id: 'go', timeoutMs: hour, input: {what: 'isolate'}}))
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'go')
		one.kill()
		await drill.clock.advance(hour / 2)
		const two = await drill.next(work)
		const {rows} = await two.steps({kinds: ['decision'], phases: ['intent'], ...all})
		expect(rows).toMatchObject([{run: id, id: 'go', input: {what: 'isolate'}, due: drill.clock.now() + hour / 2}])
		await drill.pauses()
		await drill.clock.advance(hour / 2)
		expect(await two.output(id)).toBeNull()
		expect((await stepOf(two, id, 'go'))?.tag).toBe('timed_out')
	})

	test('with a reserved name is refused', async () => {
		const one = drill.start(asks)
		await expect(one.signal('x', '$cancel')).rejects.toMatchObject({code: 'usage'})
	})
})

describe('a clock that jumps', () => {
	const sleeps = program(async context => {
		await context.sleep('pause', hour)
		return await drill.change(context, 'a')
	})

	async function asleep() {
		const {one, id} = await drill.begin(sleeps)
		await drill.pauses()
		return {one, id}
	}

	test('forwards ends a sleep that is due by the wall clock', async () => {
		const {one, id} = await asleep()
		drill.jump(2 * hour)
		await drill.clock.advance(30_000)
		expect((await one.settled(id)).state).toBe('done')
	})

	test('backwards lengthens no sleep', async () => {
		const {one, id} = await asleep()
		drill.jump(-10 * hour)
		await drill.clock.advance(hour / 2)
		expect(drill.done).toEqual([])
		await drill.clock.advance(hour / 2)
		expect((await one.settled(id)).state).toBe('done')
	})

	test('backwards during a restart does not lengthen a sleep', async () => {
		const {one, id} = await asleep()
		one.kill()
		drill.jump(-10 * hour)
		const two = await drill.next(sleeps)
		await drill.pauses(2)
		await drill.clock.advance(hour)
		expect((await two.settled(id)).state).toBe('done')
		expect((await stepOf(two, id, 'pause'))?.attempt).toBe(1)
	})

	test('forwards over a restart ends what is due at once', async () => {
		const {one, id} = await asleep()
		one.kill()
		drill.jump(5 * hour)
		const two = await drill.next(sleeps)
		expect((await two.settled(id)).state).toBe('done')
	})

	test('backwards does not make a time-out wait longer', async () => {
		const {one, id} = await drill.begin(context => context.decision({id: 'go', timeoutMs: hour}))
		await drill.pauses()
		drill.jump(-10 * hour)
		await drill.clock.advance(hour)
		expect(await one.output(id)).toBeNull()
	})
})

describe('a pause', () => {
	test('lets running steps end, starts no others, and ends with a resume', async () => {
		const gate = Promise.withResolvers<void>()
		const {one, id} = await drill.begin(async context => {
			await context.step({
				id: 'a',
				act: async () => {
					drill.done.push('a')
					await gate.promise
				}
			})
			return await drill.change(context, 'b')
		})
		await drill.did(1)
		await one.pause(id)
		gate.resolve()
		await untilTag(one, id, 'a', 'done')
		expect(await one.get(id)).toMatchObject({state: 'open', paused: true})
		expect(await stepOf(one, id, 'b')).toBeUndefined()
		await one.resume(id)
		expect(await one.output(id)).toBe('b done')
	})

	test('by another process, before the next intent is written, stops that step', async () => {
		const two = drill.start()
		const {one, id} = await drill.begin(async context => {
			await drill.change(context, 'a')
			await two.pause(context.run.id)
			return await drill.change(context, 'b')
		})
		await until('it is paused', async () => (await two.get(id))?.paused === true)
		await untilTag(one, id, 'b', 'planned').catch(() => undefined)
		expect(drill.done).toEqual(['a'])
		await two.resume(id)
		expect((await one.settled(id)).state).toBe('done')
		expect(drill.done).toEqual(['a', 'b'])
	})

	test('outlasts a restart', async () => {
		const work = program(async context => {
			await context.decision({id: 'go'})
			return await drill.change(context, 'a')
		})
		const {one, id} = await drill.begin(work)
		await one.pause(id)
		one.kill()
		const two = await drill.next(work)
		await two.signal(id, 'go')
		await untilTag(two, id, 'go', 'answered')
		expect(drill.done).toEqual([])
		await two.resume(id)
		expect(await two.output(id)).toBe('a done')
	})
})

describe('a cancel', () => {
	test('starts nothing more, aborts what listens, and lets the program clean up', async () => {
		const {one, id} = await drill.begin(async context => {
			try {
				await context.step({
					id: 'a',
					act: ({signal}) =>
						new Promise((_resolve, reject) => {
							drill.done.push('a')
							signal.addEventListener('abort', () => reject(new CordonError('cancelled')))
						}),
					reconcile: async () => undefined
				})
			} finally {
				await context.step({id: 'clean', always: true, act: async () => drill.done.push('clean')})
				await expect(drill.change(context, 'b')).rejects.toMatchObject({code: 'cancelled'})
			}
			return 'no'
		})
		await drill.did(1)
		await one.cancel(id)
		expect(await one.settled(id)).toMatchObject({state: 'cancelled', because: 'Cancelled.', cancels: 1})
		expect(drill.done).toEqual(['a', 'clean'])
		// It was not done, and is reported as such.
		expect(await stepOf(one, id, 'a')).toMatchObject({phase: 'planned', attempt: 0})
	})

	test('ends a wait, a sleep and a pause', async () => {
		const one = drill.start(
			context => context.decision({id: 'go'}),
			{...program(context => context.sleep('x', hour)), kind: 'sleeper'},
			{...program(context => drill.change(context, 'a')), kind: 'paused', begin: ({run}) => paused(run.id)}
		)
		const paused = async (id: string) => void (await one.pause(id))
		for (const kind of ['drill', 'sleeper', 'paused']) {
			const id = await one.begin({...request, kind})
			await one.cancel(id)
			expect([kind, (await one.settled(id)).state]).toEqual([kind, 'cancelled'])
		}
		expect(drill.done).toEqual([])
	})

	test('of an unclaimed run ends it where it is, as its program says', async () => {
		const work = program(context => context.decision({id: 'go'}), {
			abandon: (steps, because) => ({
				phase: 'stopped',
				steps: steps.map(({id}) => ({id, phase: 'skipped', tag: 'not_tried', error: {code: 'cancelled', message: because}}))
			})
		})
		const one = drill.start(work)
		const steps = [{id: 's1', label: 's1', input: null, tag: 'waiting'}]
		const id = await one.begin({...request, steps})
		one.kill()
		const two = drill.start(work)
		expect(await two.cancel(id, 1, 'Stopped after its program had ended.')).toBe('kept')
		expect(await two.get(id)).toMatchObject({
			...{state: 'cancelled', phase: 'stopped', because: 'Stopped after its program had ended.', owner: null},
			tally: {not_tried: 1}
		})
		await expect(two.resume(id)).rejects.toMatchObject({code: 'usage'})
	})

	test('of an unclaimed run reaches a program without such an end when it runs', async () => {
		const work = program(async context => {
			await context.decision({id: 'go'}).finally(() => drill.done.push('cleaned up'))
		})
		const {one, id} = await drill.begin(work)
		one.kill()
		const two = drill.start(work)
		const before = drill.done.length
		await two.cancel(id)
		expect(await two.settled(id)).toMatchObject({state: 'cancelled', epoch: 2})
		expect(drill.done.length).toBe(before + 1)
	})

	test('by another process stops the run before its next step', async () => {
		const one = drill.start(async context => {
			for (let index = 0; ; index += 1) await drill.change(context, `s${index}`)
		})
		const two = drill.start()
		const id = await one.begin(request)
		await drill.did(3)
		await two.cancel(id)
		const sent = drill.done.length
		expect((await two.ended(id)).state).toBe('cancelled')
		expect(drill.done.length - sent).toBeLessThanOrEqual(1)
	})
})

describe('a child', () => {
	const child: Program = {
		...program(async context => {
			await drill.change(context, 'c1')
			const answer = await context.decision({id: 'go'})
			if (answer?.payload === 'fail') await context.step({id: 'x', act: () => Promise.reject(new CordonError('not_found'))})
			return {answered: answer?.payload, definition: context.definition}
		}),
		kind: 'child'
	}
	const parent = program(async context => {
		await drill.change(context, 'p1')
		const output = await context.child({id: 'kid', kind: 'child', title: 'Child', input: {n: 1}, definition: {d: 1}})
		await drill.change(context, 'p2')
		return output
	})

	async function begun(one = drill.start(parent, child)) {
		const id = await one.begin({...request, subject: 'c1'})
		return {one, id, kid: await kidOf(one, id)}
	}

	async function kidOf(one: EngineProcess, id: string) {
		await until('the child waits', async () => (await one.steps({ids: ['go'], offset: 0, limit: 1})).matching === 1)
		return (await one.find({parent: id, ...all})).rows[0]?.id ?? ''
	}

	test('is a separate run, and its output is returned', async () => {
		const {one, id, kid} = await begun()
		expect(await one.get(kid)).toMatchObject({
			...{kind: 'child', title: 'Child', subject: 'c1', startedBy: 'kim', parent: {run: id, step: 'kid'}, input: {n: 1}}
		})
		await one.signal(kid, 'go', 'yes')
		expect(await one.output(id)).toEqual({answered: 'yes', definition: {d: 1}})
		expect(drill.done).toEqual(['p1', 'c1', 'p2'])
	})

	test('that could not start holds its parent, and is started anew when that resumes', async () => {
		let mayBegin = false
		const picky: Program = {
			...child,
			begin: async () => {
				if (!mayBegin) throw new CordonError('busy', 'Not now.')
			}
		}
		const {one, id} = await drill.begin(parent, picky)
		await one.settled(id)
		expect(await one.get(id)).toMatchObject({state: 'held', because: 'It could not go on: Not now.'})
		expect((await one.find({parent: id, ...all})).rows).toEqual([])
		mayBegin = true
		await one.resume(id)
		await one.signal(await kidOf(one, id), 'go', 'yes')
		expect(await one.settled(id)).toMatchObject({state: 'done', output: {answered: 'yes'}})
		expect(await stepOf(one, id, 'kid')).toMatchObject({attempt: 1, past: []})
		expect(drill.done).toEqual(['p1', 'c1', 'p2'])
	})

	test('is started once, whenever its process is killed', async () => {
		for (const [moment, kind] of [
			['before', 'begin'],
			['after', 'begin'],
			['before', 'steps'],
			['after', 'steps']
		] as const) {
			drill.done.length = 0
			const {one, id} = await drill.begin(parent, child)
			const killed = one.killAt(moment, ops =>
				ops.some(op => op.kind === kind && (kind === 'begin' ? 'under' in op && op.under !== null : drill.done.includes('c1')))
			)
			await killed
			const two = await drill.next(parent, child)
			await until('the child waits', async () => (await two.steps({ids: ['go'], phases: ['intent'], offset: 0, limit: 1})).matching === 1)
			const {rows} = await two.find({parent: id, ...all})
			expect(rows).toHaveLength(1)
			await two.signal(rows[0]?.id ?? '', 'go', 'yes')
			expect((await two.ended(id)).state).toBe('done')
			expect(drill.done).toEqual(['p1', 'c1', 'p2'])
			await two.stop()
		}
	})

	test('that fails also fails its step; retries of the child, then of the step, continue', async () => {
		const {one, id, kid} = await begun()
		await one.signal(kid, 'go', 'fail')
		expect(await one.settled(id)).toMatchObject({state: 'failed', failed: ['kid']})
		await one.skip(kid, 'x', 'Not needed.')
		expect((await one.settled(kid)).state).toBe('done')
		await one.retry(id, 'kid')
		expect(await one.output(id)).toMatchObject({answered: 'fail'})
		expect((await one.find({parent: id, ...all})).matching).toBe(1)
		expect(await stepOf(one, id, 'kid')).toMatchObject({phase: 'done', attempt: 2, past: [{phase: 'failed'}]})
	})

	test('that failed is started anew by a retry of its step alone', async () => {
		const {one, id, kid} = await begun()
		await one.signal(kid, 'go', 'fail')
		await untilState(one, id, 'failed')
		await one.retry(id, 'kid')
		await until('the second child', async () => (await one.find({parent: id, ...all})).matching === 2)
		const [newest] = (await one.find({parent: id, states: ['open'], ...all})).rows
		await one.signal(newest?.id ?? '', 'go', 'yes')
		expect(await one.output(id)).toMatchObject({answered: 'yes'})
	})

	test('that failed is not started anew by a skip of its step', async () => {
		const {one, id, kid} = await begun()
		await one.signal(kid, 'go', 'fail')
		await untilState(one, id, 'failed')
		await one.skip(id, 'kid', 'Not needed.', 'nothing')
		expect(await one.output(id)).toBe('nothing')
		expect(await stepOf(one, id, 'kid')).toMatchObject({phase: 'skipped', output: {run: kid, output: 'nothing'}})
	})

	test('is cancelled with its parent, and its end is reported', async () => {
		const {one, id, kid} = await begun()
		await one.cancel(id)
		expect((await one.settled(id)).state).toBe('cancelled')
		expect((await one.get(kid))?.state).toBe('cancelled')
		expect(await stepOf(one, id, 'kid')).toMatchObject({phase: 'failed', error: {code: 'cancelled'}})
	})

	test('that waits for a person goes on with its parent', async () => {
		const {one, id, kid} = await begun()
		one.kill()
		const recover = () => ({kind: 'hold', because: ''}) as const
		const two = await drill.next({...parent, recover}, {...child, recover})
		await two.resume(id)
		await two.signal(kid, 'go', 'yes')
		expect(await two.output(id)).toMatchObject({answered: 'yes'})
	})

	test('may run in another process than its parent', async () => {
		const {one, id, kid} = await begun()
		one.kill()
		const two = drill.start(child)
		await two.resume(kid)
		const three = drill.start(parent, child)
		await three.resume(id)
		expect(three.whereIs((await three.get(kid)) ?? (await carryOut(three)))).toBe('elsewhere')
		await three.signal(kid, 'go', 'yes')
		expect(await three.output(id)).toMatchObject({answered: 'yes'})
		expect(drill.done).toEqual(['p1', 'c1', 'p2'])
	})
})
