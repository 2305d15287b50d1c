/** The real router behind the real gate over a real WebSocket: messages on the wire, and pages that leave. */
import {once} from 'node:events'

import {WebSocket} from 'ws'

import type {App} from '#core/app/app.ts'
import {testCredentials} from '#gateway/forwarder/tls/testing/credentials.ts'
import type {Credentials} from '#gateway/forwarder/types.ts'
import {until} from '#base/testing/until.ts'
import {filesBelow, tracesOf, type Place} from '#sandbox/testing/canary.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {freeComputer} from '#sandbox/testing/running.ts'
import {contract} from '#contract/contract.ts'

import {callInstances, callScreens, callStreams, movedKey} from './testing/call-screens.ts'
import {connection, openWireWorld, type Client, type WireWorld} from './testing/wire-world.ts'

const canaryKey = 'canary-key-5b1e'
const canaryCode = 'canary-code-77'
const instanceSecrets = {
	password: 'canary:password-91',
	token: 'canary-token-0123456789abcdef',
	signingKey: 'canary-signing-key-44',
	variable: 'canary-variable-58'
}

const isolation = 'svc_put_computers_isolation'
let world: WireWorld
let sandbox: Sandbox
let app: App
/** Imported into the console as the operator's own certificate. */
let imported: Credentials

beforeAll(async () => {
	imported = await testCredentials()
	sandbox = await startSandbox({port: 0, computers: 300, seed: 'wire', agentDelayMs: 20_000})
	world = await openWireWorld(sandbox)
	;({app} = world)
})

afterEach(() => sandbox.weather.clear())

afterAll(async () => {
	await world.stop()
	await sandbox.stop()
})

const free = (skip = 0) => freeComputer(sandbox, skip)

function command(name: string, args: Readonly<Record<string, string>>) {
	return {connection, name, args: {...args}, surface: 'screen', run: 'r1'} as const
}

/** Paths of all procedures, such as `log.query`. */
function procedures(part: object, path = ''): readonly string[] {
	return Object.entries(part).flatMap(([name, inner]: [string, object]) =>
		'~orpc' in inner ? [`${path}${name}`] : procedures(inner, `${path}${name}.`)
	)
}

describe('a page that leaves', () => {
	test('cancels its readings', async () => {
		sandbox.weather.set(['GET /v1/policies*=hang'])
		const {client, socket} = await world.openPage()
		const gone = client.commands.run(command('svc_get_policies', {})).catch(() => 'gone')
		await until('the request', () => sandbox.requests.some(({path}) => path.startsWith('/v1/policies')))
		socket.terminate()
		await gone
		await until('the end', () => app.runner.running(connection) === 0)
		expect((await app.log.query({limit: 1})).entries[0]).toMatchObject({kind: 'command.failed', data: {code: 'cancelled'}})
	})

	test('leaves a change that was sent to its answer', async () => {
		sandbox.weather.set(['PUT *=latency:200'])
		const {client, socket} = await world.openPage()
		const guid = free()
		const gone = client.commands.run(command(isolation, {connector_guid: guid, comment: 'Beaconing'})).catch(() => 'gone')
		await until('the request', () => sandbox.requests.some(({method}) => method === 'PUT'))
		socket.terminate()
		await gone
		await until('the end', () => app.runner.running(connection) === 0)
		const about = await app.log.about(connection, guid, 5)
		expect(about.map(({kind}) => kind)).toEqual(['command.succeeded', 'command.requested'])
		expect(sandbox.requests.filter(({method}) => method === 'PUT')).toHaveLength(1)
	})
})

test('a page learns which session is its own', async () => {
	const {client} = await world.openPage('another')
	expect(await client.local.sessions()).toMatchObject([
		{agent: 'another', own: true},
		{agent: 'a test', own: false}
	])
})

test('a page whose session is ended is not heard while it closes, and cut off soon', async () => {
	const [{client}, gone] = [await world.openPage(), await world.openPage('gone')]
	const {wires} = world.server
	// By itself the socket would be destroyed after 30 s, without this.
	const cut = vi.spyOn(WebSocket.prototype, 'terminate')
	onTestFinished(() => cut.mockRestore())
	// It does not answer the close.
	gone.socket.pause()
	await client.local.endSession({id: (await client.local.sessions())?.[0]?.id ?? ''})
	sandbox.clearRequests()
	gone.client.commands.run(command('svc_get_version', {})).catch(() => {})
	await until('the cut', () => world.server.wires < wires)
	expect(sandbox.requests.some(({path}) => path.startsWith('/v1/version'))).toBe(false)
	expect(cut).toHaveBeenCalledOnce()
	gone.socket.terminate()
})

