import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {request} from 'node:https'
import {join} from 'node:path'

import type {ProbeResult, RequestEntry} from '#contract/instances.ts'
import type {InstanceInput} from '#model/instance.ts'
import {exposeAll} from '#model/server-parameter.ts'

import {untilPassing, type Sought} from '#base/testing/until.ts'
import {machineNames} from '../forwarder/tls/names.ts'
import {testCredentials} from '../forwarder/tls/testing/credentials.ts'
import {freePort, openPort} from '#base/testing/port.ts'
import {openProfile, type Profile} from '#core/app/profile.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {InstanceConsole} from './console.ts'
import {openInstances, type OpenedInstances} from './open.ts'
import {testProgram} from './testing/definitions.ts'
import {closedAfter, upstream} from './testing/upstream.ts'
import type {Instances, RunningGateway} from '#core/app/gateway.ts'
import type {InstanceStore} from './types.ts'

let ports: TestPorts
let profile: Profile
let running: RunningGateway
let instances: Instances
let store: InstanceStore
let events: number
let troubles: string[]
let ca: string
const stopping: OpenedInstances[] = []
const others: Profile[] = []

beforeEach(async () => {
	ports = portsOfToday()
	profile = openTestProfile(ports)
	await start()
})

afterEach(async () => {
	await running.stop()
	await Promise.all(stopping.splice(0).map(opened => opened.stop()))
	await Promise.all([profile, ...others.splice(0)].map(one => one.stop()))
	ports.remove()
})

/** Time moves only on command, but begins now: TLS clients use the computer's clock. */
function portsOfToday(): TestPorts {
	const made = testPorts()
	const begin = Date.now()
	return {...made, clock: {...made.clock, now: () => begin + made.clock.monotonic()}}
}

function openTestProfile(of: TestPorts) {
	const createClient = () => expect.fail('no service is asked')
	return openProfile(of, {createClient, userAgent: 'test'})
}

function openedOf(of: Profile) {
	const made = openInstances({ports, database: of.database, log: entry => void of.note(entry)})
	stopping.push(made)
	return made
}

/** As another process on the profile sees them. */
function elsewhere() {
	const other = openTestProfile(ports)
	others.push(other)
	return openedOf(other).instances
}

const isOff = async () => (await instances.list()).server.state === 'off'

function healthy(id: string, stepMs = 0) {
	return until('health', () => instances.row(id).health.state === 'healthy', stepMs)
}

const refused = async () => expect.fail('nobody asks')
const noDesk = {note: refused, whoHas: refused, proposeIsolation: refused, startPlaybook: refused}

async function start() {
	const opened = openedOf(profile)
	events = 0
	troubles = []
	ca = ''
	running = new InstanceConsole({
		ports,
		opened,
		database: profile.database,
		connections: profile.connections,
		desk: noDesk,
		onEvent: () => (events += 1),
		onTrouble: (message, error) => void troubles.push(`${message} ${error === undefined ? '' : String(error)}`)
	})
	;({instances} = running)
	;({store} = opened)
	if (store.parameters()['forward.listen'] === undefined) store.setParameter('forward.listen', '127.0.0.1:0')
}

async function add(definition: InstanceInput, more: Partial<Parameters<InstanceStore['save']>[0]> = {exposed: true}) {
	return store.save({definition, ...more})
}

/** A list service of a file. */
function fileList(text: string, refreshS: number) {
	const path = join(ports.profile, 'values.txt')
	writeFileSync(path, text)
	const builtin = {service: 'list' as const, type: 'ip' as const, sources: [{kind: 'file' as const, path}], refreshS}
	return {file: path, program: {kind: 'builtin' as const, builtin}}
}

const addEdl = async () => add({name: 'edl', listenPort: await upstream()})

/** Polls in real time; advances the test's clock if `stepMs` is given. */
function until<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>, stepMs = 0) {
	return untilPassing(ports.clock, stepMs / 5, what, look)
}

async function listening() {
	const server = await until('the server', async () => {
		const {server: now} = await instances.list()
		return now.state === 'running' && now.listen !== null && now
	})
	if (ca === '') ca = (await instances.certificates.exportAuthority('pem')).content
	return server
}

