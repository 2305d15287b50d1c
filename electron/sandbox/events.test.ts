import {eventTypes} from './tenant/event-types.ts'
import {dig, openBench, type Bench, type Row} from './testing/running.ts'

let bench: Bench
let all: Row[] = []
beforeAll(async () => {
	bench = await openBench({computers: 1000})
	const pages: Row[] = []
	let offset = 0
	do {
		const page = await bench.get(`/v1/events?offset=${offset}`)
		pages.push(...page.rows)
		offset = page.at('metadata', 'links', 'next') === undefined ? -1 : offset + 500
	} while (offset > 0)
	all = pages
})
afterAll(() => bench.stop())

const ids = (rows: Row[], type: number) => rows.filter(row => row['event_type_id'] === type).map(row => row['detection_id'])

describe('events', () => {
	test('have ids beyond what a double holds, as plain JSON integers', async () => {
		const {text} = await bench.get('/v1/events?limit=5&event_type=1090519054')
		const digits = [...text.matchAll(/"id":(\d+)/g)].map(match => match[1] ?? '')
		expect(digits).toHaveLength(5)
		for (const id of digits) expect(BigInt(id)).toBeGreaterThan(2n ** 53n)
		expect(digits.some(id => String(Number(id)) !== id)).toBe(true)
	})

	test('come newest first by second, from the last thirty days, each once', () => {
		const times = all.map(event => Number(event['timestamp']))
		expect(times).toEqual(times.toSorted((a, b) => b - a))
		expect(times[0]).toBeLessThanOrEqual(bench.now() / 1000)
		expect(times.at(-1)).toBeGreaterThan(bench.now() / 1000 - 31 * 86_400)
		const known = all.map(event => event['id']).filter(id => id !== undefined)
		expect(new Set(known).size).toBe(known.length)
	})

	test('give their time in three forms', () => {
		for (const {timestamp, date} of all.slice(0, 300)) expect(Date.parse(String(date))).toBe(Number(timestamp) * 1000)
		expect(all[0]?.['date']).toMatch(/\+00:00$/)
	})

	test('join a detection with what became of it', () => {
		const detected = [...ids(all, 1090519054), ...ids(all, 553648147)]
		const outcomes = [...ids(all, 553648143), ...ids(all, 2164260880), ...ids(all, 553648155)]
		expect(outcomes.length).toBeGreaterThan(20)
		expect(ids(all, 2164260880).length).toBeGreaterThan(2)
		for (const id of outcomes) expect(detected).toContain(id)
	})

	test('leave out what their kind leaves out', () => {
		const install = all.find(event => event['event_type'] === 'Install Started')
		expect(Object.keys(install ?? {}).toSorted()).toEqual([
			'date',
			'event_type',
			'event_type_id',
			'hostname',
			'id',
			'timestamp',
			'timestamp_nanoseconds'
		])
		expect(all.find(event => event['event_type'] === 'Product Update Started')).not.toHaveProperty('computer')
		const hunt = all.find(event => event['event_type_id'] === 1107296344)
		expect(hunt).not.toHaveProperty('id')
		expect(dig(hunt, ['techniques', 0, 'external_id'])).toBe('T1105')
	})

	test('are filtered by type, computer, hash, group and time, alternatives by repetition', async () => {
		const patient = await bench.guidOf('FIN-LT-0231')
		const both = await bench.get(`/v1/events?connector_guid[]=${patient}&event_type[]=1090519054&event_type[]=2164260880`)
		expect(both.rows.map(event => event['event_type'])).toEqual(['Quarantine Failure', 'Threat Detected'])
		const {dropper} = bench.sandbox.world.tenant.story.indicators
		const byHash = await bench.get(`/v1/events?detection_sha256=${dropper.toUpperCase()}&event_type=1090519054`)
		expect(new Set(byHash.rows.map(event => dig(event, ['computer', 'hostname'])))).toEqual(
			new Set(['FIN-LT-0231', 'FIN-SRV-014', 'MED-WS-0412'])
		)
		const parent = dig(byHash.first, ['file', 'parent', 'identity', 'sha256'])
		const byParent = await bench.get(`/v1/events?application_sha256=${String(parent)}`)
		expect(byParent.rows.map(event => event['id'])).toContain(byHash.first['id'])
		const middle = Number(all[Math.floor(all.length / 2)]?.['timestamp'])
		const since = await bench.get(
			`/v1/events?start_date=${encodeURIComponent(new Date(middle * 1000).toISOString().replace('.000Z', '+00:00'))}&limit=1`
		)
		expect(since.at('metadata', 'results', 'total')).toBe(all.filter(event => Number(event['timestamp']) >= middle).length)
		const group = String(
			dig(
				all.find(event => event['group_guids'] !== undefined),
				['group_guids', 0]
			)
		)
		for (const event of (await bench.get(`/v1/events?group_guid=${group}`)).rows) expect(event['group_guids']).toContain(group)
	})

	test.each(['event_type=many', 'start_date=yesterday', 'start_date=2026-02-01T00:00:00+00:00'])('refuse %s', async query => {
		expect((await bench.get(`/v1/events?${query}`)).status).toBe(400)
	})
})

describe('event types', () => {
	test('are the 101 known ones, with no more than a total', async () => {
		const reply = await bench.get('/v1/event_types')
		expect(reply.rows).toEqual(eventTypes)
		expect(reply.rows).toHaveLength(101)
		expect(reply.at('metadata', 'results')).toEqual({total: 101})
	})

	test('name every event that there is', () => {
		const names = new Map(eventTypes.map(({id, name}) => [id, name]))
		for (const event of all) expect(event['event_type']).toBe(names.get(Number(event['event_type_id'])))
	})
})
