import {CordonError} from '#contract/errors.ts'

import type {SecretStore} from '#base/ports.ts'

/** Signing keys of instances in the host's secret store. */
export type SigningKeys = ReturnType<typeof openSigningKeys>

export function openSigningKeys(secrets: SecretStore) {
	const put = async (id: string, key: string | null | undefined) => {
		if (key === null || key === undefined) await secrets.remove(nameOf(id))
		else await secrets.write(nameOf(id), key)
	}
	return {
		/** `undefined` when missing in this host's store. Throws the store's read error. */
		read: (id: string) => secrets.read(nameOf(id)),
		/** Stores the key (`null` removes, `undefined` keeps) if `work` succeeds. */
		during: async <T>(id: string, key: string | null | undefined, work: () => T) => {
			if (key === undefined) return work()
			const problem = await secrets.unavailable()
			if (problem !== null) throw new CordonError('secret_unavailable', problem, {field: 'signingKey'})
			// A damaged key can be replaced and removed like any other; only it cannot be restored.
			const before = await secrets.read(nameOf(id)).catch(() => undefined)
			await put(id, key)
			try {
				return work()
			} catch (error) {
				await put(id, before)
				throw error
			}
		}
	}
}

function nameOf(id: string) {
	return `instance/${id}/signing-key`
}
