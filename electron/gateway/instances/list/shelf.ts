/**
 * The builds of a list on disk: the served one, and one held back. Each is in its own folder, named by a small file that is
 * replaced atomically. So the last good list survives any fault of the next.
 */
import {readdir, readFile, rename, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'

import {z} from 'zod'

import {flushFolder, writePrivate} from '#base/write-private.ts'
import {listServiceSchema, type ListService} from '#model/instance.ts'

import {baseIn, type BuildFacts} from './build.ts'

const count = z.number().int().min(0)
const body = z.object({bytes: count, values: count, sha256: z.string(), md5: z.string()})
const difference = z.object({lost: count, gained: count, before: count})

const recordSchema = z.object({
	version: z.literal(1),
	id: z.string().regex(/^[a-z0-9-]+$/),
	/** Its definition; the bodies use the default arguments. */
	definition: listServiceSchema,
	/** Unix milliseconds: last build with this result, and first. */
	builtAt: z.number(),
	changedAt: z.number(),
	seconds: z.number(),
	facts: z.object({
		originSize: count,
		dropped: count,
		entries: count,
		invalid: z.string(),
		bodies: z.object({text: body.optional(), json: body.optional(), csv: body.optional()}),
		difference: difference.nullable()
	})
})

export interface BuildRecord {
	readonly version: 1
	readonly id: string
	readonly definition: ListService
	readonly builtAt: number
	readonly changedAt: number
	/** How long the build took. */
	readonly seconds: number
	readonly facts: BuildFacts
}

type Place = 'current' | 'held'

export type Shelf = Awaited<ReturnType<typeof openShelf>>

/** Loads the files of an earlier process; removes those of unnamed builds. */
export async function openShelf(folder: string) {
	const named: Record<Place, BuildRecord | null> = {current: await readRecord(folder, 'current'), held: await readRecord(folder, 'held')}
	const readers = new Map<string, number>()
	// Of a process that ended while it wrote one.
	for (const name of await readdir(folder)) if (/\.json\.\d+\.new$/.test(name)) await rm(join(folder, name), {force: true})
	await sweep()

	function isNamed(id: string) {
		return named.current?.id === id || named.held?.id === id
	}

	async function sweep() {
		const found = await readdir(folder, {withFileTypes: true})
		const left = found.filter(entry => entry.isDirectory() && entry.name.startsWith('build-') && !isNamed(entry.name))
		for (const {name} of left) if (!readers.has(name)) await rm(join(folder, name), {recursive: true, force: true})
	}

	async function put(place: Place, record: BuildRecord | null) {
		await writeRecord(folder, place, record)
		named[place] = record
		await sweep()
	}

	async function release() {
		if (named.held === null) return
		await rename(join(folder, 'held.json'), join(folder, 'current.json'))
		await flushFolder(folder)
		named.current = named.held
		named.held = null
		await sweep()
	}

	function holdId(id: string) {
		readers.set(id, (readers.get(id) ?? 0) + 1)
		return () => {
			const left = (readers.get(id) ?? 1) - 1
			if (left > 0) readers.set(id, left)
			else readers.delete(id)
			// In the background; a failed removal is repeated with the next build.
			if (left <= 0 && !isNamed(id)) void rm(join(folder, id), {recursive: true, force: true}).catch(() => {})
		}
	}

	return {
		get current() {
			return named.current
		},
		get held() {
			return named.held
		},
		/** Folder of a new build. */
		folderOf: (id: string) => join(folder, id),
		baseOf: ({id, definition}: BuildRecord) => baseIn(join(folder, id), definition.type),
		/** Names the build atomically; removes the one named before once nobody reads it. `null` clears the place. */
		put,
		/** Makes the held one current. */
		release,
		/** Keeps the files of a build until the returned function is called. */
		holdId
	}
}

/** `null` when missing or damaged. */
async function readRecord(folder: string, place: Place) {
	try {
		const text = await readFile(join(folder, `${place}.json`), 'utf8')
		const record = recordSchema.parse(JSON.parse(text))
		for (const [format, facts] of Object.entries(record.facts.bodies)) {
			if (facts !== undefined && (await stat(join(folder, record.id, format))).size !== facts.bytes) return null
		}
		await Promise.all(['valid', 'invalid', 'log'].map(name => stat(join(folder, record.id, name))))
		// The schema's optional bodies are the partial record, without `undefined`, which JSON cannot hold.
		return record as BuildRecord
	} catch {
		return null
	}
}

async function writeRecord(folder: string, place: Place, record: BuildRecord | null) {
	const path = join(folder, `${place}.json`)
	if (record === null) return rm(path, {force: true})
	await writePrivate(path, JSON.stringify(record))
}
