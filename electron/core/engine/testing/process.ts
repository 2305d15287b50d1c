/** A process with an engine, for tests: it can be killed, and others on the same store notice. */
import {randomBytes} from 'node:crypto'

import type {Clock} from '#base/ports.ts'
import {createEngine, type Engine} from '../engine.ts'
import type {RunStore} from '../port.ts'
import type {Program} from '../types.ts'

/** The engine, and what ends its process. */
export interface EngineProcess extends Engine {
	/** Stops the engine; the process lives on. */
	halt(): Promise<void>
	/** Of a run, at its end. */
	output(run: string): Promise<unknown>
	troubles: readonly string[]
	/** Like a kill: nothing more is written or answered. */
	kill(): void
	/** Killed before or after the next write that `which` picks; resolves then. */
	killAt(moment: 'before' | 'after', which?: (ops: Parameters<RunStore['apply']>[0]) => boolean): Promise<void>
	/** Wraps what a program does outside, so that a dead process does nothing. */
	alive<T>(work: () => Promise<T>): Promise<T>
}

export type Machine = ReturnType<typeof openMachine>

/** All processes that share a store. Processes of another name are not known to live here. */
export function openMachine(store: RunStore, clock: Clock, name = 'machine') {
	const alive = new Set<string>()
	const processes: EngineProcess[] = []
	return {
		start(programs: readonly Program[] | ((process: Pick<EngineProcess, 'alive'>) => readonly Program[])) {
			const self = {pid: processes.length + 1, started: `${name} ${processes.length + 1}`}
			alive.add(self.started)
			const life = mortal(() => alive.delete(self.started))
			const troubles: string[] = []
			const engine = createEngine({
				store: life.store(store),
				clock: {...clock, sleep: (ms, signal) => life.alive(() => clock.sleep(ms, signal))},
				random: randomBytes,
				programs: typeof programs === 'function' ? programs(life) : programs,
				onTrouble: (message, error) => void troubles.push(`${message} ${String(error)}`),
				watchEveryMs: 5,
				self,
				isAlive: ({started}) => alive.has(started)
			})
			let isStopped = false
			const {alive: whileAlive, killAt} = life
			const halt = engine.stop.bind(engine)
			const one: EngineProcess = Object.assign(engine, {
				output: async (run: string) => (await engine.settled(run)).output,
				...{troubles, halt, alive: whileAlive, killAt},
				kill: () => {
					isStopped = true
					life.kill()
				},
				stop: async () => {
					if (isStopped || life.isDead()) return
					isStopped = true
					// A process killed while it stops never finishes stopping.
					await Promise.race([halt(), life.dead])
					alive.delete(self.started)
				}
			})
			processes.push(one)
			return one
		},
		stop: async () => {
			for (const one of processes) await one.stop()
		}
	}
}

export type Life = ReturnType<typeof lifeOf>

/** Everything that a process does, until it is killed: from then on nothing of it comes back. */
export function lifeOf(died: () => void) {
	let isDead = false
	const never = new Promise<never>(() => {})
	const death = Promise.withResolvers<void>()
	const alive = async <T>(work: () => Promise<T>) => {
		if (isDead) return await never
		const [result] = await Promise.allSettled([work()])
		if (isDead) return await never
		if (result.status === 'rejected') throw result.reason
		return result.value
	}
	return {
		alive,
		/** The same of each. */
		all<T extends Readonly<Record<string, (...args: never) => Promise<unknown>>>>(work: T) {
			const bound = Object.entries(work).map(([name, one]) => [name, (...args: readonly never[]) => alive(() => one(...(args as never)))])
			// Each as before, until the end.
			return Object.fromEntries(bound) as unknown as T
		},
		kill() {
			isDead = true
			died()
			death.resolve()
		},
		isDead: () => isDead,
		dead: death.promise
	}
}

function mortal(died: () => void) {
	let fate: {moment: string; which: (ops: never) => boolean; struck: () => void} | null = null
	const life = lifeOf(died)
	const strike = (moment: string, ops: unknown) => {
		if (life.isDead() || fate?.moment !== moment || !fate.which(ops as never)) return
		life.kill()
		fate.struck()
	}
	return {
		...life,
		killAt: (moment: 'before' | 'after', which: (ops: Parameters<RunStore['apply']>[0]) => boolean = () => true) =>
			new Promise<void>(struck => (fate = {moment, which: which as (ops: never) => boolean, struck})),
		store: ({apply, close, ...reads}: RunStore): RunStore => ({
			...{...life.all(reads), close},
			apply: async ops => {
				strike('before', ops)
				return await life.alive(async () => {
					const results = await apply(ops)
					strike('after', ops)
					return results
				})
			}
		})
	}
}