describe('what a page may send', () => {
	test.each([
		['the name of a prototype as an argument', {['__proto__']: 'x'}],
		['the name of a function as an argument', {constructor: 'x', toString: 'y'}],
		['an argument of a megabyte', {connector_guid: 'a'.repeat(1 << 20)}]
	])('%s is refused in a sentence, and nothing is sent', async (_what, args) => {
		const {client, socket} = await world.openPage()
		const before = sandbox.requests.length
		const input = {...command(isolation, {}), args}
		await expect(client.commands.run(input)).rejects.toMatchObject({
			code: 'CORDON',
			data: {code: expect.stringMatching(/^(?:usage|invalid_argument)$/), fault: 'operator'}
		})
		expect(sandbox.requests.slice(before).filter(({method}) => method === 'PUT')).toEqual([])
		expect(Reflect.get({}, 'x')).toBeUndefined()
		socket.close()
	})

	test.each([
		['a procedure that does not exist', JSON.stringify({i: '1', p: {u: '/no/such', b: {}}})],
		['a path into the prototype', JSON.stringify({i: '1', p: {u: '/__proto__/constructor', b: {}}})],
		['no JSON', 'nonsense', 1007],
		['no object', '[]', 1007],
		['null', 'null', 1007],
		['a call without its path', JSON.stringify({i: '1', p: {b: {}}}), 1007],
		['a call without anything', JSON.stringify({i: '1'}), 1007],
		['an address elsewhere', JSON.stringify({i: '1', p: {u: 'http://[', b: {}}}), 1007],
		['the end of a call that there is not', JSON.stringify({i: '9', t: 4})],
		['bytes', Buffer.from([0xff, 0x00, 0x01]), 1003]
	])('%s does no harm, and nothing is printed', async (_what, sent, code = 1000) => {
		const printed = vi.spyOn(console, 'error')
		const bad = await world.openPage()
		const good = await world.openPage()
		const closed = once(bad.socket, 'close')
		bad.socket.send(sent)
		expect((await good.client.app.info()).version).toBe('0.0.0')
		expect((await good.client.connections.list())[0]?.name).toBe('Sandbox')
		if (code === 1000) {
			expect((await bad.client.app.info()).version).toBe('0.0.0')
			bad.socket.close(1000)
		}
		expect((await closed)[0]).toBe(code)
		expect(printed).not.toHaveBeenCalled()
		vi.restoreAllMocks()
		good.socket.close()
	})

	test('more than 24 megabytes at once close the wire', async () => {
		const {socket} = await world.openPage()
		socket.on('error', () => {})
		socket.send('x'.repeat((24 << 20) + 1))
		const [code] = (await once(socket, 'close')) as [number]
		expect(code).toBe(1009)
		expect((await (await world.openPage()).client.app.info()).host).toBe('headless')
	})
})

/** Last, because it ends the console to search all files. */
describe('secrets', () => {
	test('no procedure sends a key or a code to the page, but the audited reveal', async () => {
		const {client, frames, socket} = await world.openPage()
		const called = new Set<string>()
		const recording = recorded(client, called)
		const revealed = await callEverything(recording, frames)
		expect([...called].toSorted()).toEqual(procedures(contract).toSorted())
		expect(revealed.join()).toContain(canaryCode)
		expect(frames.length).toBeGreaterThan(called.size)
		socket.close()
		await world.server.stop()
		await app.stop()
		const sent = [...placesOf('frame', frames), ...placesOf('line of the log', world.lines)]
		const everywhere = [...sent, ...filesBelow(world.ports.profile)]
		const {password, token, signingKey, variable} = instanceSecrets
		// The random code of the other computer, as sent to the service.
		const random = await codeOf(otherComputer())
		expect(random).toMatch(/^[A-Z0-9]{16}$/)
		expect(revealed.join()).toContain(random)
		const kept = [canaryKey, movedKey, 'a long passphrase', canaryCode, random, sandbox.apiKey]
		expect(tracesOf([...kept, password, token, signingKey], everywhere)).toEqual([])
		// These two are in the profile by design: a program needs the one, the server the other.
		const keyLine = imported.key.split('\n')[1] ?? 'no key'
		expect(tracesOf([variable, keyLine], sent)).toEqual([])
	})
})

