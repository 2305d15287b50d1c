/** Runs the incident log and the runs of a profile in a thread of their own. */
import {CordonError} from '#shared/contract/errors.ts'

import type {Ports} from '#core/base/ports.ts'
import type {RunRepository, RunStore} from '#core/engine/port.ts'
import type {LogRepository} from '#core/record/incidents/types.ts'
import type {AsyncOf} from '#core/store/async.ts'
import {openStorageThread} from '#core/store/thread.ts'

export interface StorageTask {
	readonly profile: string
	readonly operator: string
}

export interface ProfileThread {
	readonly log: AsyncOf<LogRepository>
	readonly runs: RunStore
	stop(): Promise<void>
}

const logMethods: Readonly<Record<keyof LogRepository, true>> = {
	...{append: true, appendAll: true, appendOnce: true, openChanges: true, query: true, entry: true, thread: true},
	...{newest: true, linesAfter: true, stepsOf: true, entriesAt: true, earliestAfter: true, seqsBefore: true, pins: true},
	...{setPinned: true, people: true, picture: true, about: true, matching: true, verifyPart: true, head: true},
	...{hashAt: true, incidents: true, openIncident: true, setIncidentOpen: true, stop: true},
}
const runMethods: Readonly<Record<keyof RunRepository, true>> = {
	...{apply: true, run: true, byKey: true, runs: true, steps: true, tally: true, pending: true, definition: true},
	...{draft: true, changes: true, close: true},
}

export function openProfileThread({profile, operator}: Pick<Ports, 'profile' | 'operator'>): ProfileThread {
	const data: StorageTask = {profile, operator}
	const thread = openStorageThread({url: workerUrl(), name: 'storage', data})
	return {
		log: thread.part<LogRepository>(
			'log',
			logMethods,
			reason => new CordonError('log_unavailable', `The incident log cannot be written: ${reason}.`),
		),
		runs: thread.part<RunRepository>(
			'runs',
			runMethods,
			reason => new CordonError('storage', `The state of running work cannot be stored: ${reason}.`),
		),
		stop: thread.stop,
	}
}

function workerUrl(): URL {
	const here = import.meta.url
	if (here.endsWith('.ts')) return new URL('./storage-worker.ts', here)
	return new URL(here.includes('/chunks/') ? '../storage-worker.js' : './storage-worker.js', here)
}
