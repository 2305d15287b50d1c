/** The last finished requests, recorded by the running console for other processes on the profile. */
import type {RequestEntry} from '#contract/instances.ts'

import type {Database} from '#core/store/database.ts'
import type {Told} from './followers.ts'
import {dropOlder} from './kept-rows.ts'

/** Oldest first. Skips instances removed meanwhile. */
export function addRequests(database: Database, told: readonly Told[]) {
	if (told.length === 0) return
	database.transaction(() => {
		for (const [instance = null, entry] of told)
			database.run(
				`INSERT INTO instance_request (instance, entry)
         SELECT $instance, $entry WHERE $instance IS NULL OR EXISTS (SELECT 1 FROM instance WHERE id = $instance)`,
				{instance, entry: JSON.stringify(entry)}
			)
		for (const instance of new Set(told.map(([id = null]) => id))) dropOlder(database, 'instance_request', instance)
	})
}

/** Newest first; without `instance` of all instances, and of none. */
export function requestsOf(database: Database, instance: string | undefined, limit: number): readonly RequestEntry[] {
	const rows = database.all<{entry: string}>(
		`SELECT entry FROM instance_request WHERE $instance IS NULL OR instance = $instance
     ORDER BY number DESC LIMIT $limit`,
		{instance: instance ?? null, limit}
	)
	// Written by `addRequests`.
	return rows.map(({entry}) => JSON.parse(entry) as RequestEntry)
}
