import {CordonError} from '#contract/errors.ts'

/** One piece of work at a time, shared by all callers that ask while it runs. */
export interface Shared<T> {
	/** Starts the work or joins it. A signal ends only the caller's wait; the work ends with its last waiter. */
	join(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T>
	running(): boolean
	stop(): Promise<void>
}

interface Run<T> {
	result: Promise<T>
	controller: AbortController
	waiters: number
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
		const result = finish()
		// All waiters may have left before it fails.
		result.catch(() => {})
		return {result, controller, waiters: 0}
	}

	return {
		join: async (work, signal) => {
			if (signal?.aborted === true) throw cancelled()
			// A new caller needs a result, so it waits until aborted work has ended.
			while (current?.controller.signal.aborted === true) await current.result.catch(() => {})
			if (stopped) throw cancelled()
			const run = (current ??= start(work))
			run.waiters += 1
			return signal === undefined ? run.result : waitFor(run, signal)
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
		stop: async () => {
			stopped = true
			await Promise.all([...known.values()].map(shared => shared.stop()))
		}
	}
}

function waitFor<T>(run: Run<T>, signal: AbortSignal) {
	const {promise, resolve, reject} = Promise.withResolvers<T>()
	const leave = () => {
		run.waiters -= 1
		if (run.waiters === 0) run.controller.abort(cancelled())
		reject(cancelled())
	}
	// The work may have aborted the signal while starting.
	if (signal.aborted) leave()
	else signal.addEventListener('abort', leave, {once: true})
	void run.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
	return promise
}

function cancelled() {
	return new CordonError('cancelled')
}
