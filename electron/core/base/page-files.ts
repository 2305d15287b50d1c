import {hash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {extname, join} from 'node:path'

export type PageFile = ReturnType<typeof readPageFile>

/** The built page: a host answers from memory, and no request path ever becomes a file path. */
export type PageFiles = ReturnType<typeof loadPageFiles>

const types: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json',
	'.webmanifest': 'application/manifest+json',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.ico': 'image/x-icon',
	'.woff2': 'font/woff2',
	'.txt': 'text/plain; charset=utf-8'
}

/** Throws when `folder` holds no built page. */
export function loadPageFiles(folder: string) {
	const paths: ReadonlySet<string> = new Set(listFiles(folder))
	const files = new Map<string, PageFile>()
	const read = (path: string) => {
		const known = files.get(path)
		if (known !== undefined || !paths.has(path)) return known
		const file = readPageFile(folder, path)
		files.set(path, file)
		return file
	}
	const index = read('/index.html')
	if (index === undefined) throw new Error(`There is no built page in ${folder}.`)
	return {
		/** `index.html` as text, with the nonce's placeholder in it. */
		index: index.body.toString('utf8'),
		/** What a request path means: a file, the page itself for every screen's own address, or nothing. */
		find: (path: string) => read(path) ?? (isScreen(path) ? index : undefined),
		/** Reads what was not asked for yet: whatever replaces the files of a running program, its page stays whole. */
		readAll: () => paths.forEach(read)
	}
}

/** Screens have addresses without an extension; a missing asset must be a 404 and not a page. */
function isScreen(path: string) {
	return extname(path) === '' && !path.startsWith('/assets/')
}

function listFiles(folder: string) {
	const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
	return entries.map(entry =>
		join(entry.parentPath, entry.name)
			.slice(folder.replace(/[/\\]+$/, '').length)
			.replaceAll('\\', '/')
	)
}

function readPageFile(folder: string, path: string) {
	const body = readFileSync(join(folder, path))
	const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
	return {
		path,
		type: types[extname(path)] ?? 'application/octet-stream',
		body,
		/** Strong, quoted. */
		etag
	}
}
