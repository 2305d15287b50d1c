import type {SecretStore} from '#base/ports.ts'

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
	const store = {
		kind: 'memory',
		fail: false,
		damaged: false,
		names: () => [...kept.keys()],
		unavailable: async () => (store.fail ? 'The secret store is switched off.' : null),
		read: async (name: string) => {
			if (store.damaged) throw new Error('The secret is damaged.')
			return kept.get(name)
		},
		write: async (name: string, value: string) => void kept.set(name, value),
		remove: async (name: string) => {
			const before = kept.get(name)
			kept.delete(name)
			return async () => void (before !== undefined && kept.set(name, before))
		}
	}
	return store
}
