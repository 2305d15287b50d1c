import fc from 'fast-check'
import {whole} from '#shared/streams.ts'
import {gatherRows, makeEventQueries, makeGathering} from './queries.ts'
import {openEventFile} from './schema.ts'
import {anything, eventAt, eventsEvery, makeEventWorld, type EventWorld} from './testing/world.ts'
import {allIds} from './time-ranges.ts'
import {makeTimeline} from './timeline.ts'

const minute = 60_000
const hash = (letter: string) => letter.repeat(64)
const guid = (digit: number) => `0000000${digit}-1111-4222-8333-444444444444`

let world: EventWorld
beforeEach(() => {
	world = makeEventWorld()
})
afterEach(() => world.close())

/** An event this many minutes ago of a file on a computer. */
function seen(minutes: number, file: string | null, computer: number, detection?: string) {
	return eventAt(world.clock, minutes * minute, {
		computer: {connector_guid: guid(computer), hostname: `PC-${computer}`},
		...(file !== null && {file: {identity: {sha256: hash(file)}}}),
		...(detection !== undefined && {detection})
	})
}

async function load(...events: EventWorld['service']['events']) {
	world.service.events = events
	await world.store.refresh()
}

function window(change: Partial<typeof anything>, limit = 100) {
	return world.store.query({...anything, ...change, offset: 0, limit})
}

test('one row for each hash: its newest event, with how many and on how many computers', async () => {
	await load(seen(1, 'a', 1), seen(2, 'b', 1), seen(3, 'a', 2), seen(50, 'a', 2), seen(4, null, 3))
	const {rows, matching, gathering} = window({grouping: 'hash'})
	expect(rows.map(({sha256, gathered}) => [sha256, gathered?.events, gathered?.computers])).toEqual([
		[hash('a'), 3, 2],
		[hash('b'), 1, 1],
		[null, 1, 1]
	])
	expect(rows[0]?.gathered?.since).toBe(world.ago(50 * minute))
	expect(matching).toEqual({count: 3, exact: true})
	expect(gathering).toEqual({events: 5, without: 1, exact: true, oldest: rows[0]?.gathered?.since})
})

test('the row of a detection carries the name and the file that its newest event lacks, exported as well', async () => {
	const detection_id = '7000000000000000001'
	world.service.events = [
		eventAt(world.clock, minute, {detection_id}),
		eventAt(world.clock, 2 * minute, {...{detection_id, detection: 'W32.A'}, file: {file_name: 'a.exe', identity: {sha256: hash('a')}}})
	]
	await world.store.refresh()
	expect(window({grouping: 'detections'}).rows).toMatchObject([{detection: 'W32.A', fileName: 'a.exe', sha256: hash('a')}])
	const {text} = await whole(world.store.export({...anything, grouping: 'detections', format: 'csv'}))
	expect(text).toMatch(new RegExp(`,W32\\.A,.*,a\\.exe,.*${hash('a')}`))
})

test('by computer and by the name of what was detected, under a filter', async () => {
	await load(seen(1, 'a', 1, 'W32.A'), seen(2, 'b', 1, 'W32.B'), seen(3, 'b', 2, 'W32.B'))
	const facts = (grouping: 'computer' | 'name', filter: string) =>
		window({grouping, filter}).rows.map(row => [row.hostname, row.detection, row.gathered?.events])
	expect(facts('computer', '')).toEqual([
		['PC-1', 'W32.A', 2],
		['PC-2', 'W32.B', 1]
	])
	expect(facts('name', '')).toEqual([
		['PC-1', 'W32.A', 1],
		['PC-1', 'W32.B', 2]
	])
	expect(facts('computer', `sha256:${hash('b')}`)).toEqual([
		['PC-1', 'W32.B', 1],
		['PC-2', 'W32.B', 1]
	])
})

test('a row never spans more than asked, and nothing is lost or shown twice', () => {
	const value = fc.constantFrom('a', 'b', null)
	const events = fc.uniqueArray(fc.record({id: fc.nat(300), value, guid: fc.constant('one')}), {selector: ({id}) => id})
	fc.assert(
		fc.property(events, fc.constantFrom(10, 60, Number.MAX_SAFE_INTEGER), (list, within) => {
			const found = list.toSorted((one, other) => other.id - one.id)
			const {rows, rowAt} = gatherRows(found, within)
			expect(rows.reduce((sum, row) => sum + row.events, 0)).toBe(found.length)
			for (const {newest, oldest} of rows) expect(newest - oldest).toBeLessThanOrEqual(within)
			for (const {id, value: own} of found) {
				const row = rowAt.get(id)
				expect(rows[row?.place ?? -1]).toBe(row)
				// The same value within the span of its newest: one row. An event without a value has its own row.
				const shared = found.filter(other => rowAt.get(other.id) === row)
				expect(own === null ? shared.length : new Set(shared.map(other => other.value)).size).toBe(1)
			}
			const newest = rows.map(row => row.newest)
			expect(newest).toEqual(newest.toSorted((one, other) => other - one))
		}),
		{numRuns: 300}
	)
})

test('events of one value further apart have rows of their own', async () => {
	await load(seen(1, 'a', 1), seen(5, 'a', 2), seen(30, 'a', 3), seen(39, 'a', 3))
	const events = (within?: 10 | 60) => window({grouping: 'hash', within}).rows.map(({gathered}) => gathered?.events)
	expect([events(10), events(60), events()]).toEqual([[2, 2], [4], [4]])
})

test('every event is found at the place of its row', async () => {
	await load(seen(1, 'a', 1), seen(2, 'b', 1), seen(3, 'a', 2))
	const places = world.keys().map(key => world.store.position({...anything, grouping: 'hash', key}))
	expect(places).toEqual([0, 1, 0])
	expect(world.store.position({...anything, grouping: 'hash', filter: 'host:PC-2', key: world.keys()[1] ?? ''})).toBe(-1)
})

test('only a limited number of the newest is searched, and the answer says so', async () => {
	world.service.events = eventsEvery(world.clock, 30, 1000)
	await world.store.refresh()
	const database = openEventFile(world.path)
	const all = {match: null, ranges: [allIds], slow: false}
	const {ids, looked} = makeGathering(database, 20)(all, {by: 'name', within: null}, 1)
	database.close()
	expect(ids).toHaveLength(20)
	expect(looked).toEqual({events: 20, without: 20, exact: false, oldest: world.ago(20_000)})
})

test('an export contains the summary of each row', async () => {
	await load(seen(1, 'a', 1), seen(3, 'a', 2))
	const {text, cut} = await whole(world.store.export({...anything, grouping: 'hash', format: 'csv'}))
	const [head, row, end] = text.split('\r\n')
	expect(head).toMatch(/^events,computers,since,at,severity,/)
	expect(row).toMatch(/^2,2,20/)
	expect([end, cut]).toEqual(['', false])
})

test('grouped rows stay valid for some seconds, and move with the minutes', async () => {
	await load(seen(1, 'a', 1), seen(59, 'b', 2))
	world.clock.advance(minute - (world.clock.now() % minute))
	const all = {filter: 'time<1h', from: null, to: null}
	const database = openEventFile(world.path)
	const queries = makeEventQueries(database, makeTimeline(database), () => ({
		now: world.clock.now(),
		groupNames: () => new Map(),
		wordsFrom: () => null
	}))
	const now = () => queries.gathered({...anything, ...all, grouping: 'hash'})
	const first = now()
	world.clock.advance(59_000)
	expect(now()).toBe(first)
	world.clock.advance(2 * minute)
	expect([first?.ids.length, now()?.ids.length]).toEqual([2, 1])
	database.close()
})
