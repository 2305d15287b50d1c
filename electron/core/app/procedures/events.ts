import {setImmediate as pause} from 'node:timers/promises'

import type {EventStore} from '#core/replicas/events/types.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function eventProcedures(os: Implementer, deps: RouterDependencies) {
	const routes = os.events
	const store = (connection: string): EventStore => deps.eventStores.open(connection)
	return {
		state: routes.state.handler(({input}) => store(input.connection).state()),
		query: routes.query.handler(({input: {connection, ...query}}) => store(connection).query(query)),
		position: routes.position.handler(({input: {connection, ...query}}) => store(connection).position(query)),
		histogram: routes.histogram.handler(async ({input: {connection, ...query}, signal}) => {
			await othersFirst(signal)
			return store(connection).histogram(query)
		}),
		facets: routes.facets.handler(async ({input: {connection, ...query}, signal}) => {
			await othersFirst(signal)
			return store(connection).facets(query)
		}),
		detail: routes.detail.handler(({input}) => store(input.connection).detail(input.key)),
		types: routes.types.handler(({input}) => store(input.connection).types()),
		refresh: routes.refresh.handler(({input: {connection, days}, signal}) => store(connection).refresh({days, signal})),
		export: routes.export.handler(async ({input: {connection, ...query}, signal}) => {
			const {text, cut} = await store(connection).export(query, signal)
			const day = new Date(deps.ports.clock.now()).toISOString().slice(0, 10)
			const mediaType = query.format === 'csv' ? 'text/csv' : 'application/jsonl'
			return {name: `events-${day}.${query.format}`, mediaType, text, cut}
		}),
	}
}

/** Counting takes ten times as long as rows: rows come first, and nothing is counted that nobody waits for. */
async function othersFirst(signal: AbortSignal | undefined): Promise<void> {
	await pause()
	signal?.throwIfAborted()
}
