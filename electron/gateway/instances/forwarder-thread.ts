/** The forwarding server in a separate thread: route and window never slow each other. */
import {Worker} from 'node:worker_threads'

import {workerUrl} from '#base/threads.ts'
import type {FromForwarder, ToForwarder} from './forwarder-messages.ts'

export type ForwarderThread = ReturnType<typeof startForwarderThread>

export interface ThreadOptions {
	onMessage: (message: FromForwarder) => void
	/** It ended unexpectedly. */
	onDeath: (error: unknown) => void
}

/** Time of a thread beyond the drain. */
const patienceMs = 700

const resourceLimits = {maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 512}

export function startForwarderThread({onMessage, onDeath}: ThreadOptions) {
	const worker = new Worker(workerUrl(import.meta.url, 'forwarder-worker', 'forwarder-worker'), {
		name: 'forwarding',
		execArgv: [],
		resourceLimits
	})
	let isLeaving = false
	let failure: unknown
	const {promise: ended, resolve} = Promise.withResolvers<void>()
	worker.on('message', (message: FromForwarder) => onMessage(message))
	worker.on('error', error => (failure = error))
	worker.on('exit', () => {
		resolve()
		if (!isLeaving) onDeath(failure)
	})
	return {
		send: (message: ToForwarder) => worker.postMessage(message),
		/** Ends it; running requests get this many milliseconds. Resolves when it has ended. */
		stop: async (drainMs: number) => {
			isLeaving = true
			worker.postMessage({kind: 'close', drainMs} satisfies ToForwarder)
			const timer = setTimeout(() => void worker.terminate(), drainMs + patienceMs)
			await ended
			clearTimeout(timer)
		}
	}
}
