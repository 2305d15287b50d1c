import {join} from 'node:path'

import {z} from 'zod'

import {indicatorServiceSchema} from '#model/instance.ts'

import {testFolder} from '#base/testing/folder.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {startIndicatorService, type RunningIndicators} from './service.ts'
import {openIndicatorShelf, type IndicatorShelf} from './shelf.ts'
import {indicatorId, indicatorKey, microsOf, uuid5} from './stix.ts'
import {answerTaxii, taxiiType, type TaxiiHost} from './taxii.ts'

const never = new AbortController().signal
const hash = (number: number) => number.toString(16).padStart(64, '0')
const collection = uuid5('one/blocked')
const start = Date.UTC(2026, 0, 1)

/**
 * The resources of TAXII 2.1 (OASIS Standard, 10 June 2021): exactly the properties of its tables and examples. `next` of
 * manifests and versions is Cordon's: their requests accept it, but only envelopes define it.
 */
const stixMedia = z.literal('application/stix+json;version=2.1')
const microTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const apiRootUrl = z.string().regex(/^(https:\/)?\/[^/?][^?]*\/$/)
const [about, paging] = [{description: z.string().optional()}, {more: z.boolean().optional(), next: z.string().optional()}]
const collectionShape = z.strictObject({
	...{id: z.uuid(), title: z.string(), ...about, alias: z.string().optional()},
	...{can_read: z.boolean(), can_write: z.boolean(), media_types: z.array(stixMedia).optional()}
})
const stixShape = z.looseObject({type: z.literal('indicator'), id: z.string().regex(/^indicator--[0-9a-f-]{36}$/)})
const manifestShape = z.strictObject({
	...{id: stixShape.shape.id, date_added: microTime, version: z.iso.datetime({precision: 3}), media_type: stixMedia}
})
const shapes = {
	discovery: z.strictObject({
		...{title: z.string(), ...about, contact: z.string().optional()},
		...{default: apiRootUrl.optional(), api_roots: z.array(apiRootUrl).min(1).optional()}
	}),
	apiRoot: z.strictObject({...{title: z.string(), ...about, versions: z.array(z.string()), max_content_length: z.int().positive()}}),
	collections: z.strictObject({collections: z.array(collectionShape).min(1).optional()}),
	collection: collectionShape,
	manifest: z.strictObject({...paging, objects: z.array(manifestShape).min(1)}),
	envelope: z.strictObject({...paging, objects: z.array(stixShape).min(1)}),
	versions: z.strictObject({...paging, versions: z.array(z.iso.datetime({precision: 3})).min(1)}),
	error: z.strictObject({...{title: z.string(), ...about, http_status: z.string(), error_code: z.string().optional()}})
}

let folder: string
beforeEach(() => void (folder = testFolder()))

