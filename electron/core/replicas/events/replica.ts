/** The store of events as a replica. */
import type {Clock} from '#base/ports.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Inventories} from '../computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {currentClient, makeReplica, type Replica, type RefreshSpec, type ReplicaHost} from '../kit/replica.ts'
import {eventSource} from './source.ts'
import {openEventStore, type EventStore} from './store.ts'

export type EventStores = Replica<EventStore>

interface EventStoresHost extends ReplicaHost {
	inventories: Pick<Inventories, 'open'>
	/** How many events each store keeps. */
	keptEvents: () => number
}

/** While less than this part of the API limit is left, it is reserved for operators. */
const leastLeft = 0.25

export const keptFresh: RefreshSpec<EventStore> = {
	everyMs: 300_000,
	// Computers come first.
	startMs: 3000,
	freshAt: store => {
		const {readAt, phase} = store.state()
		return phase === 'complete' ? readAt : null
	},
	affords,
	run: (store, signal) => store.refresh({signal}),
	trouble: 'New events were not read.'
}

export function eventsReplica(host: EventStoresHost): EventStores {
	const {clock, connections, inventories, keptEvents} = host
	return makeReplica<EventStore>(host, {
		kind: 'events',
		open: ({connection, path, changed}) => {
			const source = eventSource(currentClient(connections, connection))
			const groupNames = () => namesOf(inventories, connection)
			const mayGoOn = (signal: AbortSignal) => firstLoadEnds(inventories.open(connection), clock, signal)
			const store = openEventStore({path, clock, source, keptEvents, groupNames, mayGoOn})
			store.onChange(() => changed())
			return store
		},
		revision: store => store.state().revision,
		records: store => store.state().stored,
		refresh: keptFresh
	})
}

/** How often the first load of computers is looked at. */
const lookEveryMs = 500

/** Computers come first: an event's row names its computer and its group. */
export async function firstLoadEnds(inventory: Pick<Inventory, 'state'>, clock: Clock, signal: AbortSignal) {
	for (;;) {
		const {phase, completeAt} = inventory.state()
		if (phase !== 'loading' || completeAt !== null) return
		await clock.sleep(lookEveryMs, signal)
	}
}

function affords(client: ApiClient, now: number) {
	const quota = client.quota()
	if (quota === null || Date.parse(quota.resetAt) <= now) return true
	return quota.waitingUntil === null && quota.remaining - quota.reserve > quota.limit * leastLeft
}

function namesOf(inventories: Pick<Inventories, 'open'>, connection: string) {
	const groups = inventories.open(connection).groups()
	return new Map(groups.map(({guid, name}) => [guid.toLowerCase(), name]))
}
