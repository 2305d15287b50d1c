/**
 * Unlock codes found by earlier readings of the audit log: people write them into later comments. They are stored as digests
 * under a key from the secret store, so the cache reveals nothing.
 */
import {createHmac} from 'node:crypto'

import type {SecretStore} from '#base/ports.ts'

/** The digest of a text under the profile's key; deterministic. */
export type DigestOf = (text: string) => string

export interface KnownCode {
	readonly digest: string
	/** In UTF-16 units. */
	readonly length: number
}

const keyName = 'audit/code-key'
const keyBytes = 32
/** No longer word of a comment was written by a person. */
const longestWord = 200

export interface CodeKeyOptions {
	secrets: Pick<SecretStore, 'read' | 'write'>
	random(bytes: number): Uint8Array
}

/** Without secret storage the key belongs to this process: it knows only codes that it has read itself. */
export function createCodeDigest({secrets, random}: CodeKeyOptions): () => Promise<DigestOf> {
	const make = () => Buffer.from(random(keyBytes)).toString('base64')
	const readKey = async () => {
		const stored = await secrets.read(keyName)
		if (stored !== undefined) return stored
		const made = make()
		await secrets.write(keyName, made)
		return made
	}
	let digest: Promise<DigestOf> | undefined
	return async () => await (digest ??= readKey().catch(make).then(digestUnder))
}

function digestUnder(key: string): DigestOf {
	return text => createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('hex')
}

/** Each code within one of the texts. */
export function codesAmong(texts: readonly string[], known: readonly KnownCode[], digestOf: DigestOf): readonly string[] {
	if (known.length === 0) return []
	const digests = new Set(known.map(({digest}) => digest))
	const lengths = [...new Set(known.map(({length}) => length))]
	const words = new Set(texts.flatMap(text => text.split(/\s+/u)).filter(word => word.length <= longestWord))
	const pieces = new Set([...words].flatMap(word => lengths.flatMap(length => piecesOf(word, length))))
	return [...pieces].filter(piece => digests.has(digestOf(piece)))
}

function piecesOf(word: string, length: number) {
	return Array.from({length: Math.max(0, word.length - length + 1)}, (_, at) => word.slice(at, at + length))
}
