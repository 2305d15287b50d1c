/** The profile's knowledge of hashes, so that a harmless file needs a typed confirmation here as in the window. */
import {existsSync} from 'node:fs'

import {keptKnowledge, knownHashes} from '#core/work/list-editor/known.ts'

import {eventsPath, eventStores} from './event-stores.ts'
import type {Session} from './session.ts'

/** Opens stores at first use, and only where the console has created them. */
export function knownHere(session: Session) {
	const {profile} = session.ports
	const stores = eventStores(session)
	return {
		known: (connection: string, hashes: readonly string[]) => {
			const store = existsSync(eventsPath(profile, connection)) ? stores.open(connection) : undefined
			return knownHashes(hashes, {seen: store?.seen(hashes) ?? new Map(), ...keptKnowledge(profile, connection)})
		},
		stop: stores.stop
	}
}