/** Calls each procedure once, with secrets where possible. Removes the response of the reveal from the frames. */
async function callEverything(client: Client, frames: string[]) {
	const guid = free()
	const sorted = {filter: '', sort: {column: 'hostname', descending: false}} as const
	const events = await client.app.live()
	await client.app.info()
	await client.settings.set({theme: 'dark'})
	await client.settings.get()
	await client.settings.managed()
	await callConnections(client)
	await client.commands.run(command(isolation, {connector_guid: guid, unlock_code: canaryCode, comment: `not ${canaryCode}`}))
	await client.commands.run(command('svc_get_computers_isolation', {connector_guid: guid}))
	await client.commands.run({
		...command(isolation, {connector_guid: otherComputer()}),
		agreement: {reason: 'Beaconing'},
		isolation: {code: 'generated', lease: {hours: 24, auto: true}}
	})
	await client.computers.detail({connection, guid: otherComputer()})
	await client.commands.run(command(isolation, {connector_guid: guid, comment: 'Beaconing', unlock_code: canaryCode})).catch(() => {})
	await client.commands.suggest({connection, source: 'hostname', prefix: '', limit: 5})
	await client.commands.find({connection, text: 'a', limit: 5})
	await client.commands.remember({line: `!svc_put_computers_isolation unlock_code=${canaryCode}`})
	await client.commands.history()
	await client.computers.query({connection, ...sorted, offset: 0, limit: 500})
	await client.computers.guids({connection, ...sorted})
	await client.computers.position({connection, ...sorted, guid})
	await client.computers.refresh({connection})
	await client.computers.refreshMissing({connection})
	await client.computers.refreshOne({connection, guid})
	await client.computers.detail({connection, guid})
	await client.groups.list({connection})
	await client.isolation.preflight({connection, guid, action: 'release'})
	await callInstances(client, {...instanceSecrets, certificate: imported.certificate, key: imported.key})
	await callStreams(client, connection, instanceSecrets.signingKey)
	await callScreens(client, connection, guid)
	await new Promise(setImmediate)
	const before = frames.length
	await client.isolation.reveal({connection, guid, reason: 'user is on the phone'})
	const sealed = (await client.codes.list({connection})).find(each => each.made === 'generated')?.id
	await client.isolation.reveal({connection, guid: otherComputer(), reason: 'and offline', sealed})
	await events.return?.()
	const random = await codeOf(otherComputer())
	return frames.splice(before).filter(frame => frame.includes(canaryCode) || frame.includes(random))
}

/** A computer isolated with a random code. */
function otherComputer() {
	const {fleet, tenant} = sandbox.world
	const usable = tenant.hosts.filter(host => host.role !== 'server' && fleet.available(host))
	return usable.at(-1)?.guid ?? ''
}

async function codeOf(guid: string) {
	const headers = {Authorization: `Basic ${btoa(`${sandbox.clientId}:${sandbox.apiKey}`)}`}
	const answer = await fetch(`${sandbox.url}/v1/computers/${guid}/isolation`, {headers})
	return ((await answer.json()) as {data: {unlock_code: string}}).data.unlock_code // the documented form
}

async function callConnections(client: Client) {
	const {url} = sandbox
	const draft = {name: 'Second', url, clientId: 'a1b2c3', apiKey: canaryKey, insecure: false} as const
	const made = await client.connections.add({...draft, colour: 'red', environment: 'test', readOnly: true})
	await client.connections.update({id: made.id, change: {name: 'Third', apiKey: canaryKey}})
	await client.connections.list()
	await client.connections.frame({connection: made.id})
	// The service rejects this key.
	for (const subject of [{id: made.id}, {draft}]) for await (const _ of await client.connections.test(subject)) continue
	await client.commands.run({...command('svc_get_version', {}), connection: made.id}).catch(() => {})
	await client.connections.setLocked({connection: made.id, locked: true})
	await client.connections.startSandbox().catch(() => {})
	await client.connections.remove({id: made.id})
}

/** A client that records the called procedures. */
function recorded(client: Client, called: Set<string>): Client {
	const wrap = (part: object, path: readonly string[]) =>
		new Proxy(part, {
			get: (target, name) => wrap(Reflect.get(target, name) as object, [...path, String(name)]),
			apply: (target, self, args) => {
				called.add(path.join('.'))
				return Reflect.apply(target as (...given: unknown[]) => unknown, self, args) as unknown
			}
		})
	return wrap(client, []) as Client
}

function placesOf(what: string, contents: string[]): Place[] {
	return contents.map((content, index) => ({name: `${what} ${index}`, content}))
}
