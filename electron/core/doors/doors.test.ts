import {execFile, spawnSync} from 'node:child_process'
import {chmodSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {connect} from 'node:net'
import {join} from 'node:path'
import {text as textOf} from 'node:stream/consumers'
import {readyComputers} from '#sandbox/testing/running.ts'
import {catalogue} from '#shared/commands/catalogue.ts'
import type {NewToken} from '#model/door.ts'
import {mostOpen} from '#core/actions/commands/proposing.ts'
import {until} from '#base/testing/until.ts'
import {inventoryPath} from '#core/replicas/computers/replica.ts'
import {openDatabase} from '#core/store/database.ts'
import {connectionInput} from '#core/service/connections/testing/clients.ts'
import {isolate} from '#core/work/jobs/testing/world.ts'
import {type AppWorld, startWorld} from '#gateway/instances/testing/app.ts'
import {operations} from './operations.ts'
import {listen} from './server.ts'
import {send, type Ask} from './testing/send.ts'

let {ports, sandbox, app} = {} as AppWorld
let [address, reads, changes] = ['', '', '']

beforeAll(async () => {
	const world = await startWorld({computers: 300, seed: 'doors', agentDelayMs: 0})
	;({ports, sandbox, app} = world)
	await app.inventory('sandbox').refresh()
	await listenAt(0)
	reads = token({name: 'reads'})
	changes = token({name: 'changes', scope: 'change'})
	return world.stop
})

function token(input: Partial<NewToken> & {name: string}) {
	return app.deps.doors.tokens.create({connections: ['sandbox'], perMinute: 100_000, ...input}, 'cli').token
}

const listenAt = async (port: number | null) => void (address = (await app.deps.doors.set({on: true, port}, 'cli')).address ?? '')
const shown = (name: string) => app.deps.doors.tokens.list().find(one => one.name === name)
const revoke = (name: string) => app.deps.doors.tokens.revoke(name, 'cli')

const call = (method: string, path: string, ask: Ask = {}) => send(method, path, {as: reads, at: address, ...ask})
const v1 = (method: string, path: string, ask?: Ask) => call(method, `/api/v1${path}`, ask)
const version = async (ask: Ask) => (await v1('GET', '/version', ask)).status

/** By their links. */
async function pagesOf(first: string): Promise<readonly unknown[]> {
	const bodies: unknown[] = []
	for (let path = first; path !== '';) {
		const {status, headers, body} = await call('GET', path)
		expect(status).toBe(200)
		bodies.push(body)
		path = /<(.+?)>/.exec(String(headers.link))?.[1] ?? ''
	}
	return bodies
}

/** With a reason, and used once. */
const keyed = (key: string) => ({as: changes, body: {reason: 'Beaconing'}, headers: {'idempotency-key': key}})
const setToken = (change: string, name: string, ...values: string[]) =>
	app.deps.profile.database.run(`UPDATE api_token SET ${change} WHERE name = ?`, ...values, name)
const isolationOf = (guid = host()) => `/computers/${guid}/isolation`
const host = (skip = 0) => readyComputers(sandbox)[skip] ?? ''

const server = () => sandbox.world.tenant.hosts.find(one => one.role === 'server' && sandbox.world.fleet.available(one))?.guid ?? ''
const sent = (method: string) => sandbox.requests.filter(one => one.method === method).length

test('exactly this is exposed', () => {
	const own = ['local_computers', 'local_computer', 'runs', 'run', 'approval']
	expect(operations.map(({id}) => id)).toEqual([...catalogue.map(({name}) => name), ...own])
	const changing = catalogue.filter(({risk}) => risk !== 'read').map(({name}) => name)
	expect(operations.filter(({scope}) => scope === 'change').map(({id}) => id)).toEqual(changing)
})

describe('who gets in', () => {
	const refused: [string, Ask][] = [
		['without a token', {as: ''}],
		['with one that is not known', {as: 'cordon_nothing'}],
		['a web page', {headers: {origin: 'http://127.0.0.1'}}],
		['a page of another site', {headers: {'sec-fetch-site': 'cross-site'}}],
		['a name that somebody made point here', {headers: {host: 'evil.example:4810'}}],
		['this address with another port', {headers: {host: '127.0.0.1:1'}}]
	]
	const ways = '/api/v1/version /api/v1/local/computers?limit=1 /api/v1/openapi.json /api/v1/changes /playbook.api/version /mcp'.split(' ')
	test.each(refused)('%s: nothing, by no way', async (_who, ask) => {
		// It lies ready.
		for (let time = 0; time < 2; time += 1) expect((await call('GET', ways[1] ?? '')).status).toBe(200)
		for (const path of ways) {
			const {status, body, headers} = await call('GET', path, ask)
			expect({status, body}).toMatchObject({status: 401, body: {code: 'token_refused'}})
			expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
		}
	})

	test('under two names at once: nothing', async () => {
		const {host: name, port} = new URL(address)
		const socket = connect(Number(port), '127.0.0.1')
		const fields = [`Host: ${name}`, 'Host: evil.example', `Authorization: Bearer ${reads}`, 'Connection: close']
		socket.end(['GET /api/v1/version HTTP/1.1', ...fields, '', ''].join('\r\n'))
		expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 401 /)
	})

	test('what was under way when its token was revoked: nothing more', async () => {
		const as = token({name: 'leaving'})
		const answer = await fetch(`${address}/api/v1/changes`, {headers: {authorization: `Bearer ${as}`}})
		const read = answer.text().catch(() => '')
		const states: Awaited<ReturnType<typeof call>>[] = []
		const [one, other] = [host(), host(1)]
		const body = {connector_guid: other, status: 'isolated', wait: 600}
		const waited = [
			v1('GET', `/computers/${one}/isolation?status=isolated&wait=600`, {as}),
			call('POST', '/playbook.api/commands/svc_get_computers_isolation', {as, body})
		].map(said => said.then(it => states.push(it)))
		await until('both reads', () => [one, other].every(guid => sandbox.requests.some(({path}) => path.includes(`${guid}/isolation`))))
		revoke('leaving')
		// The log entry of the revocation would be the next event; it ends the stream.
		expect(await read).toContain(': Cordon')
		await until('both answers', async () => {
			await ports.clock.advance(5000)
			return states.length === 2
		})
		await Promise.all(waited)
		const refusal = {status: 401, body: {code: 'token_refused'}}
		expect(states).toMatchObject([refusal, refusal])
	})

	test('a cross-origin preflight gets no answer', async () => {
		expect(await v1('OPTIONS', '/version', {as: '', headers: {origin: 'http://evil.example'}})).toMatchObject({status: 401})
	})

	test('an expired token, a revoked one at once, and one that calls too often', async () => {
		const short = token({name: 'short', days: 1})
		expect(await version({as: short})).toBe(200)
		revoke('short')
		expect(await version({as: short})).toBe(401)
		const slow = token({name: 'slow', perMinute: 1, days: 1})
		expect(await version({as: slow})).toBe(200)
		const second = await v1('GET', '/version', {as: slow})
		expect(second).toMatchObject({status: 429, body: {code: 'rate_limited'}, headers: {'retry-after': '60'}})
		// An idle token saves up one minute, no more.
		await ports.clock.advance(180_000)
		expect([await version({as: slow}), await version({as: slow})]).toEqual([200, 429])
		// A day later.
		const ended = new Date(ports.clock.now()).toISOString()
		setToken('ends_at = ?', 'slow', ended)
		expect(await version({as: slow})).toBe(401)
		expect(shown('slow')).toMatchObject({state: 'expired', refused: 2})
		expect(() => token({name: 'Reads '})).toThrow('There is a token Reads already')
	})

	test('another user of this computer gets nothing', async () => {
		const {tokens} = app.deps.doors
		const respond = async () => ({status: 200, headers: {}, body: '{}'})
		const other = await listen({...{at: {port: 0}, tokens, clock: ports.clock, respond, onTrouble: () => {}, userOf: () => 'other'}})
		expect(await version({at: other.address})).toBe(401)
		await other.stop()
	})

	test('a token of other connections, and one that only reads', async () => {
		const before = sent('PUT')
		const refused = {status: 403, body: {code: 'out_of_scope'}}
		expect(await v1('GET', '/version?connection=elsewhere')).toMatchObject(refused)
		expect(await v1('PUT', isolationOf(), {body: {reason: 'Beaconing'}})).toMatchObject(refused)
		expect(sent('PUT')).toBe(before)
	})
})

