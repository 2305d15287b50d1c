import {readFileSync, statSync} from 'node:fs'
import {basename} from 'node:path'

import {z} from 'zod'

import {CordonError} from '#contract/errors.ts'

const base64 = z.base64()

/** `cost` is scrypt's N; lower or absurdly high values are not ours. */
const vaultKeySchema = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('passphrase'),
		salt: base64,
		cost: z
			.int()
			.min(2 ** 15)
			.max(2 ** 20)
	}),
	z.object({kind: z.literal('key_file'), salt: base64}),
	/** `account`: its name in the key store of the operating system. */
	z.object({kind: z.literal('key_store'), salt: base64, account: z.string().min(1)})
])
export type VaultKey = z.infer<typeof vaultKeySchema>

const vaultSchema = z.object({version: z.literal(1), key: vaultKeySchema, proof: base64, entries: z.record(z.string(), base64)})
/** The file: how its key is made, a proof of the right key, and the encrypted values by name. */
export type Vault = z.infer<typeof vaultSchema>

/**
 * Reads the file whenever it is asked, and parses it only if its text is another: it holds an unlock code for each isolated
 * computer. `undefined` without a file. Throws `secret_unavailable` when it is damaged or readable by others.
 */
export function vaultReader(path: string): () => Vault | undefined {
	let known: {text: Buffer; vault: Vault} | undefined
	return () => {
		const text = readPrivate(path)
		if (text === undefined) return undefined
		if (known?.text.equals(text) !== true) known = {text, vault: parseVault(text.toString('utf8'), path)}
		return known.vault
	}
}

/** Throws `secret_unavailable` when others could read the file. */
export function readPrivate(path: string): Buffer | undefined {
	const found = statSync(path, {throwIfNoEntry: false})
	if (found === undefined) return undefined
	// Windows has no such mode; there the profile's folder belongs to the user.
	if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
		const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
		throw new CordonError('secret_unavailable', `${basename(path)} is open to other users (mode ${mode}) and was not used.`, {
			fix: `Run chmod 600 ${path}`
		})
	}
	return readFileSync(path)
}

function parseVault(text: string, path: string) {
	try {
		return vaultSchema.parse(JSON.parse(text), {jitless: true})
	} catch (error) {
		const message = `${basename(path)} is damaged or of another version; it was left as it is.`
		throw new CordonError(
			'secret_unavailable',
			message,
			{fix: `Restore ${path} from a backup, or remove it and enter the API keys again.`},
			{cause: error}
		)
	}
}
