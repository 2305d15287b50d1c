import {route, type MalformedCase} from './case.ts'

const crlf = '\r\n'
const chunked = 'Transfer-Encoding: chunked'
/** The last chunk, and no trailers. */
const end = '0\r\n\r\n'

function head(line: string, ...fields: readonly string[]) {
	return [line, 'Host: localhost', ...fields, '', ''].join(crlf)
}

function get(...fields: readonly string[]) {
	return head(`GET ${route}/x HTTP/1.1`, ...fields)
}

function post(body: string, ...fields: readonly string[]) {
	return head(`POST ${route}/x HTTP/1.1`, ...fields) + body
}

function bad(name: string, bytes: string, ...status: readonly number[]): MalformedCase {
	return {name, bytes, status: status.length === 0 ? [400] : status, where: 'head'}
}

function length(value: string) {
	return bad(`Content-Length: ${value === '' ? 'empty' : value}`, post('ab', `Content-Length: ${value}`))
}

function coding(value: string, ...status: readonly number[]) {
	return bad(`Transfer-Encoding: ${value}`, post(end, `Transfer-Encoding: ${value}`), ...status)
}

function chunks(name: string, body: string): MalformedCase {
	return {...bad(name, post(body, chunked)), where: 'body'}
}

function line(name: string, first: string, ...status: readonly number[]) {
	return bad(name, head(first), ...status)
}

function host(name: string, ...lines: readonly string[]) {
	return bad(name, [`GET ${route}/x HTTP/1.1`, ...lines, '', ''].join(crlf))
}

function rule(name: string, bytes: string, ...status: readonly number[]): MalformedCase {
	return {...bad(name, bytes, ...status), where: 'rules'}
}

function path(name: string, target: string) {
	return rule(name, head(`GET ${target} HTTP/1.1`))
}

const framing: readonly MalformedCase[] = [
	bad('CL then TE', post(end, 'Content-Length: 5', chunked)),
	bad('TE then CL', post(end, chunked, 'Content-Length: 5')),
	bad('two CL, equal', post('ab', 'Content-Length: 2', 'Content-Length: 2')),
	bad('two CL, different', post('ab', 'Content-Length: 2', 'Content-Length: 3')),
	...['2, 2', '+2', '-2', '0x2', '1_0', '', '1 0', '2;', '18446744073709551618'].map(length),
	coding('identity, chunked', 501),
	coding('gzip, chunked', 501),
	...['xchunked', 'chunked, identity', '"chunked"', 'chunked;q=1', 'chunked, chunked', 'chunked,', '', '\x0bchunked'].map(value =>
		coding(value, 400, 501)
	),
	bad('TE twice', post(end, chunked, chunked), 400, 501),
	bad('TE twice, the second another', post(end, chunked, 'Transfer-Encoding: x'), 400, 501),
	bad('TE on HTTP/1.0', head(`POST ${route}/x HTTP/1.0`, chunked) + end),
	bad('TE in a folded line', post(end, 'X: y', ' Transfer-Encoding: chunked')),
	bad('TE with a folded value', post(end, 'Transfer-Encoding:', ' chunked'))
]