/** Status for another user of this machine, over loopback or the socket; 0: not connected. */
async function asNobody(at: string, bearer: string) {
	const where = at.startsWith('http') ? [`${at}/api/v1/version`] : ['--unix-socket', at, 'http://cordon/api/v1/version']
	const user = ['--reuid=65534', '--regid=65534', '--clear-groups', 'curl', '-s', '-o', '/dev/null', '-w', '%{http_code}']
	const auth = bearer === '' ? [] : ['-H', `Authorization: Bearer ${bearer}`]
	return await new Promise(resolve => execFile('setpriv', [...user, ...auth, ...where], (_error, out) => resolve(Number(out))))
}

const mayBeNobody =
	process.platform === 'linux' && process.getuid?.() === 0 && ['setpriv', 'curl'].every(name => spawnSync(name, ['--version']).status === 0)

describe.skipIf(!mayBeNobody)('another user of this machine (needs root, setpriv and curl)', () => {
	test.each([
		['loopback', 0, 401],
		['the UNIX socket', null, 0]
	] as const)('gets nothing over %s, with a stolen token neither', async (_way, port, status) => {
		const {doors} = app.deps
		const {port: before} = doors.state()
		const {address: at} = await doors.set({on: true, port}, 'cli')
		// Access to the parent folders is not access to the socket.
		chmodSync(ports.profile, 0o755)
		for (const bearer of ['', reads]) expect(await asNobody(at ?? '', bearer)).toBe(status)
		expect(await version({at: at ?? ''})).toBe(200)
		await listenAt(before)
	})
})

