import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {changeIsolation} from '#sandbox/isolation-machine.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import type {Host} from '#sandbox/tenant/host.ts'
import {changeComputer, freeComputer} from '#sandbox/testing/running.ts'

import type {App} from './app.ts'
import {firstListing, startApp} from '#gateway/instances/testing/app.ts'
import type {AppOptions} from './base.ts'
import {receiptOf} from '#core/actions/isolation/receipt.ts'
import {createProgramLog} from '#base/log.ts'
import {openDatabase} from '#core/store/database.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {readAll, until, untilPassing, type Sought} from '#base/testing/until.ts'

const connection = 'sandbox'
const isolate = 'svc_put_computers_isolation'

let ports: TestPorts
let sandbox: Sandbox
let app: App

beforeEach(async () => {
	ports = testPorts()
	sandbox = await startSandbox({port: 0, computers: 600, seed: 'app', agentDelayMs: 20_000, now: ports.clock.now})
})

afterEach(async () => {
	await app.stop()
	await sandbox.stop()
	ports.remove()
})

async function start(options: Partial<AppOptions> = {}) {
	app = await startApp(ports, {sandbox, ...options})
}

/** Until the computers are read; gives one that is online. */
async function startRead() {
	await start()
	await firstListing(app)
	return online()
}

async function addSecond(clientId: string) {
	const {url, apiKey} = sandbox
	const look = {insecure: false, colour: 'red', environment: 'test', readOnly: true} as const
	return await app.connections.add({name: 'Second', url, clientId, apiKey, ...look})
}

const online = (skip = 0) => freeComputer(sandbox, skip)

function offline() {
	const {fleet, tenant} = sandbox.world
	const isWanted = (host: Host) => fleet.available(host) && !fleet.online(host) && fleet.isolation(host).status === 'not_isolated'
	return tenant.hosts.find(isWanted)?.guid ?? ''
}

function run(name: string, guid: string, args: Record<string, string> = {}) {
	return app.runner.run({name, args: {connector_guid: guid, comment: 'Beaconing', ...args}, connection, surface: 'screen'})
}

async function observed(guid: string) {
	return (await app.log.about(connection, guid, 50)).flatMap(({kind, message}) => (kind === 'command.observed' ? [message] : []))
}

/** The service answers in real time. */
function pass<T>(what: string, stepMs: number, look: () => Sought<T> | Promise<Sought<T>>) {
	return untilPassing(ports.clock, stepMs, what, look)
}

/** So many, so that what waits for each gets its turn. */
async function steps(count: number, ms: number) {
	for (let step = 0; step < count; step += 1) await ports.clock.advance(ms)
}

function state(guid: string) {
	return app.inventory(connection).row(guid)?.isolation
}

