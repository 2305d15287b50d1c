import type {ResourceLimits} from 'node:worker_threads'

import {CordonError, type ErrorReport, errorFromReport, reportError} from '#contract/errors.ts'

import {endsWithin} from '#base/threads.ts'
import {ownThread} from '#core/store/thread.ts'

/** An idle thread ends after this long, to free its memory. */
const idleMs = 5000

export type WriteAnswer<Written> = {id: number; written: Written} | {id: number; error: ErrorReport}

interface WritingOptions {
	url: URL
	name: string
	data: unknown
	resourceLimits: ResourceLimits
	/** How long its end may take, in milliseconds of real time. */
	patienceMs: number
	what: string
	/** After an order was answered or lost. */
	onAnswer?: () => void
}

/** Writes in a thread of its own, in order; the thread runs while there is work. */
export function openWriting<Order extends object, Written>(options: WritingOptions) {
	const {url, name, data: workerData, resourceLimits, patienceMs, what, onAnswer = () => {}} = options
	/** The end of an idle thread. */
	let leaving = Promise.resolve()
	let idle: NodeJS.Timeout | undefined
	let stopped = false
	const thread = ownThread<WriteAnswer<Written>, Written>({
		url,
		options: {workerData, name, resourceLimits},
		answered: (answer, {resolve, reject}) => ('error' in answer ? reject(errorFromReport(answer.error)) : resolve(answer.written)),
		settled: () => {
			onAnswer()
			clearTimeout(idle)
			if (thread.pending() === 0) idle = setTimeout(leave, idleMs).unref()
		}
	})
	const leave = () => void (leaving = thread.leave()?.ended ?? leaving)
	const lost = (error: unknown) => (stopped && error === undefined ? new CordonError('cancelled') : failure(what, error))
	return {
		pending: thread.pending,
		/** Resolves when committed; otherwise rejects with the `CordonError`. What is in `moved` is the thread's from then on. */
		write: (order: Order, moved: readonly ArrayBuffer[] = []) => {
			if (stopped) return Promise.reject(new CordonError('cancelled'))
			clearTimeout(idle)
			return thread.ask(order, lost, moved)
		},
		/** Waits for pending orders; the rest rejects as `cancelled`. */
		stop: async () => {
			stopped = true
			clearTimeout(idle)
			const closing = thread.close()
			if (closing === undefined) return leaving
			if (!(await endsWithin(closing.ended, patienceMs))) await closing.worker.terminate()
		}
	}
}

function failure(what: string, error: unknown) {
	const report = reportError(error)
	const reason = error instanceof Error ? error.message.replace(/\.$/, '') : 'its thread ended'
	if (report.code !== 'internal') return errorFromReport(report)
	return new CordonError('storage', `${what} cannot be written: ${reason}.`, {}, {cause: error})
}
