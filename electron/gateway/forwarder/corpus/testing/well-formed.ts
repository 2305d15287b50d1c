import {route, type WellFormedCase} from './case.ts'

const crlf = '\r\n'

interface Extra {
	method?: string
	version?: string
	rest?: string
	seen?: string
	lines?: readonly string[]
	body?: string
	wire?: string
	fields?: Readonly<Record<string, string | null>>
	target?: string
	before?: string
}

function good(name: string, extra: Extra = {}): WellFormedCase {
	const {method = 'GET', version = '1.1', rest = '/x', seen = rest, lines = [], body = '', wire = body} = extra
	const first = `${method} ${extra.target ?? route + rest} HTTP/${version}`
	const bytes = (extra.before ?? '') + [first, 'Host: localhost', ...lines, '', ''].join(crlf) + wire
	const wellFormed = {name, bytes, method, target: seen, body}
	return extra.fields === undefined ? wellFormed : {...wellFormed, fields: extra.fields}
}

function chunked(name: string, wire: string, body: string, extra: Extra = {}) {
	const lines = ['Transfer-Encoding: chunked', ...(extra.lines ?? [])]
	return good(name, {method: 'POST', ...extra, lines, wire, body})
}

const fullSize = {lines: [`X-Long: ${'a'.repeat(15_900)}`], fields: {'x-long': 'a'.repeat(15_900)}}

/** The classes that every forwarder must pass, with the expected result. */
export const wellFormed: readonly WellFormedCase[] = [
	good('plain GET'),
	good('empty rest becomes a slash', {rest: '', seen: '/'}),
	good('slash alone', {rest: '/'}),
	good('query without a path', {rest: '?n=5', seen: '/?n=5'}),
	good('empty query is kept', {rest: '/x?'}),
	good('query with everything', {rest: '/x?q=type:ip%20and%20*&a=b?c/../d'}),
	good('double slashes are kept', {rest: '//a//b'}),
	good('encoded slash is kept', {rest: '/a%2Fb%3Fc'}),
	good('semicolons and marks are kept', {rest: "/a;b=c/!$&'()*+,=:@~"}),
	good('brackets and pipes are kept', {rest: '/a[0]|{b}"<>^`'}),
	good('dots that do not climb are kept', {rest: '/a/./b/../c'}),
	good('HTTP/1.0', {version: '1.0'}),
	good('HEAD', {method: 'HEAD'}),
	good('OPTIONS', {method: 'OPTIONS'}),
	good('PROPFIND', {method: 'PROPFIND'}),
	good('a method of one’s own', {method: "M!#$%&'*+.^_`|~-1"}),
	good('POST with a length', {method: 'POST', lines: ['Content-Length: 5'], body: 'hello'}),
	good('length 0', {method: 'POST', lines: ['Content-Length: 0'], fields: {'content-length': '0'}}),
	good('length with zeros is normalised', {method: 'POST', lines: ['Content-Length: 0002'], body: 'ab', fields: {'content-length': '2'}}),
	good('GET with a body', {lines: ['Content-Length: 3'], body: 'abc'}),
	chunked('chunked POST', '5\r\nhello\r\n0\r\n\r\n', 'hello'),
	chunked('chunks with extensions', '5;a=b;c="d e"\r\nhello\r\n0;x\r\n\r\n', 'hello'),
	chunked('hexadecimal sizes', 'A\r\n0123456789\r\n00b\r\n0123456789a\r\n000\r\n\r\n', '01234567890123456789a'),
	chunked('chunked DELETE', '5\r\nhello\r\n0\r\n\r\n', 'hello', {method: 'DELETE'}),
	chunked('chunked OPTIONS', '5\r\nhello\r\n0\r\n\r\n', 'hello', {method: 'OPTIONS'}),
	chunked('trailers that nobody asked for are dropped', '2\r\nab\r\n0\r\nX-T: y\r\n\r\n', 'ab', {fields: {trailer: null, 'x-t': null}}),
	chunked('forbidden trailer is dropped', '2\r\nab\r\n0\r\nContent-Length: 9\r\n\r\n', 'ab', {fields: {'content-length': null}}),
	good('CHUNKED in capitals', {method: 'POST', lines: ['Transfer-Encoding: CHUNKED'], wire: '2\r\nab\r\n0\r\n\r\n', body: 'ab'}),
	good('absolute form', {target: `http://localhost${route}/x`, fields: {host: 'localhost'}}),
	good('absolute form of https with a port', {target: `https://localhost:8443${route}/x?y`, seen: '/x?y', fields: {host: 'localhost:8443'}}),
	good('one empty line first', {before: '\r\n'}),
	good('value without a blank, with blanks, empty', {lines: ['X-A:a', 'X-B: \t b \t', 'X-C:'], fields: {'x-a': 'a', 'x-b': 'b', 'x-c': ''}}),
	good('Latin-1 in a value', {lines: ['X-A: \xe9\xff'], fields: {'x-a': '\xe9\xff'}}),
	good('Trailer without a body', {lines: ['Trailer: X'], fields: {trailer: null}}),
	good('Connection: upgrade without Upgrade', {lines: ['Connection: upgrade'], fields: {upgrade: null}}),
	good('Upgrade twice', {lines: ['Connection: upgrade', 'Upgrade: foo', 'Upgrade: bar'], fields: {upgrade: null}}),
	good('Upgrade to h2c is ignored', {
		lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
		fields: {upgrade: null, 'http2-settings': null}
	}),
	good('hop-by-hop fields end here', {
		lines: ['Keep-Alive: 5', 'Proxy-Connection: x', 'TE: gzip', 'Proxy-Authorization: x', 'Connection: X-Hop', 'X-Hop: 1'],
		fields: {'keep-alive': null, 'proxy-connection': null, te: null, 'proxy-authorization': null, 'x-hop': null}
	}),
	good('a client does not set what we set', {
		lines: ['X-Request-URI: /evil', 'X-Forwarded-For: 9.9.9.9', 'X-Console-User: root', 'X-Real-IP: 9.9.9.9'],
		fields: {'x-request-uri': `${route}/x`, 'x-forwarded-for': '127.0.0.1', 'x-console-user': null, 'x-real-ip': '127.0.0.1'}
	}),
	good('ranges and conditions pass', {lines: ['Range: items 0-99', 'If-None-Match: "a"'], fields: {range: 'items 0-99', 'if-none-match': '"a"'}}),
	good('field of 15.9 kB', fullSize),
	good('URL of 15 kB', {rest: `/${'a'.repeat(15_000)}`}),
	good('1,900 fields', {lines: Array.from({length: 1900}, (_, at) => `A${String(at)}: b`)})
]
