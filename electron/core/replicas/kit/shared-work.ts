import {mostQuotaWaitMs, tellingWaits} from '#base/acting.ts'
import {CordonError} from '#contract/errors.ts'

/** One piece of work at a time, shared by all callers that ask while it runs. */
export interface Shared<T> {
	/**
	 * Starts the work or joins it. A signal, or a wait for the API limit that is longer than the caller's patience, ends only the
	 * caller's wait; the work ends with its last waiter.
	 */
	join(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T>
	running(): boolean
	stop(): Promise<void>
}

interface Run<T> {
	result: Promise<T>
	controller: AbortController
	waiters: number
	limit: Limit
}

/** Until when the work waits for the API limit, in real time, with the error that says so, and who wants to know. */
interface Limit {
	endsAt: number
	error: Error | undefined
	listeners: Set<() => void>
}

export function makeShared<T>(): Shared<T> {
	let current: Run<T> | undefined
	let stopped = false

	const start = (work: (signal: AbortSignal) => Promise<T>): Run<T> => {
		const controller = new AbortController()
		const finish = async () => {
			try {
				return await work(controller.signal)
			} finally {
				current = undefined
			}
		}
		const limit: Limit = {endsAt: 0, error: undefined, listeners: new Set()}
		const onWait = (ms: number, error?: Error) => {
			Object.assign(limit, {endsAt: performance.now() + ms, error})
			for (const listener of limit.listeners) listener()
		}
		const result = tellingWaits(onWait, finish)
		// All waiters may have left before it fails.
		result.catch(() => {})
		return {result, controller, waiters: 0, limit}
	}

	return {
		join: async (work, signal) => {
			if (signal?.aborted === true) throw cancelled()
			// A new caller needs a result, so it waits until aborted work has ended.
			while (current?.controller.signal.aborted === true) await current.result.catch(() => {})
			if (stopped) throw cancelled()
			const run = (current ??= start(work))
			run.waiters += 1
			return waitFor(run, signal)
		},
		running: () => current !== undefined,
		stop: async () => {
			stopped = true
			current?.controller.abort(cancelled())
			await current?.result.catch(() => {})
		}
	}
}

export function makeSharedByKey<T>() {
	const known = new Map<string, Shared<T>>()
	let stopped = false
	return {
		of: (key: string) => {
			if (stopped) throw new CordonError('cancelled')
			const shared = known.get(key) ?? makeShared<T>()
			known.set(key, shared)
			return shared
		},
		/** Ends what runs of one key. */
		end: async (key: string) => {
			const shared = known.get(key)
			known.delete(key)
			await shared?.stop()
		},
		stop: async () => {
			stopped = true
			await Promise.all([...known.values()].map(shared => shared.stop()))
		}
	}
}

function waitFor<T>(run: Run<T>, signal: AbortSignal | undefined) {
	const {promise, resolve, reject} = Promise.withResolvers<T>()
	const {limit} = run
	const most = mostQuotaWaitMs() ?? Infinity
	const end = () => {
		signal?.removeEventListener('abort', look)
		limit.listeners.delete(look)
	}
	const look = () => {
		const isCancelled = signal?.aborted === true
		if (!isCancelled && limit.endsAt - performance.now() <= most) return
		end()
		const error = isCancelled ? cancelled() : limit.error
		run.waiters -= 1
		if (run.waiters === 0) run.controller.abort(error)
		reject(error)
	}
	signal?.addEventListener('abort', look)
	limit.listeners.add(look)
	// The work may have aborted the signal, or met the limit, while starting.
	look()
	void run.result.then(resolve, reject).finally(end)
	return promise
}

function cancelled() {
	return new CordonError('cancelled')
}
