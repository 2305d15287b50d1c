import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'

import {stringifyExact} from '#model/exact-json.ts'
import {oddOf} from '#model/odd.ts'

import {codeOf} from '#base/testing/code-of.ts'
import {testFolder} from '#base/testing/folder.ts'
import {openDatabase} from '#core/store/database.ts'
import {until} from '#base/testing/until.ts'
import {jsonOf} from './columns.ts'
import {openInventory} from './inventory.ts'
import {noListing} from './listing-state.ts'
import {openInventoryFile} from './schema.ts'
import {byName, computer, computers, fakeService, guidOf, makeWorld, manualClock, startOfTime} from './testing/world.ts'
import type {WriteTask} from './write-task.ts'
import {makeWriteThread} from './write-thread.ts'

let folder: string
let path: string
const opened: {stop(): Promise<void>}[] = []
beforeEach(() => {
	folder = testFolder()
	path = join(folder, 'one.db')
})
afterEach(() => Promise.all(opened.splice(0).map(one => one.stop())))

function threadOn(file: string) {
	const thread = makeWriteThread({path: file, clock: manualClock(), patienceMs: 10_000})
	opened.push({stop: () => thread.stop(Promise.resolve())})
	return thread
}

/** A thread on an empty file of this version. */
function freshThread() {
	openInventoryFile(path).close()
	return threadOn(path)
}

function open(count = 0, patienceMs = 10_000) {
	const clock = manualClock()
	const source = fakeService(clock, computers(count))
	const inventory = openInventory({path, clock, source, background: true, patienceMs})
	opened.push(inventory)
	return inventory
}

function page(from: number, count: number, at = startOfTime): WriteTask {
	const texts = Array.from({length: count}, (_, index) => jsonOf(computer(from + index)))
	return {kind: 'records', texts, at}
}

function bytesOf(body: unknown) {
	return new TextEncoder().encode(stringifyExact(body))
}

function rowsIn(file: string) {
	const database = openDatabase(file, {synchronous: 'NORMAL'})
	const rows = database.get<{n: number}>('SELECT count(*) AS n FROM computer')?.n ?? -1
	database.close()
	return rows
}

