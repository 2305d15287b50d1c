import {spawnSync, type ChildProcess} from 'node:child_process'
import {X509Certificate} from 'node:crypto'
import {once} from 'node:events'
import {chmodSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer, request as plainRequest, type Server, type ServerResponse} from 'node:http'
import {Agent, request} from 'node:https'
import {hostname, networkInterfaces} from 'node:os'
import {join} from 'node:path'

import {freePort, openPort} from '#base/testing/port.ts'
import {fileFolder} from '#base/testing/folder.ts'
import {isPassword} from '#gateway/forwarder/access/password.ts'
import {hexOf} from '#gateway/forwarder/export-config/quoting.ts'
import {isInstalled} from '#gateway/forwarder/export-config/testing/engines.ts'
import {testCredentials} from '#gateway/forwarder/tls/testing/credentials.ts'

import {ended, start} from './testing/process.ts'
import {run as runHere} from './testing/run.ts'

const folder = fileFolder()
let upstream: Server
let upstreamPort: number
/** Answers to /slow that the test holds back. */
const held: ServerResponse[] = []
const children: Forward[] = []

beforeAll(async () => {
	upstream = createServer((asked, response) => {
		if (asked.url?.startsWith('/slow') !== true) return void response.end(`${asked.method} ${asked.url}`)
		response.write('begun ')
		held.push(response)
	})
	upstreamPort = await openPort(upstream)
})

afterEach(async () => {
	for (const response of held.splice(0)) response.end()
	for (const {child} of children.splice(0)) {
		child.kill('SIGKILL')
		await ended(child)
	}
})

afterAll(async () => {
	upstream.closeAllConnections()
	upstream.close()
	await once(upstream, 'close')
})

interface Ready {
	event: string
	port: number
	ca: string
	metrics: string
}

interface Forward {
	child: ChildProcess
	path: string
	texts: {out: string; err: string}
	ready: Ready
	events: () => Record<string, unknown>[]
}

interface Config {
	parameters?: Readonly<Record<string, unknown>>
	instances?: unknown[]
	listen?: unknown
}

function config(more: Config = {}) {
	return JSON.stringify({parameters: {'instance.execute.external': true}, instances: [{name: 'edl', listenPort: upstreamPort}], ...more})
}

function put(text: string, mode = 0o600) {
	const path = join(folder, `config-${Math.random().toString(36).slice(2)}.json`)
	writeFileSync(path, text)
	chmodSync(path, mode)
	return path
}

async function forward(text: string, ...more: string[]): Promise<Forward> {
	const path = put(text)
	const argv = ['forward', '--config', path, '--port', '0', '--state', join(folder, 'state'), '--json', ...more]
	const child = start(folder, argv)
	const {texts} = child
	const events = () =>
		texts.out
			.split('\n')
			.filter(line => line !== '')
			.map(line => JSON.parse(line))
	await expect.poll(() => texts.out.includes('\n') || child.exitCode !== null).toBe(true)
	if (child.exitCode !== null) throw new Error(texts.out + texts.err)
	const started = {child, path, texts, ready: events()[0], events}
	children.push(started)
	return started
}

interface Got {
	status: number
	body: string
}

function get({ready}: Forward, path: string, agent?: Agent): Promise<Got> {
	return new Promise((resolve, reject) => {
		const asked = request(
			{host: 'localhost', port: ready.port, path, ca: readFileSync(ready.ca), ...(agent !== undefined && {agent})},
			response => {
				let body = ''
				response.on('data', (chunk: Buffer) => void (body += chunk.toString()))
				response.on('end', () => resolve({status: response.statusCode ?? 0, body}))
				response.on('error', reject)
			}
		)
		asked.on('error', reject)
		asked.end()
	})
}

async function reloaded(server: Forward, text: string) {
	const before = server.events().length
	writeFileSync(server.path, text)
	server.child.kill('SIGHUP')
	await expect.poll(() => server.events().length).toBe(before + 1)
	return server.events().at(-1) ?? {}
}

async function ownCertificate() {
	const {certificate, key} = await testCredentials()
	writeFileSync(join(folder, 'own.pem'), certificate)
	writeFileSync(join(folder, 'own.key'), key, {mode: 0o600})
	return certificate
}

