import type {ApiClient} from '../api/types.ts'
import type {Stored} from './rows.ts'

/** One client per connection, made on first use and recreated when the connection changed, whoever changed it. */
export type Clients = ReturnType<typeof createClients>

export function createClients(make: (stored: Stored) => ApiClient) {
	const made = new Map<string, {revision: string; client: ApiClient}>()
	const leaving = new Set<ApiClient>()
	let stopped = false

	const drop = (id: string) => {
		const old = made.get(id)?.client
		made.delete(id)
		if (old === undefined) return
		leaving.add(old)
		const left = () => leaving.delete(old)
		old.stop('after_changes').then(left, left)
	}

	return {
		of: (stored: Stored) => {
			const {id} = stored.connection
			const known = made.get(id)
			if (known?.revision === stored.revision) return known.client
			drop(id)
			const client = make(stored)
			made.set(id, {revision: stored.revision, client})
			// Who asks this late gets one that refuses, not one that nobody closes.
			if (stopped) void client.stop()
			return client
		},
		/** What was sent over the old client still gets its answer. */
		drop,
		/** Ends every client at once, also those that were dropped and wait for an answer. */
		stop: async () => {
			stopped = true
			const all = [...leaving, ...[...made.values()].map(({client}) => client)]
			await Promise.allSettled(all.map(client => client.stop()))
		}
	}
}
