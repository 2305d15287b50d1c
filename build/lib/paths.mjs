import {mkdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {join} from 'node:path'

/** The checkout, absolute. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Path below the checkout. */
export function at(...segments) {
	return join(root, ...segments)
}

/** Path below `.cache/`, whose folder exists afterwards. */
export function cached(...segments) {
	mkdirSync(at('.cache'), {recursive: true})
	return at('.cache', ...segments)
}
