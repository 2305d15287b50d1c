/** Builds and reads a long list in a separate process, and measures both. */
import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {get} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

import type {ListType} from '../values.ts'

export async function measureLongList(type: ListType, values: number) {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-long-list-'))
	try {
		const source = join(folder, 'source')
		await writeSource(source, type, values)
		const script = fileURLToPath(new URL('./serve-file.ts', import.meta.url))
		const child = spawn(process.execPath, [script, source, type, join(folder, 'list')], {stdio: ['pipe', 'pipe', 'inherit']})
		const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]()
		const ready = await told(lines)
		const file = await read(ready['port'] ?? 0, '/')
		const variant = await read(ready['port'] ?? 0, '/csv?s=1')
		child.stdin.end()
		const last = await told(lines)
		if (child.exitCode === null) await once(child, 'exit')
		return {
			entries: ready['entries'] ?? 0,
			/** Until the list is published. */
			buildSeconds: ready['seconds'] ?? 0,
			/** Each read whole: the default form, and a variant rendered per request. */
			readSeconds: {file: file.seconds, variant: variant.seconds},
			/** Whether the bytes matched their tag. */
			exact: file.exact && variant.exact,
			/** Maximum memory beyond the initial bytes. */
			growth: last['growth'] ?? Number.POSITIVE_INFINITY
		}
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
}

async function told(lines: AsyncIterator<string>) {
	const {value, done} = await lines.next()
	if (done === true) throw new Error('The list service ended.')
	// The lines that serve-file.ts writes hold numbers only.
	return JSON.parse(String(value)) as Record<string, number>
}

/** The requested number of different values, unordered. */
async function writeSource(path: string, type: ListType, values: number) {
	const file = await open(path, 'w')
	try {
		for (let at = 0; at < values; at += 5000) {
			const count = Math.min(5000, values - at)
			await file.appendFile(`${Array.from({length: count}, (_, index) => valueAt(type, at + index)).join('\n')}\n`)
		}
	} finally {
		await file.close()
	}
}

function valueAt(type: ListType, index: number) {
	const hash = createHash('sha256').update(String(index)).digest('hex')
	if (type === 'sha256') return hash
	if (type === 'domain') return `${hash.slice(0, 16)}.example.com`
	if (type === 'url') return `https://${hash.slice(0, 12)}.example.com:8443/${hash.slice(12, 24)}`
	// Multiplication by an odd number permutes the numbers below 2^24.
	const number = Math.imul(index, 7_368_787) & 0xff_ffff
	return `11.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
}

function read(port: number, path: string): Promise<{seconds: number; exact: boolean}> {
	const began = performance.now()
	return new Promise((resolve, reject) => {
		get({port, host: '127.0.0.1', path, agent: false}, response => {
			const hash = createHash('sha256')
			response.on('data', (chunk: Buffer) => hash.update(chunk))
			response.on('error', reject)
			response.on('end', () => {
				const exact = response.headers.etag === `"${hash.digest('hex')}"`
				resolve({seconds: (performance.now() - began) / 1000, exact})
			})
		}).on('error', reject)
	})
}
