import {spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {connect} from 'node:net'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'

import {WebSocket} from 'ws'

import {testFolder} from '#base/testing/folder.ts'
import type {Clock} from '#base/ports.ts'

import {cookieName} from './gate.ts'
import {startServer, type HeadlessServer, type ServerOptions} from './server.ts'
import {openSessions, type Sessions} from './sessions.ts'

let folder: string
let server: HeadlessServer
let sessions: Sessions
/** Triggers the next round of pings. */
let tick: () => void

beforeEach(async () => {
	folder = testFolder()
	mkdirSync(join(folder, 'page', 'assets'), {recursive: true})
	writeFileSync(join(folder, 'page', 'index.html'), '<meta property="csp-nonce" nonce="__CSP_NONCE__"><p>Cordon</p>')
	writeFileSync(join(folder, 'page', 'assets', 'app-1234.js'), 'void 0;')
	sessions = openSessions({profile: folder, now: () => Date.now(), random: randomBytes})
	server = await startServer(options())
})
afterEach(() => server.stop())

function options(change: Partial<ServerOptions> = {}): ServerOptions {
	const random = randomBytes
	return {
		pageFolder: join(folder, 'page'),
		port: 0,
		sessions,
		clock: manualClock(),
		random,
		onWire: socket => socket.on('message', data => socket.send(data)),
		...change
	}
}

async function restart(change: Partial<ServerOptions>) {
	await server.stop()
	server = await startServer(options(change))
}

function manualClock(): Clock {
	return {
		now: Date.now,
		monotonic: () => performance.now(),
		sleep: (_ms, signal) =>
			new Promise((resolve, reject) => {
				tick = resolve
				signal?.addEventListener('abort', () => reject(signal.reason))
			})
	}
}

interface Answer {
	status: number
	headers: Readonly<Record<string, string | string[] | undefined>>
	body: string
}

/** Not `fetch`, which cannot set the Host header. */
function ask(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const call = request({host: '127.0.0.1', port: server.port, path: target, method, headers, agent: false}, response => {
			let body = ''
			response.setEncoding('utf8')
			response.on('data', (part: string) => (body += part))
			response.on('end', () => resolve({status: response.statusCode ?? 0, headers: response.headers, body}))
		})
		call.on('error', reject)
		call.end()
	})
}

const entry = () => server.entryUrl().slice(server.url.length - 1)

async function enter() {
	const answer = await ask(entry())
	return String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
}

async function openWire(cookie: string, change: Readonly<Record<string, string>> = {}) {
	const wire = new WebSocket(`ws://127.0.0.1:${server.port}/wire`, {headers: {cookie, origin: `http://127.0.0.1:${server.port}`, ...change}})
	await once(wire, 'open')
	return wire
}

