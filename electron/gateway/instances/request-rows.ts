/** The last finished requests, recorded by the running console for other processes on the profile. */
import type {RequestEntry} from '#contract/instances.ts'

import type {Database} from '#core/store/database.ts'
import type {Told} from './followers.ts'

/** Requests kept per instance, and of requests without one. */
const mostRequests = 200

/** Oldest first. Skips instances removed meanwhile. */
export function addRequests(database: Database, told: readonly Told[]): void {
	if (told.length === 0) return
	database.transaction(() => {
		for (const [instance = null, entry] of told)
			database.run(
				`INSERT INTO instance_request (instance, entry)
         SELECT $instance, $entry WHERE $instance IS NULL OR EXISTS (SELECT 1 FROM instance WHERE id = $instance)`,
				{instance, entry: JSON.stringify(entry)},
			)
		for (const instance of new Set(told.map(([id = null]) => id)))
			database.run(
				`DELETE FROM instance_request WHERE instance IS $instance AND number <=
           (SELECT number FROM instance_request WHERE instance IS $instance ORDER BY number DESC LIMIT 1 OFFSET $most)`,
				{instance, most: mostRequests},
			)
	})
}

/** Newest first; without `instance` of all instances, and of none. */
export function requestsOf(database: Database, instance: string | undefined, limit: number): readonly RequestEntry[] {
	const rows = database.all<{entry: string}>(
		`SELECT entry FROM instance_request WHERE $instance IS NULL OR instance = $instance
     ORDER BY number DESC LIMIT $limit`,
		{instance: instance ?? null, limit},
	)
	// Written by `addRequests`.
	return rows.map(({entry}) => JSON.parse(entry) as RequestEntry)
}

/** Requests to be written: no more per instance than are kept. */
export function waitingRequests() {
	const waiting = new Map<string | undefined, Told[]>()
	return {
		add(told: readonly Told[]) {
			for (const one of told) {
				const known = waiting.get(one[0]) ?? []
				known.push(one)
				// Only now and then: moving all of them costs more than keeping a few extra.
				waiting.set(one[0], known.length >= 2 * mostRequests ? known.slice(-mostRequests) : known)
			}
		},
		take(): readonly Told[] {
			const all = [...waiting.values()].flatMap(told => told.slice(-mostRequests))
			waiting.clear()
			return all
		},
	}
}
