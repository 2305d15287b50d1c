/**
 * `desktop-secrets.json`: earlier versions of the window kept their own secrets there, each encrypted by Electron. They move into
 * the vault with the window's next start; a secret removed before that is removed here too.
 */
import {readFileSync, rmSync} from 'node:fs'
import {basename, join} from 'node:path'

import {z} from 'zod'

import {writePrivate} from '#base/write-private.ts'
import {CordonError, systemCode} from '#contract/errors.ts'

const schema = z.record(z.string(), z.string())
/** Base64 by name. */
type FormerSecrets = Readonly<Record<string, string>>

export const formerPath = (folder: string): string => join(folder, 'desktop-secrets.json')

/** Throws `secret_unavailable` for a damaged file, which stays unchanged. */
export function readFormer(folder: string): FormerSecrets {
	const path = formerPath(folder)
	const text = textOf(path)
	if (text === undefined) return {}
	try {
		return schema.parse(JSON.parse(text))
	} catch (error) {
		throw new CordonError(
			'secret_unavailable',
			`${basename(path)} is damaged; it was left as it is.`,
			{fix: `Restore ${path} from a backup, or remove it and enter the API keys again.`},
			{cause: error}
		)
	}
}

/** Removes the file with its last entry. */
export async function writeFormer(folder: string, left: FormerSecrets) {
	const path = formerPath(folder)
	if (Object.keys(left).length === 0) rmSync(path, {force: true})
	else await writePrivate(path, JSON.stringify(left))
}

/** Returns a function that restores it. */
export async function dropFormer(folder: string, name: string) {
	const {[name]: dropped, ...rest} = readFormer(folder)
	if (dropped === undefined) return async () => {}
	await writeFormer(folder, rest)
	return () => writeFormer(folder, {...readFormer(folder), [name]: dropped})
}

function textOf(path: string) {
	try {
		return readFileSync(path, 'utf8')
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined
		throw error
	}
}
