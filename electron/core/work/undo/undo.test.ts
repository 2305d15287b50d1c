import {expectRefused} from '#base/testing/code-of.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {createRunner} from '#core/actions/commands/runner.ts'
import {CordonError} from '#contract/errors.ts'
import type {UndoPreview} from '#model/undo-list.ts'
import {changeComputer, groupOf} from '#sandbox/testing/running.ts'
import {createEngine, type Engine} from '#core/engine/engine.ts'
import type {RunStore} from '#core/engine/port.ts'
import type {EngineOptions} from '#core/engine/types.ts'
import {openWorld, type Process, type World} from '../jobs/testing/world.ts'
import {lookBefore} from './before.ts'
import {undoProgram} from './program.ts'
import type {UndoActors, UndoList, UndoServices} from './types.ts'
import {openUndo} from './undo.ts'

let world: World
let one: Process
let undo: UndoList
let services: Omit<UndoServices, 'runs'> & UndoActors
/** All that were made, to be stopped at the end. */
let engines: Engine[]
let newest: Engine
let run: (name: string, args: Record<string, string>) => Promise<string | null>
/** What was said before a change was sent. */
let notices: string[]
let isBlind: boolean
const nobody = Promise.resolve(undefined)

beforeEach(async () => {
	notices = []
	isBlind = false
	world = await openWorld({computers: 300, seed: 'undo'})
	one = await world.start()
	const {connections, log, locks, guards, escrow} = one.profile
	const {clock} = world.ports
	const inventory = () => one.inventory
	const look = lookBefore({clock, client: id => connections.client(id), inventory, directory: () => {}})
	const parts = {clock, connections, log, locks, guards, escrow}
	const runner = createRunner({...parts, inventory, lookBefore: request => (isBlind ? nobody : look(request))})
	engines = []
	services = {clock, operator: 'kim', connections, log, runner, jobs: one.jobs, inventory: () => one.inventory}
	undo = open({})
	run = async (name, args) => {
		const {entry} = await runner.run({
			...{name, args, connection: 'sandbox', surface: 'screen', agreement: {reason: 'test', confirm: confirmOf(args)}},
			onNotice: text => notices.push(`${text} (${changes()} sent)`)
		})
		return entry
	}
	await one.inventory.refresh()
})
afterEach(async () => {
	for (const engine of engines) await engine.stop()
	await world.stop()
})

/** On an engine of its own, which knows nothing of the others but what is on the disk. */
function open(change: Partial<typeof services>, process = one, options: Partial<EngineOptions> = {}) {
	const parts = {...services, ...change}
	const runs = createEngine({
		...{store: process.profile.runs, clock: world.ports.clock, random: world.ports.random},
		programs: [undoProgram(parts)],
		onTrouble: (message, error) => expect.fail(`${message} ${String(error)}`),
		...options
	})
	if (options.self === undefined) engines.push(runs)
	newest = runs
	return openUndo({...parts, runs})
}

function groups(count: number) {
	return world.sandbox.world.tenant.groups.slice(-count).map(({guid}) => guid)
}

async function move(guid: string, to = groups(1)[0] ?? '') {
	return await run('svc_move_computer', {connector_guid: guid, group_guid: to})
}

const asked = (id: string | null | undefined) => ({connection: 'sandbox', id: id ?? '', surface: 'screen'}) as const
const preview = (id: string | null | undefined) => undo.preview('sandbox', id ?? '')
const listed = async (id: string | null) => (await undo.list('sandbox')).find(item => item.id === id)

/** A single change, and what undoes it. */
async function movedOne() {
	const [guid = ''] = world.ready(1)
	const entry = await move(guid)
	return {guid, request: asked(entry)}
}

const carriedTo = (targets: readonly string[]) => one.carryOut({kind: 'move', group: groups(1)[0] ?? '', reason: 'tidying up'}, targets)

const groupNow = (guid: string) => groupOf(world.sandbox, guid)

function movedByOthers(guid: string, to: string) {
	const group = world.sandbox.world.tenant.groups.findIndex(each => each.guid === to)
	changeComputer(world.sandbox, guid, {group})
}

