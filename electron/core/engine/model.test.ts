/**
 * Generated programs on an engine whose processes are killed at any point and compete, with full disks and changed clocks:
 * nothing is done twice, nothing is lost, and every run ends.
 */
import fc from 'fast-check'

import {CordonError, hasCode} from '#contract/errors.ts'

import type {RunHead} from './port.ts'
import {openDrill, openStore, type Drill} from './testing/drill.ts'
import type {EngineProcess} from './testing/process.ts'
import {turns} from '#base/testing/until.ts'
import {changesOf, isExpected, newChanges, scripted, type Changes, type Node} from './testing/script.ts'

interface Real {
	drill: Drill
	changes: Changes
	scripts: Map<string, Node[]>
	processes: EngineProcess[]
	/** Runs that were cancelled; their children are cancelled with them. */
	cancelled: Set<string>
	/** Every payload sent; no two are equal. */
	answers: Set<string>
}

interface Command {
	run(real: Real): Promise<void>
	toString(): string
}

function start(real: Real) {
	const one = real.drill.machine.start(({alive}) => [scripted(real.changes, alive)])
	real.processes.push(one)
	return one
}

/** Work of a process that may be killed halfway or whose disk is full. */
async function tolerated(work: Promise<unknown>, real: Real) {
	const refused = work.catch((error: unknown) => {
		if (!(error instanceof CordonError) || error.code === 'internal') throw error
	})
	await Promise.race([refused, turns(30)])
	// Its later effect is checked at the end.
	refused.catch(() => real.processes.length)
}

function command(text: string, run: (real: Real) => Promise<void>) {
	return {run, toString: () => text}
}

const first = ({processes}: Real) => processes.at(-1)

let ids = 0

const begin = (nodes: Node[], wait: number) =>
	command(`begin ${JSON.stringify(nodes)}, then ${wait} turns`, async real => {
		const id = `run${(ids += 1)}`
		real.scripts.set(id, nodes)
		const engine = first(real)
		if (engine !== undefined) await tolerated(engine.begin({id, kind: 'script', title: id, startedBy: 'kim', definition: nodes}), real)
		await turns(wait)
	})

const killAll = command('kill all', async real => {
	real.processes.forEach(({kill}) => kill())
	real.processes = []
})

const killAt = (moment: 'before' | 'after', nth: number, recovers: boolean) =>
	command(`kill ${moment} write ${nth}${recovers ? ', and start anew' : ''}`, async real => {
		const process = first(real)
		let left = nth
		void process
			?.killAt(moment, () => (left -= 1) < 0)
			.then(() => {
				real.processes = real.processes.filter(one => one !== process)
			})
		await turns(nth * 3)
		if (recovers) await tolerated(start(real).recover(), real)
	})

const startAnother = command('start a process and recover', async real => {
	await tolerated(start(real).recover(), real)
})

const resumeTogether = command('two resume everything at once', async real => {
	const [one, two] = [start(real), start(real)]
	const all = [...real.scripts.keys()].flatMap(id => [one.resume(id), two.resume(id)])
	await Promise.all(all.map(work => tolerated(work, real)))
})

const pass = (ms: number) =>
	command(`${ms} ms pass`, async ({drill}) => {
		await drill.clock.advance(ms)
		await turns(10)
	})

const jump = (ms: number) => command(`the clock jumps by ${ms} ms`, async ({drill}) => drill.jump(ms))

const fullDisk = (count: number) =>
	command(`the disk is full for ${count} turns`, async ({drill}) => {
		drill.store.fail(new CordonError('disk_full'))
		await turns(count)
		drill.store.fail(null)
	})

const signal = (which: string, twice: boolean) =>
	command(`signal ${which}${twice ? ' twice' : ''}`, async real => {
		const engine = first(real)
		if (engine === undefined) return
		for (const run of real.scripts.keys()) {
			const payload = `${run} ${which} ${real.answers.size}`
			real.answers.add(payload)
			const send = () => tolerated(engine.signal(run, which, payload, payload), real)
			await Promise.all(twice ? [send(), send()] : [send()])
		}
	})

