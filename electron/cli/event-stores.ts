import {join} from 'node:path'

import {eventSource} from '#core/replicas/events/source.ts'
import {openEventStore} from '#core/replicas/events/store.ts'
import type {EventStore} from '#core/replicas/events/types.ts'

import type {Session} from './session.ts'

export function eventStores({ports, profile}: Session) {
	const {connections, settings} = profile
	const stores = new Map<string, EventStore>()
	const open = (connection: string): EventStore => {
		const store =
			stores.get(connection) ??
			openEventStore({
				path: join(ports.profile, 'events', `${connection}.db`),
				clock: ports.clock,
				source: eventSource(connections.client(connection)),
				groupNames: () => new Map(),
				keptEvents: () => settings.get().keptEvents,
			})
		stores.set(connection, store)
		return store
	}
	return {
		open,
		stop: async () => {
			for (const store of stores.values()) await store.stop()
		},
	}
}
