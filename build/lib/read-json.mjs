import {readFileSync} from 'node:fs'

/** A file's JSON; an empty object where it is missing or torn. */
export function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'))
	} catch {
		return {}
	}
}

/** A file's text, where it can be read. */
export function readIfThere(file) {
	try {
		return readFileSync(file, 'utf8')
	} catch {
		return undefined
	}
}
