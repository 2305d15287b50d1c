/** The thread that builds a long list. A separate entry, started by `build-thread.ts`. */
import {parentPort, workerData} from 'node:worker_threads'

import {reportError} from '#contract/errors.ts'

import type {BuildAnswer} from './build-thread.ts'
import {build, type BuildTask} from './build.ts'

async function answer(task: BuildTask): Promise<BuildAnswer> {
	try {
		return {facts: await build(task, new AbortController().signal)}
	} catch (error) {
		return {error: reportError(error)}
	}
}

// The starter gives exactly this.
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
parentPort?.postMessage(await answer(workerData as BuildTask))
