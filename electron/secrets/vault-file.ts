import {closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync} from 'node:fs'
import {basename, dirname} from 'node:path'

import {z} from 'zod'

import {CordonError} from '#shared/contract/errors.ts'

const base64 = z.base64()

/** `cost` is scrypt's N; lower or absurdly high values are not ours. */
const vaultKeySchema = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('passphrase'),
		salt: base64,
		cost: z
			.int()
			.min(2 ** 15)
			.max(2 ** 20),
	}),
	z.object({kind: z.literal('key_file'), salt: base64}),
	/** `account`: its name in the key store of the operating system. */
	z.object({kind: z.literal('key_store'), salt: base64, account: z.string().min(1)}),
])
export type VaultKey = z.infer<typeof vaultKeySchema>

const vaultSchema = z.object({version: z.literal(1), key: vaultKeySchema, proof: base64, entries: z.record(z.string(), base64)})
/** The file: how its key is made, a proof of the right key, and the encrypted values by name. */
export type Vault = z.infer<typeof vaultSchema>

/** `undefined` without a file. Throws `secret_unavailable` when it is damaged or readable by others. */
export function readVault(path: string): Vault | undefined {
	const text = readPrivate(path)
	return text === undefined ? undefined : parseVault(text.toString('utf8'), path)
}

/** Replaces the whole file; after a crash either the old or the new one exists. */
export function writeVault(path: string, vault: Vault): void {
	writePrivate(path, `${JSON.stringify(vault, undefined, 1)}\n`)
}

/** Throws `secret_unavailable` when others could read the file. */
export function readPrivate(path: string): Buffer | undefined {
	const found = statSync(path, {throwIfNoEntry: false})
	if (found === undefined) return undefined
	// Windows has no such mode; there the profile's folder belongs to the user.
	if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
		const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
		throw new CordonError('secret_unavailable', `${basename(path)} is open to other users (mode ${mode}) and was not used.`, {
			fix: `Run chmod 600 ${path}`,
		})
	}
	return readFileSync(path)
}

export function writePrivate(path: string, content: string): void {
	const draft = `${path}.${process.pid}.new`
	rmSync(draft, {force: true})
	try {
		writeFlushed(draft, content)
		renameSync(draft, path)
	} finally {
		rmSync(draft, {force: true})
	}
	flushFolder(dirname(path))
}

function writeFlushed(path: string, content: string): void {
	const file = openSync(path, 'wx', 0o600)
	try {
		const bytes = Buffer.from(content)
		for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
		fsyncSync(file)
	} finally {
		closeSync(file)
	}
}

/** Makes the new name survive a power cut. Windows cannot open a folder for that. */
function flushFolder(folder: string): void {
	if (process.platform === 'win32') return
	const handle = openSync(folder, 'r')
	try {
		fsyncSync(handle)
	} finally {
		closeSync(handle)
	}
}

function parseVault(text: string, path: string): Vault {
	try {
		return vaultSchema.parse(JSON.parse(text), {jitless: true})
	} catch (error) {
		const message = `${basename(path)} is damaged or of another version; it was left as it is.`
		throw new CordonError(
			'secret_unavailable',
			message,
			{fix: `Restore ${path} from a backup, or remove it and enter the API keys again.`},
			{cause: error},
		)
	}
}
