/** How much reading of a long list clients can cause (each form of a list is measured by one pass). */
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import {listServiceSchema} from '#model/instance.ts'

import {testFolder} from '#base/testing/folder.ts'
import {until} from '#base/testing/until.ts'
import {Busy, createBodies, type Bodies} from './bodies.ts'
import {baseIn} from './build.ts'
import {startListServer} from './list-server.ts'
import type {BuildRecord, Shelf} from './shelf.ts'
import {defaultVariant, type Variant} from './variant.ts'

const definition = listServiceSchema.parse({service: 'list', type: 'sha256', sources: [{kind: 'text', text: ''}]})
const lines = 20_000
const record: BuildRecord = {
	version: 1,
	id: 'build-1',
	definition,
	builtAt: 0,
	changedAt: 0,
	seconds: 0,
	facts: {originSize: lines, dropped: 0, bodies: {}, entries: lines, invalid: '', difference: null}
}

let folder: string
let bodies: Bodies
/** Passes started, and passes running. */
let begun: number
let open: number

beforeEach(async () => {
	folder = testFolder()
	const values = Array.from({length: lines}, (_, index) => `${index.toString(16).padStart(64, '0')}\n`)
	await writeFile(join(folder, 'valid'), values.join(''))
	await writeFile(join(folder, 'invalid'), '')
	begun = open = 0
	bodies = createBodies(shelf)
})

afterEach(() => bodies.stop())

const shelf: Shelf = {
	current: null,
	held: null,
	folderOf: () => folder,
	baseOf: () => baseIn(folder, 'sha256'),
	put: () => Promise.resolve(),
	release: () => Promise.resolve(),
	holdId: () => {
		begun += 1
		open += 1
		return () => (open -= 1)
	}
}

function page(offset: number, limit = 10): Variant {
	return {...defaultVariant(definition), offset, limit}
}

const stays = new AbortController().signal

test('an abandoned pass ends, and those behind it never start', async () => {
	const leaving = new AbortController()
	const abandoned = Array.from({length: 18}, (_, index) => bodies.factsOf(record, page(index, lines), leaving.signal))
	leaving.abort(new Error('left'))
	const outcomes = await Promise.allSettled(abandoned)
	expect(outcomes.every(({status}) => status === 'rejected')).toBe(true)
	expect((await bodies.factsOf(record, page(5), stays)).values).toBe(10)
	expect({begun, open}).toEqual({begun: 3, open: 0})
})

test('one that leaves does not end the pass of another', async () => {
	const leaving = new AbortController()
	const one = bodies.factsOf(record, page(0, lines), leaving.signal)
	const other = bodies.factsOf(record, page(0, lines), stays)
	leaving.abort(new Error('left'))
	await expect(one).rejects.toThrow('left')
	expect((await other).values).toBe(lines)
	expect(begun).toBe(1)
})

test('no more than 16 wait; a measured form is answered anyway', async () => {
	await bodies.factsOf(record, page(1), stays)
	const asked = Array.from({length: 40}, (_, index) => bodies.factsOf(record, page(100 + index), stays))
	expect((await bodies.factsOf(record, page(1), stays)).values).toBe(10)
	const outcomes = await Promise.allSettled(asked)
	const refused = outcomes.filter(outcome => outcome.status === 'rejected')
	expect(refused).toHaveLength(40 - 2 - 16)
	expect(refused.every(({reason}) => reason instanceof Busy)).toBe(true)
	expect((await bodies.factsOf(record, page(139), stays)).values).toBe(10)
})

test('a page is read in the pass that measures it', async () => {
	const variant = page(7, 3)
	const facts = await bodies.factsOf(record, variant, stays)
	await rm(join(folder, 'valid'))
	const pieces: Buffer[] = []
	for await (const piece of bodies.open(record, variant, null)) pieces.push(Buffer.from(piece))
	const body = Buffer.concat(pieces)
	expect(body.length).toBe(facts.bytes)
	expect(
		body
			.toString()
			.split('\n')
			.map(line => Number.parseInt(line, 16))
	).toEqual([7, 8, 9])
})

test('over HTTP: too many forms at once are 503 for the time being, and a client that leaves ends its pass', async () => {
	const server = await startListServer({
		host: '127.0.0.1',
		port: 0,
		shelf,
		definition: () => definition,
		served: () => record,
		status: () => {
			throw new Error('nobody asks for it')
		},
		onTrouble: message => {
			throw new Error(message)
		}
	})
	const url = `http://127.0.0.1:${String(server.port)}/`
	const answers = await Promise.all(Array.from({length: 100}, (_, index) => fetch(`${url}?s=${String(index)}`)))
	const busy = answers.find(({status}) => status === 503)
	expect(new Set(answers.map(({status}) => status))).toEqual(new Set([200, 503]))
	expect(busy?.headers.get('retry-after')).toBe('5')
	await Promise.all(answers.map(answer => answer.arrayBuffer()))

	begun = 0
	const leaving = new AbortController()
	const left = Array.from({length: 18}, (_, index) => fetch(`${url}?s=${String(1000 + index)}`, {signal: leaving.signal}).catch(() => 'left'))
	await until('a pass', () => open > 0)
	leaving.abort()
	expect(await Promise.all(left)).toEqual(left.map(() => 'left'))
	await until('the end of the passes', () => open === 0)
	expect((await fetch(`${url}?s=7&n=3`)).status).toBe(200)
	await server.stop()
})