interface Answer {
	status: number
	body: string
}

async function call(path: string, headers: Record<string, string> = {}): Promise<Answer> {
	const {listen} = await listening()
	return new Promise((resolve, reject) => {
		const target = `/instance/execute/${path}`
		const asked = request({host: '127.0.0.1', port: listen?.port, path: target, headers, ca, agent: false}, response => {
			let body = ''
			response.on('data', chunk => (body += String(chunk)))
			response.on('end', () => resolve({status: response.statusCode ?? 0, body}))
		})
		asked.on('error', reject)
		asked.end()
	})
}

async function reaches(path: string, status: number): Promise<Answer> {
	return until(`${status} at ${path}`, async () => {
		const answer = await call(path)
		return answer.status === status && answer
	})
}

async function probed(id: string) {
	const results: ProbeResult[] = []
	for await (const result of instances.probe(id)) results.push(result)
	return results.map(({stage, outcome}) => `${stage} ${outcome}`)
}

describe('the route', () => {
	test('leads to an exposed instance, and no longer when it is switched off', async () => {
		const {id} = await addEdl()
		expect(await call('edl')).toEqual({status: 200, body: 'hello'})
		store.setExposed(id, false)
		await reaches('edl', 404)
		store.setParameter(exposeAll, 'true')
		store.setExposed(id, null)
		await reaches('edl', 200)
	})

	test('does not run without an instance, nor when it is disabled', async () => {
		expect(await isOff()).toBe(true)
		const {id} = await addEdl()
		await listening()
		store.setParameter('forward.enabled', 'false')
		await until('its end', isOff)
		store.setParameter('forward.enabled', 'true')
		await listening()
		await store.remove(id)
		await until('its end', isOff)
		expect(troubles).toEqual([])
	})

	test('moves to another port without dropping a request that runs', async () => {
		const slow = createServer((_, response) => {
			response.write('first,')
			release.promise.then(
				() => response.end('last'),
				() => {}
			)
		})
		const release = Promise.withResolvers<void>()
		await add({name: 'slow', listenPort: await openPort(closedAfter(slow))})
		const {listen} = await listening()
		const answer = call('slow')
		await until('the request', async () => (await instances.list()).rows.some(({traffic}) => traffic.running === 1))
		const port = await freePort()
		store.setParameter('forward.listen', `127.0.0.1:${port}`)
		await until('the other port', async () => (await listening()).listen?.port === port)
		expect(port).not.toBe(listen?.port)
		release.resolve()
		expect(await answer).toEqual({status: 200, body: 'first,last'})
	})

	test('answers a request that runs when the console stops', async () => {
		const {id, listenPort} = await add({name: 'slow', program: testProgram()})
		await healthy(id, 100)
		await listening()
		const answer = call('slow/hold')
		await until('the request', async () => (await instances.detail(id)).output.some(({text}) => text === 'held'))
		const stopped = running.stop()
		await fetch(`http://127.0.0.1:${listenPort}/let`).catch(() => {})
		expect(await answer).toEqual({status: 200, body: 'let'})
		await stopped
	})

	test('of a renamed instance is there under both names', async () => {
		const listenPort = await upstream()
		const {id} = await add({name: 'old', listenPort})
		await reaches('old', 200)
		await store.save({id, definition: {name: 'new', listenPort}})
		await reaches('new', 200)
		expect((await call('old')).status).toBe(200)
		await until('the record', () => instances.requests(id, 10).some(({alias}) => alias === 'old'))
	})

	test('asks for the password that was set, and tells a page nothing of it', async () => {
		const users = [{name: 'fw', password: 'canary:word'}]
		const definition = {name: 'edl', listenPort: await upstream(), access: {kind: 'basic'}} as const
		const {id} = await add(definition, {exposed: true, secrets: {users}})
		expect((await call('edl')).status).toBe(401)
		const authorization = `Basic ${Buffer.from('fw:canary:word').toString('base64')}`
		expect(await call('edl', {authorization})).toEqual({status: 200, body: 'hello'})
		expect(await probed(id)).toEqual(['server ok', 'exposed ok', 'tcp ok', 'tls ok', 'access ok', 'instance skipped', 'answer skipped'])
		expect(JSON.stringify([await instances.list(), await instances.detail(id)])).not.toMatch(/canary|scrypt/)
	})

	test('is closed while a signing key is missing here', async () => {
		const definition = {name: 'bot', listenPort: await upstream(), access: {kind: 'hmac'}} as const
		const {id} = await add(definition, {exposed: true, secrets: {signingKey: 'canary-key'}})
		expect((await call('bot')).status).toBe(401)
		await ports.secrets.remove(`instance/${id}/signing-key`)
		store.setParameter('forward.platformVersion', '6.13')
		await reaches('bot', 503)
		const problem = 'The signing key of bot cannot be read here: the route answers 503. Enter it again.'
		expect(instances.row(id).warnings).toContain(problem)
		expect(troubles.map(text => text.trim())).toEqual([problem])
	})

	test('shows an imported certificate, and the local one again; the log says so without the key', async () => {
		await addEdl()
		const local = (await listening()).certificate
		const {certificates} = instances
		await expect(certificates.import('no certificate', 'no key')).rejects.toMatchObject({code: 'bad_certificate'})
		const own = await testCredentials(['own.example.test'])
		const localAuthority = ca
		const imported = await certificates.import(own.certificate, own.key)
		expect(imported).toMatchObject({kind: 'imported', authority: null})
		ca = own.authority
		await until('the imported one', () => call('edl').catch(() => {}))
		expect(await certificates.useLocal()).toMatchObject({kind: 'local', fingerprint: local?.fingerprint})
		ca = localAuthority
		await until('the local one', () => call('edl').catch(() => {}))
		const logged = (await profile.log.query({kinds: ['forwarding.changed'], limit: 10})).entries
		expect(logged.map(({message}) => message).slice(0, 2)).toEqual([
			'The forwarding server went back to a certificate of the local authority.',
			'A certificate of the forwarding server was imported.'
		])
		expect(JSON.stringify(logged)).not.toContain('PRIVATE KEY')
	})
})