describe('a test in the place of a token', () => {
	const tested = (name: string) => app.deps.doors.test({token: name}, 'cli')

	test('tells how it stands and what it reaches, shows nothing of it, and is no use of it', async () => {
		const before = sandbox.requests.length
		for (const kind of ['program', 'assistant'] as const) {
			const text = token({name: `tried ${kind}`, kind})
			const said = await tested(`tried ${kind}`)
			expect(said).toMatchObject({ok: true, status: 200})
			expect(said.message).toMatch(/tried \w+ is live\. It reaches Sandbox/)
			expect(JSON.stringify(said)).not.toContain(text.slice(8))
			expect(shown(`tried ${kind}`)).toMatchObject({usedAt: null, requests: 0})
		}
		expect(sandbox.requests.length).toBe(before)
	})

	test('of one that was revoked or is over: refused, as it would be', async () => {
		token({name: 'over'})
		revoke('over')
		expect(await tested('over')).toMatchObject({ok: false, status: 401, message: expect.stringContaining('is revoked')})
		token({name: 'late'})
		setToken("ends_at = '2020-01-01'", 'late')
		expect(await tested('late')).toMatchObject({ok: false, status: 401, message: expect.stringContaining('is expired')})
		await expect(tested('nobody')).rejects.toMatchObject({code: 'not_found'})
	})

	test('lends its place for one request, and not after it was given back', () => {
		const {tokens} = app.deps.doors
		const {text, token: own} = tokens.lend('reads')
		expect(tokens.admit(text)).toMatchObject({name: own.name, scope: own.scope})
		expect(() => tokens.admit(text)).toThrow()
		const unused = tokens.lend('reads')
		unused.end()
		expect(() => tokens.admit(unused.text)).toThrow()
	})
})

describe('the UNIX socket', () => {
	test('answers at a path, and the port no longer does', async () => {
		const {doors} = app.deps
		const port = Number(new URL(address).port)
		// A killed console leaves its socket behind.
		writeFileSync(join(ports.profile, 'api.sock'), '')
		const {address: path} = await doors.set({on: true, port: null}, 'cli')
		expect(await v1('GET', '/version', {at: path ?? ''})).toMatchObject({status: 200})
		await expect(v1('GET', '/version')).rejects.toThrow('ECONNREFUSED')
		const blocker = createServer().listen(0, '127.0.0.1')
		await new Promise(resolve => blocker.once('listening', resolve))
		const taken = blocker.address()
		const blocked = await doors.set({on: true, port: typeof taken === 'object' ? (taken?.port ?? 0) : 0}, 'cli')
		expect(blocked).toMatchObject({on: true, address: null, problem: expect.stringContaining('EADDRINUSE')})
		blocker.close()
		await listenAt(port)
		expect(await doors.test({connection: 'sandbox'}, 'cli')).toMatchObject({ok: true, status: 200})
		expect(doors.tokens.list().filter(({name}) => name.startsWith('Test'))).toEqual([])
	})
})

