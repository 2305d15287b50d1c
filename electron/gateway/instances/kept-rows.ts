/** Rows that the running console records of each instance, of which the newest are kept. */
import type {Database} from '#core/store/database.ts'

/** Kept of each kind per instance. */
const mostKept = 200

type KeptTable = 'instance_history' | 'instance_output' | 'instance_request'

/** Removes all but the newest of an instance; `null`: of what belongs to none. */
export function dropOlder(database: Database, table: KeptTable, instance: string | null) {
	database.run(
		`DELETE FROM ${table} WHERE instance IS $instance AND number <=
       (SELECT number FROM ${table} WHERE instance IS $instance ORDER BY number DESC LIMIT 1 OFFSET $most)`,
		{instance, most: mostKept}
	)
}

/** Entries to be written: no more per instance than are kept. */
export function createWaiting<K, T>() {
	let waiting = new Map<K, T[]>()
	return {
		add(instance: K, entry: T) {
			const known = waiting.get(instance) ?? []
			known.push(entry)
			// Only now and then: moving all of them costs more than keeping a few extra.
			waiting.set(instance, known.length >= 2 * mostKept ? known.slice(-mostKept) : known)
		},
		take(): ReadonlyMap<K, readonly T[]> {
			const all = new Map([...waiting].map(([instance, entries]) => [instance, entries.slice(-mostKept)]))
			waiting = new Map()
			return all
		}
	}
}
