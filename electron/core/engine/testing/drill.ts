/** Support for engine tests: time that moves only on command, a store that can fail, and a world that can be changed. */
import {join} from 'node:path'

import {onTestFinished} from 'vitest'

import {testFolder} from '#base/testing/folder.ts'
import {until} from '#base/testing/until.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {inThread} from '#core/store/async.ts'
import {openDatabase} from '#core/store/database.ts'
import type {RunHead, RunStore, StepRow} from '../port.ts'
import type {BeginRequest, Program, RunContext} from '../types.ts'
import {openRunRepository} from '../sqlite.ts'
import {openMachine, type EngineProcess} from './process.ts'

export type Drill = ReturnType<typeof openDrill>

/** Resolves with the run's output. */
type Work = (context: RunContext) => Promise<unknown>
type Programs = readonly (Program | Work)[]

interface FailingStore extends RunStore {
	/** From now on every write, or every call, rejects with this; `null` ends that. */
	fail(error: Error | null, what?: 'writes' | 'all'): void
	/** For tests that need very many: a new file waits for the disk. */
	clear(): void
}

/** In a folder of its own, until the test is over. */
export function openStore(): FailingStore {
	let fault: {error: Error; what: 'writes' | 'all'} | null = null
	const folder = testFolder()
	const store = inThread(openRunRepository(folder, () => false))
	onTestFinished(store.close)
	const calls = Object.entries(store).map(([name, call]) => [
		name,
		async (...args: readonly unknown[]) => {
			if (fault !== null && (name === 'apply' || fault.what === 'all')) throw fault.error
			return await (call as (...given: readonly unknown[]) => unknown)(...args)
		}
	])
	// Each method is wrapped by itself.
	return {
		...(Object.fromEntries(calls) as RunStore),
		fail: (error, what = 'writes') => void (fault = error && {error, what}),
		clear: () => {
			const file = openDatabase(join(folder, 'runs.db'), {synchronous: 'NORMAL'})
			file.exec('DELETE FROM run; DELETE FROM draft; DELETE FROM definition')
			file.close()
		}
	}
}

export function openDrill(wrap: (store: RunStore) => RunStore = store => store, store = openStore()) {
	const running = testClock()
	let jumped = 0
	const clock = {...running, now: () => running.now() + jumped}
	const machine = openMachine(wrap(store), clock)
	const done: string[] = []
	/** Starts a process with these programs. */
	const start = (...programs: Programs) => machine.start(programs.map(one => (typeof one === 'function' ? program(one) : one)))
	return {
		clock,
		/** Sets the wall clock; measured time continues. */
		jump: (ms: number) => void (jumped += ms),
		store,
		machine,
		start,
		/** And recovers what others left. */
		next: async (...programs: Programs) => {
			const one = start(...programs)
			await one.recover()
			return one
		},
		/** And a run. */
		begin: async (...programs: Programs) => {
			const one = start(...programs)
			return {one, id: await one.begin(request)}
		},
		/** What happened outside the engine, in order. */
		done,
		/** So many changes were made. */
		did: (count: number) => until(`${count} changes`, () => done.length >= count),
		/** So many pauses are under way. */
		pauses: (count = 1) => until(`${count} pauses`, () => running.pending().length >= count),
		/** Makes a change outside, and can tell whether it was done. */
		change: (context: RunContext, id: string, work?: () => void) =>
			context.step({
				id,
				act: async () => {
					work?.()
					done.push(id)
					return `${id} done`
				},
				reconcile: async () => (done.includes(id) ? {output: `${id} found`} : undefined)
			}),
		stop: async () => {
			store.fail(null)
			await machine.stop()
		}
	}
}

export const request: BeginRequest = {kind: 'drill', title: 'Drill', startedBy: 'kim'}

export function program(run: Work, more: Partial<Program> = {}): Program {
	return {kind: 'drill', version: 1, run: async context => ({output: await run(context)}), ...more}
}

export async function carryOut(engine: EngineProcess, more: Partial<BeginRequest> = {}) {
	return await engine.settled(await engine.begin({...request, ...more}))
}

export async function stepOf(engine: EngineProcess, run: string, id: string): Promise<StepRow | undefined> {
	return (await engine.steps({run, ids: [id], offset: 0, limit: 1})).rows[0]
}

export async function untilState(engine: EngineProcess, run: string, state: RunHead['state']) {
	await until(`the run is ${state}`, async () => (await engine.get(run))?.state === state)
}

/** Waits until a step has this tag. */
export async function untilTag(one: EngineProcess, run: string, id: string, tag = 'waiting') {
	await until(`${id} is ${tag}`, async () => (await stepOf(one, run, id))?.tag === tag)
}