test('a move is shown with the call that undoes it, undone once, and the undo can be undone', async () => {
	const [guid = ''] = world.ready(1)
	const [to = ''] = groups(1)
	const from = groupNow(guid)
	const entry = await move(guid, to)
	const {calls} = await preview(entry)
	expect(calls).toMatchObject([{id: guid, command: `svc_move_computer connector_guid=${guid} group_guid=${from}`}])
	expect(groupNow(guid)).toBe(to)
	await undo.apply(asked(entry))
	expect(groupNow(guid)).toBe(from)
	const [second, first] = await undo.list('sandbox')
	expect([first?.undoneAt, second?.undoneAt]).toEqual([expect.any(String), null])
	await expect(undo.apply(asked(entry))).rejects.toThrow('already')
	await undo.apply(asked(second?.id))
	expect(groupNow(guid)).toBe(to)
})

test('a later change by others is not touched', async () => {
	const [guid = ''] = world.ready(1)
	const [other = '', to = ''] = groups(2)
	const entry = await move(guid, to)
	movedByOthers(guid, other)
	const drift = [{id: guid, found: {group: other}}]
	await expectRefused(undo.apply(asked(entry)), 'plan_drifted', '', {drift})
	expect(groupNow(guid)).toBe(other)
})

function changes() {
	return world.sandbox.requests.filter(({method}) => method !== 'GET' && method !== 'OPTIONS').length
}

/** The name of the group that is changed: those with others below want it typed. */
function confirmOf(args: Readonly<Record<string, string>>) {
	return world.sandbox.world.tenant.groups.find(({guid}) => guid === args['group_guid'])?.name ?? ''
}

test('a hash comes off its list again, and one that was removed comes back with its note', async () => {
	const list = world.sandbox.world.tenant.lists.at(-1)?.guid ?? ''
	const item = {file_list_guid: list, sha256: 'ab'.repeat(32)}
	const added = await run('svc_set_file_list_files_by_sha', {...item, description: 'first'})
	await undo.apply(asked(added))
	const [off] = await undo.list('sandbox')
	expect((await preview(off?.id)).calls[0]?.command).toContain('description=first')
	await run('svc_set_file_list_files_by_sha', {...item, description: 'again'})
	const removed = await run('svc_delete_file_list_files_by_sha', item)
	const {calls} = await preview(removed)
	expect(calls[0]?.command).toContain('description=again')
	await undo.apply(asked(removed))
	isBlind = true
	const unknown = await run('svc_delete_file_list_files_by_sha', item)
	expect((await listed(unknown))?.impossible).toContain('not known')
})

test('the earlier value comes from fresh local data, else from one call', async () => {
	const [first = '', second = ''] = world.ready(2)
	const from = groupNow(second)
	const reads = () => world.sent('GET')
	const before = reads()
	await move(first)
	expect(reads()).toBe(before)
	await world.ports.clock.advance(6 * 60_000)
	const entry = await move(second)
	expect(reads()).toBe(before + 1)
	await undo.apply(asked(entry))
	expect(groupNow(second)).toBe(from)
})

test.each([6, -60])('an undo goes back to a move by others that no listing shows yet, the clock %i minutes on', async minutes => {
	const [guid = ''] = world.ready(1)
	const [other = '', to = ''] = groups(2)
	movedByOthers(guid, other)
	await world.ports.clock.advance(minutes * 60_000)
	const entry = await move(guid, to)
	await undo.apply(asked(entry))
	expect(groupNow(guid)).toBe(other)
})

test('a group goes back to its own policy; that it cannot go back to inheriting is said before anything is sent', async () => {
	const {tenant, directory} = world.sandbox.world
	const inForce = (group: number) => directory.policy(group, 'windows')
	const of = (inherited: boolean) => tenant.groups.findIndex((_, at) => inForce(at).inherited === inherited)
	const set = async (group: number) => {
		const other = tenant.policies.find(each => each.product === 'windows' && each !== inForce(group).policy)
		const args = {group_guid: tenant.groups[group]?.guid ?? '', windows_policy_guid: other?.guid ?? ''}
		return await run('svc_set_group_policy', args)
	}
	const before = inForce(of(false)).policy
	const own = await set(of(false))
	expect([notices, inForce(of(false)).policy === before]).toEqual([[], false])
	await undo.apply({...asked(own), confirm: tenant.groups[of(false)]?.name})
	expect(inForce(of(false)).policy).toBe(before)
	const sent = changes()
	const inheriting = of(true)
	const entry = await set(inheriting)
	expect(notices).toEqual([expect.stringMatching(new RegExp(`cannot be undone.*inherit.*\\(${sent} sent\\)`))])
	expect((await listed(entry))?.impossible).toContain('inherit')
})

