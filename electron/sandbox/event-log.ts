import {connectorEventId, factDie, newestFirst, type EventBlock, type EventFact} from './tenant/facts.ts'
import type {Host} from './tenant/host.ts'
import type {Tenant} from './tenant/tenant.ts'

/** An event with its computer's group at that time. */
export interface LoggedEvent extends EventFact {
	/** Only for events since the start; before, computers were in their original group. */
	group?: number
}

/** The events of the tenant and those since the start. */
export type EventLog = ReturnType<typeof createEventLog>

interface EventHashes {
	detectionSha256?: string
	applicationSha256?: string
}

export function createEventLog(tenant: Tenant, start: number) {
	const recent: LoggedEvent[] = []
	const listeners: ((event: LoggedEvent) => void)[] = []
	let sorted: readonly LoggedEvent[] | undefined
	let byHost: ReadonlyMap<number, readonly EventFact[]> | undefined
	return {
		/** Records an event at a time in Unix milliseconds. */
		add: (host: Host, group: number, at: number, type: number, block: EventBlock = {}, hashes: EventHashes = {}) => {
			sorted = undefined
			const id = connectorEventId(factDie(tenant.seed, 'live', recent.length))
			const event = {id, at: at - start, type, host: host.index, group, frame: 'computer', block, ...hashes} as const
			recent.unshift(event)
			listeners.forEach(listener => listener(event))
		},
		/** Newest first. */
		all: () => (sorted ??= recent.length === 0 ? tenant.events() : [...newestFirst(recent), ...tenant.events()]),
		/** Only those since the start. */
		recent: () => recent,
		/** Called with each new event. */
		onAdd: (listener: (event: LoggedEvent) => void) => void listeners.push(listener),
		ofHost: (index: number) => {
			byHost ??= Map.groupBy(tenant.events(), fact => fact.host)
			return [...newestFirst(recent.filter(fact => fact.host === index)), ...(byHost.get(index) ?? [])]
		}
	}
}
