import fc from 'fast-check'

import {forwardedTo, pairs} from '../testing/forwarded.ts'
import {configOf, type InstanceWish} from '../testing/heads.ts'
import type {RequestHead, ResponseHead} from '../message-types.ts'
import type {ForwarderConfig} from '../types.ts'
import {ResponseReader} from './response.ts'

const prefix = '/instance/execute/edl'

interface Wish {
	instance?: Omit<InstanceWish, 'name'>
	config?: Partial<ForwarderConfig>
	request?: Partial<RequestHead>
	head?: Partial<ResponseHead>
}

function read(fields: string[], {instance = {}, config = {}, request, head}: Wish = {}) {
	const whole = configOf([{name: 'edl', ...instance}], config)
	const forwarded = forwardedTo(whole, `${prefix}/x`, {authority: 'cordon.example:8443', ...request})
	const answer: ResponseHead = {
		status: 200,
		reason: 'OK',
		version: '1.1',
		fields,
		framing: {kind: 'length', length: 2},
		connection: [],
		keepAlive: true,
		...head
	}
	return pairs(new ResponseReader(forwarded.decision.instance, whole).fields(answer, forwarded))
}

/** One field of that name, as the client gets it. */
function passed(name: string, value: string, wish?: Wish) {
	return read([name, value], wish)[name.toLowerCase()]
}

describe('what the client is told', () => {
	it('is what the instance said, Server and Date included', () => {
		const seen = read(['Server', 'x', 'Date', 'then', 'Content-Type', 'a', 'X_Y', 'z', 'Set-Cookie', 'a=b', 'Set-Cookie', 'c=d'])
		expect(seen).toEqual({
			server: 'x',
			date: 'then',
			'content-type': 'a',
			x_y: 'z',
			'set-cookie': `a=b; Path=${prefix}/; Secure | c=d; Path=${prefix}/; Secure`,
			'x-request-id': 'id-1'
		})
	})

	it('has a Date, and never two', () => {
		expect(Date.parse(read([])['date'] ?? '')).not.toBeNaN()
		expect(read(['Date', 'one', 'date', 'two'])['date']).toBe('one')
	})

	it('holds nothing of the connection, nor what it names, nor what speaks for the whole host', () => {
		const names = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade']
		const host = ['Alt-Svc', 'Clear-Site-Data', 'NEL', 'Report-To', 'Strict-Transport-Security']
		const seen = read(
			[...names, ...host, 'Proxy-Authenticate', 'Content-Length', 'X-Secret', 'X-Kept'].flatMap(name => [name, 'x']),
			{head: {connection: ['x-secret']}}
		)
		expect(Object.keys(seen).toSorted()).toEqual(['date', 'x-kept', 'x-request-id'])
	})

	it('is Strict-Transport-Security from us, behind a certificate that everyone trusts', () => {
		const config = {strictTransportSecurity: true}
		expect(passed('Strict-Transport-Security', 'x', {config})).toBe('max-age=31536000')
	})

	it('keeps a length that says what a body would be', () => {
		const head = {framing: {kind: 'none'}} as const
		expect(passed('Content-Length', '007', {head, request: {method: 'HEAD'}})).toBe('7')
		expect(passed('Content-Length', '7', {head: {...head, status: 304}})).toBe('7')
		expect(read([], {head, request: {method: 'HEAD'}})).not.toHaveProperty('content-length')
		expect(read(['Content-Length', '7'], {head: {...head, status: 204}})).not.toHaveProperty('content-length')
	})

	it('announces trailers that are allowed and wanted', () => {
		const head = {framing: {kind: 'chunked'}} as const
		const instance = {trailers: ['x-sum']}
		expect(passed('Trailer', 'X-Sum, X-T', {head, instance, request: {wantsTrailers: true}})).toBe('X-Sum')
		expect(read(['Trailer', 'X-Sum'], {head, instance})).not.toHaveProperty('trailer')
		expect(read([], {head, instance, request: {wantsTrailers: true}})).not.toHaveProperty('trailer')
	})
})

