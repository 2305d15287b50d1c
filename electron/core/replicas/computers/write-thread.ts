import {Worker} from 'node:worker_threads'

import {CordonError, errorFromReport, reportError} from '#shared/contract/errors.ts'

import type {Clock} from '#core/base/ports.ts'
import {signal, type ToWriter, type WriteAnswer, type WriterData, type WriteTask} from './write-task.ts'

/** An idle thread ends after this time, in milliseconds of real time, to free its memory. */
const idleMs = 5000
/** While more pages wait for the file, no further one is requested. */
const mostWaiting = 6

/** Pages of records pass through the thread; without a limit, V8 grows the heap instead of collecting. */
const resourceLimits = {maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128}

/** Writes in a thread of its own, in order. The thread runs while there is something to write. */
export interface WriteThread {
	/** Resolves once committed, with whether a row changed; rejects with `CordonError`. */
	write(task: WriteTask): Promise<boolean>
	room(): Promise<void>
	/** Runs a small write on this thread's own connection; the writing thread gives way. */
	first<T>(work: () => T): T
	/**
	 * Ends the thread once `last` is settled, which may still write, or when that takes too long. Unwritten tasks reject as
	 * `cancelled`.
	 */
	stop(last: Promise<void>): Promise<void>
}

interface Pending {
	readonly resolve: (changed: boolean) => void
	readonly reject: (error: CordonError) => void
}

interface Running {
	readonly worker: Worker
	readonly ended: Promise<void>
}

export interface WriteThreadOptions {
	readonly path: string
	readonly clock: Clock
	readonly patienceMs: number
}

export function makeWriteThread({path, clock, patienceMs}: WriteThreadOptions): WriteThread {
	const signals = new Int32Array(new SharedArrayBuffer(8))
	const pending = new Map<number, Pending>()
	const roomy = new Set<() => void>()
	let running: Running | undefined
	/** An idle thread that is ending. */
	let leaving = Promise.resolve()
	let idle: NodeJS.Timeout | undefined
	let stopped = false
	let lastId = 0

	const makeRoom = (): void => {
		if (pending.size >= mostWaiting) return
		for (const resolve of roomy) resolve()
		roomy.clear()
	}
	const answered = (answer: WriteAnswer): void => {
		const asked = pending.get(answer.id)
		pending.delete(answer.id)
		if ('error' in answer) asked?.reject(errorFromReport(answer.error))
		else asked?.resolve(answer.changed)
		makeRoom()
		if (pending.size === 0) idle = setTimeout(leave, idleMs).unref()
	}
	const gone = (of: Running, error: CordonError): void => {
		if (running !== of) return
		running = undefined
		for (const asked of pending.values()) asked.reject(error)
		pending.clear()
		makeRoom()
	}
	const start = (): Running => {
		const data: WriterData = {path, signals}
		const worker = new Worker(workerUrl(), {workerData: data, name: 'local data', execArgv: [], resourceLimits})
		const {promise: ended, resolve} = Promise.withResolvers<void>()
		const made: Running = {worker, ended}
		worker.on('message', answered)
		worker.on('error', error => gone(made, failure(error)))
		worker.on('exit', () => {
			gone(made, stopped ? new CordonError('cancelled') : failure(undefined))
			resolve()
		})
		return made
	}
	const send = (message: ToWriter): void => (running ??= start()).worker.postMessage(message)
	const leave = (): void => {
		if (running === undefined) return
		leaving = running.ended
		running.worker.postMessage('close' satisfies ToWriter)
		running = undefined
	}

	return {
		write: task => {
			if (stopped) return Promise.reject(new CordonError('cancelled'))
			clearTimeout(idle)
			const {promise, resolve, reject} = Promise.withResolvers<boolean>()
			lastId += 1
			pending.set(lastId, {resolve, reject})
			send({id: lastId, ahead: clock.now() - Date.now(), task})
			return promise
		},
		room: () => (pending.size < mostWaiting ? Promise.resolve() : new Promise(resolve => roomy.add(resolve))),
		first: work => {
			Atomics.add(signals, signal.waiting, 1)
			try {
				return work()
			} finally {
				Atomics.sub(signals, signal.waiting, 1)
			}
		},
		stop: async last => {
			const inTime = await endsWithin(last, patienceMs)
			stopped = true
			clearTimeout(idle)
			if (running === undefined) return leaving
			const {worker, ended} = running
			if (!inTime) Atomics.store(signals, signal.cut, 1)
			send('close')
			if (!(await endsWithin(ended, patienceMs))) await worker.terminate()
		},
	}
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
	const {promise: late, resolve} = Promise.withResolvers<false>()
	const timer = setTimeout(() => resolve(false), ms)
	const inTime = await Promise.race([work.then(() => true), late])
	clearTimeout(timer)
	return inTime
}

function failure(error: unknown): CordonError {
	const report = reportError(error)
	const reason = error instanceof Error ? error.message.replace(/\.$/, '') : 'its thread ended'
	if (report.code !== 'internal') return errorFromReport(report)
	return new CordonError('storage', `Local data cannot be written: ${reason}.`, {}, {cause: error})
}

/** From sources this file runs as it is; in the bundle the thread is a separate entry beside the others. */
function workerUrl(): URL {
	const here = import.meta.url
	if (here.endsWith('.ts')) return new URL('./worker.ts', here)
	return new URL(here.includes('/chunks/') ? '../inventory-worker.js' : './inventory-worker.js', here)
}
