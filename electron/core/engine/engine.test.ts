import {CordonError} from '#contract/errors.ts'
import {until} from '#base/testing/until.ts'

import {RunFailed, StepFailed} from './ends.ts'
import {carryOut, openDrill, program, request, stepOf, untilTag, type Drill} from './testing/drill.ts'
import type {EngineProcess} from './testing/process.ts'
import type {Outcome, RunContext} from './types.ts'

let drill: Drill

beforeEach(() => {
	drill = openDrill()
})
afterEach(() => drill.stop())

describe('a run', () => {
	test('does its steps in order and ends with the result of its program', async () => {
		const one = drill.start(async context => [await drill.change(context, 'a'), await drill.change(context, 'b'), context.definition])
		const row = await carryOut(one, {definition: {list: [1]}, input: {x: 1}, subject: 'c1', facts: {f: 1}})
		expect(row).toMatchObject({
			...{state: 'done', output: ['a done', 'b done', {list: [1]}], owner: null, epoch: 1, begun: true},
			...{subject: 'c1', facts: {f: 1}, input: {x: 1}, tally: {done: 2}, endedAt: drill.clock.now()}
		})
		expect(drill.done).toEqual(['a', 'b'])
		expect((await one.steps({run: row.id, offset: 0, limit: 9})).rows).toMatchObject([
			{id: 'a', phase: 'done', attempt: 1, output: 'a done', position: 0},
			{id: 'b', phase: 'done', attempt: 1, output: 'b done', position: 1}
		])
		expect(one.whereIs(row)).toBe('nowhere')
		expect(one.troubles).toEqual([])
	})

	test('is started once for each id and each key', async () => {
		const one = drill.start(context => context.decision({id: 'go'}))
		await one.begin({...request, id: 'r1', key: 'k'})
		const again = [one.begin({...request, id: 'r1'}), one.begin({...request, id: 'r2', key: 'k'})]
		for (const two of again) await expect(two).rejects.toMatchObject({code: 'taken', run: 'r1'})
		const row = await one.get('r1')
		expect(row && one.whereIs(row)).toBe('here')
	})

	test('keeps the definition that it began with', async () => {
		const seen: unknown[] = []
		const one = drill.start(async context => {
			seen.push(context.definition)
			await context.decision({id: 'go'})
		})
		const [first, second] = [await one.begin({...request, definition: {version: 1}}), await one.begin({...request, definition: {version: 2}})]
		await one.halt()
		const two = drill.start(async ({definition}) => definition)
		one.kill()
		await two.recover()
		expect([await two.output(first), await two.output(second)]).toEqual([{version: 1}, {version: 2}])
		expect(seen).toEqual([{version: 1}, {version: 2}])
	})

	test('does not exist when its program could not start', async () => {
		const draft = {id: 'd1', kind: 'drill', subject: null, keptAt: drill.clock.now(), body: {plan: 1}}
		let isFull = true
		const one = drill.start(
			program(async () => 'ran', {
				begin: async () => {
					if (isFull) throw new CordonError('log_unavailable')
				}
			})
		)
		await one.keepDraft(draft, 0)
		const begin = {...request, id: 'd1', draft}
		await expect(one.begin(begin)).rejects.toMatchObject({code: 'log_unavailable'})
		expect([await one.get('d1'), await one.draft('d1')]).toEqual([undefined, draft])
		isFull = false
		await one.begin(begin)
		expect([(await one.settled('d1')).output, await one.draft('d1')]).toEqual(['ran', undefined])
	})

	test('killed before it started is started by the next process', async () => {
		const began: string[] = []
		const work = (name: string) => program(async () => 'ran', {begin: async () => void began.push(name)})
		const one = drill.start(work('one'))
		const killed = one.killAt('after', ops => ops.some(({kind}) => kind === 'begin'))
		void one.begin({...request, id: 'r1'})
		await killed
		const two = await drill.next(work('two'))
		expect(await two.settled('r1')).toMatchObject({state: 'done', epoch: 2})
		expect(began).toEqual(['two'])
	})

	test('whose process stops while its program begins stays for the next process, also when that cannot begin it', async () => {
		const work = (begin: () => Promise<void>) => program(async () => 'ran', {begin})
		const one: EngineProcess = drill.start(
			work(async () => {
				void one.halt()
				throw new CordonError('cancelled')
			})
		)
		await expect(one.begin({...request, id: 'r1'})).rejects.toMatchObject({code: 'cancelled'})
		await one.stop()
		const two = drill.start(work(() => Promise.reject(new CordonError('disk_full'))))
		await two.resume('r1').catch(() => {})
		await two.stop()
		const three = drill.start(work(async () => {}))
		await three.resume('r1')
		expect(await three.output('r1')).toBe('ran')
	})

	test('of an unknown kind is refused', async () => {
		const one = drill.start()
		await expect(one.begin(request)).rejects.toMatchObject({code: 'usage'})
		for (const work of [one.resume('x'), one.cancel('x'), one.signal('x', 'go')]) await expect(work).rejects.toMatchObject({code: 'unknown_run'})
	})

	test('begun by another version waits for that version', async () => {
		const {one, id} = await drill.begin({...program(context => context.decision({id: 'go'})), version: 2})
		one.kill()
		const older = drill.start(async () => 'old')
		await expect(older.resume(id)).rejects.toMatchObject({code: 'usage'})
		const newer = drill.start({...program(async () => 'new'), version: 3, oldest: 2})
		await newer.resume(id)
		expect(await newer.output(id)).toBe('new')
	})

	test('whose program throws an unexpected error is held until resumed', async () => {
		let isBroken = true
		const one = drill.start(async context => {
			await drill.change(context, 'a')
			if (isBroken) throw new CordonError('service_error', 'The service is away.')
			return await drill.change(context, 'b')
		})
		const row = await carryOut(one)
		expect(row).toMatchObject({state: 'held', because: 'It could not go on: The service is away.', owner: null})
		await one.recover()
		expect((await one.settled(row.id)).state).toBe('held')
		expect(one.troubles).toHaveLength(1)
		isBroken = false
		await one.resume(row.id)
		expect(await one.settled(row.id)).toMatchObject({state: 'done', because: null})
		expect(drill.done).toEqual(['a', 'b'])
	})

	test('ends as failed when its program says so', async () => {
		const one = drill.start(async () => {
			throw new RunFailed('No computer matches.')
		})
		expect(await carryOut(one)).toMatchObject({state: 'failed', because: 'No computer matches.', failed: []})
	})

	test('notifies listeners of each change, once a turn', async () => {
		const one = drill.start(context => drill.change(context, 'a'))
		const told: string[] = []
		const off = one.onChange(({run, kind}) => told.push(`${kind} ${run}`))
		const {id} = await carryOut(one, {id: 'r1'})
		await until('the end is told', () => told.length > 1)
		expect(new Set(told)).toEqual(new Set([`drill ${id}`]))
		off()
		const before = told.length
		await carryOut(one)
		expect(told).toHaveLength(before)
	})
})