test('a failed reading before a change delays nothing, and the change is marked as not undoable', async () => {
	const [guid = ''] = world.ready(1)
	await world.ports.clock.advance(6 * 60_000)
	world.sandbox.weather.set(['GET /v1/computers*=status:500'])
	const entry = await move(guid)
	expect(groupNow(guid)).toBe(groups(1)[0])
	expect(notices).toEqual([expect.stringContaining('not known')])
	expect((await listed(entry))?.impossible).toContain('not known')
})

test('a job goes back as jobs, one for each group that its computers came from', async () => {
	const {id, before, isBack} = await movedByJob()
	const sent = world.sandbox.requests.length
	const {calls, plans} = await preview(id)
	expect([calls.length, plans.length, world.sandbox.requests.length]).toEqual([8, new Set(before).size, sent + 1])
	await undone(id)
	isBack()
	await isUndone(id)
})

test('what a job found carried out after its process was killed is undone with the rest', async () => {
	const targets = world.ready(8)
	const before = targets.map(groupNow)
	const id = await one.leave({kind: 'move', group: groups(1)[0] ?? '', reason: 'tidying up'}, targets, 'after a change')
	one = await world.recovered()
	await settledAll()
	await undoOf(one).apply(asked(`job:${id}`))
	await settledAll()
	expect(targets.map(groupNow)).toEqual(before)
})

test('the list says what a look at many groups costs, without a call', async () => {
	const {tenant, directory} = world.sandbox.world
	const policy = tenant.policies.findLast(({product}) => product === 'windows')
	const targets = tenant.groups.flatMap(({guid}, at) => (directory.policy(at, 'windows').policy === policy ? [] : [guid])).slice(0, 6)
	await one.carryOut({kind: 'policies', policies: {windows: policy?.guid ?? ''}, reason: 'harder'}, targets)
	const sent = world.sandbox.requests.length
	expect((await undo.list('sandbox'))[0]?.reads).toBeGreaterThan(4)
	expect(world.sandbox.requests).toHaveLength(sent)
})

test('many targets go back only with their number typed: nothing is sent without it', async () => {
	const {id} = await movedByJob(26)
	const {confirm, plans} = await preview(id)
	const count = String(plans.reduce((sum, plan) => sum + plan.targets.length, 0))
	// Where its groups make several plans none of which is wide, none has to be typed.
	expect(confirm).toBe(plans.some(({tier}) => tier === 3) ? count : null)
	one.setRules(({wide}) => ({wide: {...wide, move: 1}}))
	const sent = changes()
	for (const confirm of [undefined, '', 'yes', '25'])
		await expectRefused(undo.apply({...asked(id), confirm}), 'confirmation_needed', '', {field: 'confirm'})
	expect(changes()).toBe(sent)
})

test('a running job is not undone: nothing is sent, and the list says why, after one question for all jobs', async () => {
	const targets = world.ready(2)
	const {id} = await carriedTo(targets)
	const {summary} = await one.jobs.get(id)
	const never = () => Promise.reject(new Error('asked or sent'))
	const running = open({jobs: {plan: never, apply: never, get: never, open: async () => [{...summary, phase: 'applying', endedAt: null}]}})
	expect((await running.list('sandbox'))[0]?.impossible).toContain('still runs')
	const request = asked(`job:${id}`)
	const sent = world.sandbox.requests.length
	await expect(running.apply(request)).rejects.toThrow('still runs')
	expect(world.sandbox.requests).toHaveLength(sent)
	const title = expect.stringMatching('^Move 2 computers, such as: ')
	expect(await undo.list('sandbox')).toMatchObject([{impossible: null, title}])
})

test('after a day it is gone from the list', async () => {
	await movedOne()
	expect(await undo.list('sandbox')).toHaveLength(1)
	await world.ports.clock.advance(25 * 3_600_000)
	expect(await undo.list('sandbox')).toEqual([])
	expect(await undo.list('sandbox', 72)).toMatchObject([{kind: 'move'}])
})

/** Moves computers of several groups into one by a job, and finds the job. */
async function movedByJob(count = 8) {
	const targets = world.ready(count)
	const before = targets.map(groupNow)
	const {id} = await carriedTo(targets)
	expect(new Set(before).size).toBeGreaterThan(2)
	return {id: `job:${id}`, targets, before, isBack: () => expect(targets.map(groupNow)).toEqual(before)}
}