describe('the forwarding server alone', () => {
	it('prints its address first, and forwards with its own authority', async () => {
		const server = await forward(config())
		expect(server.ready).toMatchObject({event: 'ready', port: expect.any(Number)})
		expect(server.ready.metrics).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
		expect(await get(server, '/instance/execute/edl/log?n=1')).toEqual({status: 200, body: 'GET /log?n=1'})
		expect((await get(server, '/instance/execute/other')).status).toBe(404)
		await expect.poll(() => server.texts.err).toContain('"reason":"unknown_instance"')
		const lines = server.texts.err
			.trim()
			.split('\n')
			.map(line => JSON.parse(line))
		expect(lines.find(({path}) => path === '/instance/execute/edl/log')).toMatchObject({status: 200, instance: 'edl'})
		expect(server.texts.err).not.toContain('n=1')
		server.child.kill('SIGTERM')
		expect(await ended(server.child)).toBe(0)
		expect(server.texts.err.trim().split('\n').at(-1)).toContain('"message":"Stopped."')
	})

	it('uses a certificate of your own, and gives a password its hash', async () => {
		await ownCertificate()
		const {code, out} = await runHere(['forward', 'hash-password'], {stdin: 'pass:word\n'})
		expect(code).toBe(0)
		const typed = await runHere(['forward', 'hash-password'], {typed: [' pass word ']})
		expect(await isPassword(' pass word ', typed.out.trim())).toBe(true)
		const users = [{name: 'ann', passwordHash: out.trim()}]
		const server = await forward(
			config({
				instances: [{name: 'edl', listenPort: upstreamPort, access: {kind: 'basic', users}}],
				listen: {certificate: {certificateFile: 'own.pem', keyFile: 'own.key'}, hostnames: ['gateway.example']}
			})
		)
		expect(server.ready.ca).toBeNull()
		const agent = new Agent({rejectUnauthorized: false})
		const status = (auth: string | null) =>
			new Promise<number>((resolve, reject) => {
				const asked = request({host: 'localhost', port: server.ready.port, path: '/instance/execute/edl', agent, auth}, response => {
					response.resume()
					resolve(response.statusCode ?? 0)
				})
				asked.on('error', reject).end()
			})
		expect([await status(null), await status('ann:wrong'), await status('ann:pass:word')]).toEqual([401, 401, 200])
		agent.destroy()
	})

	it('runs programs, and ends them with itself', async () => {
		const script = "require('http').createServer((q,s)=>s.end(String(process.pid))).listen(process.env.PORT,process.env.HOST)"
		const program = {kind: 'managed', command: [process.execPath, '-e', script]}
		const server = await forward(config({instances: [{name: 'own', listenPort: await freePort(), program}]}))
		let pid = 0
		await expect.poll(async () => (pid = Number((await get(server, '/instance/execute/own')).body))).toBeGreaterThan(0)
		server.child.kill('SIGTERM')
		expect(await ended(server.child)).toBe(0)
		expect(() => process.kill(pid, 0)).toThrow('ESRCH')
	})

	it('counts for Prometheus, for this computer alone', async () => {
		const server = await forward(config())
		await get(server, '/instance/execute/edl')
		await get(server, '/instance/execute/unknown')
		const text = async () => await (await fetch(server.ready.metrics)).text()
		await expect.poll(text).toContain('cordon_refusals_total{reason="unknown_instance"} 1')
		const metrics = await text()
		expect(metrics).toContain('cordon_instance_answers_total{instance="edl",status="2xx"} 1')
		expect(metrics).toMatch(/cordon_first_byte_seconds_bucket\{instance="edl",le="\+Inf"\} 1/)
		for (const line of metrics.trimEnd().split('\n')) expect(line).toMatch(/^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[^{}]*\})? [0-9.e+-]+)$/)
		const {port} = new URL(server.ready.metrics)
		expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404)
		// A web page with a rebound name, and another computer.
		expect(await statusAt('127.0.0.1', Number(port), 'rebound.example.test')).toBe(400)
		const addresses = Object.values(networkInterfaces()).flatMap(all => all ?? [])
		for (const {address, internal, scopeid} of addresses)
			if (!internal && !scopeid) await expect(statusAt(address, Number(port), 'localhost')).rejects.toThrow('ECONNREFUSED')
	})
})

