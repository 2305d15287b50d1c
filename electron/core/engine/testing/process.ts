/** A process with an engine, for tests: it can be killed, and others on the same store notice. */
import {randomBytes} from 'node:crypto'

import type {Clock} from '#base/ports.ts'
import {createEngine} from '../engine.ts'
import type {Op, RunStore} from '../port.ts'
import type {Program} from '../types.ts'

/** The engine, and what ends its process. */
export type EngineProcess = ReturnType<Machine['start']>
export type Machine = ReturnType<typeof openMachine>

/** All processes that share a store. Processes of another name are not known to live here. */
export function openMachine(store: RunStore, clock: Clock, name = 'machine') {
	const alive = new Set<string>()
	const processes: {stop(): Promise<void>}[] = []
	return {
		start(programs: readonly Program[] | ((process: Pick<Life, 'alive'>) => readonly Program[])) {
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
			/** Stops the engine; the process lives on. */
			const halt = engine.stop.bind(engine)
			const one = Object.assign(engine, {
				/** Of a run, at its end. */
				output: async (run: string) => (await engine.settled(run)).output,
				...{troubles, halt, alive: whileAlive, killAt},
				/** Like a kill: nothing more is written or answered. */
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

type Which = (ops: readonly Op[]) => boolean

function mortal(died: () => void) {
	let fate: {moment: string; which: Which; struck: () => void} | null = null
	const life = lifeOf(died)
	const strike = (moment: string, ops: readonly Op[]) => {
		if (life.isDead() || fate?.moment !== moment || !fate.which(ops)) return
		life.kill()
		fate.struck()
	}
	return {
		...life,
		/** Killed before or after the next write that `which` picks; resolves then. */
		killAt: (moment: 'before' | 'after', which: Which = () => true) => new Promise<void>(struck => (fate = {moment, which, struck})),
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