/** The undo history of a process whose jobs are started by `apply`. */
function undoOf(
	process: Process,
	apply: UndoServices['jobs']['apply'] = request => process.jobs.apply(request),
	options: Parameters<typeof open>[2] = {}
) {
	const {jobs, profile} = process
	const {connections, log} = profile
	const all = {plan: jobs.plan.bind(jobs), get: jobs.get.bind(jobs), open: jobs.open.bind(jobs), apply}
	return open({connections, log, jobs: all, inventory: () => process.inventory}, process, options)
}

/** The engine of a process that others consider dead, and that acts no more. */
const dead = {self: {pid: 0x7fffffff, started: 'killed'}, watchEveryMs: 2 ** 30}

const offered = ({calls}: UndoPreview): readonly string[] => calls.map(({id}) => id).toSorted()

async function settledAll({jobs} = one) {
	for (const {id} of (await jobs.list()).rows) await jobs.settled(id)
}

async function undone(id: string) {
	const result = await undo.apply(asked(id))
	await settledAll()
	return result
}

const isUndone = async (id: string) => expect((await listed(id))?.undoneAt).not.toBeNull()

test('when the second of several jobs cannot start, the first is undone, and only the rest is offered again', async () => {
	const {id, targets, before} = await movedByJob()
	const {plans} = await preview(id)
	const [first, second] = plans.map(plan => plan.targets.map(target => target.id))
	const [gone = ''] = second ?? []
	const failing = undoOf(one, async asked => {
		const job = await one.jobs.apply(asked)
		changeComputer(world.sandbox, gone, {removed: true})
		return job
	})
	const message = expect.stringContaining(`1 of ${plans.length} jobs`)
	await expect(failing.apply(asked(id))).rejects.toMatchObject({code: 'plan_drifted', message})
	await settledAll()
	expect(await listed(id)).toMatchObject({undoneAt: null})
	const again = await preview(id)
	expect(offered(again)).toEqual(targets.filter(guid => guid !== gone && first?.includes(guid) === false).toSorted())
	expect(again.drift.map(drift => drift.id)).toEqual([gone])
	await undone(id)
	expect(targets.filter(guid => guid !== gone).map(groupNow)).toEqual(before.filter((_, at) => targets[at] !== gone))
	expect(targets.map(world.taken)).toEqual(targets.map(guid => (guid === gone ? 1 : 2)))
	await isUndone(id)
})

/** Of the jobs that left targets behind. */
async function retried() {
	for (const {id, counts} of (await one.jobs.list()).rows)
		if (counts.failed > 0) await one.jobs.apply({plan: (await one.jobs.retryPlan(id)).id, surface: 'screen'})
}

const refusals = [
	[0, 'undo'],
	[5, 'undo'],
	[5, 'retry']
] as const
test.each(refusals)('what the service refused is not undone, and is offered again: it took %i of a job; %s', async (count, how) => {
	const {id, targets, before, isBack} = await movedByJob()
	const [guid = ''] = world.ready(9).slice(-1)
	const both = [asked(await move(guid)), asked(id)]
	const refused = targets.slice(count).map(each => `PATCH /v1/computers/${each}*=status:403`)
	world.sandbox.weather.set([`PATCH /v1/computers/${guid}*=status:500`, ...refused])
	const [single] = await Promise.allSettled(both.map(undo.apply))
	expect(single).toMatchObject({reason: {code: 'outcome_unknown'}})
	await settledAll()
	world.sandbox.weather.set([])
	const open = targets.filter((each, at) => groupNow(each) !== before[at])
	expect(open.length < 8).toBe(count > 0)
	expect((await undo.list('sandbox')).every(({undoneAt}) => undoneAt === null)).toBe(true)
	expect(offered(await preview(id))).toEqual(open.toSorted())
	await Promise.all(both.slice(0, how === 'undo' ? 2 : 1).map(undo.apply))
	if (how === 'retry') await retried()
	await settledAll()
	isBack()
	for (const each of both) await expect(undo.apply(each)).rejects.toThrow('already undone')
})

test('what is protected by now stays and is offered again, alone or with others of its group', async () => {
	const {id, targets, before} = await movedByJob()
	const isAlone = targets.map((_, at) => before.filter(group => group === before[at]).length === 1)
	const kept = [true, false].map(wanted => targets[isAlone.indexOf(wanted)] ?? '').toSorted()
	one.setRules(({protected: rules}) => ({protected: {...rules, guids: kept}}))
	const {calls, drift} = await preview(id)
	expect([calls.length, drift.map(one => one.id).toSorted()]).toEqual([6, kept])
	expect(drift[0]?.found?.['protected']).toContain('protected')
	await undone(id)
	expect(targets.filter((guid, at) => groupNow(guid) !== before[at]).toSorted()).toEqual(kept)
	await expectRefused(undo.apply(asked(id)), 'protected')
	one.setRules(({protected: rules}) => ({protected: {...rules, guids: []}}))
	expect(offered(await preview(id))).toEqual(kept)
	await undone(id)
	await isUndone(id)
})

