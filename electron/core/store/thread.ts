/**
 * Repositories in a separate thread: a write, a checkpoint or the wait for another process's lock blocks no other work.
 * Repositories stay plain synchronous code; only plain values and error reports cross threads.
 */
import {Worker, type MessagePort, type WorkerOptions} from 'node:worker_threads'

import {CordonError, errorFromReport, reportError, type ErrorReport, messageOf} from '#contract/errors.ts'

import type {AsyncOf} from './async.ts'
import {codeOfFault, withFaultCode} from './faults.ts'

interface Asked {
	id: number
	part: string
	method: string
	args: readonly unknown[]
}

type Answer = {id: number; value: unknown} | {id: number; error: ErrorReport; fault: number | undefined}

type ToThread = Asked | 'close'

interface ThreadOptions {
	url: URL
	name: string
	/** Start data of the thread. */
	data: unknown
}

type Lost<Why> = (why: Why) => CordonError

type Waiting<Value> = Omit<PromiseWithResolvers<Value>, 'promise'>

interface OwnedThread<Answer, Value> {
	url: URL
	options: WorkerOptions
	answered: (answer: Answer, waiting: Waiting<Value>) => void
	/** After an order was answered or lost. */
	settled?: () => void
}

/** Starts with the first order, and again with the next one after an unexpected end. Each answer has the id of its order. */
export function ownThread<Answer extends {id: number}, Value>({url, options, answered, settled = () => {}}: OwnedThread<Answer, Value>) {
	const pending = new Map<number, Waiting<Value> & {lost: Lost<unknown>}>()
	let running: {worker: Worker; ended: Promise<void>} | undefined
	let lastId = 0

	const gone = (worker: Worker, error?: unknown) => {
		if (running?.worker !== worker) return
		running = undefined
		for (const {reject, lost} of pending.values()) reject(lost(error))
		pending.clear()
		settled()
	}
	const start = () => {
		const worker = new Worker(url, {execArgv: [], ...options})
		const {promise: ended, resolve} = Promise.withResolvers<void>()
		worker.on('message', (answer: Answer) => {
			const asked = pending.get(answer.id)
			pending.delete(answer.id)
			if (asked !== undefined) answered(answer, asked)
			settled()
		})
		worker.on('error', error => gone(worker, error))
		worker.on('exit', () => {
			gone(worker)
			resolve()
		})
		return {worker, ended}
	}
	return {
		pending: () => pending.size,
		/** `lost`: the error when the thread ends before it answers, without one of its own `undefined`. What is in `moved` is the thread's from then on. */
		ask: (order: object, lost: Lost<unknown>, moved: readonly ArrayBuffer[] = []) =>
			new Promise<Value>((resolve, reject) => {
				lastId += 1
				running ??= start()
				// Sent before it is recorded: a value that cannot be cloned throws here.
				running.worker.postMessage({...order, id: lastId}, moved)
				pending.set(lastId, {resolve, reject, lost})
			}),
		/** Ends the thread once all is answered; `undefined` without one. */
		close() {
			running?.worker.postMessage('close')
			return running
		},
		/** For one that has nothing to answer: the next order starts another. */
		leave() {
			const left = this.close()
			running = undefined
			return left
		}
	}
}

/** Entries and runs are small; the default lets a young generation grow to 128 MB. */
const resourceLimits = {maxYoungGenerationSizeMb: 8}

export function openStorageThread({url, name, data: workerData}: ThreadOptions) {
	let stopped = false
	const thread = ownThread<Answer, unknown>({
		url,
		options: {workerData, name, resourceLimits},
		answered: (answer, {resolve, reject}) =>
			'error' in answer ? reject(withFaultCode(errorFromReport(answer.error), answer.fault)) : resolve(answer.value)
	})
	const ask = (part: string, method: string, lost: Lost<string>, args: readonly unknown[]) =>
		stopped
			? Promise.reject(new CordonError('cancelled'))
			: thread.ask({part, method, args}, error => lost(error === undefined ? 'its thread ended' : messageOf(error)))
	return {
		/** One of its repositories. `lost`: the error when the thread ends before it answers. */
		part<Repository>(of: string, methods: Readonly<Record<keyof Repository, true>>, lost: Lost<string>) {
			const asking = Object.keys(methods).map(method => [method, (...args: readonly unknown[]) => ask(of, method, lost, args)])
			// One for each method of the type.
			return Object.fromEntries(asking) as AsyncOf<Repository>
		},
		/** Ends the thread once all calls are answered. */
		async stop() {
			stopped = true
			await thread.close()?.ended
		}
	}
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The thread's side: handles calls in order of arrival. */
export function serveRepositories(port: MessagePort, repositories: Readonly<Record<string, object>>) {
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