describe('a reference to the instance itself', () => {
	it.each([
		['/', `${prefix}/`],
		['/a?b#c', `${prefix}/a?b#c`],
		['http://127.0.0.1:9000/a', `${prefix}/a`],
		['HTTP://LOCALHOST:9000/a', `${prefix}/a`],
		['http://[::1]:9000/a', `${prefix}/a`],
		['//127.0.0.1:9000/a', `${prefix}/a`],
		['http://127.0.0.1:9000', `${prefix}/`],
		['http://127.0.0.1:9000?x', `${prefix}/?x`],
		['http://cordon.example:8443/a', `${prefix}/a`],
		[`http://cordon.example:8443${prefix}/a`, `${prefix}/a`],
		[`${prefix}/a`, `${prefix}/a`],
		[prefix, prefix],
		[`${prefix}?x`, `${prefix}?x`],
		[`${prefix}#x`, `${prefix}#x`],
		[`${prefix}2/a`, `${prefix}${prefix}2/a`],
		['a/b', 'a/b'],
		['../a', '../a'],
		['?x', '?x'],
		['#x', '#x'],
		['', ''],
		['http://127.0.0.1:9001/a', 'http://127.0.0.1:9001/a'],
		['https://example.com/a', 'https://example.com/a'],
		['//example.com/a', '//example.com/a'],
		['mailto:a@b', 'mailto:a@b']
	])('%s becomes %s', (given, expected) => {
		expect(passed('Location', given)).toBe(expected)
		expect(passed('content-location', given)).toBe(expected)
		expect(passed('Location', given, {instance: {rewriteLocation: false}})).toBe(given)
	})

	it.each([
		['5; url=/a', `5; url=${prefix}/a`],
		['0;URL="/a"', `0;URL="${prefix}/a"`],
		["1; url='http://localhost:9000/a'", `1; url='${prefix}/a'`],
		['5', '5'],
		['5;', '5;'],
		[`5; url="/a`, `5; url="${prefix}/a`],
		['0, /a', `0, ${prefix}/a`],
		['5; url=https://example.com/', '5; url=https://example.com/']
	])('in Refresh %s becomes %s', (given, expected) => {
		expect(passed('Refresh', given)).toBe(expected)
	})
})

it('a reference to the Host given to the instance is one to itself', () => {
	const instance = {hostHeader: 'Inner.example'}
	expect(passed('Location', 'http://inner.example/a', {instance})).toBe(`${prefix}/a`)
})

describe('a cookie', () => {
	it.each([
		['a=b', `a=b; Path=${prefix}/; Secure`],
		['a=b; Path=/', `a=b; Path=${prefix}/; Secure`],
		['a=b; path=/x; HttpOnly', `a=b; HttpOnly; Path=${prefix}/x; Secure`],
		['a=b; Domain=example.com; secure; SameSite=Lax', `a=b; secure; SameSite=Lax; Path=${prefix}/`],
		[`a=b; Path=${prefix}/x`, `a=b; Path=${prefix}/x; Secure`],
		['a=b; Path=x', `a=b; Path=${prefix}/; Secure`],
		['a=b=c; Expires=Wed, 21 Oct 2026 07:28:00 GMT', `a=b=c; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=${prefix}/; Secure`]
	])('%s becomes %s', (given, expected) => {
		expect(passed('Set-Cookie', given)).toBe(expected)
		expect(passed('Set-Cookie', given, {instance: {scopeCookies: false}})).toBe(given)
	})

	it('never reaches another instance, whatever its attributes', () => {
		const attribute = fc.constantFrom('Path=/', 'path = /', 'PATH=/other', 'Path', 'Domain=a', 'Secure', 'x', ' ', 'Path=/;')
		fc.assert(
			fc.property(fc.array(attribute, {maxLength: 6}), attributes => {
				const cookie = read(['Set-Cookie', ['a=b', ...attributes].join(';')])['set-cookie'] ?? ''
				const paths = [...cookie.matchAll(/;\s*path\s*(?:=\s*([^;]*)|(?=;|$))/gi)].map(match => match[1] ?? '')
				expect(paths).toHaveLength(1)
				expect(paths[0]?.startsWith(`${prefix}/`)).toBe(true)
				expect(cookie).not.toMatch(/domain/i)
			})
		)
	})
})

describe('trailers', () => {
	it('pass by the list alone, and what can be no trailer never does', () => {
		const config = configOf([{name: 'edl', trailers: ['X-Sum', 'Content-Length', 'Set-Cookie', 'Connection', 'X-Console-User']}])
		const [instance] = config.instances
		if (instance === undefined) throw new Error('no instance')
		const reader = new ResponseReader(instance, config)
		const fields = 'x-sum 1 X-Other 2 Content-Length 3 Set-Cookie a=b Connection x X-Console-User r'.split(' ')
		expect(reader.trailers(fields)).toEqual(['x-sum', '1'])
	})
})

it('an interim answer says nothing that must be said at the end', () => {
	const config = configOf([{name: 'edl'}])
	const request = forwardedTo(config, `${prefix}/x`)
	const reader = new ResponseReader(request.decision.instance, config)
	const fields = ['Link', '</a>; rel=preload', 'Set-Cookie', 'a=b', 'Connection', 'x', 'Content-Length', '5']
	expect(reader.interim(fields, request)).toEqual(['Link', '</a>; rel=preload'])
})