/** A process undoes this, and dies as it starts the second of its jobs. */
async function dieAtSecond(id: string) {
	const reached = Promise.withResolvers<void>()
	let started = 0
	const start: UndoServices['jobs']['apply'] = async asked => {
		if ((started += 1) === 1) return await one.jobs.apply(asked)
		reached.resolve()
		return await Promise.withResolvers<never>().promise
	}
	void undoOf(one, start, dead).apply(asked(id))
	await reached.promise
}

test('killed between two jobs, the next process offers only what was not started', async () => {
	const {id, targets, isBack} = await movedByJob()
	const {plans} = await preview(id)
	const first = plans[0]?.targets.map(target => target.id) ?? []
	await dieAtSecond(id)
	await one.crash()
	const two = await world.start()
	await two.inventory.refresh()
	const next = undoOf(two)
	const rest = await next.preview('sandbox', id)
	expect(offered(rest)).toEqual(targets.filter(guid => !first.includes(guid)).toSorted())
	await next.apply(asked(id))
	await two.jobs.recover()
	await settledAll(two)
	isBack()
	expect(world.took(targets)).toBe(2)
})

test('undone by a double click, and by two processes at once, each computer goes back once', async () => {
	const {id, targets, isBack} = await movedByJob()
	const request = asked(id)
	const two = await world.start()
	await two.inventory.refresh()
	const all = await Promise.allSettled([undo.apply(request), undo.apply(request), undoOf(two).apply(request)])
	expect(all[1]).toMatchObject({status: 'rejected', reason: {code: 'busy'}})
	await Promise.all([settledAll(one), settledAll(two)])
	isBack()
	expect(world.took(targets)).toBe(2)
})

test('a single change is undone once by a double click', async () => {
	const {guid, request} = await movedOne()
	const both = await Promise.allSettled([undo.apply(request), undo.apply(request)])
	expect(both).toMatchObject([{status: 'fulfilled'}, {status: 'rejected', reason: {code: 'busy'}}])
	expect(world.taken(guid)).toBe(2)
})

test('a single change that another process undid while it was looked at is not undone again', async () => {
	const {guid, request} = await movedOne()
	const looked = Promise.withResolvers<void>()
	const other = undoOf(await world.start())
	const client = (id: string): ApiClient => {
		const real = services.connections.client(id)
		return {...real, call: (...call) => real.call(...call).finally(() => looked.promise)}
	}
	const slow = open({connections: {...services.connections, client}})
	const late = slow.apply(request)
	await other.apply(request)
	looked.resolve()
	await expect(late).rejects.toThrow('already undone')
	expect(world.taken(guid)).toBe(2)
})

test('a started undo is reported as started, even without its last log entry', async () => {
	const {id, isBack} = await movedByJob()
	const append = () => Promise.reject(new CordonError('log_unavailable'))
	const silent = open({log: {...services.log, append}})
	const {plans} = await preview(id)
	const {jobs, message} = await silent.apply(asked(id))
	expect([jobs.length, message]).toEqual([plans.length, expect.stringContaining('incident log')])
	await settledAll()
	isBack()
	await isUndone(id)
})

test('two processes undo a single change at once: the second is refused while the first has not come to its end', async () => {
	const {guid, request} = await movedOne()
	const asked = Promise.withResolvers<void>()
	const mayGo = Promise.withResolvers<void>()
	const run: typeof services.runner.run = wanted => (asked.resolve(), mayGo.promise.then(() => services.runner.run(wanted)))
	const slow = open({runner: {run}})
	const first = slow.apply(request)
	await asked.promise
	await expectRefused(undoOf(await world.start()).apply(request), 'busy')
	mayGo.resolve()
	await first
	expect(world.taken(guid)).toBe(2)
})