const pauseAndResume = (wait: number) =>
	command(`pause everything for ${wait} turns`, async real => {
		const engine = first(real)
		if (engine === undefined) return
		for (const run of real.scripts.keys()) await tolerated(engine.pause(run), real)
		await turns(wait)
		for (const run of real.scripts.keys()) await tolerated(engine.resume(run), real)
	})

const cancel = (level: 1 | 2) =>
	command(`cancel the first run, level ${level}`, async real => {
		const engine = first(real)
		const [run] = real.scripts.keys()
		if (engine === undefined || run === undefined) return
		real.cancelled.add(run)
		await tolerated(engine.cancel(run, level), real)
	})

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({weight, arbitrary})
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const leaf = fc.oneof(
	often(4, fc.record({kind: fc.constant('change' as const), fails: fc.nat(2)})),
	often(1, fc.record({kind: fc.constant('read' as const)})),
	often(1, fc.record({kind: fc.constant('sleep' as const), ms: fc.integer({min: 1, max: 100_000})})),
	often(2, fc.record({kind: fc.constant('ask' as const), timeoutMs: fc.constantFrom(undefined, 1000, 100_000)}))
)
type Leaf = Omit<Extract<Node, {id: string}>, 'id'>

/** Ids are given by position. */
function named(leaves: Leaf[], prefix: string) {
	return leaves.map((one, index) => ({...one, id: `${prefix}${names[index] ?? index}`}) as Node)
}

const script: fc.Arbitrary<Node[]> = fc
	.record({
		before: fc.array(leaf, {maxLength: 3}),
		side: fc.array(leaf, {maxLength: 3}),
		child: fc.array(leaf, {maxLength: 2}),
		after: fc.array(leaf, {minLength: 1, maxLength: 2})
	})
	.map(({before, side, child, after}) => [
		...named(before, ''),
		{kind: 'all', nodes: named(side, 's')},
		...(child.length === 0 ? [] : [{kind: 'child', id: 'kid', nodes: named(child, '')} as const]),
		...named(after, 'z')
	])

const moment = fc.constantFrom('before' as const, 'after' as const)
const anyCommand = fc.oneof(
	often(
		3,
		fc.tuple(script, fc.nat(20)).map(([nodes, wait]) => begin(nodes, wait))
	),
	often(
		4,
		fc.tuple(moment, fc.nat(12), fc.boolean()).map(how => killAt(...how))
	),
	often(1, fc.constant(killAll)),
	often(2, fc.constantFrom(startAnother, resumeTogether)),
	often(2, fc.integer({min: 1, max: 200_000}).map(pass)),
	often(1, fc.integer({min: -10_000_000, max: 10_000_000}).map(jump)),
	often(1, fc.nat(10).map(fullDisk)),
	often(
		3,
		fc.tuple(fc.constantFrom('a', 'b', 'sa', 'za'), fc.boolean()).map(([which, twice]) => signal(which, twice))
	),
	often(1, fc.nat(10).map(pauseAndResume)),
	often(1, fc.constantFrom(1 as const, 2 as const).map(cancel))
)

const notDone = {states: ['open', 'held', 'failed'], offset: 0, limit: 100} as const

/** Ends all faults: open runs continue, failed steps are retried, questions are answered, time passes. */
async function comeToAnEnd(real: Real) {
	real.drill.store.fail(null)
	for (const {stop} of real.processes) await stop()
	const last = start(real)
	await last.recover()
	for (let round = 0; round < 60; round += 1) {
		const {rows} = await last.find(notDone)
		if (rows.length === 0) return last
		for (const row of rows) await (row.state === 'failed' ? retryFailed(last, row) : nudge(real, last, row))
		await real.drill.clock.advance(200_000)
		await turns(20)
	}
	throw new Error(`These never ended: ${JSON.stringify(await last.find(notDone))} ${last.troubles.join()}`)
}

