import {safeStorage} from 'electron'

import type {Decryption} from './former-secrets.ts'

/** What earlier versions of the window encrypted with. Call when the application is ready. */
export function electronDecryption(): Decryption {
	return {
		isAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
		decrypt: async encrypted => (await safeStorage.decryptStringAsync(encrypted)).result
	}
}
