import {createHmac, randomUUID} from 'node:crypto'

import {defaultGuardRules} from '#model/guard.ts'

import {until} from '#base/testing/until.ts'
import {type AppWorld, firstListing, startWorld} from '#gateway/instances/testing/app.ts'

const connection = 'sandbox'
const key = '8f742231b10e8888abcd99yyyzzz85a5'
const hash = 'ab'.repeat(32)

let {ports, sandbox, app} = {} as AppWorld
let port: number

beforeEach(async () => {
	const world = await startWorld({computers: 60, seed: 'desk', agentDelayMs: 20_000})
	;({ports, sandbox, app} = world)
	await firstListing(app)
	const builtin = {service: 'webhook' as const, connection, proposals: true, playbooks: ['Contain an endpoint', 'own one']}
	const program = {kind: 'builtin' as const, builtin}
	const definition = {name: 'chat', program, access: {kind: 'hmac' as const}}
	const {id, listenPort} = await app.instances.store.save({definition, secrets: {signingKey: key}})
	port = listenPort
	await until('it answers', async () => {
		await ports.clock.advance(100)
		return app.instances.row(id).health.state === 'healthy'
	})
	return world.stop
})

async function say(text: string) {
	const body = new URLSearchParams({command: '/cordon', text, user_name: 'Steve'}).toString()
	const at = Math.floor(ports.clock.now() / 1000)
	const signature = createHmac('sha256', key).update(`v0:${at}:${body}`).digest('hex')
	const headers = {
		'content-type': 'application/x-www-form-urlencoded',
		...{'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${signature}`}
	}
	const response = await fetch(`http://127.0.0.1:${port}/`, {method: 'POST', body, headers})
	// The answer of a chat.
	return ((await response.json()) as {text: string}).text
}

test('a chat asks who has a hash and notes something', async () => {
	const at = Math.floor(ports.clock.now() / 1000) - 60
	const event = (id: number, hostname: string) => ({
		...{id, timestamp: at, event_type: 'Threat Detected', event_type_id: 1_090_519_054},
		computer: {connector_guid: `0000000${id}-1111-4222-8333-000000000000`, hostname},
		file: {identity: {sha256: hash}}
	})
	await app.events(connection).receive([event(1, 'WS-1'), event(2, 'WS-2')])
	expect(await say(`who ${hash}`)).toMatch(/name it on 2 computers: WS-[12], WS-[12]\.$/)
	expect(await say(`who ${'cd'.repeat(32)}`)).toContain('No stored event')
	expect(await say('note seen at the door')).toBe('Noted in the incident log.')
	const {entries} = await app.log.query({text: 'Steve by chat', limit: 10})
	expect(entries.map(({surface, message}) => `${surface} ${message}`)).toContain('automation Steve by chat: seen at the door')
})

function freeHosts() {
	const {fleet, tenant} = sandbox.world
	return tenant.hosts.filter(each => fleet.available(each) && fleet.isolation(each).status === 'not_isolated')
}

function freeHost() {
	const [host] = freeHosts()
	if (host === undefined) throw new Error('The sandbox has such a computer.')
	return {host, status: () => sandbox.world.fleet.isolation(host).status}
}

const pending = () => app.deps.profile.approvals.list(['pending'])
const approve = (key?: {name: string; passphrase: string}) =>
	app.deps.profile.approvals.answer({id: pending()[0]?.id ?? '', verdict: 'approved', reason: 'Seen', key, surface: 'screen'})

test('a chat proposes an isolation: one approval, sent only once a person approves', async () => {
	const {host, status} = freeHost()
	for (const how of [host.guid, host.hostname])
		expect(await say(`isolate ${how}`)).toContain('Nothing is sent before someone approves it in Cordon')
	expect(pending()).toMatchObject([{kind: 'change', requester: 'Steve by chat', reason: 'Proposed by chat', surface: 'automation'}])
	expect(status()).toBe('not_isolated')
	expect((await app.deps.playbooks.runs({offset: 0, limit: 1})).rows).toEqual([])
	expect(app.notices.list()[0]).toMatchObject({kind: 'approval_waits', open: expect.stringMatching(/^\/approvals\?tenant=/)})
	expect(await approve()).toMatchObject({state: 'used'})
	expect(status()).toBe('pending_start')
	expect(app.notices.list().filter(({kind}) => kind === 'approval_waits')).toEqual([])
	expect(await say('isolate NO-SUCH-HOST')).toContain('There is no NO-SUCH-HOST')
	expect(pending()).toEqual([])
})

test('the key of whoever asked in a chat does not count', async () => {
	const {guards, approvals} = app.deps.profile
	const rules = {...defaultGuardRules, approval: {...defaultGuardRules.approval, always: true}}
	guards.setRules({connection, rules, confirm: 'sandbox', surface: 'cli'})
	const sign = async (name: string) => {
		const own = {name, passphrase: 'correct horse battery', surface: 'cli'} as const
		const {publicKey} = await approvals.keys.create(own)
		approvals.keys.add({...own, use: 'approve', publicKey, groups: [], confirm: name})
		return await approve(own)
	}
	const {host, status} = freeHost()
	await say(`isolate ${host.guid}`)
	await expect(sign('steve')).rejects.toThrow('steve asked for this')
	expect(status()).toBe('not_isolated')
	expect(await sign('Lee')).toMatchObject({state: 'used'})
})

test('a flood of proposals ends at twenty waiting ones', async () => {
	const free = freeHosts()
	for (const {guid} of free.slice(0, 20)) expect(await say(`isolate ${guid}`)).toContain('Proposed')
	expect(await say(`isolate ${free[20]?.guid ?? ''}`)).toContain('Too many changes')
	expect(pending()).toHaveLength(20)
})

test('a playbook from a chat has to be signed and on the list, and each of its changes waits for an approval', async () => {
	const {host, status} = freeHost()
	const {playbooks} = app.deps
	expect(await say('playbook Nothing')).toBe('This webhook does not take the playbook Nothing.')
	const {document} = playbooks.find('Contain an endpoint')
	await playbooks.add(JSON.stringify({...document, id: `playbook--${randomUUID()}`, name: 'own one'}))
	expect(await say('playbook own one')).toContain('not signed')
	const started = await say(`playbook Contain an endpoint computer=${host.guid} reason=Case`)
	expect(started).toContain('Each of its changes waits until someone approves it in Cordon.')
	const [run] = (await playbooks.runs({offset: 0, limit: 1})).rows
	expect((await playbooks.runs({connections: ['another'], offset: 0, limit: 1})).matching).toBe(0)
	const id = run?.id ?? ''
	await until('it asks a person', async () => (await playbooks.run(id)).state === 'waiting')
	await playbooks.answer(id, undefined, 'yes', null)
	await until('the change waits', () => pending().length > 0)
	expect(pending()).toMatchObject([{kind: 'change', requester: 'Steve by chat', run: {id}}])
	expect(status()).toBe('not_isolated')
	await approve()
	await until('it is sent', () => status() === 'pending_start')
})
