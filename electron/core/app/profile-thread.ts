/** Runs the incident log and the runs of a profile in a thread of their own. */
import {CordonError} from '#contract/errors.ts'

import type {Ports} from '#base/ports.ts'
import {workerUrl} from '#base/threads.ts'
import type {RunRepository, RunStore} from '#core/engine/port.ts'
import {openRunRepository} from '#core/engine/sqlite.ts'
import type {LogRepository} from '#core/record/incidents/types.ts'
import {openStorageThread} from '#core/store/thread.ts'

export interface StorageTask {
	readonly profile: string
	readonly operator: string
}

export type ProfileThread = ReturnType<typeof openProfileThread>

const logMethods: Readonly<Record<keyof LogRepository, true>> = {
	...{append: true, appendAll: true, appendOnce: true, openChanges: true, query: true, entry: true, thread: true},
	...{newest: true, linesAfter: true, stepsOf: true, entriesAt: true, earliestAfter: true, seqsBefore: true, pins: true},
	...{setPinned: true, people: true, picture: true, about: true, matching: true, verifyPart: true, head: true},
	...{hashAt: true, incidents: true, openIncident: true, setIncidentOpen: true, stop: true}
}
const runMethods: Readonly<Record<keyof RunRepository, true>> = {
	...{apply: true, run: true, runs: true, steps: true, outline: true, tally: true, pending: true, definition: true},
	...{draft: true, changes: true, close: true}
}

/** Until `shown`, runs are read in the caller's thread: starting one takes time from what is to be shown. */
export function openProfileThread({profile, operator}: Pick<Ports, 'profile' | 'operator'>, shown?: Promise<unknown>) {
	const data: StorageTask = {profile, operator}
	const thread = openStorageThread({url: workerUrl(import.meta.url, 'storage-worker', 'storage-worker'), name: 'storage', data})
	const runs = thread.part<RunRepository>(
		'runs',
		runMethods,
		reason => new CordonError('storage', `The state of running work cannot be stored: ${reason}.`)
	)
	const early = shown === undefined ? undefined : readHere(profile, runs, shown)
	return {
		log: thread.part<LogRepository>(
			'log',
			logMethods,
			reason => new CordonError('log_unavailable', `The incident log cannot be written: ${reason}.`)
		),
		runs: early?.runs ?? runs,
		stop: async () => {
			early?.stop()
			await thread.stop()
		}
	}
}

function readHere(profile: string, there: RunStore, until: Promise<unknown>) {
	let repository: RunRepository | undefined
	let isOver = false
	const stop = () => {
		isOver = true
		repository?.close()
		repository = undefined
	}
	const here = <T>(read: (repository: RunRepository) => T) => read((repository ??= openRunRepository(profile)))
	void until.then(stop)
	const runs: RunStore = {
		...there,
		runs: async query => (isOver ? there.runs(query) : here(one => one.runs(query))),
		tally: async ids => (isOver ? there.tally(ids) : here(one => one.tally(ids))),
		changes: async since => (isOver ? there.changes(since) : here(one => one.changes(since)))
	}
	return {runs, stop}
}
