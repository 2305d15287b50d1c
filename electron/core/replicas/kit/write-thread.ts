import {type ResourceLimits, Worker} from 'node:worker_threads'

import {CordonError, type ErrorReport, errorFromReport, reportError} from '#contract/errors.ts'

import {endsWithin} from '#base/threads.ts'

/** An idle thread ends after this long, to free its memory. */
const idleMs = 5000

export type WriteAnswer<Written> =
	| {readonly id: number; readonly written: Written}
	| {readonly id: number; readonly error: ErrorReport}

interface WritingOptions {
	readonly url: URL
	readonly name: string
	readonly data: unknown
	readonly resourceLimits: ResourceLimits
	/** How long its end may take, in milliseconds of real time. */
	readonly patienceMs: number
	readonly what: string
	/** After an order was answered or lost. */
	readonly onAnswer?: () => void
}

interface Running {
	readonly worker: Worker
	readonly ended: Promise<void>
}

/** Writes in a thread of its own, in order; the thread runs while there is work. */
export function openWriting<Order extends object, Written>(options: WritingOptions) {
	const {url, name, data: workerData, resourceLimits, patienceMs, what, onAnswer = () => {}} = options
	const pending = new Map<number, PromiseWithResolvers<Written>>()
	let running: Running | undefined
	/** The end of an idle thread. */
	let leaving = Promise.resolve()
	let idle: NodeJS.Timeout | undefined
	let stopped = false
	let lastId = 0

	const answered = (answer: WriteAnswer<Written>) => {
		const asked = pending.get(answer.id)
		pending.delete(answer.id)
		if ('error' in answer) asked?.reject(errorFromReport(answer.error))
		else asked?.resolve(answer.written)
		onAnswer()
		if (pending.size === 0) idle = setTimeout(leave, idleMs).unref()
	}
	const gone = (of: Running, error: CordonError) => {
		if (running !== of) return
		running = undefined
		for (const asked of pending.values()) asked.reject(error)
		pending.clear()
		onAnswer()
	}
	const start = () => {
		const worker = new Worker(url, {workerData, name, execArgv: [], resourceLimits})
		const {promise: ended, resolve} = Promise.withResolvers<void>()
		const made: Running = {worker, ended}
		worker.on('message', answered)
		worker.on('error', error => gone(made, failure(what, error)))
		worker.on('exit', () => {
			gone(made, stopped ? new CordonError('cancelled') : failure(what, undefined))
			resolve()
		})
		return made
	}
	const leave = () => {
		if (running === undefined) return
		leaving = running.ended
		running.worker.postMessage('close')
		running = undefined
	}
	return {
		pending: () => pending.size,
		/** Resolves when committed; otherwise rejects with the `CordonError`. What is in `moved` is the thread's from then on. */
		write: (order: Order, moved: readonly ArrayBuffer[] = []) => {
			if (stopped) return Promise.reject(new CordonError('cancelled'))
			clearTimeout(idle)
			const asked = Promise.withResolvers<Written>()
			lastId += 1
			// Sent before it is recorded: a value that cannot be cloned throws here.
			;(running ??= start()).worker.postMessage({...order, id: lastId}, moved)
			pending.set(lastId, asked)
			return asked.promise
		},
		/** Waits for pending orders; the rest rejects as `cancelled`. */
		stop: async () => {
			stopped = true
			clearTimeout(idle)
			if (running === undefined) return leaving
			const {worker, ended} = running
			worker.postMessage('close')
			if (!(await endsWithin(ended, patienceMs))) await worker.terminate()
		},
	}
}

function failure(what: string, error: unknown) {
	const report = reportError(error)
	const reason = error instanceof Error ? error.message.replace(/\.$/, '') : 'its thread ended'
	if (report.code !== 'internal') return errorFromReport(report)
	return new CordonError('storage', `${what} cannot be written: ${reason}.`, {}, {cause: error})
}
