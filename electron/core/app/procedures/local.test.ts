/** Local data over the router: sizes, wiping, diagnostics with canaries, connections without keys. */
import {existsSync} from 'node:fs'
import {join} from 'node:path'

import {readConnectionsFile} from '#model/connections-file.ts'

import {type AppWorld, firstListing, startWorld} from '#gateway/instances/testing/app.ts'
import {createProgramLog, keepLogTail} from '#base/log.ts'
import {testPorts} from '#base/testing/ports.ts'

const connection = 'sandbox'
const canaryKey = 'canary-key-5b1e'
const canaryCode = 'Canarycode77'
const canaryPassword = 'canary-password-91'

let {ports, sandbox, app, client} = {} as AppWorld

beforeEach(async () => {
	const own = {...testPorts(), proxyEnvironment: {HTTPS_PROXY: `http://kim:${canaryPassword}@proxy.example.test:3128`}}
	const tail = keepLogTail({write: () => {}})
	const programLog = createProgramLog({level: 'debug', destination: tail.destination})
	const options = {programLog, lastLines: tail.lines}
	const world = await startWorld({computers: 300, seed: 'local', agentDelayMs: 20_000}, options, own)
	;({ports, sandbox, app, client} = world)
	programLog.warn({apiKey: canaryKey, url: sandbox.url}, `The password=${canaryPassword} of kim was refused.`)
	await firstListing(app)
	return world.stop
})

test('stored data is listed for each connection, with its size', async () => {
	const data = await client.local.data()
	expect(data.folder).toBe(ports.profile)
	const own = data.connections.find(({id}) => id === connection)
	expect(own?.copies.find(({kind}) => kind === 'computers')).toMatchObject({records: 300})
	expect(own?.copies.find(({kind}) => kind === 'computers')?.bytes).toBeGreaterThan(4096)
	expect(data.files.map(({kind}) => kind)).toEqual(['log', 'profile', 'other'])
})

test('local data is deleted after its connection is typed; the log records it and is never deleted', async () => {
	const file = join(ports.profile, 'inventory', `${connection}.db`)
	expect(existsSync(file)).toBe(true)
	const before = (await app.log.query({limit: 1})).matching
	await expect(client.local.wipe({connection, kinds: ['computers'], confirm: 'wrong'})).rejects.toMatchObject({
		data: {code: 'confirmation_needed'}
	})
	expect(app.inventory(connection).counts().computers).toBe(300)
	const {name} = app.connections.find(connection)
	sandbox.weather.set(['GET /v1/computers=hang'])
	const data = await client.local.wipe({connection, kinds: ['computers', 'events'], confirm: name})
	expect(data.connections[0]?.copies.find(({kind}) => kind === 'events')?.bytes ?? 0).toBeLessThan(200_000)
	expect(app.inventory(connection).counts().computers).toBe(0)
	sandbox.weather.clear()
	expect((await app.log.query({limit: 1})).matching).toBe(before + 1)
	expect((await app.log.query({limit: 1})).entries[0]?.message).toContain('are deleted: computers, events')
	expect((await client.log.verify()).broken).toBeNull()
})

const look = {insecure: false, colour: 'red', environment: 'production', readOnly: false} as const
const acme = {name: 'ACME', url: 'https://api.acme-tenant.example', clientId: 'client', apiKey: canaryKey, ...look}

test('diagnostics hold no key, unlock code, password, name or address', async () => {
	await app.connections.add({
		...{...acme, name: 'ACME-SECRET-NAME', clientId: 'canary-client-33'},
		proxy: 'http://proxy.acme-inner.example:3128',
		proxyLogin: {user: 'canary-user', password: 'canary-proxy-word'}
	})
	const guid = sandbox.world.tenant.hosts.find(host => sandbox.world.fleet.available(host))?.guid ?? ''
	await client.commands
		.run({connection, name: 'svc_put_computers_isolation', args: {connector_guid: guid, unlock_code: canaryCode}, surface: 'screen', run: 'r1'})
		.catch(() => {})
	await client.commands.remember({line: `svc_put_computers_isolation ${guid} unlock_code=${canaryCode}`})
	const {name, text} = await client.local.diagnostics()
	expect(name).toMatch(/^cordon-diagnostics-[\d-]+\.txt$/)
	expect(text).toContain('"version": "0.0.0"')
	expect(text).toContain('"computers": 300')
	expect(text).toContain('"proxy": "own"')
	expect(text).toContain('was refused.')
	for (const secret of [
		'acme-inner',
		'canary-user',
		'canary-proxy-word',
		canaryKey,
		canaryCode,
		canaryPassword,
		sandbox.apiKey,
		'ACME-SECRET-NAME',
		'acme-tenant',
		'canary-client-33',
		guid,
		ports.profile,
		'proxy.example.test'
	])
		expect(text).not.toContain(secret)
})

test('connections are exported without their keys', async () => {
	await app.connections.add(acme)
	const {text} = await client.local.exportConnections()
	expect(readConnectionsFile(text)).toMatchObject({ok: true, connections: [{name: 'ACME', clientId: 'client'}]})
	expect(text).not.toContain(canaryKey)
})

test('the proxy is shown without its password', async () => {
	expect(await client.local.network()).toEqual({proxy: 'http://proxy.example.test:3128', problem: null, exceptions: null})
})