describe('TAXII 2.1', () => {
	let shelf: IndicatorShelf
	let now: number
	let host: TaxiiHost
	beforeEach(() => {
		now = start
		shelf = openIndicatorShelf(join(folder, 'indicators.db'))
		const facts = {id: collection, name: 'blocked', description: 'Hashes of the list'}
		host = {title: 'Cordon', collections: [facts], pageSize: 1000, shelf, now: () => now}
	})
	afterEach(() => shelf.close())

	function ask(target: string, headers: Readonly<Record<string, string>> = {accept: taxiiType}, method = 'GET') {
		const {status, headers: told, body} = answerTaxii(host, {method, target, headers})
		// The body is JSON.
		return {status, told, body: JSON.parse(JSON.stringify(body))}
	}

	const objects = `/indicators/collections/${collection}/objects/`
	const hold = (...hashes: number[]) => shelf.set(collection, new Set(hashes.map(number => `SHA-256:${hash(number)}`)), () => now, never)

	test('discovery, root and collections as the examples of the standard have them', async () => {
		const forwarded = {'x-forwarded-proto': 'https', 'x-forwarded-host': 'edge.example', 'x-forwarded-prefix': '/instance/execute/ti'}
		const root = 'https://edge.example/instance/execute/ti/indicators/'
		expect(ask('/taxii2/', {...forwarded, accept: 'application/taxii+json; version=2.1'})).toMatchObject({
			...{status: 200, told: {'content-type': 'application/taxii+json;version=2.1'}},
			body: {title: 'Cordon', default: root, api_roots: [root]}
		})
		expect(ask('/indicators/').body).toEqual({title: 'Cordon', versions: ['application/taxii+json;version=2.1'], max_content_length: 10_485_760})
		const one = {
			...{id: collection, title: 'blocked', description: 'Hashes of the list', alias: 'blocked'},
			...{can_read: true, can_write: false, media_types: ['application/stix+json;version=2.1']}
		}
		expect(ask('/indicators/collections/').body).toEqual({collections: [one]})
		expect(ask(`/indicators/collections/${collection}/`).body).toEqual(one)
		expect(ask('/indicators/collections/blocked').body).toEqual(one)
		expect(ask(objects).body).toEqual({})
	})

	test('objects, manifest, one object and its versions', async () => {
		await hold(1)
		const id = indicatorId(`SHA-256:${hash(1)}`)
		const at = '2026-01-01T00:00:00.000Z'
		const answer = ask(objects)
		expect(answer.told).toMatchObject({'x-taxii-date-added-last': '2026-01-01T00:00:00.000000Z'})
		expect(answer.body).toEqual({
			more: false,
			objects: [
				{
					...{type: 'indicator', spec_version: '2.1', id, created: at, modified: at, valid_from: at, name: hash(1)},
					...{pattern: `[file:hashes.'SHA-256' = '${hash(1)}']`, pattern_type: 'stix'},
					indicator_types: ['malicious-activity'],
					created_by_ref: expect.stringMatching(/^identity--[0-9a-f-]{36}$/)
				}
			]
		})
		expect(ask(objects.replace('objects', 'manifest')).body.objects).toEqual([
			{id, date_added: '2026-01-01T00:00:00.000000Z', version: at, media_type: 'application/stix+json;version=2.1'}
		])
		now += 1000
		await hold()
		expect(ask(objects).body.objects).toMatchObject([{id, created: at, modified: '2026-01-01T00:00:01.000Z', revoked: true}])
		expect(ask(`${objects}${id}/`).body.objects).toHaveLength(1)
		expect(ask(`${objects}${id}/versions/`).body.versions).toEqual([at, '2026-01-01T00:00:01.000Z'])
	})

	const objectId = indicatorId(`SHA-256:${hash(1)}`)
	const [bothTypes, dated] = [`${taxiiType},application/stix+json;version=2.1`, true]
	test.each<[section: string, path: string, shape: keyof typeof shapes, {accept?: string; dated?: boolean}]>([
		['4.1', '/taxii2/', 'discovery', {}],
		['the instance itself', '/', 'discovery', {}],
		['4.2', '/indicators/', 'apiRoot', {}],
		['5.1', '/indicators/collections/', 'collections', {}],
		['5.2', `/indicators/collections/${collection}/`, 'collection', {}],
		['5.3', objects.replace('objects', 'manifest'), 'manifest', {accept: bothTypes, dated}],
		['5.4', objects, 'envelope', {dated}],
		['5.6', `${objects}${objectId}/`, 'envelope', {dated}],
		['5.8', `${objects}${objectId}/versions/`, 'versions', {dated}]
	])('the request of section %s, %s, gets a %s', async (_, path, shape, {accept = taxiiType, dated: isDated = false}) => {
		await hold(1, 2)
		for (const headers of [{accept}, {accept, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'edge.example'}]) {
			const {status, told, body} = ask(path, headers)
			expect([status, told['content-type']]).toEqual([200, 'application/taxii+json;version=2.1'])
			expect(shapes[shape].parse(body)).toEqual(body)
			for (const which of ['first', 'last']) expect(microTime.safeParse(told[`x-taxii-date-added-${which}`]).success).toBe(isDated)
		}
	})

	test('a page says that there is more, by next or by the time of its last one (3.5)', async () => {
		await hold(1, 2, 3)
		const first = ask(`${objects}?limit=1`)
		expect(first.body).toMatchObject({more: true, next: expect.any(String), objects: [{name: hash(1)}]})
		const after = `added_after=${first.told['x-taxii-date-added-last']}`
		for (const query of [`next=${first.body.next}`, after])
			expect(ask(`${objects}?limit=2&${query}`).body).toMatchObject({more: false, objects: [{name: hash(2)}, {name: hash(3)}]})
	})

	test.each([
		['added_after=2026-01-01T00:00:00.000000Z', [2, 3]],
		['added_after=2026-01-01T00:00:00.000001Z', [3]],
		['match[type]=indicator,malware', [1, 2, 3]],
		['match[type]=malware', []],
		['match[spec_version]=2.0', []],
		['match[version]=last', [1, 2, 3]],
		['match[version]=2026-01-01T00:00:00.000Z', [1, 2, 3]],
		['match[version]=2025-01-01T00:00:00.000Z', []],
		['limit=2', [1, 2]],
		[`match[id]=${indicatorId(`SHA-256:${hash(2)}`)},indicator--none`, [2]]
	])('the filter %s', async (query, expected) => {
		await hold(1, 2, 3)
		const found: {name: string}[] = ask(`${objects}?${query}`).body.objects ?? []
		expect(found.map(({name}) => name)).toEqual(expected.map(hash))
	})

	test.each<[target: string, status: number, headers?: Readonly<Record<string, string>>, method?: string]>([
		['/nowhere/', 404],
		['/indicators/collections/other/', 404],
		['/indicators/status/2d086da7-4bdc-4f91-900e-d77486753710/', 404],
		[`${objects}indicator--none/`, 404],
		['/taxii2/', 406, {accept: 'application/taxii+json;version=2.0'}],
		['/taxii2/', 406, {accept: 'text/html'}],
		['/taxii2/', 200, {accept: 'text/html, */*;q=0.1'}],
		[objects, 403, {}, 'POST'],
		[`${objects}indicator--none/`, 403, {}, 'DELETE'],
		[`${objects}?limit=1&limit=2`, 400],
		[`${objects}?match[type]=indicator&match[type]=malware`, 400],
		[`${objects}?match[version]=all,last`, 400],
		[`${objects}?match[version]=last,last`, 400],
		[`${objects}?match[version]=first,2018-03-02T01:01:01.123Z,last`, 200],
		[`${objects}?limit=0`, 400],
		[`${objects}?added_after=yesterday`, 400],
		[`${objects}?next=1.9999999999999.AAAAAAAAAAAAAAAAAAAAAA`, 400],
		[`${objects}?match[version]=newest`, 400]
	])('%s is answered with %d', (target, status, headers = {}, method = 'GET') => {
		const answer = ask(target, headers, method)
		expect([answer.status, answer.told['content-type']]).toEqual([status, taxiiType])
		if (status !== 200) expect(shapes.error.parse(answer.body).http_status).toBe(String(status))
	})
})

