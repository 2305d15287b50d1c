import {setImmediate as pause} from 'node:timers/promises'

import {type Procedures, type RouterDependencies, today} from './dependencies.ts'

export function eventProcedures(deps: RouterDependencies): Procedures['events'] {
	const store = (connection: string) => deps.eventStores.open(connection)
	return {
		state: ({input}) => store(input.connection).state(),
		query: ({input: {connection, ...query}}) => store(connection).query(query),
		position: ({input: {connection, ...query}}) => store(connection).position(query),
		histogram: async ({input: {connection, ...query}, signal}) => {
			await othersFirst(signal)
			return store(connection).histogram(query)
		},
		facets: async ({input: {connection, ...query}, signal}) => {
			await othersFirst(signal)
			return store(connection).facets(query)
		},
		detail: async ({input: {connection, key}}) => {
			const detail = store(connection).detail(key)
			return detail && {...detail, group: await store(connection).groupWith(key)}
		},
		types: ({input}) => store(input.connection).types(),
		refresh: ({input: {connection, days}, signal}) => store(connection).refresh({days, signal}),
		export: async function* ({input: {connection, ...query}, signal}) {
			const {cut} = yield* store(connection).export(query, signal)
			return {name: `events-${cut ? 'partial-' : ''}${today(deps)}.${query.format}`, cut}
		}
	}
}

/** Counting takes ten times as long as rows: rows come first, and nothing is counted that nobody waits for. */
async function othersFirst(signal: AbortSignal | undefined) {
	await pause()
	signal?.throwIfAborted()
}
