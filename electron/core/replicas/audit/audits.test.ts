import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {reportError} from '#contract/errors.ts'
import type {JoinedRow} from '#contract/log.ts'
import type {Connection} from '#model/connection.ts'

import {aborted} from '#base/due.ts'
import {testFolder} from '#base/testing/folder.ts'
import {testClient} from '#core/service/api/testing/client.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {openIncidentLog} from '#core/record/incidents/log.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {systemRandom} from '#base/system.ts'
import {testHost} from '../kit/testing/host.ts'
import {auditReplica, type Audits} from './audits.ts'
import {createJoinedLog} from './joined.ts'
import {openAuditStore} from './store.ts'

let folder: string
let sandbox: Sandbox
let client: ApiClient
let audits: Audits
let log: IncidentLog
let now: number

const one = {id: 'one', name: 'Sandbox', url: 'http://sandbox.test'}
const host = () => sandbox.world.tenant.hosts[0] ?? expect.fail('no host')

beforeEach(async () => {
	folder = testFolder()
	now = Date.now()
	sandbox = await startSandbox({port: 0, computers: 300, seed: 'audit', now: () => now})
	const {url, clientId, apiKey} = sandbox
	const clock = {now: () => now, monotonic: () => performance.now(), sleep: () => Promise.resolve()}
	client = testClient(url, {clientId, apiKey: async () => apiKey, clock})
	log = openIncidentLog({path: join(folder, 'incidents.db'), clock, random: systemRandom, operator: 'ada'})
	const find = (): Connection => one as unknown as Connection // nothing else of it is used
	const secrets = new Map<string, string>()
	audits = auditReplica({
		...testHost({profile: folder, clock, connections: {find, client: () => client}}),
		secrets: {read: async name => secrets.get(name), write: async (name, value) => void secrets.set(name, value)},
		random: systemRandom,
		log: () => log
	})
})

afterEach(async () => {
	await audits.stop()
	await log.stop()
	await client.stop()
	await sandbox.stop()
})

const note = async (message: string) => await log.append({kind: 'note', surface: 'screen', message})
const page = async (offset = 0, query = {}, limit = 50) => await audits.joined('one', {query, offset, limit})
const keyOf = (row: JoinedRow) => (row.kind === 'own' ? row.entry.id : row.record.key)
const messageOf = (row: JoinedRow | undefined) => (row?.kind === 'own' ? row.entry.message : row?.record.message)

/** The newest row, which is a record from elsewhere. */
async function newestRecord() {
	const [row] = (await page(0, {}, 1)).rows
	return row?.kind === 'elsewhere' ? row.record : expect.fail('an own entry')
}

const changed = (change: Parameters<typeof sandbox.world.audit.add>[2]) => sandbox.world.audit.add(now, 'mara@example.test', change)

const policyDeleted = () => changed({event: 'delete', type: 'Policy', id: 'p', old: {name: 'Old'}, new: {}})

const read = () => audits.read('one', false)
async function isolate(comment: string) {
	const {guid, hostname} = host()
	const intent = await log.append({
		kind: 'command.requested',
		surface: 'screen',
		command: 'svc_put_computers_isolation',
		args: {connector_guid: guid},
		target: {guid, label: hostname},
		connection: one,
		message: `Isolate a computer: ${hostname}.`
	})
	const signed = Buffer.from(`${sandbox.clientId}:${sandbox.apiKey}`).toString('base64')
	await fetch(`${sandbox.url}/v1/computers/${guid}/isolation`, {
		method: 'PUT',
		headers: {authorization: `Basic ${signed}`, 'content-type': 'application/json'},
		body: JSON.stringify({comment, unlock_code: 'tango42x'})
	})
	return intent.id
}