test('values are recognised by their form', () => {
	expect(
		[
			'A'.repeat(32),
			'b'.repeat(40),
			`${hash(1)}  name.exe`,
			'192.0.2.7',
			'2001:DB8::1',
			'198.51.100.0/24',
			'Bad.example',
			'https://bad.example/x',
			'nothing'
		].map(indicatorKey)
	).toEqual([
		`MD5:${'a'.repeat(32)}`,
		`SHA-1:${'b'.repeat(40)}`,
		`SHA-256:${hash(1)}`,
		'ipv4-addr:192.0.2.7',
		'ipv6-addr:2001:db8::1',
		'ipv4-addr:198.51.100.0/24',
		'domain-name:bad.example',
		'url:https://bad.example/x',
		null
	])
})

test('ids are those of RFC 9562, and times keep microseconds', () => {
	expect(uuid5('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
	expect(microsOf('2016-05-01T00:00:00.000001Z')).toBe(Date.UTC(2016, 4, 1) * 1000 + 1)
})

describe('the instance', () => {
	let running: RunningIndicators
	afterEach(() => running.stop())

	async function start(
		fetchFileList: () => AsyncIterable<string>,
		onTrouble: (message: string) => void,
		...pasted: {kind: 'text'; text: string}[]
	) {
		const collections = [{name: 'files', sources: [{kind: 'file_list', connection: 'c', guid: 'g'}, ...pasted]}]
		running = await startIndicatorService({
			...{instance: {id: 'i', name: 'ti'}, folder, host: '127.0.0.1', port: 0, clock: testClock(), fetchFileList, onTrouble},
			definition: indicatorServiceSchema.parse({service: 'indicators', collections})
		})
	}

	test('publishes file lists and pasted lists, revokes what is gone, and keeps what a failure left out', async () => {
		let listed: number[] = [1, 2]
		let isAway = false
		async function* fetchFileList() {
			if (isAway) throw new Error('the service is away')
			for (const number of listed) yield hash(number)
		}
		const troubles: string[] = []
		const pasted = {kind: 'text' as const, text: `# note\n${hash(3)}\nrubbish\n`}
		await start(fetchFileList, message => troubles.push(message), pasted)
		expect(await running.publish()).toMatchObject({entries: 3, dropped: 1, problem: null})
		listed = [2]
		expect(await running.publish()).toMatchObject({entries: 2})
		isAway = true
		expect(await running.publish()).toMatchObject({entries: 2, problem: expect.stringContaining('the service is away')})
		expect(troubles).toHaveLength(1)
		const url = `http://127.0.0.1:${running.port}/indicators/collections/files/objects/`
		const response = await fetch(url, {headers: {accept: taxiiType}})
		const {objects} = (await response.json()) as {objects: {name: string; revoked?: boolean}[]}
		expect(objects.map(({name, revoked = false}) => [name, revoked])).toEqual([
			[hash(2), false],
			[hash(3), false],
			[hash(1), true]
		])
	})

	test('what is published on request was read after it', async () => {
		let listed = [1]
		const read = Promise.withResolvers<void>()
		const going = Promise.withResolvers<void>()
		async function* fetchFileList() {
			const known = listed
			read.resolve()
			await going.promise
			for (const number of known) yield hash(number)
		}
		await start(fetchFileList, expect.unreachable)
		await read.promise
		listed = [1, 2]
		const published = running.publish()
		going.resolve()
		expect(await published).toMatchObject({entries: 2, problem: null})
	})
})
