/** Notifies listeners of changed runs, in this process and others on the store. */
import type {RunChanged, RunStore} from './port.ts'

export type Changes = ReturnType<typeof createChanges>

export function createChanges(onTrouble: (message: string, error: unknown) => void) {
	const listeners = new Set<(changed: RunChanged) => void>()
	const waiting = new Map<string, RunChanged>()
	let turn: NodeJS.Immediate | undefined
	const tellAll = () => {
		turn = undefined
		const changed = [...waiting.values()]
		waiting.clear()
		for (const one of changed) for (const listener of listeners) tellOne(listener, one)
	}
	const tellOne = (listener: (changed: RunChanged) => void, changed: RunChanged) => {
		try {
			listener(changed)
		} catch (error) {
			onTrouble('A change of a run could not be told.', error)
		}
	}
	const on = (listener: (changed: RunChanged) => void) => {
		const own: typeof listener = changed => listener(changed)
		listeners.add(own)
		return () => listeners.delete(own)
	}
	return {
		/** Notifies once for all changes of a turn. */
		tell(changed: RunChanged) {
			waiting.set(changed.run, changed)
			turn ??= setImmediate(tellAll)
		},
		on,
		/** Resolves with the next change of this run; never rejects. */
		next(run: string) {
			const {promise, resolve} = Promise.withResolvers<void>()
			const off = on(changed => {
				if (changed.run === run) resolve()
			})
			return {changed: promise, off}
		},
		stop() {
			if (turn !== undefined) clearImmediate(turn)
			listeners.clear()
		}
	}
}

interface WatchDependencies {
	store: Pick<RunStore, 'changes'>
	everyMs: number
	changed: (changed: RunChanged) => void
	onTrouble: (message: string, error: unknown) => void
}

/** Looks for writes of other processes. Uses real time, not the application's clock, which tests compress. */
export function watchStore({store, everyMs, changed, onTrouble}: WatchDependencies): {stop(): Promise<void>} {
	let since = -1
	let isTold = false
	let looking: Promise<void> | undefined
	const look = async () => {
		try {
			// Changes missed while even the first look failed are unknown: notify all.
			const {now, runs} = await store.changes(isTold ? Math.max(since, 0) : since)
			since = now
			isTold = false
			runs.forEach(changed)
		} catch (error) {
			// The next look may succeed. The same trouble is reported once.
			if (!isTold) onTrouble('Runs of other programs could not be read.', error)
			isTold = true
		}
	}
	const timer = setInterval(() => {
		looking ??= look().finally(() => (looking = undefined))
	}, everyMs)
	timer.unref()
	looking = look().finally(() => (looking = undefined))
	return {
		stop: async () => {
			clearInterval(timer)
			await looking
		}
	}
}
