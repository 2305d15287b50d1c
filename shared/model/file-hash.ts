/** A typed or pasted file hash: only SHA-256 is possible in a file list. Pure. */
import {isSha256} from './formats.ts'

type FileHash =
	| {kind: 'sha256'; value: string}
	/** `message` is a sentence that says what it is instead, and what to do. */
	| {kind: 'problem'; message: string}
	| {kind: 'nothing'}

/** SHA-256 of empty content: in a list it would block every empty file. */
export const emptyFileHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** SHA-256 of contents on almost every computer; lists of indicators contain them by mistake. */
const commonContents: Readonly<Record<string, string>> = {
	'01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b': 'a file of one line break',
	'6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d': 'a file of one zero byte'
}

/** Other hashes of the empty file, found in the same lists, so that the message can name them. */
const emptyFile: ReadonlySet<string> = new Set(['d41d8cd98f00b204e9800998ecf8427e', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'])

const lengths: Readonly<Record<number, string>> = {32: 'an MD5', 40: 'a SHA-1', 56: 'a SHA-224', 96: 'a SHA-384', 128: 'a SHA-512'}

/** Removes blanks, quotation marks and a `sha256:` prefix; the value is lower case. */
export function readFileHash(typed: string): FileHash {
	const text = typed
		.trim()
		.replaceAll(/^["'`“]+|["'`”,;]+$/g, '')
		.replace(/^sha-?256\s*[:=]\s*/i, '')
		.trim()
	if (text === '') return {kind: 'nothing'}
	return isSha256(text) ? {kind: 'sha256', value: text.toLowerCase()} : {kind: 'problem', message: notSha256(text).message}
}

interface NotSha256 {
	kind: 'md5' | 'sha1' | 'not_a_hash'
	message: string
}

/** What a text is instead of a SHA-256, and what to do, in sentences. */
export function notSha256(text: string): NotSha256 {
	const lower = text.toLowerCase()
	if (!/^[0-9a-f]+$/.test(lower)) return {kind: 'not_a_hash', message: foreignCharacter(text)}
	const other = lengths[text.length]
	if (other === undefined) return {kind: 'not_a_hash', message: wrongLength(text.length)}
	const of = emptyFile.has(lower) ? `${other} (that of the empty file)` : other
	const message = `This is ${of}. File lists hold SHA-256 only: find the SHA-256 of the same file.`
	return {kind: text.length === 32 ? 'md5' : text.length === 40 ? 'sha1' : 'not_a_hash', message}
}

function wrongLength(digits: number) {
	return `A SHA-256 has 64 digits, and these are ${digits}: something is ${digits < 64 ? 'missing' : 'too much'}.`
}

/** The meaning of a hash whose content is on almost every computer. */
export function commonContent(sha256: string): string | null {
	return commonContents[sha256.toLowerCase()] ?? null
}

/** One repeated digit, as in templates of indicators: no file has this hash. */
export function isPlaceholder(sha256: string) {
	return /^(.)\1{63}$/i.test(sha256)
}

/** A hash is recognised by its beginning: `3091e2abfb55…`. */
export function shortHash(sha256: string): string {
	return sha256.length > 13 ? `${sha256.slice(0, 12)}…` : sha256
}

function foreignCharacter(text: string) {
	const [found = ''] = /[^0-9a-f]/iu.exec(text) ?? []
	const named = /\s/.test(found) ? 'a blank' : `“${found}”`
	return `A SHA-256 has the digits 0 to 9 and a to f alone; here is ${named} among them.`
}
