/**
 * `desktop-secrets.json`: where earlier versions of the window kept secrets of their own, each encrypted by Electron. They move into
 * the vault with the window's next start, and what is removed before that is removed here too.
 */
import {readFileSync, rmSync} from 'node:fs'
import {basename, join} from 'node:path'

import {z} from 'zod'

import {CordonError} from '#shared/contract/errors.ts'

import {writePrivate} from './vault-file.ts'

const schema = z.record(z.string(), z.string())
/** Base64 by name. */
export type FormerSecrets = Readonly<Record<string, string>>

export const formerPath = (folder: string): string => join(folder, 'desktop-secrets.json')

/** Throws `secret_unavailable` when the file is damaged; it stays as it is. */
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
			{cause: error},
		)
	}
}

/** Without any left the file goes. */
export function writeFormer(folder: string, left: FormerSecrets): void {
	const path = formerPath(folder)
	if (Object.keys(left).length === 0) rmSync(path, {force: true})
	else writePrivate(path, JSON.stringify(left))
}

/** Returns the way to put it back. */
export function dropFormer(folder: string, name: string): () => void {
	const {[name]: dropped, ...rest} = readFormer(folder)
	if (dropped === undefined) return () => undefined
	writeFormer(folder, rest)
	return () => writeFormer(folder, {...readFormer(folder), [name]: dropped})
}

function textOf(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8')
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
		throw error
	}
}