describe('the log', () => {
	it('waits for its reader, without blocking requests', async () => {
		const server = await forward(config())
		server.child.stderr?.pause()
		const agent = new Agent({keepAlive: true, maxSockets: 20})
		const count = 2000
		const all = Array.from({length: count}, (_, index) => get(server, `/instance/execute/edl/${index}/${'x'.repeat(200)}`, agent))
		for (const {status} of await Promise.all(all)) expect(status).toBe(200)
		agent.destroy()
		expect(server.texts.err.split('"level":"request"').length).toBeLessThan(count)
		server.child.stderr?.resume()
		await expect.poll(() => server.texts.err.split('"level":"request"').length - 1).toBe(count)
	})
})

describe('SIGHUP', () => {
	it('applies a new file to new requests, and ends no running one', async () => {
		const server = await forward(config())
		const slow = Array.from({length: 20}, (_, index) => get(server, `/instance/execute/edl/slow${index}`))
		await expect.poll(() => held.length).toBe(20)
		const event = await reloaded(server, config({instances: [{name: 'renamed', listenPort: upstreamPort}]}))
		expect(event).toMatchObject({event: 'reloaded', port: server.ready.port})
		expect((await get(server, '/instance/execute/edl')).status).toBe(404)
		expect((await get(server, '/instance/execute/renamed')).status).toBe(200)
		for (const response of held.splice(0)) response.end('ended')
		for (const {status, body} of await Promise.all(slow)) expect([status, body]).toEqual([200, 'begun ended'])
	})

	it('says what is wrong with a bad file, and keeps the old one', async () => {
		const server = await forward(config())
		const event = await reloaded(server, '{\n"instances": [{"nam": "x", "listenPort": 1}],\n"isntances": []}')
		expect(event).toMatchObject({
			event: 'reload_failed',
			error: {code: 'invalid_argument', problems: [{line: 2}, {line: 2}, {line: 3, key: 'isntances'}]}
		})
		await expect.poll(() => server.texts.err).toContain('stays as it was')
		expect((await get(server, '/instance/execute/edl')).status).toBe(200)
		expect(await reloaded(server, config())).toMatchObject({event: 'reloaded'})
	})

	it('moves the metrics to another port, or says why not', async () => {
		const server = await forward(config())
		const port = await freePort()
		expect(await reloaded(server, config({listen: {metricsPort: port}}))).toMatchObject({metrics: `http://127.0.0.1:${port}/metrics`})
		expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
		const taken = {metricsPort: upstreamPort}
		expect(await reloaded(server, config({instances: [], listen: taken}))).toMatchObject({event: 'reload_failed'})
		expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
	})
})

describe('SIGTERM', () => {
	/** With a request under way. */
	const stopping = async () => {
		const server = await forward(config())
		const slow = get(server, '/instance/execute/edl/slow')
		slow.catch(() => {})
		await expect.poll(() => held.length).toBe(1)
		server.child.kill('SIGTERM')
		await expect.poll(() => server.texts.err).toContain('Stopping')
		return {server, slow}
	}

	it('lets running requests end, takes no new ones, and ends with 0', async () => {
		const {server, slow} = await stopping()
		await expect(get(server, '/instance/execute/edl')).rejects.toThrow()
		expect(server.child.exitCode).toBeNull()
		for (const response of held.splice(0)) response.end('ended')
		expect(await slow).toEqual({status: 200, body: 'begun ended'})
		expect(await ended(server.child)).toBe(0)
	})

	it('ends at once when it comes twice', async () => {
		const {server, slow} = await stopping()
		server.child.kill('SIGTERM')
		expect(await ended(server.child)).toBe(130)
		await expect(slow).rejects.toBeInstanceOf(Error)
	})
})

