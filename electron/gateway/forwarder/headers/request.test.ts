import {parseRequestHead} from '../http1/request-head.ts'
import {UnsafeHead} from '../http1/write.ts'
import {defaultLimits} from '../limits.ts'
import type {ForwardedRequest} from '../pipeline-parts.ts'
import {forwardedTo, valuesIn, withFields} from '../testing/forwarded.ts'
import {configOf, peer, type InstanceWish} from '../testing/heads.ts'
import type {RequestHead} from '../message-types.ts'
import type {ForwarderConfig} from '../types.ts'
import {RequestWriter} from './request.ts'
import {requestIdOf} from './trace.ts'

interface Wish {
	instance?: Omit<InstanceWish, 'name'>
	config?: Partial<ForwarderConfig>
	head?: Partial<RequestHead>
	more?: Partial<ForwardedRequest>
	target?: string
	upgrade?: boolean
}

function write({instance = {}, config = {}, head, more, target = '/instance/execute/edl/x?n=5', upgrade}: Wish) {
	const whole = configOf([{name: 'edl', ...instance}], config)
	const request = forwardedTo(whole, target, head, more)
	return new RequestWriter(request.decision.instance, whole).write(request, upgrade ?? false)
}

function written(wish: Wish) {
	return valuesIn(write(wish))
}

describe('the request line', () => {
	it('is the rest of the path in HTTP/1.1, whatever the client spoke', () => {
		expect(write({head: {version: '1.0'}}).split('\r\n')[0]).toBe('GET /x?n=5 HTTP/1.1')
	})
})

describe('what the instance is told of the client', () => {
	it('is what came, with our fields', () => {
		expect(written({})).toEqual({
			host: 'localhost',
			'x-request-uri': '/instance/execute/edl/x?n=5',
			'x-forwarded-prefix': '/instance/execute/edl',
			'x-forwarded-for': '192.0.2.7',
			'x-forwarded-proto': 'https',
			'x-forwarded-host': 'localhost',
			'x-forwarded-port': '8443',
			'x-real-ip': '192.0.2.7',
			via: '1.1 cordon',
			'x-request-id': 'id-1'
		})
	})

	it('is never what the client says in our name', () => {
		const lie = ['X-Forwarded-For', 'X-FORWARDED-PROTO', 'X-Forwarded-Server', 'X-Real-IP', 'X-Request-URI', 'Forwarded']
		const owned = ['X-Console-User', 'X-Console-Else', 'X-Client-Cert-Subject', 'Proxy-Authorization', 'X-Request-Id']
		// An instance may read other marks as hyphens.
		const alike = ['X.Console.User', 'X-Console|User', 'x~forwarded^for', 'X!Real!IP', "Transfer'Encoding"]
		const seen = written(withFields('X.Other', 'kept', ...[...lie, ...owned, ...alike].flatMap(name => [name, 'lie'])))
		expect(seen['x.other']).toBe('kept')
		expect(JSON.stringify(seen)).not.toContain('lie')
	})

	it('is what a trusted proxy says', () => {
		const {head} = withFields('X-Forwarded-For', '9.9.9.9', 'X-Forwarded-Proto', 'http', 'X-Forwarded-Host', 'front')
		const more = {peer: {...peer, client: '9.9.9.9'}}
		const config = {trustedProxies: ['192.0.2.0/24']}
		expect(written({head, more, config})).toMatchObject({
			'x-forwarded-for': '9.9.9.9, 192.0.2.7',
			'x-forwarded-proto': 'http',
			'x-forwarded-host': 'front',
			'x-real-ip': '9.9.9.9'
		})
		expect(written({head, config: {trustedProxies: ['198.51.100.0/24']}})).toMatchObject({
			...{'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost'}
		})
	})

	it('is Forwarded too when the instance wants it', () => {
		const more = {peer: {...peer, address: '2001:db8::1'}}
		expect(written({instance: {forwarded: true}, more, head: {authority: 'a:8443'}})['forwarded']).toBe(
			'for="[2001:db8::1]";proto=https;host="a:8443";by=_cordon'
		)
	})

	it('is who it is, as the access check found', () => {
		const seen = written({...withFields('X-Console-User', 'root'), more: {identity: ['X-Console-User', 'ada']}})
		expect(seen['x-console-user']).toBe('ada')
		expect(() => written({more: {identity: ['X-Console-User', 'a\r\nb']}})).toThrow(UnsafeHead)
	})

	it('continues Via, with the version that the client spoke', () => {
		expect(written({head: {version: '2', fields: ['host', 'a', 'Via', '1.0 a', 'via', '1.1 b']}})['via']).toBe('1.0 a, 1.1 b, 2 cordon')
	})
})