describe('the start', () => {
	test('loads the computers of the active connection automatically', async () => {
		await startRead()
		expect(app.frame(connection)).toMatchObject({
			connection: {id: connection, sandbox: true},
			mode: {kind: 'guarded'},
			link: {kind: 'ok'},
			inventory: {rows: 600, total: 600},
			counts: {computers: 600}
		})
		expect(app.frame(connection).quota?.remaining).toBeLessThan(3000)
	})

	test('stored data is shown before anything is refreshed', async () => {
		const {promise: shown, resolve} = Promise.withResolvers<void>()
		await start({shown})
		await steps(5, 60_000)
		expect(sandbox.requests).toEqual([])
		resolve()
		await firstListing(app)
	})

	test('deletes what removed connections left; another process may remove one later', async () => {
		const copy = (id: string) => join(ports.profile, 'events', `${id}.db`)
		mkdirSync(join(ports.profile, 'events'))
		for (const id of ['gone', 'server-1']) writeFileSync(copy(id), '')
		await start()
		await pass('the deletion', 1000, () => !existsSync(copy('gone')))
		expect(existsSync(copy('server-1'))).toBe(true)
		const {id} = await addSecond(`${sandbox.clientId}2`)
		app.events(id)
		const other = await startApp(ports, {console: false})
		await other.connections.remove(id)
		await other.stop()
		expect(existsSync(copy(id))).toBe(true)
		await pass('the next deletion', 1000, () => !existsSync(copy(id)))
	})

	test('works with no connection at all', async () => {
		await start({sandbox: undefined})
		expect(app.connections.list()).toEqual([])
	})

	test('a service that is down is a state, not a crash', async () => {
		sandbox.weather.set(['GET *=503'])
		await start()
		await pass('the failure', 1000, () => app.frame(connection).link.kind === 'failing')
		await pass('the phase', 1000, () => app.frame(connection).inventory.phase === 'failed')
		sandbox.weather.clear()
		await pass('the next listing', 10_000, () => app.frame(connection).inventory.phase === 'complete')
		expect(app.frame(connection).link.kind).toBe('ok')
	})

	test('the computers are refreshed every five minutes', async () => {
		await startRead()
		const before = listings()
		await pass('the next listing', 10_000, () => listings() > before)
		expect(ports.clock.monotonic()).toBeGreaterThanOrEqual(300_000)
	})

	test('a connection is loaded when it becomes active', async () => {
		await start({sandbox: undefined})
		const {id} = await addSecond(sandbox.clientId)
		app.settings.set({activeConnection: id})
		await until('its listing', () => app.frame(id).inventory.phase === 'complete')
		expect(app.frame(id).mode).toMatchObject({because: 'connection'})
	})
})

