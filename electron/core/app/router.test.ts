import {createRouterClient} from '@orpc/server'

import {changeComputer, freeComputer} from '#sandbox/testing/running.ts'
import {CordonError, reportError} from '#contract/errors.ts'
import type {LogEntry} from '#model/incident.ts'

import {type AppWorld, firstListing, startApp, startWorld} from '#gateway/instances/testing/app.ts'
import {createProgramLog} from '#base/log.ts'
import {failure} from './testing/failure.ts'
import {readSettled, writeListing} from '#core/replicas/computers/listing-state.ts'
import {openInventoryFile} from '#core/replicas/computers/schema.ts'
import {copyPath} from '#core/replicas/kit/files.ts'
import {readAll, until} from '#base/testing/until.ts'
import {whole} from '#shared/streams.ts'

const connection = 'sandbox'
const byName = {filter: '', sort: {column: 'hostname', descending: false}} as const
const allRows = {connection, ...byName, format: 'jsonl' as const, columns: []}

const isolation = 'svc_put_computers_isolation'
let {ports, sandbox, app, client} = {} as AppWorld
const lines: string[] = []

beforeEach(async () => {
	lines.length = 0
	const programLog = createProgramLog({destination: {write: line => void lines.push(line)}})
	const world = await startWorld({computers: 700, seed: 'router', agentDelayMs: 20_000}, {programLog})
	;({ports, sandbox, app, client} = world)
	await firstListing(app)
	return world.stop
})

const free = (skip = 0) => freeComputer(sandbox, skip)

function run(name: string, args: Record<string, string>) {
	return client.commands.run({connection, name, args, surface: 'screen', run: 'r1'})
}

function kinds(entries: readonly LogEntry[]) {
	return entries.map(({kind}) => kind)
}

describe('app', () => {
	test('info says who and where, and nothing secret', async () => {
		const info = await client.app.info()
		expect(info).toMatchObject({version: '0.0.0', host: 'headless', operator: 'kim', profile: ports.profile})
		expect(info.secretStore).toEqual({kind: 'memory', available: true, reason: null, asks: 'nothing'})
		expect(info.instance).toMatch(/^[0-9a-f]{16}$/)
	})

	test('live begins with hello and the frames, then sends changes, and ends with the reader', async () => {
		const stop = new AbortController()
		const events = await client.app.live(undefined, {signal: stop.signal})
		const {seen, reading} = readAll(events)
		await until('the greeting', () => seen.length >= 2)
		expect(seen.map(({kind}) => kind).slice(0, 2)).toEqual(['hello', 'frame'])
		await run(isolation, {connector_guid: free(), comment: 'Beaconing'})
		for (const kind of ['log', 'computer', 'computers', 'frame']) {
			await until(kind, () => seen.slice(2).some(event => event.kind === kind))
		}
		expect(app.live.subscribers).toBe(1)
		stop.abort()
		await reading
		expect(app.live.subscribers).toBe(0)
	})
})

describe('trajectory', () => {
	test('is read with one call, kept, and gives the record of each point', async () => {
		const host = sandbox.world.tenant.hosts.find(({compromised}) => compromised)
		const request = {connection, guid: host?.guid ?? '', query: ''}
		expect(await client.trajectory.stored(request)).toBeNull()
		const read = await client.trajectory.read(request)
		expect(read).toMatchObject({guid: host?.guid, query: '', cut: false})
		expect(await client.trajectory.stored(request)).toEqual(read)
		const {json} = (await client.trajectory.record({...request, index: 0})) ?? {}
		expect(json).toContain(`"event_type": "${read.points[0]?.type}"`)
	})

	test('reports that the service no longer knows the computer', async () => {
		const {guid = ''} = sandbox.world.tenant.hosts[0] ?? {}
		changeComputer(sandbox, guid, {removed: true})
		expect(await failure(client.trajectory.read({connection, guid}))).toMatchObject({code: 'not_found'})
		expect((await client.computers.detail({connection, guid}))?.row.vanishedAt).not.toBeNull()
	})
})

test('settings are read, changed and announced', async () => {
	expect((await client.settings.get()).theme).toBe('system')
	expect((await client.settings.set({theme: 'dark'})).theme).toBe('dark')
	expect((await client.settings.get()).theme).toBe('dark')
})