describe('over HTTP', () => {
	test('the entry URL sets a cookie that no script reads and no other site sends, and leads to the console', async () => {
		const url = entry()
		const answer = await ask(url)
		expect(answer.status).toBe(303)
		expect(answer.headers['location']).toBe('/')
		expect(String(answer.headers['set-cookie'])).toMatch(/^cordon_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
		expect((await ask(url)).status).toBe(403)
	})

	test('from the file in the profile it leads on by a page of its own, so that the strict cookie goes along', async () => {
		const answer = await ask(entry(), {'sec-fetch-site': 'cross-site'})
		expect(answer).toMatchObject({status: 200, body: expect.stringContaining('http-equiv="refresh" content="0;url=/"')})
		expect(String(answer.headers['set-cookie'])).toContain('SameSite=Strict')
	})

	test('without a link it asks for the code of the terminal, on a page without scripts', async () => {
		const code = sessions.issueCode()
		const page = await ask('/enter')
		expect(page).toMatchObject({status: 200, body: expect.stringContaining('name="code"')})
		expect(page.body).not.toContain('<script')
		expect(page.headers['set-cookie']).toBeUndefined()
		expect((await ask('/enter?code=wrong')).status).toBe(403)
		expect((await ask(`/enter?code=${code}`, {'sec-fetch-site': 'same-origin'})).status).toBe(303)
	})

	test('two Host fields are refused', async () => {
		const socket = connect(server.port, '127.0.0.1')
		const cookie = await enter()
		socket.end(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nHost: evil\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)
		expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(00|21) /)
	})

	test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
		'another user of this machine who read the link is not let in, and the link stays good for its owner',
		async () => {
			const target = entry()
			const script = `fetch(process.argv[1], { redirect: 'manual' }).then(async (answer) => console.log(answer.status, await answer.text()))`
			const child = spawn(process.execPath, ['-e', script, server.url + target.slice(1)], {
				uid: 65534,
				gid: 65534,
				cwd: '/',
				stdio: ['ignore', 'pipe', 'inherit']
			})
			expect(await text(child.stdout)).toMatch(/^403 [^]*another user of this computer/)
			expect((await ask(target)).status).toBe(303)
		}
	)

	test('a session that is ended closes its pages and lets its cookie in no more', async () => {
		const [mine, theirs] = [await enter(), await enter()]
		const stolen = `${cookieName(server.port)}=junk; ${theirs}`
		const [page, other, intruder] = [await openWire(mine), await openWire(theirs), await openWire(stolen)]
		const closed = Promise.all([other, intruder].map(wire => once(wire, 'close')))
		sessions.end(sessions.idOf(theirs.split('=')[1] ?? '') ?? '')
		expect((await closed).map(([code]) => code)).toEqual([4001, 4001])
		expect([(await ask('/', {cookie: theirs})).status, (await ask('/', {cookie: mine})).status]).toEqual([403, 200])
		expect(page.readyState).toBe(page.OPEN)
		page.close()
	})

	test('a session that is over closes its pages', async () => {
		const closed = once(await openWire(await enter()), 'close')
		vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 30 * 24 * 3_600_000})
		tick()
		const [code] = await closed
		vi.useRealTimers()
		expect(code).toBe(4001)
	})

	test('a browser that has entered gets the page for every screen, each time with another nonce', async () => {
		const cookie = await enter()
		const [first, second] = [await ask('/', {cookie}), await ask('/computers/abc?tab=log', {cookie})]
		const nonces = [first, second].map(answer => /nonce="([^"]+)"/.exec(answer.body)?.[1])
		expect(new Set(nonces).size).toBe(2)
		expect(String(first.headers['content-security-policy'])).toContain(`style-src 'self' 'nonce-${nonces[0]}'`)
		expect(first.headers['cache-control']).toBe('no-store')
	})

	test('the policy allows nothing inline and no foreign host', async () => {
		const policy = String((await ask('/', {cookie: await enter()})).headers['content-security-policy'])
		expect(policy).not.toContain('unsafe')
		expect(policy).not.toMatch(/https:|\*/)
		for (const part of ["default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
			expect(policy).toContain(part)
		}
	})

	test('a built file may be kept for ever and is not sent twice', async () => {
		const cookie = await enter()
		const answer = await ask('/assets/app-1234.js', {cookie})
		expect(answer).toMatchObject({status: 200, body: 'void 0;'})
		expect(answer.headers['cache-control']).toContain('immutable')
		expect((await ask('/assets/app-1234.js', {cookie, 'if-none-match': String(answer.headers['etag'])})).status).toBe(304)
	})

	test('a missing file is a 404 and no page', async () => {
		const cookie = await enter()
		expect((await ask('/assets/gone.js', {cookie})).status).toBe(404)
		expect((await ask('/../package.json', {cookie})).status).toBe(404)
		expect((await ask('/%2e%2e/package.json', {cookie})).status).toBe(404)
	})

	test('who has not entered reads in plain words what to do, on a page without scripts', async () => {
		const answer = await ask('/')
		expect(answer.status).toBe(403)
		expect(answer.body).toContain('Use the entry link or the code that Cordon printed')
		expect(answer.body).not.toContain('<script')
		expect(String(answer.headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-/)
	})

	test('every answer carries the headers that lock it', async () => {
		for (const answer of [await ask('/'), await ask('/', {cookie: await enter()}), await ask('/', {host: 'evil.example'})]) {
			expect(answer.headers).toMatchObject({
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'no-referrer',
				'cross-origin-opener-policy': 'same-origin',
				'cross-origin-resource-policy': 'same-origin'
			})
		}
	})

	test('a foreign name and a foreign origin are refused although the cookie is right', async () => {
		const cookie = await enter()
		expect((await ask('/', {cookie, host: `evil.example:${server.port}`})).status).toBe(421)
		expect((await ask('/', {cookie, origin: 'https://evil.example'})).status).toBe(403)
		const posted = await ask('/', {cookie, connection: 'keep-alive'}, 'POST')
		expect(posted).toMatchObject({status: 405, headers: {allow: 'GET, HEAD', connection: 'close'}})
	})

	test('the cookie still counts after a restart on the same port', async () => {
		const cookie = await enter()
		await restart({port: server.port})
		expect((await ask('/', {cookie})).status).toBe(200)
	})

	test('it listens on loopback only', async () => {
		const elsewhere = request({host: '127.0.0.2', port: server.port})
		const [error] = (await once(elsewhere, 'error')) as [NodeJS.ErrnoException] // the one argument of this event
		expect(error.code).toBe('ECONNREFUSED')
	})

	test('a taken port is an error', async () => {
		await expect(startServer(options({port: server.port}))).rejects.toMatchObject({code: 'EADDRINUSE'})
	})
})

