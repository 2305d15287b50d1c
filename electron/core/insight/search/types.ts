import type {SearchGroup} from '#contract/search.ts'
import type {Indicator} from '#model/indicator.ts'

import type {Directory} from '#core/replicas/directory/directory.ts'
import type {NewestEvents} from '#core/replicas/events/newest.ts'
import type {EventStore} from '#core/replicas/events/store.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'

/** The local copies of one connection, and the log of the profile. */
export interface SearchSources {
	inventory: Pick<Inventory, 'few' | 'find' | 'groups' | 'state' | 'row'>
	events: Pick<EventStore, 'newest' | 'count' | 'detail' | 'state' | 'tellers'>
	directory: Pick<Directory, 'policies' | 'fileLists' | 'holding'>
	log: Pick<IncidentLog, 'query'>
}

/** The query, and the wanted number of hits of each kind. */
export interface Asked {
	readonly indicator: Indicator
	readonly limit: number
	/** The newest matching events. */
	readonly telling: () => NewestEvents
}

/** One source's part of the answer. */
export type Part = (sources: SearchSources, asked: Asked) => readonly SearchGroup[] | Promise<readonly SearchGroup[]>
