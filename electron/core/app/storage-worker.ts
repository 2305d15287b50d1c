/** The storing thread of a profile. An entry of its own; `profile-thread.ts` starts it. Files are opened with the first call. */
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'

import {systemClock, systemRandom} from '#core/base/system.ts'
import {openRunRepository} from '#core/engine/sqlite.ts'
import {openSqliteLog} from '#core/record/incidents/sqlite-log.ts'
import {serveRepositories} from '#core/store/thread.ts'
import type {StorageTask} from './profile-thread.ts'

if (parentPort !== null) {
	// The starter gives exactly this.
	const {profile, operator} = workerData as StorageTask
	serveRepositories(parentPort, {
		log: openSqliteLog({path: join(profile, 'incidents.db'), ...{clock: systemClock, random: systemRandom, operator}}),
		runs: openRunRepository(profile),
	})
}