describe('a reading', () => {
	test('reports its result and cost, and the next one loads only what is new', async () => {
		expect(audits.state('one')).toMatchObject({elsewhere: 0, readAt: null, complete: false, price: 1})
		const first = await read()
		expect(first).toMatchObject({elsewhere: 420, own: 0, calls: 1, complete: true, problem: null, price: 1})
		sandbox.clearRequests()
		now += 3_600_000
		await read()
		const [request] = sandbox.requests
		const asked = Date.parse(new URL(request?.path ?? '', sandbox.url).searchParams.get('start_time') ?? '')
		expect(asked).toBeGreaterThan(now - 86_400_000)
		expect(audits.state('one').elsewhere).toBe(420)
	})

	test('finds what came since, however far this clock is ahead', async () => {
		sandbox.weather.set(['GET *=skew:-3600'])
		policyDeleted()
		now += 60_000
		expect((await read()).elsewhere).toBe(421)
		policyDeleted()
		now += 60_000
		expect((await read()).elsewhere).toBe(422)
	})

	const lastFrom = () => new URL(sandbox.requests.at(-1)?.path ?? '', sandbox.url).searchParams.get('start_time')?.slice(0, 10)
	const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10)

	test('that is first and by a clock that is days ahead loses none of the 30 days', async () => {
		sandbox.weather.set([`GET *=skew:${-20 * 86_400}`])
		expect(await read()).toMatchObject({complete: true})
		expect(lastFrom()).toBe(daysAgo(50))
	})

	test('of all is not answered by one of less that runs, and goes on when who asked first leaves', async () => {
		await read()
		sandbox.clearRequests()
		const left = new AbortController()
		const first = audits.read('one', false, left.signal)
		const all = audits.read('one', true)
		left.abort()
		await expect(first).rejects.toMatchObject({code: 'cancelled'})
		expect(await all).toMatchObject({elsewhere: 420, complete: true})
		expect(lastFrom()).toBe(daysAgo(30))
		sandbox.clearRequests()
		const [one] = await Promise.all([audits.read('one', true), audits.read('one', true)])
		expect(sandbox.requests).toHaveLength(one.calls)
	})

	test('refused to the key says so, and earlier data stays', async () => {
		await read()
		sandbox.weather.set(['GET /v1/audit_logs=status:403'])
		const state = await read()
		expect(state).toMatchObject({elsewhere: 420, problem: {code: 'forbidden'}})
		sandbox.weather.set([])
		expect((await read()).problem).toBeNull()
	})

	test('beyond the API limit, or one that fails, says so too', async () => {
		sandbox.weather.set(['GET /v1/audit_logs=429:600'])
		expect((await read()).problem).toMatchObject({code: 'rate_limited'})
		sandbox.weather.set(['GET /v1/audit_logs=empty'])
		expect((await read()).problem?.code).toBeTypeOf('string')
		expect(audits.state('one')).toMatchObject({elsewhere: 0, complete: false})
	})

	test('never stores an unlock code', async () => {
		await isolate('ours, code tango42x')
		now += 1000
		expect((await audits.read('one', true)).own).toBe(1)
		await expectNoCode()
	})
})

async function expectNoCode() {
	await audits.stop()
	for (const name of readdirSync(join(folder, 'audit'))) expect(readFileSync(join(folder, 'audit', name), 'latin1')).not.toContain('tango42x')
}

test('a code of an earlier reading is masked in a later comment', async () => {
	await isolate('ours')
	await read()
	now += 600_000
	const {guid, hostname} = host()
	changed({
		event: 'update',
		type: 'Computer',
		id: guid,
		old: {isolated: true, comment: 'ours'},
		new: {isolated: false, hostname, comment: 'opened with tango42x.'}
	})
	await read()
	expect(messageOf((await page()).rows.find(({kind}) => kind === 'elsewhere'))).toContain('opened with ••••••.')
	await expectNoCode()
})