describe('reading', () => {
	test('a list with its tag, and the next page', async () => {
		const first = await v1('GET', '/events?limit=5')
		expect(first).toMatchObject({status: 200, body: {command: 'svc_get_events', data: expect.any(Array)}})
		expect(first.headers.link).toBe('</api/v1/events?limit=5&offset=5>; rel="next"')
		const again = await v1('GET', '/events?limit=5', {headers: {'if-none-match': first.headers.etag ?? ''}})
		expect(again).toMatchObject({status: 304, body: ''})
	})

	test('local data, without a call', async () => {
		const before = sandbox.requests.length
		expect(await v1('GET', '/local/computers?limit=2')).toMatchObject({status: 200, body: {matching: 300, rows: [{}, {}]}})
		expect(await v1('GET', `/local/computers/${host()}`)).toMatchObject({status: 200, body: {connector_guid: host()}})
		expect(sandbox.requests.length).toBe(before)
	})

	test('errors are problem documents', async () => {
		const said = await v1('GET', '/events?limit=many')
		expect(said.headers['content-type']).toBe('application/problem+json')
		expect(said.body).toMatchObject({status: 400, code: 'invalid_argument', field: 'limit'})
		const {body} = await v1('GET', '/computers?nothing=1')
		expect(body).toMatchObject({status: 400, code: 'usage', title: 'Request not recognised.'})
		expect(await v1('GET', '/runs/')).toMatchObject({status: 404, body: {code: 'not_found'}})
		expect(await v1('GET', '/connections')).toMatchObject({status: 404, body: {code: 'not_found'}})
		for (const target of ['//evil.example/api/v1/version', 'http://evil.example/api/v1/version'])
			expect(await call('GET', target)).toMatchObject({status: 400, body: {code: 'invalid_argument'}})
		const put = (given: unknown, headers = {}) => v1('PUT', isolationOf(), {as: changes, body: given, headers})
		expect(await put([1])).toMatchObject({status: 400})
		for (const [type, field] of Object.entries({'APPLICATION/JSON ; a=b': 'lease', 'application/jsonx': 'body'}))
			expect(await put({lease: 721}, {'content-type': type})).toMatchObject({status: 400, body: {field}})
		for (const [field, value] of Object.entries({lease: '0x10', 'auto-release': 'on', reason: ['a', 'b']}))
			expect(await put({reason: 'x', [field]: value})).toMatchObject({status: 400, body: {field}})
		for (const [field, path] of Object.entries({all: '/computers?all=on', limit: '/runs?limit=1e1'}))
			expect(await v1('GET', path)).toMatchObject({status: 400, body: {field}})
	})

	test('HEAD is GET without its body; another method is told what the path takes', async () => {
		const {etag, 'content-length': length} = (await v1('GET', '/local/computers')).headers
		expect(await v1('HEAD', '/local/computers')).toMatchObject({status: 200, text: '', headers: {etag, 'content-length': length}})
		const refused = (allow: string) => ({status: 405, headers: {allow}})
		expect(await v1('OPTIONS', '/computers/x/isolation')).toMatchObject(refused('DELETE, PUT, GET, HEAD'))
		expect(await v1('HEAD', '/changes')).toMatchObject(refused('GET'))
		const as = token({name: 'asks', kind: 'assistant'})
		for (const method of ['GET', 'TRACE']) expect(await call(method, '/mcp', {as})).toMatchObject(refused('POST'))
	})

	test.each(['computers', 'groups'])('all pages of %s by their links', async noun => {
		const pages = await pagesOf(`/api/v1/${noun}?limit=${noun === 'groups' ? 3 : 120}`)
		const all = pages.flatMap(page => (page as {data: Record<string, string>[]}).data)
		const guids = new Set(all.map(one => one['connector_guid'] ?? one['guid']))
		const {tenant} = sandbox.world
		expect(guids.size).toBe(noun === 'groups' ? tenant.groups.length : 300)
	})

	test('changes, and the progress of a job, as events', async () => {
		const stop = new AbortController()
		const answer = await fetch(`${address}/api/v1/changes`, {headers: {authorization: `Bearer ${reads}`}, signal: stop.signal})
		const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
		await app.log.append({kind: 'note', surface: 'cli', message: 'Seen'})
		let text = ''
		const told = async (part: string) => {
			while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
		}
		await told('event: log')
		expect(text).not.toContain('event: frame')
		const {jobs} = app.deps
		const {id: plan} = await jobs.plan({connection: 'sandbox', action: isolate, targets: [host(20)]})
		const {id} = await jobs.apply({plan, surface: 'cli'})
		await told('"accepted":1')
		await until('its end', async () => {
			await ports.clock.advance(5000)
			return (await jobs.get(id)).summary.endedAt
		})
		await told('"event":"ended"')
		const runs = text.split('\n').flatMap(line => (line.startsWith('data: {"run"') ? [JSON.parse(line.slice(6)) as Record<string, unknown>] : []))
		expect(runs[0]).toMatchObject({run: id, kind: 'job', event: 'started'})
		expect(runs.map(({event}) => event)).toContain('step')
		expect(runs.at(-1)).toMatchObject({run: id, event: 'ended', endedAt: expect.any(String)})
		stop.abort()
	})

	test('all runs of its connections, page by page, behind those of another one', async () => {
		const playbook = 'Stale and duplicate computers'
		const {url, clientId, apiKey} = sandbox
		const other = await app.connections.add(connectionInput({name: 'other', url, clientId, apiKey, environment: 'lab', readOnly: false}))
		const {playbooks} = app.deps
		const start = async (connection: string) => (await playbooks.ended((await playbooks.start({playbook, variables: {}, connection})).id)).id
		const own = [await start('sandbox'), await start('sandbox')]
		await start(other.id)
		const found = (await pagesOf('/api/v1/runs?limit=1')).flatMap(page => (page as {rows: {id: string}[]}).rows)
		expect(found.map(({id}) => id).toSorted()).toEqual(own.toSorted())
	})
})

