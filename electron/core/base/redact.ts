/** What must never be shown or written down, and how it is masked: the one table for results, the incident log and the program's own log. */
import {maskedCode} from '#shared/commands/result.ts'

/** Names of secrets, in any spelling. */
const secretName = /^(?:unlock[-_]?code|api[-_]?(?:key|token)|(?:proxy[-_]?)?authorization|(?:set[-_]?)?cookie|password|passphrase|secret)$/i

const deepest = 40

/**
 * Any value with everything masked that stands under a secret's name, and each of the `secrets`
 * wherever it appears in a text. What holds no secret is not copied: a listing may have a hundred thousand records. Empty values stay, so that "there is none" remains readable.
 */
export function redact<T>(value: T, secrets: readonly string[] = []) {
	const patterns = secrets.filter(secret => secret !== '').map(occurrences)
	const text: MaskText = patterns.length === 0 ? plain => plain : plain => maskIn(plain, patterns)
	// What comes back has the form of the original: only texts differ.
	return copy(value, text, 0) as T
}

/** Masks each of the secrets in a text. */
export function redactText(text: string, secrets: readonly string[]) {
	return maskIn(text, secrets.filter(secret => secret !== '').map(occurrences))
}

const assignment = /((?:unlock[_-]?code|api[_-]?key)\s*(?:=|\s)\s*)("(?:\\.|[^"\\])*"?|'[^']*'?|`[^`]*`?|\S+)/gi

/** A typed command line without the codes in it: what may be kept as history. */
export function redactLine(line: string) {
	return line.replace(assignment, (_all, name: string) => name + maskedCode)
}

type MaskText = (text: string) => string

function copy(value: unknown, text: MaskText, depth: number): unknown {
	if (typeof value === 'string') return text(value)
	if (typeof value !== 'object' || value === null) return value
	if (depth > deepest) return '[too deep]'
	if (Array.isArray(value)) return copyList(value, text, depth)
	if (value instanceof Error) return copyError(value, text, depth)
	const prototype: unknown = Object.getPrototypeOf(value)
	return prototype === Object.prototype || prototype === null ? copyRecord(value, text, depth) : value
}

function copyList(list: readonly unknown[], text: MaskText, depth: number) {
	let changed: unknown[] | undefined
	for (let index = 0; index < list.length; index += 1) {
		const masked = copy(list[index], text, depth + 1)
		if (masked === list[index]) continue
		changed ??= [...list]
		changed[index] = masked
	}
	return changed ?? list
}

function copyRecord(record: object, text: MaskText, depth: number) {
	let changed: Record<string, unknown> | undefined
	for (const name in record) {
		const value: unknown = Reflect.get(record, name)
		const masked = field(name, value, text, depth)
		if (masked === value) continue
		changed ??= {...record}
		changed[name] = masked
	}
	return changed ?? record
}

function field(name: string, value: unknown, text: MaskText, depth: number): unknown {
	const empty = value === null || value === undefined || value === ''
	return !empty && secretName.test(name) ? maskedCode : copy(value, text, depth + 1)
}

function copyError(error: Error, text: MaskText, depth: number): unknown {
	const own = copy({...error}, text, depth + 1)
	return {...(own as object), name: error.name, message: text(error.message), stack: text(error.stack ?? '')}
}

/** Short secrets only as whole words: masking every `a` of a sentence would hide the sentence. */
function occurrences(secret: string) {
	const literal = RegExp.escape(secret)
	return secret.length < 4 ? new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu') : new RegExp(literal, 'gu')
}

function maskIn(text: string, patterns: readonly RegExp[]) {
	return patterns.reduce((masked, pattern) => masked.replace(pattern, maskedCode), text)
}
