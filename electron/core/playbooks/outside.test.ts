import {createServer, type Server} from 'node:http'
import {createServer as secureServer} from 'node:https'

import {readOrigin} from '#model/origin.ts'

import {openPort} from '#base/testing/port.ts'
import {refused} from '#base/testing/code-of.ts'
import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import {allowedOrigin, outsideOrderOf, sendOutside} from './outside.ts'

let server: Server
let base: string
let asked: string[]

const {signal} = new AbortController()
beforeEach(async () => {
	asked = []
	server = createServer((request, response) => {
		let body = ''
		request.on('data', (piece: Buffer) => (body += piece.toString()))
		request.on('end', () => {
			asked.push(`${request.method} ${request.url} ${String(request.headers['x-from'])} ${body}`)
			if (request.url === '/away') return void response.writeHead(302, {location: 'http://127.0.0.1:1/'}).end()
			if (request.url === '/cut') return void request.socket.destroy()
			if (request.url === '/large') return void response.end('x'.repeat(300_000))
			const from = String(request.headers['x-from'])
			const html = from.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;')
			const inAddress = encodeURIComponent(from)
			const forms = [from, JSON.stringify(from).slice(1, -1), inAddress, inAddress.toLowerCase(), html, html.replaceAll('&quot;', '&#34;')]
			if (request.url === '/echo') return void response.end(forms.join(' '))
			if (request.url === '/path') return void response.end(JSON.stringify({path: `C:\\${from}`}))
			if (request.url === '/denied') return void response.writeHead(403).end(from)
			response.end(`ticket 7`)
		})
	})
	base = `http://127.0.0.1:${await openPort(server)}`
})
afterEach(() => new Promise(resolve => void server.close(resolve)))

const values: Readonly<Record<string, string>> = {__a__: '../x?y=1&z "q"\r\nX: 1', __b__: 'plain'}
const lookup = (name: string) => values[name] ?? ''
const order = (command: string, more: object = {}) => outsideOrderOf(base, {type: 'http-api', command: `${command} HTTP/1.1`, ...more}, lookup)
const send = (command: string, origins: string[] = [`${base} private`]) => sendOutside(order(command), origins, signal)

describe('a request to another address', () => {
	test('is parsed before values are inserted', async () => {
		const made = order('POST /t/__a__:value?q=__a__:value', {content: '{"text":"__a__:value"}', headers: {'x-from': ['__b__:value']}})
		await sendOutside(made, [`${base} private`], signal)
		const value = encodeURIComponent(values['__a__'] ?? '')
		expect(asked).toEqual([`POST /t/${value}?q=${value} plain ${JSON.stringify({text: values['__a__']})}`])
		expect(() => order('GET /x', {headers: {'x-from': ['__a__:value']}})).toThrow('does not fit into a header')
		for (const name of ['Authorization', 'Host', 'Content-Length'])
			expect(() => order('GET /x', {headers: {[name]: ['x'], 'x-from': ['$secret:tickets']}})).toThrow('cannot stand in a playbook')
		for (const out of ['.', '..'])
			expect(() => outsideOrderOf(base, {type: 'http-api', command: 'GET /x/__a__:value HTTP/1.1'}, () => out)).toThrow('leads out')
	})

	test.each([
		['an origin that is not listed', 'GET /x', () => [], 'protected', 0],
		['another port', 'GET /x', () => ['http://127.0.0.1:1 private'], 'protected', 0],
		['an address of this computer, not listed as such', 'GET /x', () => [base.replace('http', 'https')], 'protected', 0],
		['a redirect', 'GET /away', undefined, 'unexpected_status', 1],
		['an answer that is too long', 'GET /large', undefined, 'unreachable', 1],
		['a reading without an answer', 'GET /cut', undefined, 'unreachable', 1],
		['a change without an answer', 'POST /cut', undefined, 'outcome_unknown', 1]
	] as const)('%s is refused', async (_what, command, origins, code, count) => {
		expect(await refused(send(command, origins?.()))).toMatchObject({code})
		expect(asked).toHaveLength(count)
	})

	test('that was cancelled after its arrival may have taken effect', async () => {
		const stop = new AbortController()
		server.on('request', () => stop.abort())
		expect(await refused(sendOutside(order('POST /x'), [`${base} private`], stop.signal))).toMatchObject({code: 'outcome_unknown'})
	})

	test('to an inner address needs the mark, whatever its name', async () => {
		for (const host of ['localhost', '127.0.0.1', '[::1]']) {
			const named = {...order('GET /x'), url: `https://${host}:${new URL(base).port}/x`}
			const error = await refused(sendOutside(named, [new URL(named.url).origin], signal))
			expect(error).toMatchObject({code: 'protected', message: expect.stringContaining('private address')})
		}
		expect(await send('GET /x')).toBe('ticket 7')
	})

	test('is not sent to an unknown certificate, whatever the environment says', async () => {
		vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
		const secure = secureServer(await (await makeAuthority()).issue('localhost'), (_request, response) => void response.end())
		const url = `https://localhost:${await openPort(secure)}`
		expect(await refused(sendOutside({...order('POST /x'), url}, [`${url} private`], signal))).toMatchObject({code: 'unreachable'})
		secure.close()
		vi.unstubAllEnvs()
	})
})