describe('answers kept ready', () => {
	const said = async (path: string, ask?: Ask) => {
		const {status, text, headers} = await v1('GET', path, ask)
		return {status, text, headers: {...headers, date: ''}}
	}
	/** Reads of local data during the request. */
	const readings = async (work: () => Promise<unknown>): Promise<number> => {
		const copy = app.inventory('sandbox')
		const spies = [vi.spyOn(copy, 'query'), vi.spyOn(copy, 'record')]
		await work()
		const count = spies.reduce((sum, {mock}) => sum + mock.calls.length, 0)
		spies.forEach(spy => spy.mockRestore())
		return count
	}

	test.each([
		() => '/local/computers?limit=500',
		() => '/local/computers?limit=3&offset=2&connection=Sandbox',
		() => `/local/computers/${host()}?connection=sandbox`
	])('are those that are made anew, byte for byte: %#', async path => {
		const first = await said(path())
		let second: unknown
		expect(await readings(async () => (second = await said(path())))).toBe(0)
		let anew: unknown
		expect(await readings(async () => (anew = await said(`${path()}&`)))).toBe(1)
		expect(first.status).toBe(200)
		expect([second, anew]).toEqual([first, first])
		const known = {headers: {'if-none-match': first.headers.etag ?? ''}}
		const same = await said(path(), known)
		expect(same).toMatchObject({status: 304, text: ''})
		expect(await said(`${path()}&&`, known)).toEqual(same)
	})

	test('are made anew after each change, of this process or another one, of records or labels', async () => {
		const guid = host(3)
		const path = `/local/computers?limit=500`
		const row = async () => {
			const {rows} = JSON.parse((await said(path)).text) as {rows: Record<string, unknown>[]}
			expect(await readings(() => said(path))).toBe(0)
			return rows.find(one => one['guid'] === guid)
		}
		const before = await row()
		expect(before).toMatchObject({isolation: 'not_isolated', tags: []})
		const status = {available: true, status: 'pending_start'}
		app.inventory('sandbox').observeIsolation(guid, status, ports.clock.now() + 1000)
		expect(await row()).not.toMatchObject({isolation: 'not_isolated'})
		const labels = {tags: ['loaner'], roles: []}
		app.deps.profile.labels.of('sandbox').change({guids: [guid], add: labels, remove: {tags: [], roles: []}})
		expect(await row()).toMatchObject({tags: ['loaner']})
		const other = openDatabase(inventoryPath(ports.profile, 'sandbox'), {synchronous: 'NORMAL'})
		other.run("UPDATE computer SET hostname = 'ELSEWHERE' WHERE guid = ?", guid)
		expect(await row()).toMatchObject({hostname: 'ELSEWHERE'})
		other.run('UPDATE computer SET hostname = ? WHERE guid = ?', String(before?.['hostname']), guid)
		other.close()
	})

	test('are not for a filter, which may speak of the time, nor for another body', async () => {
		const filtered = '/local/computers?limit=2&filter=last_seen%3C1d'
		await said(filtered)
		expect(await readings(() => said(filtered))).toBe(1)
		const path = '/local/computers?limit=2'
		await said(path)
		expect((await v1('GET', path, {body: {limit: 1}, headers: {'transfer-encoding': 'chunked'}})).body).toMatchObject({rows: [{}]})
		expect(await v1('DELETE', path)).toMatchObject({status: 405})
	})

	test('open nothing by themselves: pace, use, end and revocation hold, and the connection has to be its own', async () => {
		const path = '/local/computers?limit=1'
		const slow = token({name: 'kept-slow', perMinute: 3})
		const codes = async (as: string) => (await said(path, {as})).status
		const twice = async (as: string) => [await codes(as), await codes(as)]
		const used = async (input: Parameters<typeof token>[0]) => {
			const as = token(input)
			expect(await twice(as)).toEqual([200, 200])
			return as
		}
		expect([...(await twice(slow)), ...(await twice(slow))]).toEqual([200, 200, 200, 429])
		expect(shown('kept-slow')).toMatchObject({requests: 4, refused: 1, usedAt: expect.any(String)})
		const short = await used({name: 'kept-short', days: 1})
		revoke('kept-short')
		expect(await codes(short)).toBe(401)
		const other = openDatabase(app.deps.profile.database.path, {synchronous: 'FULL'})
		const brief = token({name: 'kept-brief'})
		const soon = new Date(ports.clock.now() + 500).toISOString()
		other.run("UPDATE api_token SET ends_at = ? WHERE name = 'kept-brief'", soon)
		expect([...(await twice(brief)), ...(await twice(brief))]).toEqual([200, 200, 200, 200])
		await ports.clock.advance(500)
		expect(await codes(brief)).toBe(401)
		const ended = await used({name: 'kept-ended'})
		other.run("UPDATE api_token SET revoked_at = ends_at WHERE name = 'kept-ended'")
		expect(await codes(ended)).toBe(401)
		const moved = await used({name: 'kept-moved'})
		other.run("UPDATE api_token SET connections = '[]' WHERE name = 'kept-moved'")
		expect(await codes(moved)).toBe(403)
		expect(await twice(reads)).toEqual([200, 200])
		expect(await codes(moved)).toBe(403)
		other.close()
	})
})