describe('pending isolations', () => {
	test('are followed until the agent answers, and confirmed in the log', async () => {
		const guid = await startRead()
		const {entry} = await run(isolate, guid, {comment: 'beaconing'})
		await pass('the isolation', 1000, () => state(guid) === 'isolated')
		// Read at once: a release that follows must not replace this request.
		expect(await observed(guid)).toHaveLength(1)
		expect((await observed(guid))[0]).toMatch(/ isolated; confirmed after \d+ s\.$/)
		// A poll reads only the state, so the record keeps its older time.
		const row = app.inventory(connection).row(guid)
		expect(Date.parse(row?.isolationReadAt ?? '')).toBeGreaterThan(Date.parse(row?.readAt ?? ''))
		const about = (await app.log.about(connection, guid, 50)).find(({kind}) => kind === 'command.observed')
		expect(about).toMatchObject({about: entry, command: isolate, operator: 'kim'})
		await run('svc_delete_computers_isolation', guid)
		await pass('the release', 1000, async () => (await observed(guid)).length === 2)
		expect(state(guid)).toBe('not_isolated')
	})

	test('are queried one by one, two seconds apart at first, until they are settled', async () => {
		const guid = await startRead()
		const requestedAt = ports.clock.now()
		await run(isolate, guid)
		await pass('the entry', 500, async () => (await observed(guid)).length > 0)
		const polls = pollsOf(guid)
		expect(polls[0]?.at).toBeGreaterThanOrEqual(requestedAt + 2000)
		expect(polls[0]?.at).toBeLessThan(requestedAt + 6000)
		await steps(60, 1000)
		expect(pollsOf(guid)).toHaveLength(polls.length)
	})

	test('of many computers are read from the listing', async () => {
		await startRead()
		const guids = Array.from({length: 8}, (_, index) => online(index))
		for (const guid of guids) await run(isolate, guid)
		await pass('all of them', 1000, async () => {
			const seen = await Promise.all(guids.map(observed))
			return seen.every(entries => entries.length === 1)
		})
		const single = sandbox.requests.filter(one => one.method === 'GET' && one.path.endsWith('/isolation'))
		expect(single.length).toBeLessThan(8)
	})

	test('requested by another process are followed, too, whatever else is done with the computer', async () => {
		const guid = await startRead()
		const other = await startApp(ports, {console: false})
		await other.runner.run({name: isolate, args: {connector_guid: guid, comment: 'Beaconing'}, connection, surface: 'cli'})
		await other.stop()
		const about = {target: {guid, label: 'FIN-1'}, connection: {id: connection, name: 'Sandbox', url: sandbox.url}}
		const move = {...about, kind: 'command.requested', surface: 'cli', command: 'svc_move_computer', message: 'Move.'} as const
		for (let count = 0; count < 60; count += 1) await app.log.append(move)
		await pass('the isolation', 1000, () => state(guid) === 'isolated')
		await pass('the entry about its intent', 1000, async () => (await observed(guid)).length > 0)
		expect((await app.log.about(connection, guid, 5))[0]).toMatchObject({kind: 'command.observed', surface: 'cli'})
	})

	test('that the agent could not start end as confirmed failures, and the receipt shows it', async () => {
		const guid = await startRead()
		changeComputer(sandbox, guid, {failsNext: true})
		await run(isolate, guid)
		await pass('the end', 1000, async () => (await observed(guid)).length > 0)
		expect((await observed(guid))[0]).toMatch(/ was not isolated\. Its agent reported not isolated, \d+ s after the request\.$/)
		const receipt = receiptOf(await app.log.about(connection, guid, 50))
		expect(receipt).toMatchObject({action: 'isolate', observed: {state: 'not_isolated'}})
		await steps(30, 1000)
		expect(await observed(guid)).toHaveLength(1)
	})

	test('seen while the log cannot be written are logged later, once', async () => {
		const guid = await startRead()
		await run(isolate, guid)
		const disk = openDatabase(join(ports.profile, 'incidents.db'), {synchronous: 'FULL'})
		disk.exec(`CREATE TRIGGER refused BEFORE INSERT ON entry WHEN NEW.kind = 'command.observed' BEGIN SELECT RAISE(ABORT, 'disk'); END`)
		await pass('the answer of the agent', 1000, () => state(guid) === 'isolated')
		await steps(30, 1000)
		expect(await observed(guid)).toEqual([])
		disk.exec('DROP TRIGGER refused')
		disk.close()
		await pass('the entry', 5000, async () => (await observed(guid)).length > 0)
		expect(await observed(guid)).toHaveLength(1)
	})

	test('that take too long are reported once, until their agent answers', async () => {
		await startRead()
		const guid = offline()
		const name = app.inventory(connection).row(guid)?.hostname ?? ''
		const overdue = ({title}: {title: string}) => title === `The isolation of ${name} is overdue`
		const told = () => ports.notices.filter(overdue).length
		await run(isolate, guid)
		await pass('the notice', 60_000, () => told() > 0)
		await steps(10, 60_000)
		expect(told()).toBe(1)
		expect(app.frame(connection).counts.pendingTooLong).toBeGreaterThan(0)
		const shown = () => app.notices.list().filter(overdue)
		expect(shown()).toHaveLength(1)
		const {fleet, tenant} = sandbox.world
		const host = tenant.hosts.find(one => one.guid === guid) ?? expect.fail('no host')
		changeIsolation(sandbox.world, host, {...fleet.isolation(host), status: 'isolated'})
		await pass('the agent', 60_000, () => shown().length === 0)
	})
})

describe('a start after a process was killed', () => {
	test('logs an unknown outcome for its change, and the receipt says so', async () => {
		await start()
		const guid = online()
		const intent = await app.log.append({
			kind: 'command.requested',
			surface: 'screen',
			command: isolate,
			args: {connector_guid: guid},
			target: {guid, label: 'FIN-1'},
			connection: {id: connection, name: 'Sandbox', url: sandbox.url},
			message: 'Isolate a computer: FIN-1.'
		})
		await app.stop()
		await start()
		const about = await app.log.about(connection, guid, 5)
		expect(about[0]).toMatchObject({kind: 'command.outcome_unknown', about: intent.id})
		expect(receiptOf(about)?.refused).toMatchObject({unknown: true})
		await app.stop()
		await start()
		expect(await app.log.about(connection, guid, 5)).toHaveLength(2)
	})
})

