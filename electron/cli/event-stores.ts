import {join} from 'node:path'

import {eventSource} from '#core/replicas/events/source.ts'
import {openEventStore, type EventStore} from '#core/replicas/events/store.ts'

import type {Session, SubRun} from './session.ts'

export function eventsPath(profile: string, connection: string) {
	return join(profile, 'events', `${connection}.db`)
}

/** Opened at first use. */
export function eventStores({ports, profile}: Session) {
	const {connections, settings} = profile
	const stores = new Map<string, EventStore>()
	const open = (connection: string) => {
		const store =
			stores.get(connection) ??
			openEventStore({
				path: eventsPath(ports.profile, connection),
				clock: ports.clock,
				source: eventSource(connections.client(connection)),
				groupNames: () => new Map(),
				keptEvents: () => settings.get().keptEvents
			})
		stores.set(connection, store)
		return store
	}
	return {
		open,
		stop: async () => {
			for (const store of stores.values()) await store.stop()
		}
	}
}

/** What streams and targets are opened with. */
function partsFor({session: {ports, profile}, output}: SubRun, events: (connection: string) => EventStore) {
	const {connections, database, log} = profile
	const {clock, secrets} = ports
	return {
		...{clock, secrets, connections, database, log, events, profile: ports.profile, surface: 'cli' as const},
		random: (bytes: number) => ports.random(bytes),
		onTrouble: (message: string) => output.say(message)
	}
}

/** A console works by itself and continues when this command ends; what is opened here stops with it. */
export async function withEvents<Service extends {stop(): Promise<void>}>(
	run: SubRun,
	own: Service | undefined,
	open: (parts: ReturnType<typeof partsFor>) => Service,
	work: (service: Service) => number | Promise<number>
) {
	const stores = eventStores(run.session)
	const service = own ?? open(partsFor(run, stores.open))
	try {
		return await work(service)
	} finally {
		if (own === undefined) await service.stop()
		await stores.stop()
	}
}