describe('the writing thread', () => {
	test('answers after the commit, in the order of the calls', async () => {
		const thread = freshThread()
		const done: number[] = []
		const all = [0, 500, 1000].map(async from => {
			await thread.write(page(from, 500))
			done.push(from)
		})
		await Promise.all(all)
		expect(done).toEqual([0, 500, 1000])
		expect(rowsIn(path)).toBe(1500)
	})

	test('reports a failed write with an error of the closed table, and continues', async () => {
		const database = openInventoryFile(path)
		const thread = threadOn(path)
		database.exec('ALTER TABLE search RENAME TO gone')
		expect(await codeOf(thread.write(page(0, 3)))).toBe('storage')
		database.exec('ALTER TABLE gone RENAME TO search')
		database.close()
		expect(await thread.write(page(0, 3))).toBe(true)
		expect(rowsIn(path)).toBe(3)
	})

	test('reads a page from its bytes, keeps its records, and writes them with the listing', async () => {
		const thread = freshThread()
		const odd = {connector_guid: guidOf(2), hostname: {first: 'FIN'}}
		const read = await thread.read(bytesOf({data: [computer(0), computer(1), odd, {}], metadata: {results: {total: 9}}}), '')
		if ('errors' in read) throw new Error('There are no errors.')
		expect(read).toMatchObject({total: 9, hasNext: false, unusable: 1})
		expect(read.records.map(({connector_guid}) => connector_guid)).toEqual([0, 1, 2].map(guidOf))
		expect(read.records.map(record => oddOf(record))).toEqual([undefined, undefined, true])
		expect(rowsIn(path)).toBe(0)
		const held = read.records[0]?.held ?? null
		const listing = {...noListing, arrived: [0]}
		expect(await thread.write({kind: 'page', held, at: startOfTime, listing})).toBe(true)
		expect(rowsIn(path)).toBe(3)
		expect(await codeOf(thread.write({kind: 'page', held, at: startOfTime, listing}))).toBe('storage')
	})

	test('what is no page is told as the client tells it, and errors in a success are handed on', async () => {
		const thread = freshThread()
		expect(await codeOf(thread.read(new TextEncoder().encode('{"data":['), ''))).toBe('bad_json')
		expect(await codeOf(thread.read(new Uint8Array(), ''))).toBe('empty_body')
		expect(await codeOf(thread.read(bytesOf({data: {}}), ''))).toBe('unexpected_shape')
		expect(await codeOf(thread.read(bytesOf({data: []}), 'br'))).toBe('bad_json')
		expect(await codeOf(thread.read(gzipSync(bytesOf({data: [computer(0)]})).subarray(0, 40), 'gzip'))).toBe('truncated')
		expect(await thread.read(bytesOf({errors: ['no']}), '')).toEqual({errors: ['no']})
		expect(await thread.read(gzipSync(bytesOf({data: []})), 'gzip')).toMatchObject({records: []})
	})

	test('reports a file that is no database', async () => {
		writeFileSync(path, 'this is no database at all, but it is long enough to be taken for one'.repeat(100))
		expect(await codeOf(threadOn(path).write(page(0, 3)))).toBe('storage')
	})

	test('has room again when what waited is written', async () => {
		const thread = freshThread()
		const writes = Array.from({length: 8}, (_, index) => thread.write(page(index * 10, 10)))
		let roomy = false
		const room = thread.room().then(() => (roomy = true))
		await Promise.resolve()
		expect(roomy).toBe(false)
		await Promise.all([...writes, room])
		expect(roomy).toBe(true)
	})

	test('is cut off after the patience of a stop; unwritten work is reported as cancelled', async () => {
		openInventoryFile(path).close()
		const thread = makeWriteThread({path, clock: manualClock(), patienceMs: 0})
		const writes = Array.from({length: 20}, (_, index) => codeOf(thread.write(page(index * 500, 500))))
		const never = new Promise<void>(() => {})
		await thread.stop(never)
		const codes = await Promise.all(writes)
		expect(codes.at(-1)).toBe('cancelled')
		expect(codes.every(code => code === undefined || code === 'cancelled')).toBe(true)
		expect(rowsIn(path)).toBeLessThan(10_000)
		expect(await codeOf(thread.write(page(0, 1)))).toBe('cancelled')
	})
})

