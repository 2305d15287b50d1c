import {once} from 'node:events'

import {hashToken} from '../access/password.ts'
import {ofTheHost} from '../headers/names.ts'
import {configOf, instanceOf} from '../testing/heads.ts'
import {certify} from '../tls/testing/certify.ts'
import {ask, isInstalled, open, type Part, startEngine, startOrigin, startOwn, type Engine, type Origin} from './testing/engines.ts'
import {part} from './testing/parts.ts'

const strange = 'we"i\'rd {$x} ü;#%41'
const token = 'a-token-that-is-long-enough'

/** The own server is tested too: a difference would mean that one is wrong. */
const engines = ['cordon', 'nginx', 'haproxy'] as const

for (const name of engines) {
	const missing = name !== 'cordon' && !isInstalled(name)
	if (missing) process.stderr.write(`SKIPPED: ${name} is not installed, so its exported configuration is not run.\n`)

	describe.skipIf(missing)(`${name} with ${name === 'cordon' ? 'its own' : 'an exported'} configuration`, () => {
		let engine: Engine
		let origin: Origin

		beforeAll(async () => {
			origin = await startOrigin(() => ({
				Location: '/there?x=1',
				'Set-Cookie': ['a=1; Path=/; HttpOnly', 'b=2; PATH=/sub; DOMAIN=example.com; SECURE', 'c=3'],
				Server: 'the instance',
				...Object.fromEntries(ofTheHost.map(field => [field, 'of the host']))
			}))
			const at = {listenPort: origin.port}
			const given = part([
				instanceOf({name: 'edl', ...at, aliases: ['old name']}),
				instanceOf({name: strange, ...at}),
				instanceOf({name: 'hidden', ...at}),
				instanceOf({name: 'reader', ...at, methods: ['GET', 'HEAD'], limits: {body: 10}}),
				instanceOf({name: 'elsewhere', ...at, allow: ['192.0.2.0/24']}),
				instanceOf({name: 'token', ...at, access: {kind: 'bearer', header: 'Authorization', verifiers: [hashToken(token)]}}),
				instanceOf({name: 'users', ...at, access: {kind: 'basic', realm: 'a"$x', users: [{name: 'ann', verifier: ''}]}}),
				instanceOf({name: 'signed', ...at, access: {kind: 'hmac', preset: 'slack', toleranceS: 300, key: 'canary'}}),
				instanceOf({name: 'stopped', ...at, state: 'disabled'}),
				instanceOf({name: 'plain', ...at, websocket: false, rewriteLocation: false, scopeCookies: false}),
				instanceOf({name: 'web', ...at, webInterface: true, origins: ['https://friend.example']}),
				instanceOf({name: 'busy', ...at, limits: {ratePerSecond: 0.5, burst: 1, concurrency: 1}}),
				instanceOf({name: 'literal', ...at, hostHeader: 'inside.example'})
			])
			engine = await start(given)
		})

		afterAll(async () => {
			await engine.stop()
			await origin.stop()
		})

		const send = (line: string, fields: readonly string[] = [], body = '') =>
			ask(engine, [`${line} HTTP/1.1`, 'Host: localhost', ...fields], body)
		const get = (target: string, ...fields: string[]) => send(`GET ${target}`, fields)
		const last = () => origin.seen.at(-1)
		const statusOf = async (instance: string, ...fields: string[]) => (await get(`/instance/execute/${instance}`, ...fields)).status
		const start = (given: Part) => (name === 'cordon' ? startOwn(given) : startEngine(name, given))

		it.each([
			['/instance/execute/edl', '/'],
			['/instance/execute/edl/', '/'],
			['/instance/execute/edl?n=5&v=JSON', '/?n=5&v=JSON'],
			['/instance/execute/edl?', '/?'],
			['/instance/execute/edl/log', '/log'],
			['/instance/execute/edl/log/?q=type:ip%20and%20x', '/log/?q=type:ip%20and%20x'],
			['/instance/execute/edl//a//b', '//a//b'],
			['/instance/execute/edl/a%2Fb;c=d%41', '/a%2Fb;c=d%41'],
			['/instance/execute/edl/a?x=/instance/execute/edl', '/a?x=/instance/execute/edl'],
			['/instance/execute/edl/instance/execute/edl/x', '/instance/execute/edl/x'],
			['/xsoar/instance/execute/edl/log', '/log'],
			['/acc_main/instance/execute/edl/log', '/log'],
			['/acc-main/instance/execute/edl?x', '/?x'],
			['/instance/execute/e%64%6C/log', '/log'],
			['/instance/execute/old%20name/log', '/log'],
			[`/instance/execute/${encodeURIComponent(strange)}/log`, '/log'],
			[`/instance/execute/${encodeURIComponent(strange).toLowerCase()}/log`, '/log']
		])('leads %s to %s', async (target, expected) => {
			const {status} = await get(target)
			expect(status).toBe(200)
			expect(last()).toMatchObject({url: expected, fields: {'x-request-uri': target}})
		})

		it('gives the same 404 for what is unknown, not exposed or spelled otherwise', async () => {
			const dated = ({status, head, body}: Awaited<ReturnType<typeof get>>) => ({
				status,
				body,
				head: head.replace(/^(?:Date|X-Request-Id): .*$/gim, '')
			})
			const before = origin.seen.length
			const unknown = dated(await get('/instance/execute/unknown'))
			expect(unknown.status).toBe(404)
			for (const target of ['hidden', 'EDL', 'ed', 'edlx', encodeURIComponent(strange.replace('%41', 'A'))])
				expect([target, dated(await get(`/instance/execute/${target}`))]).toEqual([target, unknown])
			const targets = '/ /cordon/1 /Instance/execute/edl /xsoar/xsoar/instance/execute/edl /acc/instance/execute/edl'
			for (const target of targets.split(' ')) expect([target, dated(await get(target))]).toEqual([target, unknown])
			for (const target of ['', 'edl%2Flog', '%00', '.']) {
				const {status} = await get(`/instance/execute/${target}`)
				expect([target, [400, 404]]).toEqual([target, expect.arrayContaining([status])])
			}
			expect(origin.seen.length).toBe(before)
		})

		it('lets no path climb out of an instance', async () => {
			const before = origin.seen.length
			const plain = '/.. /../edl2 /../../../etc /a/../../x /../edl/x /..;/x /..\\x /..#x'
			const encoded = '/%2e%2e/%2E%2E/x /%252e%252e/x /.%252e/x /a%5C..%5c../x /..%252Fx /%25%32%65./x /..%25%32%66x /..%253%42x'
			for (const rest of `${plain} ${encoded}`.split(' ')) expect([rest, (await get(`/instance/execute/edl${rest}`)).status]).toEqual([rest, 400])
			expect(origin.seen.length).toBe(before)
		})

		it('forwards methods and bodies', async () => {
			for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
				const {status} = await send(`${method} /instance/execute/edl/x`, ['Content-Length: 4'], 'body')
				expect([method, status]).toEqual([method, 200])
				expect(last()).toMatchObject({method, body: 'body'})
			}
			expect((await send('TRACE /instance/execute/edl')).status).toBe(405)
			expect((await send('CONNECT localhost:443')).status).toBeGreaterThanOrEqual(400)
		})

		it('tells the instance the client and the request in fields that no client can set', async () => {
			await ask(engine, [
				'GET /acc_a/instance/execute/edl/x HTTP/1.1',
				`Host: localhost:${engine.port}`,
				'X-Request-URI: /spoofed',
				'X-Forwarded-For: 192.0.2.7',
				'X-Forwarded-Proto: gopher',
				'X-Forwarded-Prefix: /spoofed',
				'X-Real-IP: 192.0.2.7',
				'Forwarded: for=192.0.2.7',
				'X-Console-User: root',
				'X-Client-Cert-Subject: CN=root',
				'X-Forwarded-User: root',
				'X.Console.User: root',
				"X~Forwarded'For: 1.2.3.4",
				'Proxy.Authorization: x',
				...(name === 'cordon' ? [] : ['Connection: X-Real-IP']),
				...(name === 'nginx' ? [] : ['X-Forwarded-Any: x', 'X-Console-Role: root', 'X-Client-Cert: x']),
				'Proxy-Authorization: Basic eDp5',
				'Authorization: Basic eDp5',
				'Via: 1.0 before',
				'X-Request-Id: from-the-client'
			])
			const {fields = {}} = last() ?? {}
			expect(fields).toMatchObject({
				host: `localhost:${engine.port}`,
				'x-request-uri': '/acc_a/instance/execute/edl/x',
				'x-forwarded-for': '127.0.0.1',
				'x-forwarded-proto': 'https',
				'x-forwarded-host': `localhost:${engine.port}`,
				'x-forwarded-port': String(engine.port),
				'x-forwarded-prefix': '/acc_a/instance/execute/edl',
				'x-real-ip': '127.0.0.1',
				authorization: 'Basic eDp5',
				via: '1.0 before, 1.1 cordon',
				'x-request-id': 'from-the-client'
			})
			const told = Object.keys(fields).filter(field => /^(?:x.console|x.client.cert|x.forwarded.|forwarded|proxy.)/.test(field))
			expect(told.toSorted().join()).toBe('x-forwarded-for,x-forwarded-host,x-forwarded-port,x-forwarded-prefix,x-forwarded-proto')
		})

		it('scopes locations and cookies to the instance, unless that is switched off', async () => {
			const {head} = await get('/xsoar/instance/execute/edl/x')
			expect(head).toMatch(/^location: (?:https:\/\/localhost(?::\d+)?)?\/xsoar\/instance\/execute\/edl\/there\?x=1\r?$/im)
			const cookies = head.split('\r\n').filter(line => /^set-cookie:/i.test(line))
			expect(cookies[0]).toContain('Path=/xsoar/instance/execute/edl/;')
			expect(cookies[0]).toMatch(/a=1;.*HttpOnly/)
			expect(cookies[1]).toMatch(/b=2;.*Path=\/xsoar\/instance\/execute\/edl\/sub(?:;|$)/i)
			for (const cookie of cookies) expect(cookie.match(/; *Secure/gi)).toHaveLength(1)
			// What nginx says that it cannot do.
			if (name !== 'nginx') expect(cookies[2]).toContain('Path=/xsoar/instance/execute/edl/')
			if (name !== 'nginx') expect(cookies[1]).not.toMatch(/domain/i)
			expect(head).toMatch(/^server: the instance\r?$/im)
			const named = new Set(head.split('\r\n').map(line => line.split(':', 1)[0]?.toLowerCase()))
			expect(ofTheHost.filter(field => named.has(field))).toEqual([])
			const plain = (await get('/instance/execute/plain')).head
			expect(plain).toMatch(/^location: \/there\?x=1\r?$/im)
			expect(plain).toMatch(/^set-cookie: a=1; Path=\/; HttpOnly\r?$/im)
		})

		it('puts the prefix before what an instance says of itself, and not once more before its own', async () => {
			const echo = await startOrigin(url => {
				const said = decodeURIComponent(url.slice(2))
				return {Location: said, Refresh: `3; url=${said}`, 'Set-Cookie': `a=1; Path=${said}`}
			})
			const own = await start(part([instanceOf({name: 'a', listenPort: echo.port})]))
			const prefix = '/acc_x/instance/execute/a'
			for (const [said, told] of [
				['/x', `${prefix}/x`],
				[prefix, prefix],
				[`${prefix}/x`, `${prefix}/x`],
				[`${prefix}b`, `${prefix}${prefix}b`],
				[`http://127.0.0.1:${echo.port}${prefix}/x`, `${prefix}/x`],
				[`http://127.0.0.1:${echo.port}//x`, `${prefix}//x`],
				['//other.example/x', '//other.example/x']
			] as const) {
				const {head} = await ask(own, [`GET ${prefix}?${encodeURIComponent(said)} HTTP/1.1`, 'Host: localhost'])
				const field = (of: string) => new RegExp(`^${of}: (.*)$`, 'im').exec(head)?.[1]
				expect([said, field('location'), field('refresh')]).toEqual([said, told, `3; url=${told}`])
				if (/^\/[^/]/.test(said)) expect(field('set-cookie')).toMatch(new RegExp(`Path=${told}(?:;|$)`))
			}
			await own.stop()
			await echo.stop()
		})

		it.runIf(name === 'nginx')('counts the connections of an address also where an instance has a limit of its own', async () => {
			const limits = {...configOf([]).limits, connectionsPerAddress: 1}
			const instance = instanceOf({name: 'a', listenPort: origin.port, limits: {concurrency: 9}})
			const own = await start(part([instance], {limits, trustedProxies: ['127.0.0.1']}))
			const lines = ['GET /instance/execute/a HTTP/1.1', 'Host: localhost', 'X-Forwarded-For: 192.0.2.7']
			const held = await open(own)
			held.write([...lines, 'Upgrade: websocket', 'Connection: Upgrade', '', ''].join('\r\n'))
			await once(held, 'data')
			expect(await ask(own, lines)).toMatchObject({status: 429, head: expect.stringMatching(/^x-request-id: /im)})
			held.destroy()
			await own.stop()
		})

		it.runIf(name === 'nginx')('names the request once where an instance is stopped that only a token opens', async () => {
			const access = {kind: 'bearer', header: 'Authorization', verifiers: []} as const
			const own = await start(part([instanceOf({name: 'a', state: 'stopped', access})]))
			const {status, head} = await ask(own, ['GET /instance/execute/a HTTP/1.1', 'Host: localhost'])
			expect([status, head.match(/^x-request-id: /gim)]).toMatchObject([503, {length: 1}])
			await own.stop()
		})

		it('answers only for its own names', async () => {
			for (const [host, status] of [
				['localhost', 200],
				[`127.0.0.1:${engine.port}`, 200],
				['Gateway.Example', 200],
				['evil.example', 400],
				['localhost.evil.example', 400]
			] as const)
				expect([host, (await ask(engine, ['GET /instance/execute/edl HTTP/1.1', `Host: ${host}`])).status]).toEqual([host, status])
			// The name that is checked is the one that the instance gets.
			const {status} = await ask(engine, ['GET https://localhost/instance/execute/edl HTTP/1.1', 'Host: evil.example'])
			expect([400, 'localhost']).toContain(status === 200 ? last()?.fields['host'] : status)
		})

		it('refuses pages of other sites, and a request that came round', async () => {
			const click = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Sec-Fetch-User: ?1']
			const lead = click.slice(0, 2)
			for (const [code, to, ...fields] of [
				[403, 'edl', 'Origin: https://evil.example'],
				[403, 'edl', 'Origin: null'],
				[403, 'edl', 'Origin: http://localhost'],
				[200, 'edl', 'Origin: https://localhost'],
				[200, 'edl', 'Origin: https://localhost:443', 'Sec-Fetch-Site: same-origin'],
				[403, 'edl', 'Origin: https://evil.example', 'Sec-Fetch-Site: same-origin'],
				[200, 'edl', 'Sec-Fetch-Site: same-origin'],
				[200, 'edl', 'Sec-Fetch-Site: none'],
				[403, 'edl', 'Sec-Fetch-Site: cross-site'],
				[403, 'edl', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors'],
				[200, 'edl', 'Sec-Fetch-Site: cross-site', ...click],
				[403, 'edl', 'Sec-Fetch-Site: cross-site', ...lead],
				[200, 'web', 'Sec-Fetch-Site: cross-site', ...lead],
				[403, 'web', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
				[200, 'web', 'Origin: https://friend.example', 'Sec-Fetch-Site: cross-site'],
				[403, 'edl', 'Origin: https://friend.example']
			] as const)
				expect([to, fields, await statusOf(to, ...fields)]).toEqual([to, fields, code])
			expect(await statusOf('edl', 'Via: 1.1 cordon')).toBe(508)
			expect(await statusOf('edl', 'Via: 1.1 a, 2 cordon')).toBe(508)
		})

		it('checks access where it can, and lets no one in where it cannot', async () => {
			const before = origin.seen.length
			expect(await statusOf('elsewhere')).toBe(403)
			expect(await statusOf('signed')).toBe(401)
			expect(await statusOf('token')).toBe(401)
			expect(await statusOf('token', 'Authorization: Bearer wrong')).toBe(401)
			expect(await statusOf('users')).toBe(401)
			expect(await statusOf('users', `Authorization: Basic ${btoa('ann:')}`)).toBeGreaterThanOrEqual(400)
			expect(origin.seen.length).toBe(before)
			if (name === 'haproxy') expect(await statusOf('token', `Authorization: Bearer ${token}`)).toBe(200)
		})

		it('lets in a client certificate of an allowed name, which must be its only one', async () => {
			const authority = await certify('Clients', {authority: true})
			const access = {kind: 'certificate', authorities: authority.certificate, names: ['fw-1']} as const
			const given = part([instanceOf({name: 'certified', listenPort: origin.port, access})])
			const own = await start(given)
			const lines = ['GET /instance/execute/certified HTTP/1.1', 'Host: localhost']
			for (const [status, ...subject] of [
				[200, 'fw-1'],
				[403, 'fw-2'],
				[403, 'fw-1', 'x'],
				[403, 'x', 'fw-1'],
				[403, 'x', 'O=y,CN=fw-1'],
				[200, 'O=y\\', 'fw-1']
			] as const) {
				const client = await certify('', {issuer: authority, subject})
				expect([subject, (await ask(own, lines, '', client)).status]).toEqual([subject, status])
			}
			await own.stop()
		})

		it('believes no address left of one that is no trusted proxy', async () => {
			const trustedProxies = ['127.0.0.1', '10.0.0.2', '10.0.0.3']
			const allow = ['10.0.0.0/8', '2001:db8::/32']
			const given = part([instanceOf({name: 'inside', listenPort: origin.port, allow, forwarded: true})], {trustedProxies})
			const own = await start(given)
			for (const [said, status, client] of [
				['10.9.9.9, 10.0.0.3, 10.0.0.2', 200, '10.9.9.9'],
				['203.0.113.9, 10.0.0.2', 403],
				['10.9.9.9, 203.0.113.9, 10.0.0.3, 10.0.0.2', 403],
				['10.9.9.9, unknown, 10.0.0.2', 200, '10.0.0.2'],
				['2001:db8::7, 10.0.0.2', 200, '2001:db8::7']
			] as const) {
				const told = {'x-forwarded-proto': 'http', 'x-forwarded-host': 'outside.example', 'x-forwarded-port': '8080'}
				const fields = Object.entries({...told, 'x-forwarded-for': said, forwarded: 'for=10.9.9.9'})
				const lines = ['GET /instance/execute/inside HTTP/1.1', 'Host: localhost', ...fields.map(field => field.join(': '))]
				expect([said, (await ask(own, lines)).status]).toEqual([said, status])
				if (client === undefined) continue
				expect(last()?.fields).toMatchObject({...told, 'x-real-ip': client, 'x-forwarded-for': `${said}, 127.0.0.1`})
				expect(last()?.fields['forwarded']).toMatch(/^for=10\.9\.9\.9, for="?127\.0\.0\.1"?;proto=https;host="?localhost"?/)
			}
			await own.stop()
		})

		it('keeps methods, sizes, rates and stopped instances', async () => {
			const status = async (method: string, name: string, body = '') =>
				(await send(`${method} /instance/execute/${name}`, [`Content-Length: ${body.length}`], body)).status
			const refused = await send('DELETE /instance/execute/reader')
			expect(refused).toMatchObject({status: 405, head: expect.stringMatching(/^x-request-id: /im)})
			expect(await status('GET', 'reader', 'x'.repeat(11))).toBe(413)
			expect(await status('GET', 'reader', 'x'.repeat(10))).toBe(200)
			expect(await status('GET', 'stopped')).toBe(503)
			expect(await get('/instance/execute/nothing')).toMatchObject({status: 404, head: expect.stringMatching(/^x-request-id: /im)})
			const answers = await Promise.all(Array.from({length: 12}, () => status('GET', 'busy')))
			expect(answers).toContain(200)
			expect(answers).toContain(429)
		})

		it('redirects browsers to the folder of a web interface, and no other client', async () => {
			const browser = ['Sec-Fetch-Mode: navigate', 'Accept: text/html,*/*']
			const {status, head} = await get('/instance/execute/web?a=1', ...browser)
			expect(status).toBe(308)
			expect(head).toMatch(/^location: \/instance\/execute\/web\/\?a=1\r?$/im)
			expect((await get('/instance/execute/web/?a=1', ...browser)).status).toBe(200)
			expect((await get('/instance/execute/web')).status).toBe(200)
			expect((await get('/instance/execute/edl', ...browser)).status).toBe(200)
		})

		it('opens a WebSocket where it may, and passes its bytes', async () => {
			const socket = await open(engine)
			const key = 'dGhlIHNhbXBsZSBub25jZQ=='
			socket.write(
				`GET /instance/execute/edl/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`
			)
			const [head] = (await once(socket, 'data')) as [Buffer]
			expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /)
			socket.write(Buffer.from([0x81, 0x02, 0x68, 0x69]))
			const [bytes] = (await once(socket, 'data')) as [Buffer]
			expect([...bytes]).toEqual([0x81, 0x02, 0x68, 0x69])
			socket.destroy()
			await get('/instance/execute/plain', 'Upgrade: websocket')
			expect(last()?.fields).not.toHaveProperty('upgrade')
		})

		it('tells the platform version, and writes a literal Host', async () => {
			expect(JSON.parse((await get('/instance/version')).body)).toEqual({version: '6.12'})
			await get('/instance/execute/literal')
			expect(last()?.fields['host']).toBe('inside.example')
		})
	})
}
