/**
 * The operating system's key store holds one key for each profile: the Secret Service on Linux, Keychain on macOS, Credential
 * Manager on Windows. 44 characters fit all of them, even the 2,560 bytes of Windows. The kernel's own keyring is never used,
 * because a restart of the computer empties it.
 */
import type {AsyncEntry} from '@napi-rs/keyring'

import {CordonError, messageOf} from '#contract/errors.ts'

export type KeyStore = ReturnType<typeof keyStoreOver>

/** `undefined` without a key store, such as in a shell without a session bus. Called once per process. */
export type OpenKeyStore = () => Promise<KeyStore | undefined>

const service = 'cordon'
/** A person may have to type the password that unlocks it. */
const patienceMs = 120_000

const names: Readonly<Record<string, string>> = {
	linux: 'Secret Service of the desktop (GNOME Keyring, KWallet)',
	darwin: 'Keychain',
	win32: 'Credential Manager'
}

/** `setting`: `CORDON_KEY_STORE` of the environment. `off`: new profiles store their key in a file. */
export function systemKeyStore(platform: string, setting: string | undefined): OpenKeyStore {
	let opened: Promise<KeyStore | undefined> | undefined
	return () => (opened ??= setting === 'off' ? Promise.resolve(undefined) : open(platform))
}

async function open(platform: string) {
	const name = names[platform]
	if (name === undefined) return undefined
	try {
		const keyring = await import('@napi-rs/keyring')
		const entry = (account: string) => new keyring.AsyncEntry(service, account, {linux: {store: 'secret-service'}})
		// The constructor throws without a key store.
		entry('probe')
		return keyStoreOver(name, entry)
	} catch {
		return undefined
	}
}

function keyStoreOver(name: string, entry: (account: string) => AsyncEntry) {
	const asked = async <Answer>(work: (signal: AbortSignal) => Promise<Answer>) => {
		try {
			return await work(AbortSignal.timeout(patienceMs))
		} catch (error) {
			throw locked(name, error)
		}
	}
	return {
		/** For people. */
		name,
		/** `undefined`: no such key. Rejects with `secret_unavailable` when the store is locked or does not answer. */
		read: async (account: string) => (await asked(signal => entry(account).getPassword(signal))) ?? undefined,
		/** Whether it took the key: a session whose keyring was never set up has no place for one. */
		write: (account: string, key: string) =>
			asked(signal =>
				entry(account)
					.setPassword(key, signal)
					.then(() => true, hasPlace)
			),
		remove: async (account: string) => void (await asked(signal => entry(account).deleteCredential(signal)))
	}
}

/** Where there is no default keyring, nothing can be unlocked. */
function hasPlace(error: unknown) {
	if (messageOf(error).endsWith('no result found')) return false
	throw error
}

function locked(name: string, error: unknown) {
	const reason = messageOf(error).replace(/\.$/, '')
	return new CordonError(
		'secret_unavailable',
		`The ${name} is locked or does not answer: ${reason}. Nothing was changed.`,
		{fix: 'Unlock it, then try again.'},
		{cause: error}
	)
}
