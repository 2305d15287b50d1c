/** The storage thread of a profile, an entry of its own started by `profile-thread.ts`. Files open with the first call. */
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {parentPort, workerData} from 'node:worker_threads'

import {systemClock, systemRandom} from '#base/system.ts'
import {openRunRepository} from '#core/engine/sqlite.ts'
import {openSqliteLog} from '#core/record/incidents/sqlite-log.ts'
import {openDatabase} from '#core/store/database.ts'
import {serveRepositories} from '#core/store/thread.ts'
import type {StorageTask} from './profile-thread.ts'

const checkpointMs = 3000

if (parentPort !== null) {
	// `profile-thread.ts` passes exactly this.
	const {profile, operator} = workerData as StorageTask
	setInterval(() => checkpointProfile(profile), checkpointMs).unref()
	serveRepositories(parentPort, {
		log: openSqliteLog({path: join(profile, 'incidents.db'), ...{clock: systemClock, random: systemRandom, operator}}),
		runs: openRunRepository(profile)
	})
}

/** Moves what was committed into `profile.db` itself. Another time will do where it cannot be. */
function checkpointProfile(folder: string) {
	const path = join(folder, 'profile.db')
	if (!existsSync(path)) return
	try {
		const database = openDatabase(path, {synchronous: 'NORMAL'})
		database.exec('PRAGMA wal_checkpoint(PASSIVE)')
		database.close()
	} catch {
		// The journal grows until then.
	}
}
