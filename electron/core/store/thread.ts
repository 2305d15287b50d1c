/**
 * Repositories in a separate thread: a write, a checkpoint or the wait for another process's lock blocks no other work.
 * Repositories stay plain synchronous code; only plain values and error reports cross threads.
 */
import {Worker, type MessagePort} from 'node:worker_threads'

import {CordonError, errorFromReport, reportError, type ErrorReport, messageOf} from '#contract/errors.ts'

import type {AsyncOf} from './async.ts'
import {codeOfFault, withFaultCode} from './faults.ts'

interface Asked {
	readonly id: number
	readonly part: string
	readonly method: string
	readonly args: readonly unknown[]
}

type Answer =
	| {readonly id: number; readonly value: unknown}
	| {readonly id: number; readonly error: ErrorReport; readonly fault: number | undefined}

type ToThread = Asked | 'close'

interface ThreadOptions {
	readonly url: URL
	readonly name: string
	/** Start data of the thread. */
	readonly data: unknown
}

interface Pending {
	resolve(value: unknown): void
	reject(error: unknown): void
	readonly lost: (reason: string) => CordonError
}

interface Running {
	readonly worker: Worker
	readonly ended: Promise<void>
}

/** Entries and runs are small; the default lets a young generation grow to 128 MB. */
const resourceLimits = {maxYoungGenerationSizeMb: 8}

/** Starts with the first call, and again with the next one after an unexpected end. */
export function openStorageThread({url, name, data}: ThreadOptions) {
	const pending = new Map<number, Pending>()
	let running: Running | undefined
	let stopped = false
	let lastId = 0

	const answered = (answer: Answer) => {
		const asked = pending.get(answer.id)
		pending.delete(answer.id)
		if ('error' in answer) asked?.reject(withFaultCode(errorFromReport(answer.error), answer.fault))
		else asked?.resolve(answer.value)
	}
	const gone = (of: Running, reason: string) => {
		if (running !== of) return
		running = undefined
		for (const {reject, lost} of pending.values()) reject(lost(reason))
		pending.clear()
	}
	const start = () => {
		const worker = new Worker(url, {workerData: data, name, execArgv: [], resourceLimits})
		const {promise: ended, resolve} = Promise.withResolvers<void>()
		const made: Running = {worker, ended}
		worker.on('message', answered)
		worker.on('error', error => gone(made, messageOf(error)))
		worker.on('exit', () => {
			gone(made, 'its thread ended')
			resolve()
		})
		return made
	}
	const ask = (part: string, method: string, lost: Pending['lost'], args: readonly unknown[]) =>
		new Promise((resolve, reject) => {
			if (stopped) return reject(new CordonError('cancelled'))
			lastId += 1
			const asked: Asked = {id: lastId, part, method, args}
			running ??= start()
			// Sent before it is recorded: a value that cannot be cloned throws here.
			running.worker.postMessage(asked satisfies ToThread)
			pending.set(lastId, {resolve, reject, lost})
		})
	return {
		/** One of its repositories. `lost`: the error when the thread ends before it answers. */
		part<Repository>(of: string, methods: Readonly<Record<keyof Repository, true>>, lost: Pending['lost']) {
			const asking = Object.keys(methods).map(method => [method, (...args: readonly unknown[]) => ask(of, method, lost, args)])
			// One for each method of the type.
			return Object.fromEntries(asking) as AsyncOf<Repository>
		},
		/** Ends the thread once all calls are answered. */
		async stop() {
			stopped = true
			running?.worker.postMessage('close' satisfies ToThread)
			await running?.ended
		},
	}
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The thread's side: handles calls in order of arrival. */
export function serveRepositories(port: MessagePort, repositories: Readonly<Record<string, object>>): void {
	const answerTo = ({id, part, method, args}: Asked): Answer => {
		try {
			// `part` names only methods of that repository.
			const value = (repositories[part] as Methods)[method]?.(...args)
			return {id, value}
		} catch (error) {
			return {id, error: reportError(error), fault: codeOfFault(error)}
		}
	}
	port.on('message', (message: ToThread) => {
		if (message === 'close') port.close()
		else port.postMessage(answerTo(message))
	})
}
