/** For tests only: finds a secret in a program's output and files, in any encoding. */
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** A place that must not contain secrets: a file, a frame of the wire, a process's output. */
export interface Place {
	name: string
	content: string | Buffer
}

/** `place: form` of each finding, without the secrets themselves. */
export function tracesOf(secrets: string[], places: Place[]): string[] {
	const forms = secrets.flatMap((secret, index) => formsOf(secret).map(form => ({...form, which: index})))
	return places.flatMap(({name, content}) => {
		const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
		const found = forms.filter(({text}) => bytes.includes(text, 0, 'latin1'))
		return found.map(({kind, which}) => `${name}: secret ${which} as ${kind}`)
	})
}

/** Every file below a folder as raw bytes, including databases with their write-ahead logs. */
export function filesBelow(folder: string): Place[] {
	const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
	return entries.flatMap(entry => {
		const path = join(entry.parentPath, entry.name)
		const content = contentOf(path)
		return content === undefined ? [] : [{name: path.slice(folder.length + 1), content}]
	})
}

/** `undefined` for a file that a running program has removed. */
function contentOf(path: string) {
	try {
		return readFileSync(path)
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
		throw error
	}
}

interface Form {
	kind: string
	/** Each character is a byte. */
	text: string
}

function formsOf(secret: string) {
	const bytes = Buffer.from(secret)
	const hex = bytes.toString('hex')
	const forms: Form[] = [
		{kind: 'plain', text: bytes.toString('latin1')},
		{kind: 'lower case', text: secret.toLowerCase()},
		{kind: 'UTF-16', text: Buffer.from(secret, 'utf16le').toString('latin1')},
		{kind: 'hex', text: hex},
		{kind: 'hex', text: hex.toUpperCase()},
		{kind: 'URL-encoded', text: encodeURIComponent(secret)},
		{kind: 'URL-encoded', text: hex.replaceAll(/../g, byte => `%${byte}`)},
		{kind: 'JSON', text: JSON.stringify(secret).slice(1, -1)},
		...base64Forms(bytes)
	]
	return forms.filter(({text}, index) => forms.findIndex(other => other.text === text) === index)
}

/** Within a longer text base64 has three alignments; characters that depend on neighbours are omitted. */
function base64Forms(bytes: Buffer): Form[] {
	return [0, 1, 2].flatMap(shift => {
		const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
			.toString('base64')
			.replaceAll('=', '')
		const own = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
		return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map(text => ({kind: 'base64', text}))
	})
}