describe('what ends here', () => {
	it('are the fields of the connection and all that it names', () => {
		const fields = ['Connection', 'X-Hop, keep-alive', 'X-Hop', '1', 'Keep-Alive', '5', 'TE', 'trailers', 'Upgrade', 'h2c']
		const more = ['Trailer', 'X', 'Expect', '100-continue', 'Proxy-Connection', 'x', 'HTTP2-Settings', 'x', 'X-Stays', '1']
		const seen = written({head: {fields: ['Host', 'a', ...fields, ...more], connection: ['x-hop', 'keep-alive']}})
		for (const name of ['connection', 'x-hop', 'keep-alive', 'te', 'upgrade', 'trailer', 'expect', 'http2-settings']) {
			expect(seen).not.toHaveProperty(name)
		}
		expect(seen['x-stays']).toBe('1')
	})

	it('is Authorization only when it is asked to', () => {
		const {head} = withFields('Authorization', 'Basic x')
		expect(written({head})['authorization']).toBe('Basic x')
		expect(written({head, instance: {stripAuthorization: true}})).not.toHaveProperty('authorization')
	})

	it('is the session of a console, which no instance may use', () => {
		const cookies = ['cordon_4800=a; theme=dark;cordon_1=b; cordon_=c', 'cordon_4801=d', 'x=1; cordon_4800=e']
		const text = write(withFields(...cookies.flatMap(value => ['Cookie', value])))
		expect(text.match(/^Cookie: .*$/gm)).toEqual(['Cookie: theme=dark; cordon_=c', 'Cookie: x=1'])
	})

	it('is a traceparent that is none', () => {
		const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
		expect(written(withFields('traceparent', good))['traceparent']).toBe(good)
		for (const bad of [good.replace('00-', 'ff-'), `${good}-x`, good.replace(/0af\w*/, '0'.repeat(32)), 'x']) {
			expect(written(withFields('traceparent', bad))).not.toHaveProperty('traceparent')
		}
	})
})

describe('the framing is ours', () => {
	it('a length is written once, in digits', () => {
		const {head} = withFields('Content-Length', '0002')
		expect(written({head: {...head, framing: {kind: 'length', length: 2}}})['content-length']).toBe('2')
	})
	it('chunks are chunked again, allowed trailers announced', () => {
		const fields = ['Transfer-Encoding', 'CHUNKED', 'Trailer', 'X-Sum, Content-Length, Content.Length, X-Other']
		const seen = written({
			head: {method: 'POST', fields: ['Host', 'a', ...fields], framing: {kind: 'chunked'}},
			instance: {trailers: ['x-sum', 'content-length', 'content.length']}
		})
		expect(seen).toMatchObject({'transfer-encoding': 'chunked', trailer: 'X-Sum'})
		expect(written({head: {framing: {kind: 'chunked'}}})).not.toHaveProperty('trailer')
	})
	it('trailers are asked for when the client does and the instance may', () => {
		expect(written({head: {wantsTrailers: true}, instance: {trailers: ['x-sum']}})).toMatchObject({te: 'trailers', connection: 'TE'})
		expect(written({head: {wantsTrailers: true}})).not.toHaveProperty('te')
	})
	it('a WebSocket is asked for in our own words', () => {
		expect(written({upgrade: true})).toMatchObject({connection: 'Upgrade', upgrade: 'websocket'})
	})
})

describe('Host', () => {
	it.each([
		['preserve', 'localhost'],
		['loopback', '127.0.0.1:9000'],
		['inner.example', 'inner.example']
	])('%s is %s', (hostHeader, host) => {
		expect(written({instance: {hostHeader}})['host']).toBe(host)
	})
	it('with a line break is refused', () => {
		expect(() => written({instance: {hostHeader: 'a\r\nX: y'}})).toThrow(UnsafeHead)
	})
	it('is the authority of the absolute form', () => {
		expect(written({head: {authority: 'b'}})).toMatchObject({host: 'b', 'x-forwarded-host': 'b'})
	})
})

it('Max-Forwards is one less for OPTIONS, and untouched for others', () => {
	const {head} = withFields('Max-Forwards', '5')
	const left = (hops: string) => written({head: {...withFields('Max-Forwards', hops).head, method: 'OPTIONS'}})['max-forwards']
	expect(['5', '1', '0', 'x'].map(left)).toEqual(['4', '0', '0', 'x'])
	expect(written({head})['max-forwards']).toBe('5')
})

it.each(['a b', 'a"b', 'x'.repeat(129)])('a request has an ID of ours in place of %j', id => {
	expect(requestIdOf(['X-Request-Id', id])).not.toBe(id)
	expect(requestIdOf(['X-Request-Id', 'a-1'])).toBe('a-1')
})

it('what is written is read back by our own parser', () => {
	const text = write({head: {method: 'POST', framing: {kind: 'chunked'}}, instance: {forwarded: true}})
	const bytes = Buffer.from(text, 'latin1')
	expect(parseRequestHead(bytes, 0, bytes.length, defaultLimits)).toMatchObject({kind: 'head', next: bytes.length})
})