async function nudge(real: Real, engine: EngineProcess, row: RunHead) {
	await engine.resume(row.id).catch(ignoreEnd)
	const {rows} = await engine.steps({run: row.id, kinds: ['decision'], phases: ['intent'], offset: 0, limit: 9})
	for (const {id, due} of rows) {
		if (due !== null) continue
		const payload = `${row.id} ${id} ${real.answers.size}`
		real.answers.add(payload)
		await engine.signal(row.id, id, payload, payload).catch(ignoreEnd)
	}
}

/** An attempt cut short by a kill counts, so one too few may be left. */
async function retryFailed(engine: EngineProcess, row: RunHead) {
	const {rows} = await engine.steps({run: row.id, ids: row.failed, offset: 0, limit: 9})
	for (const {id, kind, output} of rows) {
		// Written by the engine.
		const child = kind === 'child' ? await engine.get((output as {run: string}).run) : undefined
		if (child === undefined || child.state === 'done') await engine.retry(row.id, id).catch(ignoreEnd)
	}
}

/** It ended meanwhile. */
function ignoreEnd(error: unknown) {
	if (!hasCode(error, 'usage')) throw error
}

async function checkEnd(real: Real, last: EngineProcess) {
	const {changes, scripts, answers, cancelled} = real
	expect(changes.made.filter((name, index) => changes.made.indexOf(name) !== index)).toEqual([])
	const {rows} = await last.find({offset: 0, limit: 1000})
	for (const head of rows) {
		const {id, state, parent} = head
		if (cancelled.has(id) || cancelled.has(parent?.run ?? '')) {
			// How far it got is arbitrary; its effects are checked with the others.
			expect([id, ['done', 'cancelled'].includes(state), head.owner]).toEqual([id, true, null])
			continue
		}
		expect([id, state, head.owner]).toEqual([id, 'done', null])
		const nodes = scripts.get(id)
		if (nodes === undefined) {
			expect(parent).not.toBeNull()
			continue
		}
		const {output} = await last.settled(id)
		expect([id, output, isExpected(nodes, output, answers)]).toEqual([id, output, true])
		const made = changes.made.filter(name => name.startsWith(`${id} `)).map(name => name.slice(id.length + 1))
		expect(made.toSorted()).toEqual(changesOf(nodes).toSorted())
		const inOrder = (names_: readonly string[]) => names_.filter(name => !name.startsWith('s'))
		expect(inOrder(made)).toEqual(inOrder(changesOf(nodes)))
	}
	// A signal answers at most one step, and each answer is stored.
	const steps = (await last.steps({kinds: ['decision'], offset: 0, limit: 10_000})).rows
	const given = steps.flatMap(({output}) => (output === null ? [] : [JSON.stringify(output)]))
	expect(new Set(given).size).toBe(given.length)
}

/**
 * Found once by chance: a kill between the end of a cancelled child and that of its parent, which was then reported as failed.
 */
const cancelledInBetween: [Node[], Command[]] = [
	[
		{kind: 'all', nodes: []},
		{kind: 'child', id: 'kid', nodes: [{kind: 'sleep', ms: 1, id: 'a'}]},
		{kind: 'ask', timeoutMs: undefined, id: 'za'}
	],
	[
		cancel(1),
		killAt('after', 2, false),
		begin(
			[
				{kind: 'all', nodes: []},
				{kind: 'change', fails: 0, id: 'za'}
			],
			0
		),
		startAnother,
		pass(1)
	]
]

test('nothing is done twice, nothing is lost, and every run comes to its end', async () => {
	const store = openStore()
	await fc.assert(
		fc.asyncProperty(fc.tuple(script, fc.array(anyCommand, {minLength: 3, maxLength: 14, size: 'max'})), async ([nodes, commands]) => {
			const real: Real = {
				...{
					drill: openDrill(one => one, store),
					changes: newChanges(),
					scripts: new Map(),
					processes: [],
					answers: new Set(),
					cancelled: new Set()
				}
			}
			start(real)
			try {
				for (const one of [begin(nodes, 5), ...commands]) await one.run(real)
				await checkEnd(real, await comeToAnEnd(real))
			} finally {
				await real.drill.stop()
				store.clear()
			}
		}),
		{numRuns: Number(process.env['CORDON_RUNS'] ?? 150), examples: [[cancelledInBetween]]}
	)
})
