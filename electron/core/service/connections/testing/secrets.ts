import type {SecretStore} from '#base/ports.ts'
import {memorySecrets as inMemory} from '#base/testing/ports.ts'

export interface MemorySecrets extends SecretStore {
	/** Makes the whole store unusable. */
	fail: boolean
	/** Makes every value unreadable. */
	damaged: boolean
	names(): string[]
}

/** Secrets in memory. */
export function memorySecrets(): MemorySecrets {
	const kept = new Map<string, string>()
	const secrets = inMemory(kept)
	const store = {
		...secrets,
		fail: false,
		damaged: false,
		names: () => [...kept.keys()],
		unavailable: async () => (store.fail ? 'The secret store is switched off.' : null),
		read: async (name: string) => {
			if (store.damaged) throw new Error('The secret is damaged.')
			return secrets.read(name)
		}
	}
	return store
}
