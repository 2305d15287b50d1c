/** Messages between a command line and the console that answers it, once both have proved that they belong together. */
import {Buffer} from 'node:buffer'

import type {Channel} from '../socket/channel.ts'
import type {Invocation} from './argv.ts'

/** The most that one command may have. */
export const mostWords = 20_000

export interface Terminal {
	readonly isTTY: boolean
	readonly columns: number | null
}

/**
 * From the command line: `ask` once; then `abort` (Ctrl+C), `gone` (nobody reads the output), `input` and `inputEnd` after a
 * `pull`, and for a file `part`, `done` or `failed`. From the console: `out` and `err`, `pull`, `raw`, `read`, `write` with
 * `part` and `done`, at last `exit`.
 */
export type Kind =
	| 'ask'
	| 'abort'
	| 'gone'
	| 'input'
	| 'inputEnd'
	| 'part'
	| 'done'
	| 'failed'
	| 'out'
	| 'err'
	| 'pull'
	| 'raw'
	| 'read'
	| 'write'
	| 'exit'

/** Well below the largest message, with base64 and escapes. */
const partBytes = 1 << 16
const textPart = 1 << 15

/** Excluded: commands that open, serve or print in this process, and those with their own service and key. */
export function isAnsweredByConsole(invocation: Invocation) {
	if (invocation.kind === 'command') return invocation.globals.server === undefined
	if (invocation.kind !== 'subcommand') return false
	const {spec, globals, options} = invocation
	if (spec.name === 'connections add') return true
	if (globals.server !== undefined) return false
	if (spec.name === 'forward export') return !options.has('config')
	return !['sandbox', 'completion', 'help', 'forward', 'forward hash-password'].includes(spec.name)
}

/** Splits text without cutting a character in two. */
export function textParts(text: string): readonly string[] {
	if (text.length <= textPart) return [text]
	const parts: string[] = []
	for (let from = 0; from < text.length;) {
		const last = text.charCodeAt(from + textPart - 1)
		const until = from + textPart - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
		parts.push(text.slice(from, until))
		from = until
	}
	return parts
}

/** Sends content as `part`s, then `done`. */
export async function sendContent(channel: Channel, id: number, content: string | Uint8Array) {
	const bytes = Buffer.from(content)
	for (let from = 0; from < bytes.length; from += partBytes)
		await channel.send({kind: 'part', id, data: bytes.subarray(from, from + partBytes).toString('base64')})
	await channel.send({kind: 'done', id})
}