/** A process dies while it carries out an undo; resolves when it does nothing more. */
async function dieIn(what: 'runner' | 'note', moment: 'before' | 'after', request: ReturnType<typeof asked>) {
	const reached = Promise.withResolvers<void>()
	const cut =
		<A, R>(work: (asked: A) => Promise<R>) =>
		async (wanted: A): Promise<R> => {
			if (moment === 'after') await work(wanted)
			reached.resolve()
			return await Promise.withResolvers<never>().promise
		}
	const {runner, log} = services
	const change: Partial<typeof services> = what === 'runner' ? {runner: {run: cut(runner.run)}} : {log: {...log, append: cut(log.append)}}
	void open(change, one, dead).apply(request)
	await reached.promise
}

const undos = async () => (await newest.find({kind: 'undo', offset: 0, limit: 9})).rows

async function recovered() {
	await newest.recover()
	return await newest.settled((await undos())[0]?.id ?? '')
}

async function notesOf(id: string) {
	const entries = await services.log.matching({kinds: ['note']}, 0, 100)
	return entries.filter(({data}) => data?.['undoes'] === id && data['part'] === undefined && 'run' in data).length
}

test.each(['before', 'after'] as const)('killed %s its last note, the next process writes it once, sends nothing', async at => {
	const {id, isBack} = await movedByJob()
	await dieIn('note', at, asked(id))
	await settledAll()
	const sent = changes()
	undoOf(one)
	expect(await recovered()).toMatchObject({state: 'done', owner: null})
	expect([await notesOf(id), changes(), (await undos()).length]).toEqual([1, sent, 1])
	isBack()
})

test.each([
	['before', 'failed', 1, null, 'fulfilled'],
	['after', 'done', 2, expect.any(String), 'rejected']
] as const)('killed %s its change, the next process sends nothing itself: %s', async (at, state, taken, undoneAt, again) => {
	const {guid, request} = await movedOne()
	await dieIn('runner', at, request)
	const next = undoOf(one)
	expect(await recovered()).toMatchObject({state, owner: null})
	expect(world.taken(guid)).toBe(taken)
	expect((await next.list('sandbox')).find(({id}) => id === request.id)?.undoneAt ?? null).toEqual(undoneAt)
	const [{status}] = await Promise.allSettled([next.apply(request)])
	expect([status, world.taken(guid)]).toEqual([again, 2])
})

test('killed between two jobs, the next console says how far it came, and starts none of the others', async () => {
	const {id} = await movedByJob()
	await dieAtSecond(id)
	await settledAll()
	const jobs = (await one.jobs.list()).matching
	vi.spyOn(one.jobs, 'get').mockRejectedValueOnce(new CordonError('storage'))
	open({}, one, {onTrouble: () => {}})
	// What cannot be read was not left out.
	const held = await recovered()
	expect(held).toMatchObject({state: 'held', owner: null})
	await newest.resume(held.id)
	expect(await newest.settled(held.id)).toMatchObject({state: 'failed', because: expect.stringContaining('1 of'), owner: null})
	expect([(await one.jobs.list()).matching, await notesOf(id)]).toEqual([jobs, 0])
})

test('stopped by its caller after the first of several jobs, it says so and starts no other', async () => {
	const {id} = await movedByJob()
	const stop = new AbortController()
	const stopping = undoOf(one, asked => one.jobs.apply(asked).finally(() => stop.abort()))
	const refusal = {code: 'cancelled', message: expect.stringContaining('1 of')}
	await expect(stopping.apply({...asked(id), signal: stop.signal})).rejects.toMatchObject(refusal)
	await settledAll()
	expect([(await one.jobs.list()).matching, (await preview(id)).plans.length > 0]).toEqual([2, true])
})

test('while Cordon stops, an undo is not said to have ended; the next process finds out what it did', async () => {
	const {id} = await movedByJob()
	const reached = Promise.withResolvers<void>()
	const waiting = undoOf(one, async ({signal}) => {
		reached.resolve()
		return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new CordonError('cancelled'))))
	})
	const stopped = newest
	const applied = waiting.apply(asked(id))
	await reached.promise
	applied.catch(() => {})
	await stopped.stop()
	await expectRefused(applied, 'cancelled', 'stopping')
	const next = undoOf(one)
	await next.apply(asked(id))
	await settledAll()
	expect((await undos()).map(({state, owner}) => `${state} ${String(owner)}`).toSorted()).toEqual(['done null', 'failed null'])
})

test('a store of runs that cannot be written lets nothing be sent', async () => {
	const {guid, request} = await movedOne()
	const store: RunStore = {...one.profile.runs, apply: () => Promise.reject(new CordonError('disk_full'))}
	await expectRefused(open({}, one, {store, onTrouble: () => undefined}).apply(request), 'disk_full')
	expect(world.taken(guid)).toBe(1)
})
