/** The profile's knowledge of hashes, so that a harmless file needs a typed confirmation here as in the window. */
import {existsSync} from 'node:fs'
import {join} from 'node:path'

import {eventSource} from '#core/replicas/events/source.ts'
import {openEventStore} from '#core/replicas/events/store.ts'
import type {EventStore} from '#core/replicas/events/types.ts'
import type {KnownHashes} from '#core/actions/guards/targets.ts'
import {keptKnowledge, knownHashes} from '#core/work/list-editor/known.ts'

import type {Session} from './session.ts'

interface KnownHere {
	readonly known: KnownHashes
	stop(): Promise<void>
}

/** Opens stores at first use, and only where the console has created them. */
export function knownHere({ports, profile}: Session): KnownHere {
	const open = new Map<string, EventStore>()
	const storeOf = (connection: string): EventStore | undefined => {
		const path = join(ports.profile, 'events', `${connection}.db`)
		if (!open.has(connection) && !existsSync(path)) return undefined
		const source = eventSource(profile.connections.client(connection))
		const store = open.get(connection) ?? openEventStore({path, clock: ports.clock, source, groupNames: () => new Map()})
		open.set(connection, store)
		return store
	}
	return {
		known: (connection, hashes) => {
			const store = storeOf(connection)
			const seen = new Map(store === undefined ? [] : hashes.map(hash => [hash, store.seen(hash)] as const))
			return knownHashes(hashes, {seen, ...keptKnowledge(ports.profile, connection)})
		},
		stop: async () => {
			for (const store of open.values()) await store.stop()
		},
	}
}