describe('over the wire', () => {
	test('a page that has entered is connected', async () => {
		const wire = await openWire(await enter())
		wire.send('hello')
		const [data] = await once(wire, 'message')
		expect(String(data)).toBe('hello')
		expect(server.wires).toBe(1)
		wire.terminate()
	})

	test('a page without the cookie, or of another origin, is not', async () => {
		const cookie = await enter()
		await expect(openWire('')).rejects.toThrow('403')
		await expect(openWire(cookie, {origin: 'http://127.0.0.1:1'})).rejects.toThrow('403')
		await expect(openWire(cookie, {host: 'evil.example'})).rejects.toThrow('403')
	})

	test('one who is turned away and never closes does not hold up the stop', async () => {
		const held = connect({port: server.port, host: '127.0.0.1', allowHalfOpen: true})
		held.write('GET /wire HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
		await once(held.resume(), 'end')
		expect(await server.stop()).toBeUndefined()
		held.destroy()
	})

	test('one who never ends a request does not hold up the stop', async () => {
		const held = connect({port: server.port, host: '127.0.0.1'})
		held.write('GET / HTTP/1.1\r\n')
		// What came before this was read before it.
		await ask('/')
		expect(await server.stop()).toBeUndefined()
		held.destroy()
	})

	test('an oversized message ends the connection', async () => {
		await restart({limits: {messageBytes: 1000}})
		const wire = await openWire(await enter())
		wire.send('x'.repeat(1001))
		const [code] = await once(wire, 'close')
		expect([1006, 1009]).toContain(code)
	})

	test('one page too many is turned away', async () => {
		await restart({limits: {wires: 1}})
		const cookie = await enter()
		const wire = await openWire(cookie)
		await expect(openWire(cookie)).rejects.toThrow('503')
		wire.terminate()
	})

	test('a page that gives no sign of life is cut, one that does stays', async () => {
		const cookie = await enter()
		const alive = await openWire(cookie)
		const dead = new WebSocket(`ws://127.0.0.1:${server.port}/wire`, {
			autoPong: false,
			headers: {cookie, origin: `http://127.0.0.1:${server.port}`}
		})
		await once(dead, 'open')
		tick()
		await Promise.all([once(alive, 'ping'), once(dead, 'ping')])
		// The pong precedes this message, so it has been read when the echo arrives.
		alive.send('after the pong')
		await once(alive, 'message')
		tick()
		await once(dead, 'close')
		expect(alive.readyState).toBe(WebSocket.OPEN)
		alive.terminate()
	})

	test('stopping says good-bye to every page, and cuts one that does not answer', async () => {
		const cookie = await enter()
		const [wire, deaf] = [await openWire(cookie), await openWire(cookie)]
		deaf.pause()
		const [[code]] = await Promise.all([once(wire, 'close'), server.stop()])
		expect(code).toBe(1001)
		deaf.terminate()
	})
})