test('settings that cannot be read once leave the forwarding server running, which says so', async () => {
	await addEdl()
	await listening()
	const reading = vi.spyOn(store, 'snapshot').mockImplementation(() => expect.fail('disk I/O error'))
	await ports.clock.advance(60_000)
	await until('the report', () => troubles.some(text => text.includes('could not be told its settings')))
	reading.mockRestore()
	expect((await listening()).problem).toContain('It runs with its earlier settings')
	expect((await call('edl')).status).toBe(200)
	await ports.clock.advance(60_000)
	await until('the new reading', async () => (await listening()).problem === null)
})

test('a failure to look after the certificate is reported', async () => {
	await addEdl()
	await listening()
	const key = join(ports.profile, 'forwarder', 'ca.key')
	rmSync(key)
	mkdirSync(key, {mode: 0o700})
	await ports.clock.advance(60_000)
	await until('the report', () => troubles.length > 0)
	expect(troubles[0]).toContain('could not be looked after')
	expect((await listening()).certificate?.problem).toContain('ca.key cannot be read')
})

describe('what is seen', () => {
	test('a request is in the log of its instance, followed as it comes, and counted', async () => {
		const {id} = await addEdl()
		await listening()
		const followed: RequestEntry[] = []
		const stop = new AbortController()
		const following = (async () => {
			for await (const batch of instances.follow(id, stop.signal)) followed.push(...batch)
		})()
		await call('edl/list?token=canary')
		await call('unknown')
		await until('the records', () => instances.requests(undefined, 10).length >= 2)
		stop.abort()
		await following
		expect(followed).toEqual(instances.requests(id, 10))
		expect(followed[0]).toMatchObject({method: 'GET', status: 200, instance: 'edl', endedBy: 'done'})
		expect(JSON.stringify(instances.requests(undefined, 10))).not.toContain('canary')
		expect(instances.row(id).traffic).toMatchObject({total: 1, failures: 0, requestsPerSecond: 0.1})
		const {traffic} = await instances.detail(id)
		expect(traffic.requests.at(-1)).toBe(1)
		expect(traffic.median.at(-1)).toBeGreaterThan(0)
		expect(traffic.requests).toHaveLength(360)
	})

	test('a probe names the stage at which the way ends', async () => {
		const server = closedAfter(createServer((_, response) => response.end()))
		const {id} = await add({name: 'edl', listenPort: await openPort(server)})
		// It waits for a server that starts.
		await until('its start', async () => !(await isOff()))
		expect((await probed(id)).filter(text => !text.endsWith('ok'))).toEqual([])
		await new Promise(resolve => server.close(resolve))
		expect(await probed(id)).toEqual(expect.arrayContaining(['access ok', 'instance failed', 'answer skipped']))
		store.setExposed(id, false)
		expect((await probed(id)).slice(0, 3)).toEqual(['server ok', 'exposed failed', 'tcp skipped'])
		store.setParameter('forward.enabled', 'false')
		await until('its end', isOff)
		expect((await probed(id))[0]).toBe('server failed')
	})

	test('another process sees states, and its changes take effect within a second', async () => {
		const {id} = await addEdl()
		await listening()
		await healthy(id)
		const seen = elsewhere()
		const list = await seen.list()
		expect(list.server).toMatchObject({state: 'running', listen: (await listening()).listen})
		expect(list.server.certificate?.fingerprint).toBe((await listening()).certificate?.fingerprint)
		expect(list.rows[0]).toMatchObject({health: {state: 'healthy'}, exposure: {exposed: true}})
		expect((await probed('edl')).at(-1)).toBe('answer ok')
		const before = events
		seen.store.setExposed(id, false)
		await ports.clock.advance(1000)
		await reaches('edl', 404)
		expect(events).toBeGreaterThan(before)
		await running.stop()
		expect((await seen.list()).server).toMatchObject({state: 'off', problem: 'No console runs on this profile.'})
		expect(seen.row(id).health.state).toBe('stopped')
	})

	test('the history of an instance is kept over a restart of the console', async () => {
		const {id} = await addEdl()
		await healthy(id)
		await running.stop()
		await start()
		await healthy(id)
		const {history} = await instances.detail(id)
		expect(history.map(({state}) => state)).toEqual(['starting', 'healthy', 'starting', 'healthy'])
	})
})

