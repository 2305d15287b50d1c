import {createApiClient} from '../../api/client.ts'
import type {ApiClient, ClientOptions} from '../../api/types.ts'

export interface StubClients {
	create(options: ClientOptions): ApiClient
	/** What the newest client was made with. */
	last(): ClientOptions
	stopped(): number
}

/** Real clients that never call anything, and what they were made with. */
export function stubClients(): StubClients {
	const made: ClientOptions[] = []
	let stopped = 0
	return {
		create: options => {
			made.push(options)
			const client = createApiClient(options)
			return {
				...client,
				stop: async () => {
					stopped += 1
					await client.stop()
				},
			}
		},
		last: () => {
			const newest = made.at(-1)
			if (newest === undefined) throw new Error('No client was made.')
			return newest
		},
		stopped: () => stopped,
	}
}