describe('connections', () => {
	const input = {
		name: 'EU',
		url: 'https://eu.example.test',
		clientId: 'id',
		apiKey: 'canary-api-key',
		insecure: false,
		colour: 'red',
		environment: 'test',
		readOnly: true
	} as const

	test('are added, changed, listed and removed, and no answer holds the key', async () => {
		const made = await client.connections.add(input)
		const changed = await client.connections.update({id: made.id, change: {name: 'Europe'}})
		expect(changed).toMatchObject({name: 'Europe', readOnly: true})
		const list = await client.connections.list()
		expect(list.map(({name}) => name)).toContain('Europe')
		const frame = await client.connections.frame({connection: made.id})
		expect(frame.mode).toMatchObject({kind: 'read_only', because: 'connection'})
		expect(JSON.stringify([made, changed, list, frame, lines])).not.toContain(input.apiKey)
		await client.connections.remove({id: made.id})
		expect(await client.connections.list()).toHaveLength(1)
		expect(await failure(client.connections.frame({connection: made.id}))).toMatchObject({code: 'unknown_connection'})
	})

	test('the test of the sandbox gives one result for each stage', async () => {
		const results = await Array.fromAsync(await client.connections.test({id: connection}))
		const stages = results.map(({stage, verdict}) => `${stage} ${verdict}`)
		expect(stages[0]).toBe('url ok')
		expect(stages).toContain('credentials ok')
	})

	test('a stream that fails carries a report, too', async () => {
		const reading = client.connections.test({id: 'nobody'}).then(stream => Array.fromAsync(stream))
		expect(await failure(reading)).toMatchObject({code: 'unknown_connection'})
	})

	test('changes are locked and unlocked', async () => {
		expect((await client.connections.setLocked({connection, locked: true})).mode).toMatchObject({because: 'locked'})
		expect(await failure(run(isolation, {connector_guid: free(), comment: 'Beaconing'}))).toMatchObject({code: 'read_only'})
		expect((await client.connections.setLocked({connection, locked: false})).mode).toEqual({kind: 'guarded'})
	})
})

describe('computers and groups', () => {
	test('come from local data in windows', async () => {
		const window = await client.computers.query({connection, ...byName, offset: 100, limit: 20})
		expect(window).toMatchObject({offset: 100, matching: 700, all: 700})
		expect(window.rows).toHaveLength(20)
		expect(await client.computers.guids({connection, ...byName})).toHaveLength(700)
		const guid = window.rows[0]?.guid ?? ''
		expect(await client.computers.position({connection, ...byName, guid})).toBe(100)
		expect((await client.groups.list({connection})).length).toBeGreaterThan(3)
	})

	test('a detail holds record, path and receipt, and no unlock code', async () => {
		const guid = free()
		await run(isolation, {connector_guid: guid, comment: 'beaconing', unlock_code: 'canary7'})
		const detail = await client.computers.detail({connection, guid})
		expect(detail?.row.isolation).toBe('pending_start')
		expect(detail?.groupPath.length).toBeGreaterThan(0)
		expect(detail?.receipt).toMatchObject({
			action: 'isolate',
			requested: {by: 'kim', reason: 'beaconing'},
			accepted: {status: 200, state: 'pending_start'}
		})
		expect(JSON.stringify(detail)).not.toContain('canary7')
		expect(await client.computers.detail({connection, guid: crypto.randomUUID()})).toBeNull()
	})

	test('a detail says why its computer is protected', async () => {
		const guid = free()
		const before = await client.computers.detail({connection, guid})
		expect(before?.protectedBecause).toBeNull()
		const rules = await client.guards.get({connection})
		const confirm = app.connections.find(connection).name
		await client.guards.set({connection, before: rules, rules: {...rules, protected: {...rules.protected, guids: [guid]}}, confirm})
		expect((await client.computers.detail({connection, guid}))?.protectedBecause).toBe(
			`${before?.row.hostname} is protected: the guard rules of this connection name it.`
		)
		const marks = await client.computers.marks({connection})
		expect(marks.protected).toEqual([guid])
		const isolated = await client.computers.guids({connection, ...byName, filter: 'isolation:isolated'})
		expect(marks.isolated.toSorted()).toEqual(isolated.toSorted())
	})

	test('are exported with a word on what the last reading could not be sure of', async () => {
		const database = openInventoryFile(copyPath(ports.profile, 'computers', connection))
		const error = reportError(new CordonError('incomplete', 'The list changed while loading.'))
		for (const [missing, partial] of [
			[[], error.message],
			[[500], '1 page of the list is of an earlier reading.']
		] as const) {
			writeListing(database, {...readSettled(database), phase: 'partial', missing, error})
			expect(await whole(client.computers.export(allRows))).toMatchObject({rows: 700, partial})
		}
		database.close()
	})

	test('are exported no further for a page that has left', async () => {
		const stop = new AbortController()
		const stream = await client.computers.export(allRows, {signal: stop.signal})
		expect(String((await stream.next()).value).length).toBeLessThan(80_000)
		stop.abort()
		expect(await failure(stream.next())).toMatchObject({code: 'cancelled'})
		expect(lines.join()).not.toContain('failed unexpectedly')
	})

	test('are refreshed: all, what is missing, or one', async () => {
		expect((await client.computers.refresh({connection})).inventory.phase).toBe('complete')
		expect((await client.computers.refreshMissing({connection})).inventory.missing).toEqual([])
		const guid = free()
		changeComputer(sandbox, guid, {removed: true})
		const detail = await client.computers.refreshOne({connection, guid})
		expect(detail?.row.vanishedAt).not.toBeNull()
		expect((await client.computers.refreshOne({connection, guid: free(1)}))?.row.vanishedAt).toBeNull()
	})
})