describe('changing', () => {
	test('isolates, waits, and the log names the token', async () => {
		const guid = host()
		const path = isolationOf(guid)
		const asked = await v1('PUT', path, {as: changes, body: {reason: 'Beaconing'}})
		expect(asked).toMatchObject({status: 200, body: {command: 'svc_put_computers_isolation'}})
		expect(await v1('GET', `${path}?status=isolated&wait=60`)).toMatchObject({status: 200, body: {matches: true}})
		const {entries} = await app.log.query({limit: 20, surface: 'api', target: guid, writesOnly: true})
		expect(entries.at(-1)).toMatchObject({kind: 'command.requested', data: {token: 'changes', reason: 'Beaconing'}})
	})

	test('a typed confirmation waits for a person, once, and no field fills it in', async () => {
		const before = sent('PUT')
		setToken("created_by = 'ana'", 'changes')
		const path = isolationOf(server())
		const body = {reason: 'Beaconing'}
		const asked = await v1('PUT', path, {as: changes, body})
		expect(asked).toMatchObject({status: 202, body: {state: 'pending_approval', outcome: null}})
		expect((await v1('PUT', path, {as: changes, body})).body).toEqual(asked.body)
		const text = await call('PUT', `/playbook.api${path}`, {as: changes, body})
		expect(text).toMatchObject({status: 202, body: 'pending_approval', headers: {location: asked.headers.location}})
		for (const field of ['confirm', 'unlock_code'])
			expect(await v1('PUT', path, {as: changes, body: {...body, [field]: 'abc'}})).toMatchObject({status: 400, body: {field}})
		expect(sent('PUT')).toBe(before)
		const {id} = asked.body as {id: string}
		expect(app.deps.profile.approvals.get(id)).toMatchObject({requester: 'ana'})
		const state = (as: string) => call('GET', asked.headers.location ?? '', {as})
		expect(await state(reads)).toMatchObject({status: 404, body: {code: 'unknown_approval'}})
		await app.deps.profile.approvals.answer({id, verdict: 'approved', reason: null, surface: 'screen'})
		expect(await state(changes)).toMatchObject({status: 200, body: {id, state: 'used'}})
		expect(sent('PUT')).toBe(before + 1)
		const {entries} = await app.log.query({limit: 1, surface: 'api', kinds: ['command.requested']})
		expect(entries[0]?.data).toMatchObject({token: 'changes', approval: id})
		// The same once more is another wish.
		expect((await v1('PUT', path, {as: changes, body})).body).not.toMatchObject({id})
	})

	test('only so many wait at once', async () => {
		const path = isolationOf(server())
		const ask = (count: number) => v1('PUT', path, {as: changes, body: {reason: `Wave ${count}`}})
		let said = await ask(0)
		for (let count = 1; said.status === 202 && count < 30; count += 1) said = await ask(count)
		expect(said).toMatchObject({status: 429, body: {code: 'rate_limited'}})
		const {approvals} = app.deps.profile
		const open = approvals.list(['pending'])
		expect(open).toHaveLength(mostOpen)
		for (const {id} of open) await approvals.withdraw(id, 'Enough', 'cli')
	})

	test('an idempotency key is used once, also after a restart, and fits one request', async () => {
		const path = isolationOf()
		const ask = keyed('one')
		const before = sent('PUT')
		const {status, body} = await v1('PUT', path, ask)
		expect(status).toBe(200)
		for (const other of [keyed('two'), {...ask, as: token({name: 'changes too', scope: 'change'})}])
			expect((await v1('PUT', path, other)).headers).not.toHaveProperty('idempotency-replayed')
		expect(sent('PUT')).toBe(before + 3)
		expect(await v1('PUT', path, ask)).toMatchObject({status, body, headers: {'idempotency-replayed': 'true'}})
		expect(await v1('PUT', path, {...ask, body: {reason: 'Else'}})).toMatchObject({status: 422, body: {code: 'key_reused'}})
		for (const key of ['', 'x'.repeat(256)]) expect(await v1('PUT', path, keyed(key))).toMatchObject({status: 400})
		app.deps.profile.database.run("UPDATE api_answer SET status = NULL, owner = 'gone' WHERE key = 'one'")
		expect(await v1('PUT', path, ask)).toMatchObject({status: 502, body: {code: 'outcome_unknown'}})
		expect(sent('PUT')).toBe(before + 3)
		app.deps.profile.database.run("UPDATE api_answer SET at = at - 86400001 WHERE key = 'one'")
		await v1('PUT', path, ask)
		expect(sent('PUT')).toBe(before + 4)
	})

	test('one that is under way is not begun twice, and goes on when its client leaves', async () => {
		const path = isolationOf(host(5))
		const ask = keyed('leaves')
		const before = sent('PUT')
		const left = new AbortController()
		sandbox.weather.set(['PUT *=latency:60000'])
		onTestFinished(() => sandbox.weather.clear())
		const first = v1('PUT', path, {...ask, signal: left.signal}).catch(() => 'gone')
		await until('the change', () => sent('PUT') > before)
		left.abort()
		expect(await first).toBe('gone')
		expect(await v1('PUT', path, ask)).toMatchObject({status: 409, body: {code: 'busy', detail: expect.stringContaining('still under way')}})
		sandbox.weather.clear()
		const again = await until('the answer', async () => {
			const said = await v1('PUT', path, ask)
			return said.status !== 409 && said
		})
		expect(again).toMatchObject({status: 200, headers: {'idempotency-replayed': 'true'}})
		expect(sent('PUT')).toBe(before + 1)
	})

	test('an answer that cannot be kept is told, and a retry does not carry it out again', async () => {
		const {database} = app.deps.profile
		database.exec("CREATE TRIGGER full BEFORE UPDATE ON api_answer BEGIN SELECT RAISE(ABORT, 'full'); END")
		const ask = keyed('full')
		const before = sent('PUT')
		const path = isolationOf()
		const put = async () => (await v1('PUT', path, ask)).status
		expect([await put(), await put()]).toEqual([200, 502])
		expect(sent('PUT')).toBe(before + 1)
		database.exec('DROP TRIGGER full')
	})
})