describe('a step', () => {
	test('killed before its outcome is stored is reconciled by reading, and not done twice', async () => {
		for (const moment of ['before', 'after'] as const) {
			const work = (one: Pick<EngineProcess, 'alive'>) => [
				program(async context => [
					await drill.change(context, 'a'),
					await context.step({
						id: 'b',
						act: () =>
							one.alive(async () => {
								drill.done.push('b')
								return 'acted'
							}),
						reconcile: async () => (drill.done.includes('b') ? {output: 'found'} : undefined)
					})
				])
			]
			drill.done.length = 0
			const one = drill.machine.start(work)
			const killed = one.killAt(moment, ops =>
				ops.some(op => op.kind === 'steps' && op.steps.some(({id, phase}) => id === 'b' && phase === 'done'))
			)
			const id = await one.begin(request)
			await killed
			const two = drill.machine.start(work)
			await two.recover()
			const row = await two.settled(id)
			expect([drill.done, row.output]).toEqual([
				['a', 'b'],
				['a done', moment === 'before' ? 'found' : 'acted']
			])
			expect(row.epoch).toBe(2)
		}
	})

	test('whose process is killed between the intent and the act is acted on once', async () => {
		const work = program(context => drill.change(context, 'a'))
		const {one, id} = await drill.begin(work)
		const killed = one.killAt('after', ops => ops.some(op => op.kind === 'steps'))
		await killed
		expect(drill.done).toEqual([])
		const two = await drill.next(work)
		expect(await two.output(id)).toBe('a done')
		expect([drill.done, (await stepOf(two, id, 'a'))?.attempt]).toEqual([['a'], 2])
	})

	test('that fails ends the run, and its retry continues from there', async () => {
		let isGone = true
		const one = drill.start(async context => {
			await drill.change(context, 'a')
			const second = await context.step({
				id: 'b',
				label: 'Block the hash',
				act: async ({number}) => {
					drill.done.push(`b ${number}`)
					if (isGone) throw new CordonError('not_found', 'The list is gone.')
					return number
				}
			})
			return [second, await drill.change(context, 'c')]
		})
		const row = await carryOut(one)
		expect(row).toMatchObject({state: 'failed', because: 'The list is gone.', failed: ['b']})
		await expect(one.retry(row.id, 'a')).rejects.toMatchObject({code: 'usage'})
		await expect(one.retry(row.id, 'x')).rejects.toMatchObject({code: 'usage'})
		isGone = false
		await Promise.all([one.retry(row.id, 'b'), one.retry(row.id, 'b')])
		expect(await one.settled(row.id)).toMatchObject({...{state: 'done', because: null, failed: [], output: [2, 'c done']}})
		expect(drill.done).toEqual(['a', 'b 1', 'b 2', 'c'])
		expect(await stepOf(one, row.id, 'b')).toMatchObject({
			...{attempt: 2, phase: 'done', error: null, label: 'Block the hash'},
			past: [{attempt: 1, phase: 'failed', error: {code: 'not_found', message: 'The list is gone.'}}]
		})
	})

	/** `told` of each row of a step that is on the disk. */
	function drillTelling(told: (row: string) => void) {
		const own = openDrill(store => ({
			...store,
			apply: async ops => {
				const results = await store.apply(ops)
				for (const op of ops) if (op.kind === 'steps') for (const {id, phase} of op.steps) told(`${id} ${phase} ${op.durable}`)
				return results
			}
		}))
		onTestFinished(own.stop)
		return own
	}

	test('is acted on once its intent is on the disk; only one that reads does not wait for it', async () => {
		const order: string[] = []
		const own = drillTelling(row => order.push(row))
		const act = (id: string, outcome: Outcome = {phase: 'done'}) => ({id, act: async () => (order.push(`act ${id}`), outcome)})
		await own.begin(async context => {
			await context.perform({...act('change'), reconcile: async () => ({phase: 'not_done'})})
			await context.perform({...act('kept'), durable: true})
			await context.perform(act('read'))
			await context.perform({...act('nothing', {phase: 'not_done'}), durable: true})
			expect(order.splice(0)).toEqual([
				...['change intent true', 'act change', 'change done true', 'kept intent true', 'act kept', 'kept done true'],
				...['act read', 'read intent false', 'read done false', 'nothing intent true', 'act nothing', 'nothing planned false']
			])
			order.push('ended')
		})
		await until('its end', () => order.includes('ended'))
	})

	test('whose process begins to stop while its intent is written is not acted on', async () => {
		const own = drillTelling(row => row.startsWith('a intent') && void one.halt())
		const one: EngineProcess = own.start(context => own.change(context, 'a'))
		const id = await one.begin(request)
		await one.settled(id)
		expect(own.done).toEqual([])
		expect(await stepOf(one, id, 'a')).toMatchObject({phase: 'planned', attempt: 0})
	})

	test('whose retry does nothing has not failed again', async () => {
		const outcomes: Outcome[] = [{phase: 'failed', error: {code: 'busy', message: 'no'}}, {phase: 'not_done'}, {phase: 'done', output: 'yes'}]
		const one = drill.start(async context => {
			for (;;) {
				const row = await context.perform({id: 'a', act: async () => outcomes.shift() ?? expect.fail('too many')})
				if (row.phase === 'failed') throw new StepFailed(row)
				if (row.phase === 'done') return row.output
			}
		})
		const {id} = await carryOut(one)
		await one.retry(id, 'a')
		expect(await one.settled(id)).toMatchObject({state: 'done', output: 'yes'})
	})

	test('that failed is skipped with a reason, and returns the given output', async () => {
		const one = drill.start(async context => {
			const answer = await context.step({
				id: 'a',
				act: async () => {
					throw new CordonError('not_found')
				}
			})
			return `${answer}, ${await drill.change(context, 'b')}`
		})
		const {id} = await carryOut(one)
		await one.skip(id, 'a', 'The host was reinstalled.', 'nothing')
		expect(await one.settled(id)).toMatchObject({state: 'done', output: 'nothing, b done'})
		expect(await stepOf(one, id, 'a')).toMatchObject({
			...{phase: 'skipped', attempt: 1, error: {code: 'skipped', message: 'The host was reinstalled.'}}
		})
		await expect(one.retry(id, 'a')).rejects.toMatchObject({code: 'usage'})
	})

	test.each(['retry', 'skip'] as const)('whose outcome is unknown, still after a retry, is answered again: %s', async way => {
		const unknown = {phase: 'unknown', error: {code: 'outcome_unknown', message: 'lost'}} as const
		let reads = 0
		const one = drill.start(async context => {
			const row = await context.perform({
				id: 'a',
				act: async () => {
					drill.done.push('a')
					return unknown
				},
				reconcile: async () => ((reads += 1) === 1 ? unknown : {phase: 'done', output: 'it arrived'})
			})
			if (row.phase === 'unknown') throw new StepFailed(row)
			return row.output
		})
		const {id, state} = await carryOut(one)
		expect([state, reads, (await stepOf(one, id, 'a'))?.phase]).toEqual(['failed', 0, 'unknown'])
		await one.retry(id, 'a')
		expect(await one.settled(id)).toMatchObject({state: 'failed'})
		await one[way](id, 'a', 'seen', 'skipped')
		expect([await one.output(id), drill.done, reads]).toEqual(way === 'retry' ? ['it arrived', ['a'], 2] : ['skipped', ['a'], 1])
	})

	test('takes no retry again that its reading used up before a kill', async () => {
		const lost = {code: 'outcome_unknown', message: 'lost'}
		const work = async (context: RunContext) => {
			const row = await context.perform({
				id: 'a',
				act: async () => {
					drill.done.push('a')
					return {phase: drill.done.length === 1 ? 'unknown' : 'failed', error: lost}
				},
				reconcile: async () => ({phase: 'not_done'})
			})
			if (row.phase !== 'skipped') throw new StepFailed(row)
			return row.output
		}
		const one = drill.start(work)
		const {id} = await carryOut(one)
		const killed = one.killAt('after', ops => ops.some(op => op.kind === 'steps' && op.steps.some(({phase}) => phase === 'planned')))
		await one.retry(id, 'a').catch(() => {})
		await killed
		const two = await drill.next(work)
		expect(await two.settled(id)).toMatchObject({state: 'failed'})
		await two.skip(id, 'a', 'seen', 'skipped')
		expect([await two.output(id), drill.done]).toEqual(['skipped', ['a', 'a']])
	})

	test('waits for a person while other branches continue, also after a restart', async () => {
		const work = program(async context => context.all<unknown>([() => context.decision({id: 'a'}), () => drill.change(context, 'b')]), {
			begin: async () => void drill.done.push('begun'),
			reconcile: async () => void drill.done.push('reconciled')
		})
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'b', 'done')
		expect((await one.get(id))?.state).toBe('open')
		one.kill()
		const two = await drill.next(work)
		await two.signal(id, 'a', 'yes')
		expect(await two.output(id)).toEqual([expect.objectContaining({payload: 'yes'}), 'b done'])
		expect(drill.done).toEqual(['begun', 'b', 'reconciled'])
	})

	test('can be caught, and the run takes another way', async () => {
		const one = drill.start(async context => {
			try {
				await context.step({
					id: 'a',
					act: async () => {
						throw new CordonError('not_found')
					}
				})
			} catch (error) {
				if (!(error instanceof StepFailed)) throw error
				return `${error.step.error?.code}: ${await drill.change(context, 'b')}`
			}
			return 'no'
		})
		const row = await carryOut(one)
		expect(row).toMatchObject({state: 'done', output: 'not_found: b done'})
		await expect(one.retry(row.id, 'a')).rejects.toMatchObject({code: 'usage'})
	})

	test('restarted with another input holds the run', async () => {
		let input = {host: 'a'}
		const work = program(async context => {
			await context.step({id: 'a', input, act: async () => 1})
			await context.decision({id: 'go'})
		})
		const {one, id} = await drill.begin(work)
		await untilTag(one, id, 'go')
		one.kill()
		input = {host: 'b'}
		const two = drill.start(work)
		await two.resume(id)
		expect(await two.settled(id)).toMatchObject({state: 'held', because: expect.stringContaining('another input')})
	})

	test('begun twice at the same time holds the run', async () => {
		const one = drill.start(context => Promise.all([drill.change(context, 'a'), drill.change(context, 'a')]))
		expect(await carryOut(one)).toMatchObject({state: 'held', because: expect.stringContaining('begun twice')})
		expect(drill.done.length).toBeLessThan(2)
	})

	test('of thousands at once are all kept, in few writes', async () => {
		let writes = 0
		drill = openDrill(store => ({...store, apply: ops => ((writes += 1), store.apply(ops))}))
		const ids = Array.from({length: 2000}, (_, index) => `s${index}`)
		const one = drill.start(async context => {
			await context.all(ids.map(id => () => drill.change(context, id)))
		})
		const {id} = await carryOut(one)
		expect(new Set(drill.done).size).toBe(2000)
		expect(await one.tally([{...(await one.settled(id)), tally: null}])).toEqual({[id]: {done: 2000}})
		expect(writes).toBeLessThan(100)
	})

	test('fails in two branches, both of which can be retried', async () => {
		let isGone = true
		const branch = (context: RunContext, id: string) => () =>
			context.step({
				id,
				act: async () => {
					if (isGone) throw new CordonError('not_found', `${id} is gone.`)
					return id
				}
			})
		const one = drill.start(context => context.all([branch(context, 'a'), branch(context, 'b'), () => drill.change(context, 'c')]))
		const row = await carryOut(one)
		expect(row).toMatchObject({state: 'failed', failed: ['a', 'b'], because: 'a is gone. b is gone.'})
		isGone = false
		await one.retry(row.id, 'a')
		expect(await one.settled(row.id)).toMatchObject({state: 'failed', failed: ['b']})
		await one.retry(row.id, 'b')
		expect((await one.settled(row.id)).output).toEqual(['a', 'b', 'c done'])
		expect(drill.done).toEqual(['c'])
	})
})