describe('news', () => {
	test('of a switch reach another process at once', async () => {
		const {id} = await addEdl()
		await healthy(id)
		const seen = elsewhere()
		seen.store.setEnabled(id, false)
		// The console checks once a second.
		await ports.clock.advance(1000)
		expect(seen.row(id).health).toMatchObject({state: 'disabled', reason: 'It is switched off.'})
		seen.store.setEnabled(id, true)
		await ports.clock.advance(1000)
		expect(seen.row(id).health.state).not.toBe('disabled')
		await until('health', () => seen.row(id).health.state === 'healthy')
		expect(seen.row(id).health.reason).toBeNull()
	})

	test('of requests reach another process within a second, bounded and without possible secrets', async () => {
		const {id} = await addEdl()
		const other = await add({name: 'other', listenPort: await upstream()})
		await listening()
		const seen = elsewhere()
		await call('edl/list?token=canary', {authorization: 'Bearer canary', cookie: 'canary=1'})
		await call('unknown?token=canary')
		await until('the records', () => instances.requests(undefined, 10).length === 2)
		expect(seen.requests(undefined, 10)).toEqual([])
		await ports.clock.advance(1000)
		expect(seen.requests(undefined, 10)).toEqual(instances.requests(undefined, 10))
		expect(seen.requests(id, 10)).toEqual(instances.requests(id, 10))
		expect(seen.requests(id, 10)).toMatchObject([{instance: 'edl', method: 'GET', status: 200}])
		expect(seen.requests(other.id, 10)).toEqual([])
		const rows = () => profile.database.all<{entry: string}>('SELECT entry FROM instance_request')
		expect(JSON.stringify(rows())).not.toContain('canary')
		for (let round = 0; round < 21; round += 1) await Promise.all(Array.from({length: 10}, () => call('edl')))
		await until('the records', () => instances.row(id).traffic.total === 211)
		await ports.clock.advance(1000)
		expect(rows()).toHaveLength(201)
		// They outlive the console, and are removed with their instance.
		const last = instances.requests(id, 200)
		await running.stop()
		expect(seen.requests(id, 1000)).toEqual(last)
		await seen.store.remove(id)
		expect(seen.requests(undefined, 10)).toHaveLength(1)
	})

	test('of an instance that is not running are bad, with the reason, at the first look', async () => {
		const {id} = await add({name: 'edl', listenPort: await freePort()})
		expect(instances.row(id).health).toMatchObject({state: 'starting', reason: 'It has not been checked yet.'})
		await until('the look', () => instances.row(id).health.state === 'unhealthy')
		expect(instances.row(id).health.reason).toContain('Nothing listens on port')
	})

	test('of what a program printed reach another process within a second, the last 200 lines of it', async () => {
		const {id, listenPort} = await add({name: 'own', program: testProgram()}, {})
		await healthy(id, 100)
		const seen = elsewhere()
		for (let line = 0; line < 3; line += 1) await fetch(`http://127.0.0.1:${listenPort}/print`)
		const own = async () => (await instances.detail(id)).output
		const isPrinted = async (count: number) => (await own()).filter(({text}) => text === 'printed').length >= count
		await until('the lines', () => isPrinted(3))
		await ports.clock.advance(1000)
		expect((await seen.detail(id)).output).toEqual(await own())
		for (let line = 0; line < 210; line += 1) await fetch(`http://127.0.0.1:${listenPort}/print`)
		await until('the lines', () => isPrinted(213))
		await ports.clock.advance(1000)
		expect((await seen.detail(id)).output).toEqual((await own()).slice(-200))
	})

	test('of a list that is held back: another process has it published within a second', async () => {
		const {file, program: block} = fileList('192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4\n', 30)
		const {id} = await add({name: 'block', program: block}, {})
		const seen = elsewhere()
		const entries = async (of: Instances) => (await of.detail(id)).list?.entries
		await until('the list', async () => (await entries(instances)) === 4, 100)
		await expect(seen.publish(id)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining('Nothing')})
		writeFileSync(file, '192.0.2.1\n')
		await until('the guard', () => seen.row(id).health.reason?.includes('held back') === true, 1000)
		expect(await seen.publish(id)).toMatchObject({entries: 4, heldBack: {entries: 1, lost: 3}})
		await ports.clock.advance(1000)
		await until('the new list', async () => (await entries(instances)) === 1)
		await until('its health', () => instances.row(id).health.reason === null)
		expect(profile.database.all('SELECT instance FROM instance_publish')).toEqual([])
		await running.stop()
		await expect(seen.publish(id)).rejects.toMatchObject({details: {fix: expect.stringContaining('Start the console')}})
	})

	test('are sent when a program prints and when a list is built, once a second', async () => {
		const {file, program: block} = fileList('192.0.2.1\n', 600)
		const healthCheck = {intervalS: 3600}
		const list = await add({name: 'block', program: block, healthCheck}, {})
		const environment = {TOKEN: 'canary'}
		const program = await add({name: 'own', program: {...testProgram(), environment}, healthCheck}, {})
		const states = () => [list.id, program.id].map(id => instances.row(id).health.state)
		await until('health', () => states().every(state => state === 'healthy'), 100)
		const listed = (count: number) => async () => (await instances.detail(list.id)).list?.entries === count
		await until('the first list', listed(1))
		await listening()
		await ports.clock.advance(2000)
		const quiet = events
		await ports.clock.advance(5000)
		expect(events).toBe(quiet)
		for (let line = 0; line < 3; line += 1) await fetch(`http://127.0.0.1:${program.listenPort}/print`)
		const lines = async () => (await instances.detail(program.id)).output.filter(({text}) => text === 'printed')
		await until('the lines', async () => (await lines()).length === 3)
		expect(JSON.stringify([await instances.list(), await instances.detail(program.id)])).not.toContain('canary')
		expect(await (await fetch(`http://127.0.0.1:${program.listenPort}/`)).json()).toMatchObject({environment})
		await ports.clock.advance(2000)
		expect(events).toBe(quiet + 1)
		writeFileSync(file, '192.0.2.1\n192.0.2.2\n')
		await until('the list', listed(2), 20_000)
		await until('the news', () => events > quiet + 1, 1000)
	})
})

