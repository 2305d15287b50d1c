import {connectionInputSchema, type Connection, type ConnectionInput} from '#model/connection.ts'
import type {World} from '#core/store/testing/world.ts'

import {createApiClient} from '../../api/client.ts'
import {testKey} from '../../api/testing/client.ts'
import type {ClientOptions} from '../../api/types.ts'
import {openConnections} from '../connections.ts'

export type StubClients = ReturnType<typeof stubClients>

/** Real clients that never call anything, and what they were made with. */
export function stubClients() {
	const made: ClientOptions[] = []
	let stopped = 0
	return {
		create: (options: ClientOptions) => {
			made.push(options)
			const client = createApiClient(options)
			return {
				...client,
				stop: async () => {
					stopped += 1
					await client.stop()
				}
			}
		},
		/** What the newest client was made with. */
		last: () => {
			const newest = made.at(-1)
			if (newest === undefined) throw new Error('No client was made.')
			return newest
		},
		stopped: () => stopped
	}
}

type Services = Parameters<typeof openConnections>[0]

export function openTestConnections(
	{clock, random}: World,
	own: Pick<Services, 'database' | 'secrets' | 'log' | 'createClient'> & Partial<Services>
) {
	return openConnections({clock, random, surface: 'screen', proxyEnvironment: {}, userAgent: 'Cordon/test', ...own})
}

export function connectionInput(change: Partial<Record<keyof ConnectionInput, unknown>> = {}) {
	return connectionInputSchema.parse({name: 'Acme', url: 'https://api.example.test', clientId: 'a1b2', apiKey: testKey, ...change})
}

/** As it is stored. */
export function connectionTo(url: string): Connection {
	return {
		...{id: 'c1', name: 'Acme', url, clientId: 'a1b2', createdAt: '', readOnly: true},
		...{insecure: false, colour: 'blue', environment: 'test', proxy: null, hasProxyLogin: false, ca: null, sandbox: false}
	}
}
