import {createApiClient} from '../../api/client.ts'
import type {ClientOptions} from '../../api/types.ts'

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