test('a port is free, or says who holds it, and nothing that runs is bound twice', async () => {
	const free = await freePort()
	expect(await instances.checkPort(free)).toEqual({free: true, holder: null})
	const listenPort = await upstream()
	const other = await instances.checkPort(listenPort)
	expect(other.free).toBe(false)
	const {id} = await add({name: 'edl', listenPort})
	expect(await instances.checkPort(listenPort)).toEqual({free: false, holder: 'the instance edl'})
	const {listen} = await listening()
	expect(await instances.checkPort(listen?.port ?? 0)).toEqual({free: false, holder: 'the forwarding server'})
	const managed = await add({name: 'own', program: testProgram()})
	await healthy(managed.id, 100)
	expect(await instances.checkPort(managed.listenPort, managed.id)).toEqual({free: true, holder: null})
	await store.remove(id)
})

test('a list is published by a built-in instance and reached through the route', async () => {
	const sources = [{kind: 'text' as const, text: '192.0.2.1\n192.0.2.2\n'}]
	const builtin = {service: 'list' as const, type: 'ip' as const, sources}
	const {id} = await add({name: 'block', program: {kind: 'builtin', builtin}})
	await healthy(id, 100)
	const {body} = await until('its values', async () => {
		const answer = await call('block')
		return answer.status === 200 && answer.body.includes('192.0.2.1') && answer
	})
	expect(body).toContain('192.0.2.2')
	expect(existsSync(join(ports.profile, 'lists', id))).toBe(true)
	expect((await instances.detail(id)).list).toMatchObject({entries: 2, problem: null})
	await store.remove(id)
	await until('the end of its files', () => !existsSync(join(ports.profile, 'lists', id)))
	mkdirSync(join(ports.profile, 'lists', id))
	await running.stop()
	await start()
	await until('the end of what an earlier console left', () => !existsSync(join(ports.profile, 'lists', id)))
})