const lines: readonly MalformedCase[] = [
	bad('folded line', get('X-A: one', '\ttwo')),
	bad('folded line first', `GET ${route}/x HTTP/1.1\r\n X: y\r\nHost: localhost\r\n\r\n`),
	bad('bare LF between fields', `GET ${route}/x HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n`),
	bad('bare LF throughout', `GET ${route}/x HTTP/1.1\nHost: localhost\n\n`),
	bad('bare LF ends the head', `GET ${route}/x HTTP/1.1\r\nHost: localhost\r\n\n`),
	bad('bare CR in a value', get('X: a\rb')),
	bad('bare CR before CRLF', get('X: a\r')),
	bad('NUL in a value', get('X: a\0b')),
	bad('control character in a value', get('X: a\x01b')),
	bad('DEL in a value', get('X: a\x7fb')),
	bad('space before the colon', get('X : a')),
	bad('space before the colon of CL', post('ab', 'Content-Length : 2')),
	bad('tab before the colon', get('X\t: a')),
	bad('space in a name', get('X Y: a')),
	bad('no colon', get('nonsense')),
	bad('empty name', get(': a')),
	bad('underscore in a name', get('Content_Length: 2')),
	bad('character outside token in a name', get('X(Y): a')),
	bad('Latin-1 in a name', get('X\xe9: a')),
	bad('too many fields', get(...Array.from({length: 2100}, (_, at) => `A${String(at)}: b`)), 431),
	bad('head too large', get(`X: ${'a'.repeat(70_000)}`), 431),
	bad('head without an end', `GET ${route}/x HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(80_000)}`, 431),
	bad('Connection names Host', get('Connection: close, Host')),
	bad('Connection names what we set', get('Connection: X-Forwarded-For, Authorization')),
	bad('unknown expectation', get('Expect: 200-maybe'), 417)
]

