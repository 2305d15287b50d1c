/**
 * Jobs under random weather, crashes, the kill switch, and changes by somebody else: whatever comes, nothing outside the
 * frozen lists is touched, nothing is sent again without a reading, and a receipt says what the service says.
 */
import fc from 'fast-check'

import {CordonError} from '#contract/errors.ts'
import {changeComputer} from '#sandbox/testing/running.ts'

import {recordStates, type History} from './testing/history.ts'
import {blindRepeats, guidIn, lastWriter, leastLeft, untrueReceipts} from './testing/invariants.ts'
import {turns, until} from '#base/testing/until.ts'
import {isolate, openWorld, release, type Moment, type Process, type World} from './testing/world.ts'

const computers = 14
const quota = 1200
const reserve = 60

interface Model {
	frozen: Set<string>
	/** Changed by someone else: the current state is not ours to report. */
	disturbed: Set<string>
}

interface Real {
	world: World
	history: History
	targets: readonly string[]
	guarded: string
	process: Process
}

interface Command {
	run(model: Model, real: Real): Promise<void>
	/** For the counterexample. */
	toString(): string
}

const beginning = (from: number, count: number, releases: boolean, wait: number): Command => ({
	async run(model, {process, targets, guarded}) {
		const chosen = [...targets.slice(from, from + count), guarded]
		const action = releases ? release : isolate
		const plan = await tolerated(process.jobs.plan({connection: 'sandbox', action, targets: chosen, stopShare: 0.5}))
		if (plan === null || plan.targets.length === 0) return
		if (!releases && plan.targets.some(({id}) => id === guarded)) throw new Error('a protected one is planned')
		plan.targets.forEach(({id}) => model.frozen.add(id))
		const confirm = 'expected' in plan.confirmation ? String(plan.confirmation.expected) : undefined
		await tolerated(process.jobs.apply({plan: plan.id, confirm, surface: 'cli'}))
		await turns(wait)
	},
	toString: () => `${releases ? 'release' : 'isolate'} ${from}+${count}, then ${wait} turns`
})

const weather = (chosen: readonly string[]): Command => ({
	run: async (_model, {world}) => world.sandbox.weather.set([...chosen]),
	toString: () => `weather ${chosen.join(' ')}`
})

const changing = (which: number, status: 'isolated' | 'not_isolated'): Command => ({
	async run(model, {world, targets}) {
		const guid = targets[which] ?? ''
		changeComputer(world.sandbox, guid, {isolation: {status}})
		model.disturbed.add(guid)
	},
	toString: () => `somebody else: ${which} ${status}`
})

const lock: Command = {
	async run(_model, {process, world}) {
		process.profile.connections.setLocked('sandbox', true)
		// What was on its way when the switch fell still arrives.
		await untilQuiet(process)
		await world.arrived()
		const sent = writes(world)
		await turns(20)
		await world.arrived()
		if (writes(world) !== sent) throw new Error('something was sent while writing was off')
		process.profile.connections.setLocked('sandbox', false)
	},
	toString: () => 'writing off and on'
}

const crash = (moment: Moment | 'now'): Command => ({
	async run(_model, real) {
		const {process, world} = real
		if (moment !== 'now') await Promise.race([process.dieAt(moment), allSettled(process)])
		await process.crash()
		await world.arrived()
		real.process = await world.start()
		await real.process.jobs.recover()
	},
	toString: () => `crash ${moment}, and start anew`
})

async function allSettled({jobs}: Process) {
	await Promise.all((await jobs.list()).rows.map(({id}) => jobs.settled(id)))
}

async function untilQuiet(process: Process) {
	await until('the end of its changes', () => process.changesUnderWay() === 0)
}

const wait = (count: number): Command => ({run: () => turns(count), toString: () => `${count} turns`})

/** Refusals of our own are answers, too; anything else is a fault. */
async function tolerated<T>(work: Promise<T>) {
	try {
		return await work
	} catch (error) {
		if (error instanceof CordonError && error.code !== 'internal') return null
		throw error
	}
}

