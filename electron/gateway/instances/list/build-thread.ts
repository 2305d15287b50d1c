/** Builds long lists in a separate thread: the console continues, and the memory is limited. */
import {Worker} from 'node:worker_threads'

import {CordonError, errorFromReport, type ErrorReport} from '#contract/errors.ts'

import {workerUrl} from '#base/threads.ts'

import {build, type BuildFacts, type BuildTask} from './build.ts'

export type BuildAnswer = {facts: BuildFacts} | {error: ErrorReport}

/** Below this size of sources a build takes less time than the start of a thread. */
const smallBytes = 1_000_000
/** Lines are short-lived; without a limit, V8 takes memory instead of collecting garbage. */
const resourceLimits = {maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64}

/** Like `build`. Rejects with the signal's reason when it is aborted. */
export function buildInThread(task: BuildTask, signal: AbortSignal) {
	const size = task.sources.reduce((sum, source) => sum + source.size, 0)
	return size < smallBytes ? build(task, signal) : inThread(task, signal)
}

async function inThread(task: BuildTask, signal: AbortSignal) {
	signal.throwIfAborted()
	const {promise, resolve, reject} = Promise.withResolvers<BuildFacts>()
	const worker = new Worker(workerUrl(import.meta.url, 'build-worker', 'list-worker'), {
		workerData: task,
		name: 'list',
		execArgv: [],
		resourceLimits
	})
	const abort = () => reject(signal.reason)
	signal.addEventListener('abort', abort, {once: true})
	worker.on('message', (answer: BuildAnswer) => {
		if ('error' in answer) reject(errorFromReport(answer.error))
		else resolve(answer.facts)
	})
	worker.on('error', cause => reject(new CordonError('internal', undefined, {}, {cause})))
	worker.on('exit', () => reject(new CordonError('internal', 'The list was not rebuilt: its thread ended.')))
	try {
		return await promise
	} finally {
		signal.removeEventListener('abort', abort)
		// It must have ended before its folder is removed.
		await worker.terminate()
	}
}