const requestLines: readonly MalformedCase[] = [
	line('HTTP/0.9', `GET ${route}/x`),
	bad('HTTP/0.9 and nothing more', `GET ${route}/x\r\n`),
	line('HTTP/2.0 in the request line', `GET ${route}/x HTTP/2.0`, 505),
	line('HTTP/1.2', `GET ${route}/x HTTP/1.2`, 505),
	line('HTTP/1', `GET ${route}/x HTTP/1`),
	line('lower-case version', `GET ${route}/x http/1.1`),
	line('version with two digits', `GET ${route}/x HTTP/1.10`),
	line('two spaces before the target', `GET  ${route}/x HTTP/1.1`),
	line('two spaces before the version', `GET ${route}/x  HTTP/1.1`),
	line('space behind the version', `GET ${route}/x HTTP/1.1 `),
	line('tab for a space', `GET\t${route}/x HTTP/1.1`),
	line('space in the target', `GET ${route}/x y HTTP/1.1`),
	line('no method', ` ${route}/x HTTP/1.1`),
	line('method outside token', `GE(T ${route}/x HTTP/1.1`),
	line('endless method', `${'G'.repeat(100)} ${route}/x HTTP/1.1`, 400, 501),
	line('target too long', `GET ${route}/${'a'.repeat(20_000)} HTTP/1.1`, 414),
	line('fragment in the target', `GET ${route}/x#y HTTP/1.1`),
	line('Latin-1 in the target', `GET ${route}/\xe9 HTTP/1.1`),
	line('control character in the target', `GET ${route}/\x01 HTTP/1.1`),
	line('relative target', 'GET instance/execute/edl HTTP/1.1'),
	line('authority form without CONNECT', 'GET localhost:443 HTTP/1.1'),
	line('asterisk without OPTIONS', 'GET * HTTP/1.1'),
	line('absolute form of another scheme', 'GET ftp://localhost/x HTTP/1.1'),
	line('absolute form with a user', `GET http://u@localhost${route} HTTP/1.1`),
	line('absolute form without a host', `GET http://${route} HTTP/1.1`),
	bad('two empty lines first', `\r\n\r\n${get()}`),
	bad('not HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
	bad('HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 400)
]

const hosts: readonly MalformedCase[] = [
	host('no Host'),
	bad('no Host with the absolute form', `GET http://localhost${route}/x HTTP/1.1\r\n\r\n`),
	host('two Host', 'Host: localhost', 'Host: localhost'),
	host('two Host, different', 'Host: localhost', 'Host: b'),
	host('empty Host', 'Host:'),
	host('Host a b@c', 'Host: a b@c'),
	host('Host a/../b', 'Host: a/../b'),
	host('Host with a user', 'Host: u@localhost'),
	host('Host with a comma and a space', 'Host: localhost, b'),
	host('Host with a port that is none', 'Host: localhost:http'),
	host('Host with a port too high', 'Host: localhost:70000'),
	host('Host with a broken address', 'Host: [::g]')
]

const bodies: readonly MalformedCase[] = [
	chunks('chunk size 0x2', '0x2\r\nab\r\n0\r\n\r\n'),
	chunks('chunk size +2', '+2\r\nab\r\n0\r\n\r\n'),
	chunks('chunk size -2', '-2\r\nab\r\n0\r\n\r\n'),
	chunks('space before the chunk size', ' 2\r\nab\r\n0\r\n\r\n'),
	chunks('space behind the chunk size', '2 \r\nab\r\n0\r\n\r\n'),
	chunks('empty chunk size', '\r\nab\r\n0\r\n\r\n'),
	chunks('chunk size overflows', '10000000000000002\r\nab\r\n0\r\n\r\n'),
	chunks('chunk size with 300 zeros', `${'0'.repeat(300)}2\r\nab\r\n0\r\n\r\n`),
	chunks('chunk size beyond counting', 'ffffffffffffffff\r\nab\r\n0\r\n\r\n'),
	chunks('no CRLF behind the data', '2\r\nab0\r\n\r\n'),
	chunks('data longer than its size', '2\r\nabc\r\n0\r\n\r\n'),
	chunks('bare CR in a chunk extension', '2;a\rb\r\nab\r\n0\r\n\r\n'),
	chunks('LF alone ends the chunk size', '2\nab\r\n0\r\n\r\n'),
	chunks('LF alone ends an extension', '2;a\nab\r\n0\r\n\r\n'),
	chunks('LF alone behind the data', '2\r\nab\n0\r\n\r\n'),
	chunks('LF alone ends the last chunk', '2\r\nab\r\n0\n\n'),
	chunks('control character in an extension', '2;\x01\r\nab\r\n0\r\n\r\n'),
	chunks('20 kB of extensions', `2;${'x'.repeat(20_000)}\r\nab\r\n0\r\n\r\n`),
	chunks('20 kB of extensions in many chunks', `1;${'x'.repeat(99)}\r\na\r\n`.repeat(200) + end),
	chunks('trailer without a colon', '2\r\nab\r\n0\r\nnonsense\r\n\r\n'),
	chunks('folded trailer', '2\r\nab\r\n0\r\nX: y\r\n z\r\n\r\n'),
	chunks('LF alone ends a trailer', '2\r\nab\r\n0\r\nX: y\n\r\n')
]

const rules: readonly MalformedCase[] = [
	rule('TRACE', head(`TRACE ${route}/x HTTP/1.1`), 405),
	rule('CONNECT', head('CONNECT localhost:443 HTTP/1.1'), 405),
	rule('CONNECT to a path', head(`CONNECT ${route}/x HTTP/1.1`), 405, 400),
	path('path climbs above the instance', `${route}/../../etc/passwd`),
	path('path climbs, encoded', `${route}/ok/%2e%2e/%2e%2e/x`),
	path('path climbs, encoded twice', `${route}/%252e%252e/x`),
	path('path climbs by backslashes', `${route}/..%5cx`),
	path('slash in the name', '/instance/execute/a%2Fb'),
	path('NUL in the name', '/instance/execute/a%00b'),
	path('broken UTF-8 in the name', '/instance/execute/%ff%fe'),
	path('overlong UTF-8 in the name', '/instance/execute/%c0%ae'),
	path('broken percent in the name', '/instance/execute/%zz'),
	path('dots for a name', '/instance/execute/..'),
	rule('foreign Host', `GET ${route}/x HTTP/1.1\r\nHost: evil.example\r\n\r\n`, 400)
]

/** The classes that no forwarder may let through, 72 of the route description and more. */
export const malformed: readonly MalformedCase[] = [...framing, ...lines, ...requestLines, ...hosts, ...bodies, ...rules]
