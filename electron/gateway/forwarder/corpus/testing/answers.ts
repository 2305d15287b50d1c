/** Answers of instances: classes that must become 502 (or look cut short), and classes that must pass. */
import type {ResponseFraming} from '../../message-types.ts'

export interface MalformedAnswer {
	name: string
	bytes: string
	/** `head`: 502 before anything was sent. `body`: the client sees a truncated answer. */
	where: 'head' | 'body'
}

export interface WellFormedAnswer {
	name: string
	bytes: string
	method: string
	status: number
	framing: ResponseFraming
	/** The expected body at the client. */
	body: string
	/** Whether the connection may be used again. */
	keepAlive: boolean
}

const coded = 'Transfer-Encoding: chunked'

function answer(status: string, lines: readonly string[], body = '') {
	return [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n') + body
}

function ok(lines: readonly string[], body?: string) {
	return answer('200 OK', lines, body)
}

function bad(name: string, ...lines: readonly string[]): MalformedAnswer {
	return {name, bytes: ok(lines, 'ab'), where: 'head'}
}

function raw(name: string, bytes: string): MalformedAnswer {
	return {name, bytes, where: 'head'}
}

function first(name: string, line: string) {
	return raw(name, line + noFields)
}

function chunks(name: string, body: string): MalformedAnswer {
	return {name, bytes: ok([coded], `2\r\nab\r\n${body}`), where: 'body'}
}

const noFields = '\r\n\r\n'

export const malformedAnswers: readonly MalformedAnswer[] = [
	bad('CL and TE', 'Content-Length: 2', coded),
	bad('TE and CL', coded, 'Content-Length: 2'),
	bad('two CL, equal', 'Content-Length: 2', 'Content-Length: 2'),
	bad('two CL, different', 'Content-Length: 2', 'Content-Length: 3'),
	bad('CL as a list', 'Content-Length: 2, 2'),
	bad('CL with a sign', 'Content-Length: +2'),
	bad('CL empty', 'Content-Length:'),
	bad('CL beyond counting', 'Content-Length: 99999999999999999999'),
	bad('TE gzip, chunked', 'Transfer-Encoding: gzip, chunked'),
	bad('TE identity', 'Transfer-Encoding: identity'),
	bad('TE twice', coded, coded),
	bad('space before the colon', 'X : y'),
	bad('folded line', 'X: y', ' z'),
	bad('no colon', 'nonsense'),
	bad('NUL in a value', 'X: a\0b'),
	bad('bare CR in a value', 'X: a\rb'),
	bad('bare LF in a value', 'X: a\nSet-Cookie: b'),
	bad('control character in a value', 'X: \x01'),
	bad('Connection that is no list of tokens', 'Connection: a b'),
	bad('head of 80 kB', `X: ${'a'.repeat(80_000)}`),
	bad('3,000 fields', ...Array.from({length: 3000}, () => 'A: b')),
	raw('TE on 1.0', `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked${noFields}0${noFields}`),
	raw('CL and TE on 204', answer('204 No Content', ['Content-Length: 2', coded])),
	raw('no status line', '<html>hello</html>\r\n\r\n'),
	first('status of two digits', 'HTTP/1.1 20 OK'),
	first('status of four digits', 'HTTP/1.1 2000 OK'),
	first('status 99', 'HTTP/1.1 099 OK'),
	first('status 999', 'HTTP/1.1 999 OK'),
	first('status in letters', 'HTTP/1.1 abc OK'),
	first('HTTP/2.0', 'HTTP/2.0 200 OK'),
	first('HTTP/0.9', 'HTTP/0.9 200 OK'),
	first('lower-case http', 'http/1.1 200 OK'),
	first('ICY', 'ICY 200 OK'),
	first('two spaces before the status', 'HTTP/1.1  200 OK'),
	first('control character in the reason', 'HTTP/1.1 200 O\x01K'),
	raw('bare LF behind the status line', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'),
	raw('empty line first', `\r\n${ok([])}`),
	chunks('chunk size with 0x', '0x2\r\nab\r\n0\r\n\r\n'),
	chunks('chunk size with a space', '2 \r\nab\r\n0\r\n\r\n'),
	chunks('chunk size beyond counting', 'fffffffffffffffff\r\nab\r\n0\r\n\r\n'),
	chunks('no CRLF behind the data', '2\r\nabc\r\n0\r\n\r\n'),
	chunks('LF alone ends the size', '2\nab\n0\n\n'),
	chunks('trailer without a colon', '0\r\nnonsense\r\n\r\n'),
	chunks('cut in a chunk', '5\r\nab'),
	chunks('cut before the last chunk', ''),
	chunks('cut before the end of the trailers', '0\r\n'),
	{name: 'cut before its length', bytes: ok(['Content-Length: 9'], 'ab'), where: 'body'}
]

const none: ResponseFraming = {kind: 'none'}
const chunked: ResponseFraming = {kind: 'chunked'}

function length(bytes: number): ResponseFraming {
	return {kind: 'length', length: bytes}
}

function good(name: string, bytes: string, framing: ResponseFraming, body: string, more: Partial<WellFormedAnswer> = {}): WellFormedAnswer {
	return {name, bytes, framing, body, method: 'GET', status: 200, keepAlive: true, ...more}
}

export const wellFormedAnswers: readonly WellFormedAnswer[] = [
	good('with a length', ok(['Content-Length: 2'], 'ab'), length(2), 'ab'),
	good('with a length with zeros', ok(['Content-Length: 002'], 'ab'), length(2), 'ab'),
	good('with length 0', ok(['Content-Length: 0']), length(0), ''),
	good('chunked', ok(['Transfer-Encoding: Chunked'], '2\r\nab\r\n0\r\n\r\n'), chunked, 'ab'),
	good('until the close', ok([], 'ab'), {kind: 'close'}, 'ab', {keepAlive: false}),
	good('closing', ok(['Connection: close', 'Content-Length: 2'], 'ab'), length(2), 'ab', {keepAlive: false}),
	good('1.0', `HTTP/1.0 200 OK\r\nContent-Length: 2${noFields}ab`, length(2), 'ab', {keepAlive: false}),
	good('1.0 that stays', `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2${noFields}ab`, length(2), 'ab'),
	good('no reason', `HTTP/1.1 200 \r\nContent-Length: 0${noFields}`, length(0), ''),
	good('no reason and no space', `HTTP/1.1 200\r\nContent-Length: 0${noFields}`, length(0), ''),
	good('to HEAD', ok(['Content-Length: 5']), none, '', {method: 'HEAD'}),
	good('to HEAD, chunked', ok([coded]), none, '', {method: 'HEAD'}),
	good('204', answer('204 No Content', []), none, '', {status: 204}),
	good('204 with a length', answer('204 No Content', ['Content-Length: 2'], 'ab'), none, '', {status: 204, keepAlive: false}),
	good('304 with a length', answer('304 Not Modified', ['Content-Length: 2', 'ETag: "a"']), none, '', {status: 304}),
	good('a status of one’s own', answer('599 Odd', ['Content-Length: 0']), length(0), '', {status: 599}),
	good('underscore in a name', ok(['X_Y: z', 'Content-Length: 0']), length(0), '')
]