describe('a change without an outcome', () => {
	test('gets one while the console runs, as soon as its process is gone', async () => {
		await start()
		const {log} = app
		const common = {surface: 'cli', command: 'svc_move_computer', connection: null} as const
		const lost = await log.append({...common, kind: 'command.requested', args: {connector_guid: online()}, message: 'Move.'})
		await ports.clock.advance(15_000)
		expect(await log.thread(lost.id)).toMatchObject([{kind: 'command.outcome_unknown', about: lost.id}, {id: lost.id}])
		await ports.clock.advance(60_000)
		expect(await log.thread(lost.id)).toHaveLength(2)
	})
})

describe('the end', () => {
	test('comes while a command hangs, and its outcome is logged', async () => {
		await startRead()
		sandbox.weather.set(['PUT *=hang'])
		const guid = online()
		const failed = run(isolate, guid).catch((error: unknown) => error)
		await until('the request', () => sandbox.requests.some(one => one.method === 'PUT'))
		await app.stop()
		expect(await failed).toMatchObject({code: 'outcome_unknown'})
		await start({console: false})
		expect((await app.log.about(connection, guid, 5)).map(({kind}) => kind)).toEqual(['command.outcome_unknown', 'command.requested'])
	})

	test('leaves no handle: the process ends once the application stops', async () => {
		await start({sandbox: undefined})
		const script = fileURLToPath(new URL('../../gateway/instances/testing/start-and-stop.ts', import.meta.url))
		const folder = join(ports.profile, 'another')
		mkdirSync(folder, {mode: 0o700})
		const child = spawn(process.execPath, [script, folder, sandbox.url, sandbox.clientId], {stdio: ['pipe', 'pipe', 'inherit']})
		child.stdin.end(sandbox.apiKey)
		await once(child.stdout, 'data')
		expect(await once(child, 'exit')).toEqual([0, null])
	})

	test('waits a moment for the answer to a change that was sent', async () => {
		await startRead()
		sandbox.weather.set(['PUT *=latency:200'])
		const guid = online()
		const done = run(isolate, guid)
		await until('the request', () => sandbox.requests.some(one => one.method === 'PUT'))
		await app.stop()
		expect(await done).toMatchObject({data: {status: 'pending_start'}})
		await start({console: false})
		expect((await app.log.about(connection, guid, 5))[0]).toMatchObject({kind: 'command.succeeded'})
	})

	test('ends the live streams, and a second stop is harmless', async () => {
		await start()
		const {seen, reading} = readAll(app.live.subscribe())
		await until('the greeting', () => seen.length > 0)
		await Promise.all([app.stop(), app.stop()])
		await app.stop()
		await reading
		expect(app.live.subscribers).toBe(0)
	})
})

describe('secrets', () => {
	test("a connection's key is in no file, live event or line of the program log", async () => {
		const lines: string[] = []
		await start({programLog: createProgramLog({level: 'debug', destination: {write: line => void lines.push(line)}})})
		const {seen: events, reading} = readAll(app.live.subscribe())
		await until('the listing', () => app.frame(connection).inventory.phase === 'complete')
		sandbox.weather.set(['GET *=malformed'])
		await run('svc_get_computers_isolation', online()).catch(() => {})
		await app.stop()
		await reading
		const files = readdirSync(ports.profile, {recursive: true, withFileTypes: true}).filter(one => one.isFile())
		const everything = [...files.map(file => readFileSync(join(file.parentPath, file.name), 'latin1')), JSON.stringify(events), ...lines]
		expect(everything.length).toBeGreaterThan(3)
		for (const text of everything) expect(text.includes(sandbox.apiKey)).toBe(false)
	})
})

function pollsOf(guid: string) {
	return sandbox.requests.filter(one => one.method === 'GET' && one.path.endsWith(`${guid}/isolation`))
}

function listings() {
	return sandbox.requests.filter(one => one.path.startsWith('/v1/computers?')).length
}
