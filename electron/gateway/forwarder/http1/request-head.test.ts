import fc from 'fast-check'

import {malformed} from '../corpus/testing/malformed.ts'
import {wellFormed} from '../corpus/testing/well-formed.ts'
import {defaultLimits} from '../limits.ts'
import {expectSound, inPieces} from '../testing/parsing.ts'
import {parseRequestHead, type RequestSoFar} from './request-head.ts'

const read = (bytes: Buffer, soFar?: RequestSoFar) => parseRequestHead(bytes, 0, bytes.length, defaultLimits, soFar)
const parse = (text: string) => read(Buffer.from(text, 'latin1'))
const parseInPieces = (text: string, ends: readonly number[]) => inPieces(read, text, ends)

function headOf(text: string) {
	const parsed = parse(text)
	if (parsed.kind !== 'head') throw new Error(`no head: ${JSON.stringify(parsed)}`)
	return parsed.head
}

function get(...lines: string[]) {
	return ['GET /x HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n')
}

const refusedInHead = malformed.filter(one => one.where === 'head')
const all = [...malformed, ...wellFormed].map(one => one.bytes)

describe('a malformed head is refused', () => {
	it.each(refusedInHead)('$name', ({bytes, status}) => {
		const parsed = parse(bytes)
		expect(parsed).toMatchObject({kind: 'refused', refusal: {close: true}})
		expect(status).toContain(parsed.kind === 'refused' ? parsed.refusal.status : null)
	})

	it('and the answer tells nothing of it', () => {
		for (const {bytes} of refusedInHead) {
			const parsed = parse(bytes)
			expect(JSON.stringify(parsed)).not.toMatch(/execute|localhost|edl/)
		}
	})
})

describe('a well-formed head is read', () => {
	it.each(wellFormed)('$name', ({bytes, method, target}) => {
		const head = headOf(bytes)
		expect(head.method).toBe(method)
		expect(head.target.endsWith(target.replace(/^\/(?=\?|$)/, ''))).toBe(true)
	})

	it('with its fields as received, in order, the byte behind it being the next', () => {
		const text = `${get('x-B:  two ', 'X-b: \xe9')}POST`
		const parsed = parse(text)
		expect(parsed).toMatchObject({
			kind: 'head',
			next: text.length - 4,
			head: {target: '/x', authority: 'a', fields: ['Host', 'a', 'x-B', 'two', 'X-b', '\xe9'], framing: {kind: 'none'}}
		})
	})

	it('from the middle of a buffer', () => {
		const text = get()
		const bytes = Buffer.from(`junk${text}GET`, 'latin1')
		const parsed = parseRequestHead(bytes, 4, bytes.length, defaultLimits)
		expect(parsed).toMatchObject({kind: 'head', next: 4 + text.length})
	})

	it('and does not look behind the end it was given', () => {
		const bytes = Buffer.from(get(), 'latin1')
		expect(parseRequestHead(bytes, 0, bytes.length - 1, defaultLimits).kind).toBe('more')
	})
})

