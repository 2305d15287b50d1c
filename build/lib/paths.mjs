import {mkdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {join} from 'node:path'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export function at(...segments) {
	return join(root, ...segments)
}

/** Path below `.cache/`; creates the folder. */
export function cached(...segments) {
	mkdirSync(at('.cache'), {recursive: true})
	return at('.cache', ...segments)
}
