import {Worker} from 'node:worker_threads'

import {CordonError, errorFromReport, reportError} from '#shared/contract/errors.ts'

import type {EventAnswer, EventOrder, EventTask} from './write-task.ts'
import type {Written} from './writer.ts'

/** An idle thread is ended after this long, in milliseconds of real time, to free its memory. */
const idleMs = 5000

const resourceLimits = {maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192}

/** Writes in a separate thread, in order; the thread runs while there is work. */
export interface EventThread {
	/** Resolves when committed; otherwise rejects with the `CordonError`. */
	write(task: EventTask): Promise<Written>
	/** Waits this long for pending orders (ms of real time); the rest rejects as `cancelled`. */
	stop(): Promise<void>
}

interface Pending {
	readonly resolve: (written: Written) => void
	readonly reject: (error: CordonError) => void
}

interface Running {
	readonly worker: Worker
	readonly ended: Promise<void>
}

export function makeEventThread(path: string, patienceMs: number): EventThread {
	const pending = new Map<number, Pending>()
	let running: Running | undefined
	/** The end of an idle thread. */
	let leaving = Promise.resolve()
	let idle: NodeJS.Timeout | undefined
	let stopped = false
	let lastId = 0

	const answered = (answer: EventAnswer): void => {
		const asked = pending.get(answer.id)
		pending.delete(answer.id)
		if ('error' in answer) asked?.reject(errorFromReport(answer.error))
		else asked?.resolve(answer.written)
		if (pending.size === 0) idle = setTimeout(leave, idleMs).unref()
	}
	const gone = (of: Running, error: CordonError): void => {
		if (running !== of) return
		running = undefined
		for (const asked of pending.values()) asked.reject(error)
		pending.clear()
	}
	const start = (): Running => {
		const worker = new Worker(workerUrl(), {workerData: {path}, name: 'events', execArgv: [], resourceLimits})
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
	const send = (message: EventOrder | 'close'): void => (running ??= start()).worker.postMessage(message)
	const leave = (): void => {
		if (running === undefined) return
		leaving = running.ended
		running.worker.postMessage('close' satisfies EventOrder | 'close')
		running = undefined
	}

	return {
		write: task => {
			if (stopped) return Promise.reject(new CordonError('cancelled'))
			clearTimeout(idle)
			const {promise, resolve, reject} = Promise.withResolvers<Written>()
			lastId += 1
			// Sent before it is recorded: a value that cannot be cloned throws here.
			send({id: lastId, task})
			pending.set(lastId, {resolve, reject})
			return promise
		},
		stop: async () => {
			stopped = true
			clearTimeout(idle)
			if (running === undefined) return leaving
			const {worker, ended} = running
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
	return new CordonError('storage', `The store of events cannot be written: ${reason}.`, {}, {cause: error})
}

/** Sources run as they are; in the bundle the thread is a separate entry, and this file is part of another. */
function workerUrl(): URL {
	const here = import.meta.url
	if (here.endsWith('.ts')) return new URL('./worker.ts', here)
	return new URL(here.includes('/chunks/') ? '../events-worker.js' : './events-worker.js', here)
}