describe('warnings', () => {
	test('say nothing of what was seen before a port was opened or closed', async () => {
		const {id} = await add({name: 'one', listenPort: await freePort(), program: testProgram()})
		await healthy(id, 100)
		await ports.clock.advance(5000)
		const seen = elsewhere()
		seen.store.setOpenPort(id, true, 'one')
		const ofPort = () => seen.row(id).warnings.filter(text => text.startsWith('Port '))
		expect(ofPort()).toEqual([expect.stringContaining('is to be open to the network')])
		const isSeen = () => instances.row(id).warnings.some(text => text.includes('is open to the network'))
		if (process.platform === 'linux') await until('the opened port', () => isSeen() && instances.row(id).health.state === 'healthy', 100)
		await ports.clock.advance(5000)
		seen.store.setOpenPort(id, false)
		expect(ofPort()).toEqual([])
	})

	test('say what deserves a look', async () => {
		const wide = closedAfter(createServer((_, response) => response.end()))
		await new Promise<void>(resolve => wide.listen(0, '0.0.0.0', resolve))
		const address = wide.address()
		const listenPort = typeof address === 'object' && address !== null ? address.port : 0
		const {id} = await add({name: 'My list', listenPort})
		await add({name: 'my list', listenPort: await upstream()}, {})
		await healthy(id)
		store.setParameter('forward.lan', 'true', 'LAN')
		const seesListeners = process.platform === 'linux'
		expect(instances.row(id).warnings).toEqual([
			'Anyone on the network can use it through the route: it has no access control.',
			...(seesListeners ? [`Port ${listenPort} is open to the network, past the access control of the route.`] : []),
			'Its name must be encoded in URLs, which some firewalls and chat services are known to get wrong.',
			'my list differs from it by capitals only: URLs are case-sensitive.'
		])
		expect(instances.row(id).direct === null).toBe(!seesListeners || machineNames().addresses.length === 0)
		expect(instances.row('my list').direct).toBeNull()
		expect(instances.row('My list').route).toBe('/instance/execute/My%20list')
	})
})