function writes(world: World) {
	return world.sent('PUT') + world.sent('DELETE')
}

const rules = fc.constantFrom(
	[],
	['PUT *=drop,p:0.3'],
	['PUT *=500,p:0.2'],
	['* *=429:30,times:2'],
	['GET *=503,p:0.3'],
	['PUT *=reset,p:0.2', 'GET */isolation=503,p:0.5'],
	['PUT *=errors,p:0.3'],
	['DELETE *=drop,p:0.3']
)

const begin = fc.tuple(fc.nat(4), fc.integer({min: 4, max: computers}), fc.boolean(), fc.nat(60)).map(given => beginning(...given))
const isolateAll = fc.nat(40).map(pause => beginning(0, computers, false, pause))
const somebodyElse = fc
	.tuple(fc.nat(computers - 1), fc.constantFrom('isolated' as const, 'not_isolated' as const))
	.map(given => changing(...given))

const moments = fc.constantFrom('now' as const, 'before a change' as const, 'after a change' as const)

const command: fc.Arbitrary<Command> = fc.oneof(
	{weight: 3, arbitrary: begin},
	{weight: 4, arbitrary: moments.map(crash)},
	{weight: 2, arbitrary: rules.map(weather)},
	{weight: 1, arbitrary: somebodyElse},
	{weight: 1, arbitrary: fc.constant(lock)},
	{weight: 1, arbitrary: fc.nat(80).map(wait)}
)
const commands = fc.tuple(isolateAll, fc.array(command, {minLength: 2, maxLength: 9, size: 'max'})).map(([first, rest]) => [first, ...rest])

async function setup(): Promise<{model: Model; real: Real}> {
	const world = await openWorld({computers: 120, seed: 'model', quota})
	const history = recordStates(world.sandbox.world, world.ports.clock.now)
	const process = await world.start()
	const [guarded = '', ...targets] = world.ready(computers + 1)
	process.setRules(rules => ({protected: {...rules.protected, guids: [guarded]}}))
	return {model: {frozen: new Set(), disturbed: new Set()}, real: {world, history, targets, guarded, process}}
}

async function checkEnd({frozen, disturbed}: Model, {world, history, process, guarded}: Real) {
	world.sandbox.weather.set([])
	process.profile.connections.setLocked('sandbox', false)
	for (const {id} of await process.jobs.open('sandbox')) await tolerated(process.jobs.resume(id))
	const ends = await Promise.all((await process.jobs.list()).rows.map(({id}) => process.jobs.settled(id)))
	const {requests} = world.sandbox
	const changes = requests.filter(({method}) => method === 'PUT' || method === 'DELETE')
	for (const {path} of changes) expect(frozen).toContain(guidIn(path))
	expect(changes.filter(({path, method}) => method === 'PUT' && guidIn(path) === guarded)).toEqual([])
	expect(blindRepeats(world.trace)).toEqual([])
	expect(leastLeft(requests, quota)).toBeGreaterThanOrEqual(reserve)
	for (const job of ends) {
		const {rows} = await process.jobs.receipts({job: job.id, offset: 0, limit: 500})
		expect(['done', 'stopped']).toContain(job.phase)
		expect(rows).toHaveLength(job.targets)
		expect([job.counts.waiting, job.counts.sending, job.counts.accepted]).toEqual([0, 0, 0])
		expect(untrueReceipts(job, rows, {trace: world.trace, history})).toEqual([])
		// The last sender decides, unless someone else changed it since.
		for (const {id: guid, outcome, observed} of rows)
			if (outcome === 'done' && !disturbed.has(guid) && lastWriter(world.trace, guid) === job.id)
				expect([guid, world.status(guid)]).toEqual([guid, observed])
	}
}

test('holds its promises whatever comes', async () => {
	await fc.assert(
		fc.asyncProperty(commands, async chosen => {
			const {model, real} = await setup()
			try {
				for (const one of chosen) await one.run(model, real)
				await checkEnd(model, real)
			} finally {
				await real.world.stop()
			}
		}),
		{numRuns: 12}
	)
})
