import {createORPCClient} from '@orpc/client'
import {createTanstackQueryUtils} from '@orpc/tanstack-query'
import {QueryClient} from '@tanstack/react-query'

import {startLive, type Live} from './live.ts'
import {createStale} from './stale.ts'
import type {Wire, Client, Queries} from './wire.ts'

export interface Api {
	readonly wire: Wire
	readonly client: Client
	readonly queries: Queries
	readonly cache: QueryClient
	readonly live: Live
	close(): void
}

/** Everything that the page knows of its host, over one wire. */
export function createApi(wire: Wire): Api {
	const client: Client = createORPCClient(wire.link)
	const queries = createTanstackQueryUtils(client)
	const cache = createCache()
	const live = startLive(wire, client, createStale(cache, queries))
	return {
		wire,
		client,
		queries,
		cache,
		live,
		close() {
			live.stop()
			cache.clear()
			wire.close()
		},
	}
}

function createCache(): QueryClient {
	return new QueryClient({
		defaultOptions: {
			// The live stream says when something changed, and the host is on this machine: no polling, no retries, no guesses.
			queries: {
				staleTime: Infinity,
				gcTime: 120_000,
				retry: false,
				networkMode: 'always',
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
			},
			mutations: {retry: false, networkMode: 'always'},
		},
	})
}
