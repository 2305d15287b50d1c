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

function mortal(died: () => void) {
	let isDead = false
	let fate: {moment: string; which: (ops: never) => boolean; struck: () => void} | null = null
	const never = new Promise<never>(() => {})
	const death = Promise.withResolvers<void>()
	const kill = () => {
		isDead = true
		died()
		death.resolve()
	}
	const alive = async <T>(work: () => Promise<T>) => {
		if (isDead) return await never
		const [result] = await Promise.allSettled([work()])
		if (isDead) return await never
		if (result.status === 'rejected') throw result.reason
		return result.value
	}
	const strike = (moment: string, ops: unknown) => {
		if (isDead || fate?.moment !== moment || !fate.which(ops as never)) return
		kill()
		fate.struck()
	}
	return {
		alive,
		kill,
		isDead: () => isDead,
		dead: death.promise,
		killAt: (moment: 'before' | 'after', which: (ops: Parameters<RunStore['apply']>[0]) => boolean = () => true) =>
			new Promise<void>(struck => (fate = {moment, which: which as (ops: never) => boolean, struck})),
		store: (store: RunStore): RunStore => ({
			apply: async ops => {
				strike('before', ops)
				return await alive(async () => {
					const results = await store.apply(ops)
					strike('after', ops)
					return results
				})
			},
			run: id => alive(() => store.run(id)),
			runs: query => alive(() => store.runs(query)),
			steps: query => alive(() => store.steps(query)),
			outline: run => alive(() => store.outline(run)),
			tally: runs => alive(() => store.tally(runs)),
			pending: run => alive(() => store.pending(run)),
			definition: digest => alive(() => store.definition(digest)),
			draft: id => alive(() => store.draft(id)),
			changes: since => alive(() => store.changes(since)),
			close: () => store.close()
		})
	}
}