describe('a secret', () => {
	const headers = {Authorization: ['Bearer $secret:tickets'], 'x-from': ['$secret:tickets']}
	const secretOf = async (name: string, origin: string) => (name === 'tickets' && origin === base ? 's3cr3t-/"value"' : undefined)
	const give = (command: string, more: object = {headers}) => sendOutside(order(command, more), [`${base} private`], signal, secretOf)

	test('replaces its name, and is masked in an answer that repeats it', async () => {
		expect(JSON.stringify(order('GET /x', {headers}))).not.toContain('s3cr3t')
		expect(await give('GET /echo')).toBe(Array(6).fill('[secret tickets]').join(' '))
		expect(await refused(give('GET /denied'))).toMatchObject({message: expect.not.stringContaining('s3cr3t')})
		expect(asked).toEqual(['GET /echo s3cr3t-/"value" ', 'GET /denied s3cr3t-/"value" '])
	})

	test('is masked whole beside one that it begins with', async () => {
		const both = {headers: {'x-to': ['$secret:short'], 'x-from': ['$secret:long']}}
		const secretOf = async (name: string) => (name === 'long' ? 'abc-999' : 'abc')
		const answer = await sendOutside(order('GET /echo', both), [`${base} private`], signal, secretOf)
		expect(answer).toBe(Array(6).fill('[secret long]').join(' '))
	})

	test('takes nothing with it that is not its own', async () => {
		const answer = await sendOutside(order('GET /path', {headers}), [`${base} private`], signal, async () => 's3cret')
		expect(JSON.parse(answer)).toEqual({path: 'C:\\[secret tickets]'})
	})

	test('is sent only to its origin', async () => {
		const other = (name: string) => secretOf(name, 'https://tickets.example.org')
		const send = sendOutside(order('GET /x', {headers}), [`${base} private`], signal, other)
		expect(await refused(send)).toMatchObject({code: 'protected', message: expect.stringContaining('tickets is not stored')})
		expect(await refused(give('GET /x', {headers: {'x-from': ['$secret:none']}}))).toMatchObject({code: 'protected'})
		expect(asked).toEqual([])
		expect(await refused(give('GET /away'))).toMatchObject({code: 'unexpected_status'})
		expect(asked).toHaveLength(1)
	})

	test('is named by the document alone, never by a value', () => {
		const named = {type: 'http-api', command: 'GET /x HTTP/1.1', headers: {'x-from': ['__a__:value']}}
		expect(() => outsideOrderOf(base, named, () => '$secret:tickets')).toThrow('Only the document may')
	})
})

test('origins are exact', () => {
	const lines = ['https://Tickets.example.org:443', 'https://10.0.0.7:8443 private']
	expect(allowedOrigin(lines, 'https://tickets.example.org/a')).toEqual({origin: 'https://tickets.example.org', private: false})
	expect(allowedOrigin(lines, 'https://10.0.0.7:8443/')?.private).toBe(true)
	for (const url of [
		'http://tickets.example.org',
		'https://tickets.example.org.evil',
		'https://a@tickets.example.org',
		'https://tickets.example.org:444',
		'x'
	])
		expect(allowedOrigin(lines, url), url).toBeUndefined()
	for (const text of ['http://tickets.example.org', 'https://a/b', 'https://a@b', 'https://a?x', 'ftp://a', ''])
		expect(readOrigin(text), text).toBeUndefined()
})