describe('a file that cannot be used', () => {
	const check = async (text: string, mode?: number, ...more: string[]) => {
		const {code, out, err} = await runHere(['forward', '--config', put(text, mode), ...more, '--json'])
		return {code, ...(out === '' ? {} : JSON.parse(out)), err}
	}

	it('stops the start with exit code 2, and names every line', async () => {
		const {code, error} = await check('{\n"instances": [\n{"name": "a", "listnPort": 9}]}')
		expect(code).toBe(2)
		expect(error.message).toContain(':3: instances[0].listnPort is not known: did you mean listenPort?')
	})

	it('is checked without a start', async () => {
		expect(await check(config(), 0o600, '--check')).toMatchObject({code: 0, ok: true, data: {instances: 1}})
		expect(await check(config({parameters: {'instance.execute.external': 'on'}}), 0o600, '--check')).toMatchObject({code: 2})
		const certificate = await ownCertificate()
		const own = {listen: {certificate: {certificateFile: 'own.pem', keyFile: 'own.key'}}}
		const certificateEnds = new Date(new X509Certificate(certificate).validTo).toISOString()
		expect(await check(config(own), 0o600, '--check')).toMatchObject({code: 0, data: {certificateEnds}})
		const wrong = {listen: {certificate: {certificateFile: 'own.pem', keyFile: 'nothing'}}}
		expect((await check(config(wrong), 0o600, '--check')).error.message).toContain('listen.certificate')
	})

	it('is missing, or asks for a port in use', async () => {
		expect((await runHere(['forward', '--config', '/nowhere/x'])).code).toBe(2)
		expect((await runHere(['forward'])).err).toContain('--config FILE')
		const own = ['--state', join(folder, 'state')]
		const {code, error} = await check(config({instances: [], listen: {port: upstreamPort}}), 0o600, ...own)
		expect([code, error.code]).toEqual([2, 'taken'])
		for (const more of [[], ['--check']]) expect((await check(config(), 0o600, '--port', '70000', ...more)).error.field).toBe('port')
	})

	it('names a state folder that cannot be used', async () => {
		writeFileSync(join(folder, 'no folder'), '')
		const {error} = await check(config(), 0o600, '--state', join(folder, 'no folder'))
		expect([error.field, error.message]).toEqual(['state', expect.stringContaining('The state folder cannot be used')])
	})
})

describe('an export', () => {
	it('is one configuration, from a file or from the profile', async () => {
		const path = put(config())
		const file = await runHere(['forward', 'export', '--format', 'haproxy', '--config', path])
		const own = hexOf(Buffer.from(hostname().toLowerCase()))
		const has = [file.out.includes('backend cordon_1'), file.out.includes(own), file.err.includes('Not possible with haproxy')]
		expect([file.code, ...has]).toEqual([0, true, true, true])
		const profile = ['--profile', join(folder, 'profile')]
		await runHere([...profile, 'instances', 'add', 'from the profile', '--port', '9001', '--expose'])
		const stored = await runHere([...profile, 'forward', 'export', '--format', 'nginx'])
		expect([stored.code, stored.out.includes('# "from the profile"')]).toEqual([0, true])
		expect((await runHere(['forward', 'export', '--config', path])).err).toContain('--format nginx')
	})

	it.skipIf(!isInstalled('nginx'))('goes into a folder with the files that it needs', async () => {
		const {authority, certificate, key} = await testCredentials()
		writeFileSync(join(folder, 'server.pem'), certificate)
		writeFileSync(join(folder, 'server.key'), key, {mode: 0o600})
		const instances = [{name: 'edl', listenPort: 9001, access: {kind: 'certificate', authorities: authority}}]
		const listen = {port: 8443, certificate: {certificateFile: 'server.pem', keyFile: 'server.key'}}
		const out = join(folder, 'nginx')
		const {code} = await runHere(['forward', 'export', '--format', 'nginx', '--config', put(config({instances, listen})), '--out', out])
		expect(code).toBe(0)
		const main = join(out, 'main.conf')
		writeFileSync(
			main,
			`pid ${out}/pid;\nerror_log stderr emerg;\nevents {}\nhttp { access_log off; client_body_temp_path ${out}/b; proxy_temp_path ${out}/p; include ${out}/cordon.conf; }\n`
		)
		const {status, stderr} = spawnSync('nginx', ['-t', '-q', '-p', out, '-c', main], {encoding: 'utf8'})
		expect([status, stderr]).toEqual([0, ''])
	})
})

/** Asks for `/metrics` under a host name, as if passed on. */
function statusAt(host: string, port: number, name: string) {
	return new Promise((resolve, reject) => {
		const asked = plainRequest({host, port, path: '/metrics', headers: {Host: name, Via: '1.1 x'}, agent: false}, response => {
			response.resume()
			resolve(response.statusCode ?? 0)
		})
		asked.on('error', reject)
		asked.end()
	})
}