describe('a copy with its writing thread', () => {
	test('lets a small write of the window through while a listing is written, and keeps the newer reading', async () => {
		const world = makeWorld(computers(20_000))
		const held = Promise.withResolvers<void>()
		const asked = Promise.withResolvers<void>()
		world.service.beforePage = offset => {
			if (offset < 19_500) return Promise.resolve()
			asked.resolve()
			return held.promise
		}
		const listing = world.inventory.refresh()
		await until('the first page', () => world.inventory.state().pagesRead > 0)
		world.inventory.observeIsolation(guidOf(1), {available: true, status: 'pending_stop'}, world.clock.now())
		// The write finished although the listing's last page is still held.
		await asked.promise
		world.clock.advance(1000)
		world.inventory.observe([computer(19_999, {hostname: 'newer'})], world.clock.now())
		held.resolve()
		await listing
		expect(world.inventory.row(guidOf(1))?.isolation).toBe('pending_stop')
		expect(world.inventory.row(guidOf(19_999))?.hostname).toBe('newer')
		await world.close()
	})

	test('takes pages of another reading behind the scenes, in their order, and older ones change nothing', async () => {
		const inventory = open()
		// Preparing so many takes several turns, in which what follows would be ready first.
		const all = computers(5000)
		inventory.observe(all, startOfTime)
		inventory.observe(
			computers(200).map(record => ({...record, hostname: 'older'})),
			startOfTime - 1000
		)
		inventory.observe(
			computers(200).map(({connector_guid}) => ({connector_guid, is_compromised: true})),
			startOfTime + 1000
		)
		const compromised = all.filter((record, index) => index < 200 || record.is_compromised === true).length
		await until('all of them', () => inventory.counts().compromised === compromised)
		expect(inventory.row(guidOf(7))?.hostname).toBe(computer(7).hostname)
		expect(inventory.state().rows).toBe(5000)
	})

	test('stops in the middle of a listing, and the next start finds what was written', async () => {
		const inventory = open(60_000, 0)
		const listing = codeOf(inventory.refresh())
		await until('the first page', () => inventory.state().pagesRead > 0)
		await inventory.stop()
		expect(await listing).toBe('cancelled')
		const again = open()
		const state = again.state()
		expect(state.phase).toBe('partial')
		expect(state.rows).toBeGreaterThan(0)
		expect(state.missing.length + state.pagesRead).toBe(120)
	})

	test('sums stay right whatever comes and goes', async () => {
		const world = makeWorld(computers(600))
		await world.inventory.refresh()
		world.service.computersNow = computers(600)
			.slice(50)
			.map((record, index) => (index % 3 === 0 ? {...record, is_compromised: true} : record))
		world.clock.advance(60_000)
		await world.inventory.refresh()
		world.inventory.vanished(guidOf(100), world.clock.now())
		const database = openDatabase(world.path, {synchronous: 'NORMAL'})
		const counted = database.all(`SELECT rank, compromised, count(*) AS n FROM computer WHERE vanished_at IS NULL GROUP BY rank, compromised`)
		expect(database.all('SELECT * FROM tally WHERE n <> 0 ORDER BY rank, compromised')).toEqual(counted)
		const members = database.all(
			`SELECT group_guid, group_name, count(*) AS n FROM computer WHERE vanished_at IS NULL
       GROUP BY group_guid, group_name`
		)
		expect(database.all('SELECT * FROM member WHERE n <> 0 ORDER BY group_guid, group_name')).toEqual(members)
		database.close()
		await world.close()
	})
})

const reader = `
  const { computers, fakeService } = await import(${moduleUrl('./testing/world.ts')});
  const { openInventory } = await import(${moduleUrl('./inventory.ts')});
  const { systemClock } = await import(${moduleUrl('../../base/system.ts')});
  const source = fakeService(systemClock, computers(40_000));
  const inventory = openInventory({ path: process.argv[1], clock: systemClock, source });
  inventory.onChange(() => inventory.state().rows >= 1000 && process.stdout.write('rows\\n'));
  await inventory.refresh();
  process.stdout.write('whole\\n');
  await inventory.stop();
`

function moduleUrl(relative: string) {
	return JSON.stringify(new URL(relative, import.meta.url).href)
}

describe('two processes', () => {
	const reading = () => spawn(process.execPath, ['--input-type=module', '-e', reader, path], {stdio: ['ignore', 'pipe', 'inherit']})

	test('one that is killed in the middle of a listing leaves a usable, partial copy', async () => {
		const child = reading()
		await once(child.stdout, 'data')
		const ended = once(child, 'exit')
		child.kill('SIGKILL')
		await ended
		const inventory = open(1200)
		const state = inventory.state()
		expect(state.phase).toBe('partial')
		expect(state.rows).toBeGreaterThanOrEqual(1000)
		expect(inventory.query({...byName, offset: 0, limit: 5}).rows).toHaveLength(5)
		expect(inventory.counts().computers).toBe(state.rows)
	})

	test('a small write is let through while the other reads a listing', async () => {
		const child = reading()
		const ended = once(child, 'exit')
		await once(child.stdout, 'data')
		const inventory = open()
		const later = Date.now() + 60_000
		inventory.observeIsolation(guidOf(3), {available: true, status: 'isolated'}, later)
		expect(inventory.row(guidOf(3))?.isolation).toBe('isolated')
		expect(await ended).toEqual([0, null])
		expect(inventory.state()).toMatchObject({phase: 'complete', rows: 40_000})
		expect(inventory.row(guidOf(3))?.isolation).toBe('isolated')
	})
})
