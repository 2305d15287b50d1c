import {createORPCClient} from '@orpc/client'
import {createTanstackQueryUtils} from '@orpc/tanstack-query'
import {QueryClient} from '@tanstack/react-query'

import {startLive} from './live.ts'
import {createStale} from './stale.ts'
import type {Wire, Client} from './wire.ts'

export type Api = ReturnType<typeof createApi>

export function createApi(wire: Wire) {
	const client: Client = createORPCClient(wire.link)
	const queries = kept(createTanstackQueryUtils(client))
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
		}
	}
}

/** The library builds its path proxies anew on each access, and every render reads dozens. */
export function kept<T extends object>(made: T) {
	const words = new Map<PropertyKey, unknown>()
	const read = (name: PropertyKey) => {
		const value: unknown = Reflect.get(made, name)
		return (typeof value === 'object' && value !== null) || typeof value === 'function' ? kept(value) : value
	}
	return new Proxy(made, {
		get: (_made, name) => {
			if (!words.has(name)) words.set(name, read(name))
			return words.get(name)
		}
	})
}

function createCache() {
	return new QueryClient({
		defaultOptions: {
			// The host is on this machine and the live stream reports changes: no polling, no retries.
			queries: {
				staleTime: Infinity,
				gcTime: 120_000,
				retry: false,
				networkMode: 'always',
				refetchOnWindowFocus: false,
				refetchOnReconnect: false
			},
			mutations: {retry: false, networkMode: 'always'}
		}
	})
}