describe('what a head means', () => {
	it('the connection stays in 1.1 unless closed, in 1.0 only when asked for', () => {
		expect(headOf(get()).keepAlive).toBe(true)
		expect(headOf(get('Connection: Close')).keepAlive).toBe(false)
		expect(headOf(get('Connection: keep-alive, close')).keepAlive).toBe(false)
		expect(headOf('GET / HTTP/1.0\r\nHost: a\r\n\r\n').keepAlive).toBe(false)
		expect(headOf('GET / HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n').keepAlive).toBe(true)
	})

	it('the authority of the absolute form replaces Host, and a missing path becomes a slash', () => {
		const head = headOf('GET HTTP://b:81?q HTTP/1.1\r\nHost: a\r\n\r\n')
		expect(head).toMatchObject({authority: 'b:81', target: '/?q'})
		expect(headOf('OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n').target).toBe('*')
	})

	it('100-continue counts only before a body, and only in 1.1', () => {
		expect(headOf(get('Expect: 100-Continue', 'Content-Length: 1')).expectContinue).toBe(true)
		expect(headOf(get('Expect: 100-continue')).expectContinue).toBe(false)
		const old = 'POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n'
		expect(headOf(old).expectContinue).toBe(false)
	})

	it('an upgrade needs both fields, 1.1 and no body', () => {
		expect(headOf(get('Connection: Upgrade', 'Upgrade: WebSocket')).upgrade).toBe('websocket')
		expect(headOf(get('Connection: Upgrade', 'Upgrade: a', 'Upgrade: b')).upgrade).toBe('a, b')
		expect(headOf(get('Upgrade: websocket')).upgrade).toBeNull()
		expect(headOf(get('Connection: upgrade')).upgrade).toBeNull()
		expect(headOf(get('Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 4')).upgrade).toBeNull()
		const old = 'GET / HTTP/1.0\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'
		expect(headOf(old).upgrade).toBeNull()
	})

	it('trailers are wanted when TE names them', () => {
		expect(headOf(get('TE: gzip, Trailers')).wantsTrailers).toBe(true)
		expect(headOf(get('TE: nottrailers')).wantsTrailers).toBe(false)
	})

	it('lengths are counted exactly', () => {
		expect(headOf(get('Content-Length: 0002')).framing).toEqual({kind: 'length', length: 2})
		expect(headOf(get('Content-Length: 9007199254740991')).framing).toMatchObject({length: Number.MAX_SAFE_INTEGER})
		expect(parse(get('Content-Length: 9007199254740992'))).toMatchObject({refusal: {reason: 'bad_length'}})
	})

	it.each(['a', 'a:', 'a:80', '127.0.0.1:8443', '[::1]', '[::1]:443', 'xn--4ca', 'a%20b'])('Host %s is valid', host => {
		expect(parse(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`).kind).toBe('head')
	})

	it('a Host has at most 800 characters', () => {
		const kindOf = (length: number) => parse(`GET / HTTP/1.1\r\nHost: ${'a'.repeat(length)}\r\n\r\n`).kind
		expect([kindOf(800), kindOf(801)]).toEqual(['head', 'refused'])
	})
})

describe('a head in pieces', () => {
	it('is judged as in one, wherever it is cut', () => {
		fc.assert(
			fc.property(fc.constantFrom(...all), fc.array(fc.nat({max: 600}), {maxLength: 4}), (text, cuts) => {
				const ends = cuts.map(cut => Math.min(cut, text.length))
				expect(parseInPieces(text, ends)).toEqual(parse(text))
			}),
			{numRuns: 1500}
		)
	})

	it('is judged at every single byte alike', () => {
		for (const text of all.filter(one => one.length < 300)) {
			const ends = Array.from({length: text.length}, (_, at) => at)
			expect(parseInPieces(text, ends), text).toEqual(parse(text))
		}
	})

	it('is refused at the limit, not at its end', () => {
		const endless = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(defaultLimits.headBytes)}`
		expect(parse(endless)).toMatchObject({refusal: {status: 431}})
		expect(parse('x'.repeat(65))).toMatchObject({refusal: {status: 501}})
		expect(parse(`GET /${'a'.repeat(defaultLimits.targetBytes)}`)).toMatchObject({refusal: {status: 414}})
	})

	it('may be exactly as large as the limit', () => {
		const start = 'GET / HTTP/1.1\r\nHost: a\r\nX: '
		const room = defaultLimits.headBytes - start.length - 4
		expect(parse(`${start}${'a'.repeat(room)}\r\n\r\n`).kind).toBe('head')
		expect(parse(`${start}${'a'.repeat(room + 1)}\r\n\r\n`)).toMatchObject({refusal: {status: 431}})
	})
})

it('never throws, and never takes a field with a line break', () => expectSound(read, all))

it('a head that comes byte by byte is not read anew for each byte', () => {
	const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(60_000)}`, 'latin1')
	const reads = vi.spyOn(bytes, 'toString')
	let soFar: RequestSoFar | undefined
	for (let end = 1; end <= bytes.length; end++) {
		const parsed = parseRequestHead(bytes, 0, end, defaultLimits, soFar)
		if (parsed.kind === 'more') ({soFar} = parsed)
	}
	expect(soFar?.seen).toBe(bytes.length)
	expect(reads.mock.calls.length).toBeLessThan(100)
})

it('a head that comes line by line is read once, and judged as it is in one piece', () => {
	const lines = Array.from({length: 2001}, (_, index) => `X-${String(index)}: ${'a'.repeat(15)}\r\n`)
	const text = `GET / HTTP/1.1\r\nHost: a\r\n${lines.join('')}`
	const ends = [...text.matchAll(/\n/g)].map(({index}) => index + 1)
	const decoded = vi.spyOn(Buffer.prototype, 'toString')
	const parsed = parseInPieces(text, ends)
	const bytes = decoded.mock.calls.reduce((sum, [, from, to]) => sum + Number(to ?? 0) - Number(from ?? 0), 0)
	decoded.mockRestore()
	expect(bytes).toBeLessThanOrEqual(text.length)
	expect(parsed).toEqual(parse(text))
	expect(parsed).toMatchObject({kind: 'refused', refusal: {status: 431}})
})
