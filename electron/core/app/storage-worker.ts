/** The storage thread of a profile, an entry of its own started by `profile-thread.ts`. Files open with the first call. */
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'

import {systemClock, systemRandom} from '#core/base/system.ts'
import {openRunRepository} from '#core/engine/sqlite.ts'
import {openSqliteLog} from '#core/record/incidents/sqlite-log.ts'
import {serveRepositories} from '#core/store/thread.ts'
import type {StorageTask} from './profile-thread.ts'

if (parentPort !== null) {
	// `profile-thread.ts` passes exactly this.
	const {profile, operator} = workerData as StorageTask
	serveRepositories(parentPort, {
		log: openSqliteLog({path: join(profile, 'incidents.db'), ...{clock: systemClock, random: systemRandom, operator}}),
		runs: openRunRepository(profile),
	})
}