describe('isolation', () => {
	test('the preflight says whether it is allowed, and what it costs', async () => {
		const guid = free()
		const before = await client.isolation.preflight({connection, guid, action: 'isolate'})
		expect(before).toMatchObject({allowed: 'yes', problem: null, state: {status: 'not_isolated', available: true}})
		expect(before.calls).toBeGreaterThan(1)
		expect(before.reach).toMatch(/^Its policy .* during isolation[.:]/)
		expect(await client.isolation.preflight({connection, guid, action: 'release'})).toMatchObject({allowed: 'no'})
		const {fleet, tenant} = sandbox.world
		const forbidden = tenant.hosts.find(host => !fleet.available(host))?.guid ?? ''
		expect(await client.isolation.preflight({connection, guid: forbidden, action: 'isolate'})).toMatchObject({allowed: 'no'})
		expect(new Set(sandbox.requests.map(({method}) => method))).toEqual(new Set(['GET', 'OPTIONS']))
	})

	test('a preflight that gets no answer says why', async () => {
		sandbox.weather.set(['* /v1/computers/*/isolation=malformed'])
		const work = client.isolation.preflight({connection, guid: free(), action: 'isolate'})
		await passTime(work)
		const found = await work
		expect(found).toMatchObject({allowed: 'unknown', state: null})
		expect(found.problem).toMatch(/\S/)
	})

	test('a code is revealed for a reason, which the log keeps, and never the code', async () => {
		const guid = free()
		await run(isolation, {connector_guid: guid, comment: 'Beaconing', unlock_code: 'canary7'})
		const {code} = await client.isolation.reveal({connection, guid, reason: 'user is on the phone'})
		expect(code).toBe('canary7')
		const {entries} = await client.log.query({kinds: ['secret.revealed']})
		expect(entries[0]).toMatchObject({target: {guid}, data: {reason: 'user is on the phone'}})
		expect(JSON.stringify((await client.log.query({})).entries)).not.toContain('canary7')
		expect(await failure(client.isolation.reveal({connection, guid, reason: '  '}))).toMatchObject({code: 'invalid_argument', field: 'reason'})
	})

	test('a computer that is not isolated has no code to reveal', async () => {
		expect(await client.isolation.reveal({connection, guid: free(), reason: 'curious'})).toMatchObject({code: null, source: 'service'})
	})
})

