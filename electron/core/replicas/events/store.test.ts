import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'

import {parseExact} from '#model/exact-json.ts'
import {whole} from '#shared/streams.ts'

import {until} from '#base/testing/until.ts'
import {anything, eventAt, eventsEvery, makeEventWorld, type EventWorld} from './testing/world.ts'
import {openEventsForWriting} from './schema.ts'
import {makeEventWriter} from './writer.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

let world: EventWorld
beforeEach(() => {
	world = makeEventWorld()
})
afterEach(() => world.close())

const unread = {readAt: 0, span: null, reading: null}
const hold = (count: number, everyMs: number) => void (world.service.events = eventsEvery(world.clock, count, everyMs))
const refresh = () => world.store.refresh()

const exported = (query: Parameters<typeof world.store.export>[0]) => whole(world.store.export(query))

async function stored(...what: Parameters<typeof hold>) {
	hold(...what)
	await refresh()
}

describe('an export', () => {
	const nasty = ['=cmd|calc', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', 'plain, with "quotes"']

	beforeEach(async () => {
		world.service.events = nasty.map((hostname, index) => eventAt(world.clock, (index + 1) * minute, {computer: {hostname}}))
		await refresh()
	})

	test('as CSV holds no cell that a spreadsheet would run', async () => {
		const {text, cut} = await exported({...anything, format: 'csv'})
		expect(cut).toBe(false)
		for (const hostname of nasty.slice(0, -1)) {
			expect(text).toContain(hostname.startsWith('\r') ? `,‹U+000D›${hostname.slice(1)},` : hostname.replace(/^\t|^/, "$&'"))
			expect(text).not.toContain(`,${hostname}`)
			expect(text).not.toContain(`"${hostname}`)
		}
		expect(text).toContain('"plain, with ""quotes"""')
		expect(text.split('\r\n')[0]).toMatch(/^at,severity,type,/)
	})

	test('as JSON Lines holds the records of the service, every digit of them', async () => {
		const {text} = await exported({...anything, filter: 'host:plain', format: 'jsonl'})
		const record = parseExact(text.trim())
		expect(record).toEqual(world.service.events.at(-1))
		expect(text).toMatch(/"id":6839681950832\d{6},/)
	})

	test('of many rows is cut, and says so', async () => {
		await world.close()
		world = makeEventWorld({exportRows: 1000})
		await stored(1200, minute)
		const all = await exported({...anything, filter: 'type:scan', format: 'csv'})
		expect(all.cut).toBe(true)
		expect(all.text.split('\r\n')).toHaveLength(1000 + 2)
		const from = world.ago(1000 * minute)
		expect(await exported({...anything, from, format: 'jsonl'})).toMatchObject({cut: false})
	})

	test('holds each event once and as the store was when it began, whatever arrives and is removed meanwhile', async () => {
		const database = openEventsForWriting(world.path)
		const writer = makeEventWriter(database)
		const put = (count: number) => void writer.put({...unread, records: eventsEvery(world.clock, count, hour)})
		put(1200)
		const stream = world.store.export({...anything, format: 'jsonl'})
		const {value: first} = await stream.next()
		put(1)
		database.exec('DELETE FROM raw; DELETE FROM event')
		const {text, cut} = await whole(stream)
		database.close()
		const lines = `${String(first)}${text}`.trim().split('\n')
		expect([lines.length, new Set(lines).size, cut]).toEqual([1208, 1208, false])
	})

	test.each(['none', 'hash'] as const)('chooses its events in the store as it was when it began, grouped by %s', async grouping => {
		const database = openEventsForWriting(world.path)
		world.service.skewMs = () => makeEventWriter(database).put({...unread, records: eventsEvery(world.clock, 1, hour)}).removed
		const {text} = await exported({...anything, grouping, format: 'jsonl'})
		database.close()
		expect(text.trim().split('\n')).toHaveLength(nasty.length)
	})

	test('goes on as far as it is read, and ends with the store', async () => {
		const database = openEventsForWriting(world.path)
		makeEventWriter(database).put({...unread, records: eventsEvery(world.clock, 1200, hour)})
		database.exec('PRAGMA busy_timeout = 0')
		const isHeld = () => database.get<{busy: number}>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 1
		const [given, left] = [world.store.export({...anything, format: 'jsonl'}), world.store.export({...anything, format: 'jsonl'})]
		await Promise.all([given.next(), left.next()])
		database.run('UPDATE revision SET value = value + 1')
		await given.return({cut: false})
		expect(isHeld()).toBe(true)
		await world.restart()
		expect(isHeld()).toBe(false)
		database.close()
		await expect(left.next()).rejects.toMatchObject({code: 'cancelled'})
	})

	test('ends when it is cancelled', async () => {
		const signal = AbortSignal.abort()
		await expect(whole(world.store.export({...anything, format: 'csv'}, signal))).rejects.toThrow()
	})
})

const detected = {event_type_id: 1_090_519_054, event_type: 'Threat Detected', detection: 'W32.A', detection_id: '77'}

test('a type keeps its newest name when older events leave', () => {
	const database = openEventsForWriting(world.path)
	const {put, trim} = makeEventWriter(database)
	const add = (ago: number, event_type: string) => put({...unread, records: [eventAt(world.clock, ago, {event_type})]})
	add(2 * hour, 'Old')
	add(hour, 'New')
	trim({before: 0, most: 1, atOnce: 9})
	database.close()
	expect(world.store.facets(anything).type).toMatchObject([{label: 'New', count: 1}])
})

test('outcomes change with later events, also for stored ones', async () => {
	world.service.events = [eventAt(world.clock, hour, detected), eventAt(world.clock, 2 * hour, detected)]
	await refresh()
	expect(world.keys('outcome:open')).toHaveLength(2)
	expect(world.keys('', {grouping: 'detections'})).toHaveLength(1)

	world.clock.advance(minute)
	world.service.events.push(eventAt(world.clock, 1000, {event_type_id: 2_164_260_880, detection_id: '77'}))
	await refresh()
	expect(world.keys('outcome:open')).toEqual([])
	expect(world.keys('outcome:failed')).toHaveLength(3)

	world.clock.advance(minute)
	world.service.events.push(eventAt(world.clock, 1000, {event_type_id: 553_648_143, detection_id: '77'}))
	await refresh()
	expect(world.keys('outcome:quarantined')).toHaveLength(4)
	expect(world.store.facets(anything).outcome).toEqual([{value: 'quarantined', label: 'quarantined', count: 4}])
	const [row] = world.store.query({...anything, grouping: 'detections', offset: 0, limit: 10}).rows
	expect(row).toMatchObject({typeId: 553_648_143, outcome: 'quarantined'})
})

describe('time', () => {
	test('a histogram without a filter shows each minute, and what is not loaded yet', async () => {
		await stored(60, minute)
		const from = world.ago(hour)
		const to = world.ago(0)
		const hourly = world.store.histogram({...anything, from, to, steps: 60})
		expect(hourly).toMatchObject({from, to, stepMs: minute, exact: true, gaps: []})
		expect(hourly.counts.none).toEqual(Array.from({length: 60}, () => 1))

		const month = world.ago(30 * day)
		const {gaps, counts} = world.store.histogram({...anything, from: month, to, steps: 30})
		expect(gaps).toEqual([{from: month, to: world.ago(7 * day)}])
		expect(counts.none.at(-1)).toBe(60)
	})

	test('a span that begins within a minute counts its own events only', async () => {
		await stored(3600, 1000)
		const from = world.ago(1_230_500)
		const {counts} = world.store.histogram({...anything, from, steps: 20})
		expect(counts.none.reduce((sum, n) => sum + n, 0)).toBe(1230)
		expect(world.store.query({...anything, from, offset: 0, limit: 1}).matching).toEqual({count: 1230, exact: true})
	})

	test('a window deep in the list has the rows that walking there gives', async () => {
		await stored(6000, 20_000)
		const all: string[] = []
		for (let offset = 0; offset < 6000; offset += 500) all.push(...world.store.query({...anything, offset, limit: 500}).rows.map(({key}) => key))
		expect(new Set(all).size).toBe(6000)
		for (const grouping of ['none', 'detections'] as const)
			for (const offset of [2000, 2001, 3333, 5990, 6000]) {
				const {rows} = world.store.query({...anything, grouping, offset, limit: 20})
				expect(rows.map(({key}) => key)).toEqual(all.slice(offset, offset + 20))
			}
		const to = world.store.query({...anything, offset: 100, limit: 1}).rows[0]?.at ?? null
		const later = world.store.query({...anything, to, offset: 3000, limit: 5}).rows.map(({key}) => key)
		expect(later).toEqual(all.slice(3101, 3106))
	})
})

test('the names of a file come from its events', async () => {
	const file = {file_name: 'a.exe', disposition: 'Malicious', identity: {sha256: 'ab'.repeat(32)}}
	world.service.events = [
		eventAt(world.clock, hour, {connector_guid: 'one', file}),
		eventAt(world.clock, hour, {connector_guid: 'two', file: {...file, file_name: 'b.exe'}}),
		eventAt(world.clock, hour, {connector_guid: 'three', file: {identity: {sha256: 'cd'.repeat(32)}, parent: file}})
	]
	await refresh()
	const [known, other] = ['AB'.repeat(32), 'ef'.repeat(32)]
	const seen = world.store.seen([other, known])
	const named = {computers: 3, names: expect.toSatisfy((names: string[]) => names.toSorted().join(' ') === 'a.exe b.exe')}
	expect(seen.get(known)).toEqual({...named, dispositions: ['Malicious']})
	expect(seen.get(other)).toEqual({computers: 0, names: [], dispositions: []})
})

test('listeners are notified while a reading runs and when it ends', async () => {
	hold(1200, minute)
	const phases: string[] = []
	world.store.onChange(() => phases.push(world.store.state().phase))
	await refresh()
	expect(phases[0]).toBe('loading')
	expect(phases.at(-1)).toBe('complete')
})

test('two readings at once are one', async () => {
	hold(600, minute)
	await Promise.all([refresh(), refresh()])
	expect(world.service.asked).toHaveLength(2)
})

test('a process that is killed while it writes leaves a store that is whole', async () => {
	await world.store.stop()
	const script = `
    const { fillEvents } = await import(${JSON.stringify(new URL('./testing/fill.ts', import.meta.url).href)});
    process.stdout.write('begun');
    fillEvents(${JSON.stringify(world.path)}, { count: 200000, days: 7 });`
	const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
		cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
		stdio: ['ignore', 'pipe', 'inherit']
	})
	await once(child.stdout, 'data')
	const seen = openEventsForWriting(world.path)
	const rows = () => seen.get<{n: number}>('SELECT count(*) AS n FROM raw')?.n ?? 0
	await until('some rows', () => rows() >= 2000)
	child.kill('SIGKILL')
	await once(child, 'exit')
	expect(seen.get('PRAGMA integrity_check')).toEqual({integrity_check: 'ok'})
	expect(() => seen.exec("INSERT INTO words (words) VALUES ('integrity-check')")).not.toThrow()
	seen.close()
	await world.restart()
	const all = world.store.state().stored
	expect(all % 500).toBe(0)
	expect(world.store.query({...anything, filter: '-type:nothing', offset: all - 1, limit: 5}).rows).toHaveLength(1)
})

test('counts what a filter matches up to a limit', async () => {
	await stored(6, 1000)
	expect(world.store.count('scan', 6)).toEqual({count: 6, exact: true})
	expect(world.store.count('scan', 5)).toEqual({count: 5, exact: false})
	expect(world.store.count('nothing-like-it', 5)).toEqual({count: 0, exact: true})
	expect(() => world.store.count('severity:odd', 5)).toThrow(/severity/i)
})
