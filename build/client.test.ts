import {execFile} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {createApp, type App} from '#core/app/app.ts'
import {createProgramLog} from '#base/log.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {gateway} from '#gateway/instances/gateway.ts'

import {CordonProblem, createClient, isPending, type Client} from '../client/index.js'

const example = fileURLToPath(new URL('../client/example.js', import.meta.url))

let ports: TestPorts
let sandbox: Sandbox
let app: App
let address: string
let token: string
let client: Client

beforeAll(async () => {
	ports = testPorts()
	sandbox = await startSandbox({port: 0, computers: 100, seed: 'client', agentDelayMs: 0, now: ports.clock.now})
	app = await createApp(ports, {...{gateway, version: '0.0.0', sandbox, programLog: createProgramLog({level: 'silent'})}})
	address = (await app.deps.doors.set({on: true, port: 0}, 'cli')).address ?? ''
	;({token} = app.deps.doors.tokens.create({name: 'client', scope: 'change', connections: ['sandbox']}, 'cli'))
	client = createClient({token, address})
})

afterAll(async () => {
	await app.stop()
	await sandbox.stop()
	ports.remove()
})

function computer(role: 'server' | 'workstation') {
	const {fleet, tenant} = sandbox.world
	const found = tenant.hosts.find(one => one.role === role && fleet.available(one) && fleet.online(one))
	return {guid: found?.guid ?? '', hostname: found?.hostname ?? ''}
}

test('reads, with lists of values, all pages, and problems of the table', async () => {
	const {hosts} = sandbox.world.tenant
	const names = hosts.slice(0, 2).map(({hostname}) => hostname)
	const {data} = await client.call('svc_get_computers', {hostname: names})
	expect((data as {hostname: string}[]).map(({hostname}) => hostname).toSorted()).toEqual(names.toSorted())
	let count = 0
	for await (const page of client.pages('svc_get_computers', {limit: 40})) count += (page.data as unknown[]).length
	expect(count).toBe(hosts.length)
	const missing = client.call('svc_get_computer_by_connector', {connector_guid: 'nothing'})
	await expect(missing).rejects.toBeInstanceOf(CordonProblem)
	await expect(missing).rejects.toMatchObject({problem: {code: 'not_found', status: 404}})
	const stranger = createClient({token: 'cordon_nothing', address}).call('svc_get_version')
	await expect(stranger).rejects.toMatchObject({problem: {status: 401}})
})

test('a long wait is asked for in rounds that fetch bears', async () => {
	const waits: (string | null)[] = []
	const fetch = async (url: unknown) => {
		waits.push(new URL(String(url)).searchParams.get('wait'))
		return Response.json({code: 'wait_timeout'}, {status: 504})
	}
	const asked = createClient({token, fetch}).call('svc_get_computers_isolation', {connector_guid: 'a', wait: 600})
	await expect(asked).rejects.toBeInstanceOf(CordonProblem)
	expect(waits).toEqual(['240', '240', '120'])
})

test('digits are kept: IDs that no number holds are texts', async () => {
	const records =
		'[{"id":1234567890123456789,"text":"\\"id\\":1234567890123456789","low":-9007199254740993,"pi":3.14159265358979323846,"small":42}]'
	const {data} = await createClient({token, fetch: async () => new Response(`{"data":${records}}`)}).call('svc_get_events')
	const [low, text, pi] = ['-9007199254740993', '"id":1234567890123456789', Math.PI]
	expect(data).toEqual([{id: '1234567890123456789', text, low, pi, small: 42}])
	await expect(createClient({token, fetch: async () => new Response('[')}).call('runs')).rejects.toThrow(SyntaxError)
})

test('its example isolates and waits', async () => {
	const {guid} = computer('workstation')
	const env = {...process.env, CORDON_TOKEN: token}
	const {stdout} = await promisify(execFile)(process.execPath, [example, guid, 'Beaconing', address], {env})
	expect(stdout).toContain('isolated')
	expect(sandbox.requests.filter(({method}) => method === 'PUT')).toHaveLength(1)
})

test('a change that needs a person is reported, and so is its outcome', async () => {
	const change = {connector_guid: computer('server').guid, reason: 'Beaconing'}
	const asked = await client.call('svc_put_computers_isolation', change)
	if (!isPending(asked)) throw new Error('It was carried out.')
	const decided = client.decided(asked, {everyMs: 1})
	await app.deps.profile.approvals.answer({id: asked.id, verdict: 'denied', reason: 'No', surface: 'screen'})
	expect(await decided).toMatchObject({id: asked.id, state: 'denied'})
})
