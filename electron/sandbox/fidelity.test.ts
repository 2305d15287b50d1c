import {readFileSync} from 'node:fs'

import {computerSchema} from '#model/computer.ts'
import {eventSchema} from '#model/event.ts'
import {parseExact} from '#model/exact-json.ts'
import {trajectorySchema} from '#model/trajectory.ts'

import {dig, openBench, type Bench} from './testing/running.ts'

let bench: Bench
let patient = ''
let list = ''
beforeAll(async () => {
	bench = await openBench({computers: 1500})
	patient = await bench.guidOf('FIN-LT-0231')
	list = String((await bench.get('/v1/file_lists/simple_custom_detections')).first['guid'])
})
afterAll(() => bench.stop())

function sample(name: string): unknown {
	return parseExact(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'))
}

/** Every key of the sample exists with the same type; `optional` names paths that the sandbox may omit. */
function differences(expected: unknown, given: unknown, path = ''): string[] {
	if (kindOf(expected) !== kindOf(given)) return [`${path}: ${kindOf(expected)} expected, ${kindOf(given)} given`]
	if (Array.isArray(expected) && Array.isArray(given)) {
		if (expected.length === 0) return []
		return given.length === 0 ? [`${path}: nothing in the list`] : differences(expected[0], given[0], `${path}[]`)
	}
	if (typeof expected !== 'object' || expected === null) return []
	return Object.entries(expected).flatMap(([key, value]) => differences(value, dig(given, [key]), `${path}.${key}`))
}

function expectLike(name: string, given: unknown) {
	expect(differences(sample(name), given)).toEqual([])
}

function kindOf(value: unknown) {
	if (value === null) return 'null'
	if (Array.isArray(value)) return 'array'
	return typeof value === 'bigint' ? 'number' : typeof value
}

const sha = 'd5cb3ef9816e8fd30cc9537bb394a7cc6c46c1dff1c65f11b527ef1df14edc3b'

describe('keys and types are those of the samples', () => {
	test.each([
		['version_get', () => '/v1/version'],
		['computers_list_2024', () => '/v1/computers?hostname=FIN-LT-0231'],
		['computer_trajectory_network_2018', () => `/v1/computers/${patient}/trajectory?q=203.0.113.66`],
		['computers_activity_filename', () => '/v1/computers/activity?q=SearchProtocolHost.exe&limit=5'],
		[
			'events_by_detection_sha256',
			() => `/v1/events?detection_sha256=${bench.sandbox.world.tenant.story.indicators.dropper}&event_type=1090519054&limit=1&offset=1`
		],
		['file_lists_application_blocking', () => '/v1/file_lists/application_blocking?limit=2&offset=2'],
		['file_lists_simple_custom_detections', () => '/v1/file_lists/simple_custom_detections?limit=3&offset=2'],
		['file_list_get_shape', () => `/v1/file_lists/${list}`],
		['groups_by_name', () => '/v1/groups?name=Audit&limit=5']
	])('%s', async (name, path) => {
		expectLike(name, (await bench.get(path())).body)
	})

	test('a file in a trajectory', async () => {
		const {body} = await bench.get(`/v1/computers/${patient}/trajectory?q=taskmgr.exe`)
		const all = await bench.get(`/v1/computers/${patient}/trajectory`)
		const files =
			dig(body, ['data', 'events', 0]) ??
			(dig(all.body, ['data', 'events']) as unknown[]).find(event => dig(event, ['file', 'parent']) !== undefined)
		expect(differences(dig(sample('computer_trajectory'), ['data', 'events', 0]), files)).toEqual([])
	})

	test('a record of the oldest generation lacks what it lacked', async () => {
		const old = await bench.get('/v1/computers?hostname=RAD-MOD-004')
		expect(Object.keys(old.first).toSorted()).toEqual(Object.keys(dig(sample('computer_get_2018'), ['data']) ?? {}).toSorted())
	})

	test('the answer to a move', async () => {
		const group = (await bench.get('/v1/groups?name=Triage')).first
		const moved = await bench.call('PATCH', `/v1/computers/${patient}`, {group_guid: String(group['guid'])})
		expectLike('computer_patch_move_group', moved.body)
	})

	test('detected and quarantined, joined by their detection', async () => {
		const [quarantined, detected] = sample('events_detected_and_quarantined_same_detection_id') as unknown[]
		const {rows} = await bench.get('/v1/events?event_type[]=553648143&event_type[]=1090519054')
		const ours = rows.find(event => event['event_type_id'] === 553648143 && dig(event, ['computer', 'user']) !== undefined)
		const partner = rows.find(event => event['event_type_id'] === 1090519054 && event['detection_id'] === ours?.['detection_id'])
		expect(differences(quarantined, ours)).toEqual([])
		expect(differences(detected, partner)).toEqual([])
		expect(ours).not.toHaveProperty(['file', 'file_name'])
	})

	test('isolation and its events', async () => {
		const path = `/v1/computers/${await bench.guidOf('FIN-LT-0107')}/isolation`
		expectLike('isolation_put_pending_start', (await bench.call('PUT', path)).body)
		bench.pass(10_000)
		expectLike('isolation_delete_2024', (await bench.call('DELETE', path)).body)
		bench.pass(10_000)
		const {rows} = await bench.get('/v1/events?limit=2')
		const [stop, start] = dig(sample('events_isolation_2024'), ['data']) as unknown[]
		expect([differences(stop, rows[0]), differences(start, rows[1])]).toEqual([[], []])
	})

	test('adding and removing a hash', async () => {
		const added = await bench.call('POST', `/v1/file_lists/${list}/files/${sha}`, {description: 'Added from a test'})
		expectLike('file_list_item_post_201', added.body)
		expectLike('file_list_item_get', (await bench.get(`/v1/file_lists/${list}/files/${sha}`)).body)
		const removed = await bench.call('DELETE', `/v1/file_lists/${list}/files/${sha}`)
		expectLike('file_list_item_delete_200', removed.body)
		expect([removed.status, removed.at('data')]).toEqual([200, {}])
	})

	test('the headers of OPTIONS', async () => {
		const reply = await bench.call('OPTIONS', `/v1/computers/${await bench.guidOf('FIN-LT-0118')}/isolation`)
		const headers = Object.keys(dig(sample('isolation_options_204.http'), ['response', 'headers']) ?? {})
		for (const name of headers.filter(header => header !== 'transfer-encoding')) expect(reply.headers.get(name), name).not.toBeNull()
	})
})

describe('every record fits the models of the application', () => {
	test('computers', async () => {
		const {rows} = await bench.get('/v1/computers')
		for (const row of rows) expect(computerSchema.safeParse(row).success).toBe(true)
	})

	test('events', async () => {
		for (let offset = 0; offset < 2000; offset += 500) {
			const {rows} = await bench.get(`/v1/events?offset=${offset}`)
			for (const row of rows) expect(eventSchema.safeParse(row).success).toBe(true)
		}
	})

	test('trajectories', async () => {
		for (const host of bench.sandbox.world.fleet.hosts().slice(0, 40)) {
			const reply = await bench.get(`/v1/computers/${host.guid}/trajectory`)
			expect(trajectorySchema.safeParse(reply.at('data')).success).toBe(true)
		}
	})
})