describe('the joined log', () => {
	test('leaves out repeats of our own actions, and only those', async () => {
		const intent = await isolate('beaconing')
		now += 60_000
		changed({
			event: 'update',
			type: 'Computer',
			id: host().guid,
			old: {hostname: host().hostname, isolated: false},
			new: {hostname: host().hostname, isolated: true, comment: 'me too'}
		})
		now += 1000
		expect(await read()).toMatchObject({elsewhere: 421, own: 1})
		const {rows} = await page(0, {target: host().guid}, 2)
		expect(rows.map(messageOf)).toEqual([`Isolation asked for: ${host().hostname}. me too`, `Isolate a computer: ${host().hostname}.`])
		expect(rows[1]?.kind === 'own' && rows[1].entry.id).toBe(intent)
	})

	test('sorts each between our own by time, page by page, each once', async () => {
		await read()
		await note('first')
		now += 10_000
		policyDeleted()
		now += 10_000
		await note('second')
		await read()
		expect((await page(0, {}, 3)).rows.map(messageOf)).toEqual(['second', 'Policy deleted: Old.', 'first'])
		const keys: string[] = []
		for (let offset = 0; offset < (await page()).matching; offset += 37) keys.push(...(await page(offset, {}, 37)).rows.map(keyOf))
		expect((await page(0, {}, 500)).rows.map(keyOf)).toEqual(keys)
		expect(keys).toHaveLength(423)
		expect(new Set(keys).size).toBe(423)
	})

	test('keeps the rows of a reader, and counts later ones', async () => {
		for (const message of ['first', 'second', 'third']) await note(message)
		const before = await page()
		await note('fourth')
		now += 10_000
		policyDeleted()
		now += 10_000
		await note('fifth')
		const held = await audits.joined('one', {query: {}, offset: 0, limit: 50, upTo: before.newest})
		expect(held).toMatchObject({rows: before.rows, matching: 3, own: 5, newer: 2, newest: before.newest + 2})
		await read()
		const others = await audits.joined('one', {query: {}, offset: 1, limit: 2, upTo: before.newest})
		expect(others.rows.map(messageOf)).toEqual(['second', 'first'])
		expect(others.newer).toBe(3)
		expect(await page()).toMatchObject({newer: 0})
	})

	test('answers to the same filters; what only our own entries have leaves nothing from elsewhere', async () => {
		await read()
		const count = async (query: object) => (await page(0, query)).elsewhere
		expect(await count({operator: 'mara.lindqvist@stbarnaby.example'})).toBeGreaterThan(50)
		expect(await count({writesOnly: true})).toBeLessThan(await count({}))
		expect(await count({text: 'policy changed'})).toBeGreaterThan(10)
		expect(await count({until: new Date(now - 40 * 86_400_000).toISOString()})).toBe(0)
		expect(await count({pinned: true})).toBe(0)
		expect(await count({kinds: ['note']})).toBe(0)
		const incident = await log.openIncident({title: 'Beacon', reference: ''}, 'screen')
		expect(await count({incident: incident.id})).toBe(0)
		expect(await audits.joined(null, {query: {}, offset: 0, limit: 10})).toMatchObject({elsewhere: 0, own: 1, matching: 1})
	})

	test('is corrected where the clocks differ', async () => {
		sandbox.weather.set(['GET *=skew:-600'])
		now += 1000
		changed({event: 'login', type: 'User', id: 'u', old: {}, new: {name: 'Mara'}})
		await read()
		const record = await newestRecord()
		const shift = Date.parse(record.at) - Date.parse(record.serviceAt)
		expect(Math.abs(shift - 600_000)).toBeLessThan(5000)
	})
})

test('a record becomes evidence by an entry of our own that holds it', async () => {
	await read()
	const record = await newestRecord()
	const request = {connection: 'one', key: record.key, reason: 'not ours', incident: null, surface: 'screen' as const}
	const entry = await audits.pin(request)
	expect(entry).toMatchObject({kind: 'evidence.pinned', data: {reason: 'not ours', record: {key: record.key}}})
	expect((await log.query({pinned: true, limit: 9})).entries.map(({id}) => id)).toEqual([entry.id])
	await expect(() => audits.pin({...request, key: 'nothing'})).rejects.toThrow('no longer stored on this computer')
	await audits.forget('one')
	expect(audits.state('one').elsewhere).toBe(0)
	expect((await log.verify()).broken).toBeNull()
})

test('a connection that is removed ends the reading of its log', async () => {
	const asked = Promise.withResolvers<void>()
	const call: ApiClient['call'] = async (_request, {signal = expect.fail()} = {}) => {
		asked.resolve()
		await aborted(signal)
		throw signal.reason
	}
	client = {...client, call}
	const reading = read().catch(reportError)
	await asked.promise
	await audits.forget('one')
	expect(await reading).toMatchObject({code: 'cancelled'})
	expect(audits.ids()).toEqual([])
})

test('of a store of many, a page reads its own records and the places of the rest once', async () => {
	const store = openAuditStore(join(folder, 'many.db'))
	const record = (index: number) => ({
		key: `k${index}`,
		at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
		serviceAt: '',
		user: 'mara',
		event: 'update',
		type: 'Computer',
		target: null,
		message: `Change ${index}.`,
		changes: []
	})
	store.keep(
		Array.from({length: 20_000}, (_, index) => record(index)),
		new Map()
	)
	const calls = {places: 0, find: 0, newest: 0}
	const counted = {
		...store,
		places: (query: object) => ((calls.places += 1), store.places(query)),
		find: (key: string) => ((calls.find += 1), store.find(key)),
		newest: () => ((calls.newest += 1), [])
	}
	const joined = createJoinedLog(() => log)
	for (const offset of [10_000, 10_200]) expect((await joined(counted, {query: {}, offset, limit: 200})).rows).toHaveLength(200)
	// Once for their places, once for the query.
	expect(calls).toEqual({places: 2, find: 400, newest: 0})
	const sums = store.sums()
	expect(store.sums()).toBe(sums)
	store.keep([record(20_000)], new Map())
	expect(store.sums().elsewhere).toBe(20_001)
	store.stop()
})
