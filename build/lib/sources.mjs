import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'

import {root} from './paths.mjs'

const folders = ['shared', 'electron', 'renderer']
const files = [
	'vite.config.ts',
	'build/bundle.mjs',
	'build/first-screen.ts',
	'build/lean-node.ts',
	'package.json',
	'package-lock.json',
	'tsconfig.base.json'
]
const ignoredFolders = new Set(['node_modules', 'fixtures', 'vectors', 'planted'])

/** Every file that a build depends on, relative, in a stable order. */
export function sourceFiles(base = root) {
	return [...folders.flatMap(folder => walk(base, folder)), ...files.filter(file => existsSync(join(base, file)))].toSorted()
}

/** Changes when any source is touched; a few milliseconds for a thousand files. */
export function signatureOf(paths, base = root) {
	const hash = createHash('sha256')
	for (const path of paths) {
		const {size, mtimeMs} = statSync(join(base, path))
		hash.update(`${path}\0${size}\0${mtimeMs}\n`)
	}
	return hash.digest('hex')
}

/** Changes with the contents of the sources: fresh checkouts of one commit have the same one. */
export function contentOf(paths, base = root) {
	const hash = createHash('sha256')
	for (const path of paths)
		hash
			.update(`${path}\0`)
			.update(readFileSync(join(base, path)))
			.update('\0')
	return hash.digest('hex').slice(0, 16)
}

function walk(base, folder) {
	return readdirSync(join(base, folder), {withFileTypes: true}).flatMap(entry => {
		const path = `${folder}/${entry.name}`
		if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : walk(base, path)
		return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
	})
}
