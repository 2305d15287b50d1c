/** Support for engine tests: time that moves only on command, a store in memory, and a world that can be changed. */
import {until} from '#base/testing/until.ts'
import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import type {RunHead, RunRow, RunStore, StepRow} from '../port.ts'
import type {BeginRequest, Program, RunContext} from '../types.ts'
import {memoryStore, type MemoryStore} from './memory-store.ts'
import {openMachine, type EngineProcess, type Machine} from './process.ts'

export interface Drill {
	clock: TestClock
	/** Sets the wall clock; measured time continues. */
	jump(ms: number): void
	store: MemoryStore
	machine: Machine
	/** Starts a process with these programs. */
	start(...programs: readonly (Program | Work)[]): EngineProcess
	/** And recovers what others left. */
	next(...programs: readonly (Program | Work)[]): Promise<EngineProcess>
	/** And a run. */
	begin(...programs: readonly (Program | Work)[]): Promise<{one: EngineProcess; id: string}>
	/** What happened outside the engine, in order. */
	done: string[]
	/** So many changes were made. */
	did(count: number): Promise<unknown>
	/** So many pauses are under way. */
	pauses(count?: number): Promise<unknown>
	/** Makes a change outside, and can tell whether it was done. */
	change(context: RunContext, id: string, work?: () => void): Promise<string>
	stop(): Promise<void>
}

/** Resolves with the run's output. */
type Work = (context: RunContext) => Promise<unknown>

export function openDrill(wrap: (store: MemoryStore) => RunStore = store => store): Drill {
	const running = testClock()
	let jumped = 0
	const clock = {...running, now: () => running.now() + jumped}
	const store = memoryStore()
	const machine = openMachine(wrap(store), clock)
	const done: string[] = []
	const start: Drill['start'] = (...programs) => machine.start(programs.map(one => (typeof one === 'function' ? program(one) : one)))
	return {
		clock,
		jump: ms => void (jumped += ms),
		store,
		machine,
		start,
		next: async (...programs) => {
			const one = start(...programs)
			await one.recover()
			return one
		},
		begin: async (...programs) => {
			const one = start(...programs)
			return {one, id: await one.begin(request)}
		},
		done,
		did: count => until(`${count} changes`, () => done.length >= count),
		pauses: (count = 1) => until(`${count} pauses`, () => running.pending().length >= count),
		change: (context, id, work) =>
			context.step({
				id,
				act: async () => {
					work?.()
					done.push(id)
					return `${id} done`
				},
				reconcile: async () => (done.includes(id) ? {output: `${id} found`} : undefined),
			}),
		stop: async () => {
			store.fail(null)
			await machine.stop()
		},
	}
}

export const request: BeginRequest = {kind: 'drill', title: 'Drill', startedBy: 'kim'}

export function program(run: Work, more: Partial<Program> = {}): Program {
	return {kind: 'drill', version: 1, run: async context => ({output: await run(context)}), ...more}
}

export async function carryOut(engine: EngineProcess, more: Partial<BeginRequest> = {}): Promise<RunRow> {
	return await engine.settled(await engine.begin({...request, ...more}))
}

export async function stepOf(engine: EngineProcess, run: string, id: string): Promise<StepRow | undefined> {
	return (await engine.steps({run, ids: [id], offset: 0, limit: 1})).rows[0]
}

export async function untilState(engine: EngineProcess, run: string, state: RunHead['state']): Promise<void> {
	await untilSo(`the run is ${state}`, async () => (await engine.get(run))?.state === state)
}

/** Waits until a step has this tag. */
export async function untilTag(one: EngineProcess, run: string, id: string, tag = 'waiting'): Promise<void> {
	await untilSo(`${id} is ${tag}`, async () => (await stepOf(one, run, id))?.tag === tag)
}

export async function untilSo(what: string, look: () => Promise<boolean>): Promise<void> {
	let isFound = false
	let looking: Promise<void> | undefined
	await until(what, () => {
		looking ??= look().then(found => {
			isFound = found
			looking = undefined
		})
		return isFound
	})
}