describe('commands', () => {
	test('run names its target as the local copy does', async () => {
		const guid = free()
		const result = await run(isolation, {connector_guid: guid, comment: 'Beaconing'})
		const name = app.inventory(connection).row(guid)?.hostname ?? ''
		expect(result.message).toBe(`The service accepted the isolation of ${name}. Waiting for its agent.`)
		expect((await app.log.entry(result.entry))?.target).toEqual({guid, label: name})
	})

	test('a refusal arrives as a report of the closed table', async () => {
		expect(await failure(run(isolation, {connector_guid: 'nonsense'}))).toMatchObject({
			code: 'invalid_argument',
			field: 'connector_guid',
			fault: 'operator',
			retry: 'no'
		})
	})

	test('complete and find from the local copy', async () => {
		const name = app.inventory(connection).row(free())?.hostname ?? ''
		const suggestions = await client.commands.suggest({connection, source: 'hostname', prefix: name.slice(0, 4), limit: 5})
		expect(suggestions.length).toBeGreaterThan(0)
		expect((await client.commands.find({connection, text: name, limit: 5})).map(({label}) => label)).toContain(name)
	})

	test('history keeps lines without their codes', async () => {
		await client.commands.remember({line: '!svc_put_computers_isolation connector_guid=x unlock_code="canary 7" comment=y'})
		const history = await client.commands.history()
		expect(history.at(-1)).toContain('comment=y')
		expect(history.join()).not.toContain('canary')
	})
})

test('log is read, annotated, grouped and exported', async () => {
	const incident = await client.log.openIncident({title: 'Beacon', reference: 'INC-1'})
	const result = await client.commands.run({connection, name: 'svc_get_version', args: {}, surface: 'screen', run: 'r', incident: incident.id})
	const note = await client.log.note({text: 'looks fine', about: result.entry, incident: incident.id})
	const {entries} = await client.log.query({incident: incident.id})
	expect(kinds(entries)).toEqual(['note', 'command.succeeded', 'command.requested', 'incident.opened'])
	expect(note.about).toBe(result.entry)
	expect((await client.log.setIncidentOpen({id: incident.id, open: false})).open).toBe(false)
	expect((await client.log.incidents())[0]).toMatchObject({id: incident.id, open: false})
	const {pieces, told} = await exported({query: {incident: incident.id}, format: 'jsonl'})
	expect(told).toEqual({name: 'cordon-log-2026-01-01.jsonl', cut: false})
	expect(pieces.join('').trim().split('\n')).toHaveLength(5)
	// No message holds more than one entry beyond its measure, whatever the length of the log.
	for (let index = 0; index < 20; index += 1) await client.log.note({text: `${index}`.padEnd(10_000, 'x'), about: null, incident: incident.id})
	const long = (await exported({query: {}, format: 'csv'})).pieces
	expect(long.length).toBeGreaterThan(2)
	expect(Math.max(...long.map(({length}) => length))).toBeLessThan(80_000)
	expect(long.join('')).toContain('looks fine')
})

describe('failures', () => {
	test('input of the wrong form names the field', async () => {
		const query = {connection, ...byName, offset: 0, limit: 9000}
		expect(await failure(client.computers.query(query))).toMatchObject({code: 'invalid_argument', field: 'limit'})
	})

	test('an unexpected failure is internal, its stack and text only in the program log', async () => {
		const broken = {...ports, secrets: {...ports.secrets, unavailable: () => Promise.reject(new TypeError('deep inside'))}}
		const other = await startApp(broken, {console: false, programLog: createProgramLog({destination: {write: line => void lines.push(line)}})})
		const report = await failure(createRouterClient(other.router).app.info())
		await other.stop()
		expect(report).toEqual({code: 'internal', message: 'Something went wrong inside Cordon.', fault: 'cordon', retry: 'no'})
		expect(lines.join()).toContain('deep inside')
	})

	test('a query that the page cancels is not logged as a failure', async () => {
		const gone = Object.assign(new Error('Client aborted the request'), {name: 'AbortError'})
		const asked = client.computers.facets({connection, filter: ''}, {signal: AbortSignal.abort(gone)})
		expect(await failure(asked)).toMatchObject({code: 'cancelled'})
		expect(lines.join()).not.toContain('failed unexpectedly')
	})
})

async function exported(asked: Parameters<typeof client.log.export>[0]) {
	const [stream, pieces]: [Awaited<ReturnType<typeof client.log.export>>, string[]] = [await client.log.export(asked), []]
	for (;;) {
		const {done, value} = await stream.next()
		if (done === true) return {pieces, told: value}
		pieces.push(value)
	}
}

/** Advances time until the work is done. */
async function passTime(work: Promise<unknown>) {
	let done = false
	void work.finally(() => (done = true)).catch(() => {})
	await until('the work', () => {
		void ports.clock.advance(1000)
		return done
	})
}