describe('playbooks of others', () => {
	const route = (method: string, path: string, ask?: Ask) => call(method, `/playbook.api${path}`, ask)

	test('get plain values', async () => {
		const guid = host()
		const {hostname = ''} = sandbox.world.tenant.hosts.find(one => one.guid === guid) ?? {}
		expect(await route('GET', `/computers/${hostname}/guid`)).toMatchObject({status: 200, body: guid})
		expect(await route('GET', `/computers/${guid}/isolation/status`)).toMatchObject({body: 'not_isolated'})
		expect(await route('GET', '/computers?all=True&count=1')).toMatchObject({body: '300'})
		expect(await route('GET', '/computers?limit=1&limit=2')).toMatchObject({status: 400, body: {field: 'limit'}})
		const started = await route('PUT', isolationOf(guid), {as: changes, body: {comment: 'Beaconing'}})
		expect(started).toMatchObject({status: 200, body: 'pending_start', headers: {'content-type': 'text/plain; charset=utf-8'}})
		expect(await route('GET', `/computers/${guid}/isolation/wait?until=isolated&timeout=60`)).toMatchObject({body: 'isolated'})
	})

	test('of several changes get what became of each, and the same once more', async () => {
		const [first, second, third, last] = [host(), host(1), host(2), server()]
		await route('PUT', isolationOf(second), {as: changes, body: {reason: 'Beaconing'}})
		const ask = {as: changes, headers: {'idempotency-key': 'each'}}
		const body = {connector_guid: [second, first, last, third, 'rest'].join(','), reason: 'Several'}
		const path = '/commands/svc_put_computers_isolation?each=connector_guid&select=status'
		const failing = {...body, connector_guid: `${second},no`}
		expect(await route('POST', path, {...ask, body: failing})).toMatchObject({status: 409})
		sandbox.weather.set([`PUT */${third}/isolation=status:401`])
		const said = await route('POST', path, {...ask, body})
		sandbox.weather.clear()
		const before = sent('PUT')
		expect(said.status).toBe(207)
		const done = [`${second} error conflict`, `${first} pending_start`, `${last} pending_approval `]
		const lines = [...done, `${third} error forbidden`, 'rest not_tried']
		expect(said.text.split('\n')).toEqual(lines.map(line => expect.stringContaining(line)))
		expect(await route('POST', path, {...ask, body})).toMatchObject({status: 207, text: said.text})
		expect(sent('PUT')).toBe(before)
	})

	test('write into the incident log, under the name of the token', async () => {
		const {body} = await route('POST', '/incidents/-/entries', {as: changes, body: {text: 'Contained'}})
		const {entries} = await app.log.query({limit: 5, text: 'Contained'})
		expect(entries[0]).toMatchObject({id: body, incident: null, surface: 'api', data: {token: 'changes'}})
		expect((await route('POST', '/incidents/-/entries', {body: {text: 'No'}})).status).toBe(403)
		const before = await app.log.newest()
		const unknown = {status: 404, body: {code: 'not_found', field: 'incident', fix: expect.stringContaining('incidents list')}}
		for (const query of ['incident=nonsense', 'incident=a&incident=b']) expect(await v1('GET', `/version?${query}`)).toMatchObject(unknown)
		expect((await route('POST', '/incidents/nonsense%0aX/entries', {as: changes, body: {text: 'No'}})).status).toBe(404)
		expect(await app.log.newest()).toBe(before)
		const {id} = await app.log.openIncident({title: 'Beaconing', reference: ''}, 'cli')
		await app.log.setIncidentOpen(id, false, 'cli')
		expect((await route('POST', `/incidents/${id}/entries`, {as: changes, body: {text: 'Late'}})).status).toBe(200)
	})
})
