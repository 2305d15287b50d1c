import fc from 'fast-check'

import {malformed} from '../corpus/testing/malformed.ts'
import {wellFormed} from '../corpus/testing/well-formed.ts'
import {defaultLimits} from '../limits.ts'
import type {BodySide, Fields, Refusal, RequestFraming, ResponseFraming} from '../message-types.ts'
import {createBodyReader} from './body.ts'
import {parseRequestHead} from './request-head.ts'

interface Outcome {
	body: string
	trailers: Fields | null
	refusal: Refusal | null
	/** Unused bytes: the next message. */
	rest: string
	state: string
}

type Framing = RequestFraming | ResponseFraming

const head = Buffer.from('head')

function read(framing: Framing, pieces: Buffer[], side: BodySide = 'request'): Outcome {
	let body = ''
	let trailers: Fields | null = null
	let refusal: Refusal | null = null
	const reader = createBodyReader(framing, defaultLimits, side, {
		data: slice => {
			expect(slice.length).toBeGreaterThan(0)
			body += slice.toString('latin1')
		},
		end: fields => (trailers = fields),
		failed: why => (refusal = why)
	})
	let rest = ''
	for (const [index, piece] of pieces.entries()) {
		// Every second one stands behind a head.
		const from = index % 2 === 0 ? head.length : 0
		const bytes = Buffer.concat([head.subarray(0, from), piece])
		rest += bytes.toString('latin1', reader.push(bytes, from))
	}
	return {body, trailers, refusal, rest: refusal === null ? rest : '', state: reader.state}
}

function cut(text: string, places: number[]): Buffer[] {
	const bytes = Buffer.from(text, 'latin1')
	const ends = [...new Set(places.map(place => place % (bytes.length + 1)))].toSorted((a, b) => a - b)
	return [...ends, bytes.length].map((end, at, list) => bytes.subarray(list[at - 1] ?? 0, end))
}

const chunked: Framing = {kind: 'chunked'}

function readChunked(text: string) {
	return read(chunked, [Buffer.from(text, 'latin1')])
}

function bodyOf(request: string): {framing: Framing; text: string} {
	const bytes = Buffer.from(request, 'latin1')
	const parsed = parseRequestHead(bytes, 0, bytes.length, defaultLimits)
	if (parsed.kind !== 'head') throw new Error('no head')
	return {framing: parsed.head.framing, text: request.slice(parsed.next)}
}

it.each<Framing>([{kind: 'length', length: 9}, {kind: 'close'}, chunked])('a body (%j) that was stopped gives nothing more', framing => {
	const [data, end] = [vi.fn<() => void>(), vi.fn<() => void>()]
	const reader = createBodyReader(framing, defaultLimits, 'response', {data, end, failed: end})
	reader.stop()
	expect([reader.push(Buffer.from('4\r\nbody'), 1), reader.close(), reader.state]).toEqual([1, false, 'stopped'])
	for (const called of [data, end]) expect(called).not.toHaveBeenCalled()
})

it('a body without a length is all that comes', () => {
	expect(read({kind: 'close'}, [Buffer.from('a'), Buffer.from('b')], 'response').body).toBe('ab')
})

describe('a malformed body is refused', () => {
	it.each(malformed.filter(one => one.where === 'body'))('$name', ({bytes, status}) => {
		const {framing, text} = bodyOf(bytes)
		const {refusal} = read(framing, [Buffer.from(text, 'latin1')])
		expect(status).toContain(refusal?.status)
		expect(refusal?.close).toBe(true)
	})

	it('as 502 when it is an answer', () => {
		const outcome = read(chunked, [Buffer.from('2\nab')], 'response')
		expect(outcome.refusal).toMatchObject({status: 502, proxyError: 'http_protocol_error'})
	})

	it('with endless trailers at the limit', () => {
		expect(readChunked(`0\r\nX: ${'a'.repeat(70_000)}`).refusal?.status).toBe(431)
		expect(readChunked(`0\r\n${'X: a\r\n'.repeat(2001)}\r\n`).refusal?.status).toBe(431)
	})
})

describe('a well-formed body is read', () => {
	it.each(wellFormed)('$name', ({bytes, body}) => {
		const {framing, text} = bodyOf(bytes)
		expect(read(framing, [Buffer.from(text, 'latin1')])).toMatchObject({body, refusal: null, rest: '', state: 'done'})
	})

	it('and what follows it is left alone', () => {
		expect(readChunked('2\r\nab\r\n0\r\n\r\nGET /')).toMatchObject({body: 'ab', trailers: [], rest: 'GET /'})
		expect(read({kind: 'length', length: 2}, [Buffer.from('abGET')])).toMatchObject({body: 'ab', rest: 'GET'})
		expect(read({kind: 'none'}, [Buffer.from('GET')])).toMatchObject({body: '', rest: 'GET', state: 'done'})
	})

	it('with its trailers', () => {
		const outcome = readChunked('2\r\nab\r\n0\r\nX-Sum: 1\r\nX-B:2\r\n\r\nGET')
		expect(outcome).toMatchObject({trailers: ['X-Sum', '1', 'X-B', '2'], rest: 'GET'})
	})

	it('of many small chunks without a bound', () => {
		expect(readChunked(`${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`)).toMatchObject({state: 'done', refusal: null})
	})

	it('until the close when nothing else ends it', () => {
		const heard: string[] = []
		const sink = {data: () => heard.push('data'), end: () => heard.push('end'), failed: () => heard.push('failed')}
		const reader = createBodyReader({kind: 'close'}, defaultLimits, 'response', sink)
		reader.push(Buffer.from('a'), 0)
		expect(reader.close()).toBe(true)
		expect(heard).toEqual(['data', 'end'])
	})
})

it('a body cut short is no proper end', () => {
	const sink = {data: () => {}, end: () => {}, failed: () => {}}
	const counted = createBodyReader({kind: 'length', length: 5}, defaultLimits, 'response', sink)
	counted.push(Buffer.from('abcd'), 0)
	expect(counted.close()).toBe(false)
	const pieces = createBodyReader(chunked, defaultLimits, 'response', sink)
	pieces.push(Buffer.from('2\r\nab\r\n0\r\n'), 0)
	expect(pieces.close()).toBe(false)
})

it('nothing is heard after stop, even in the middle of a piece', () => {
	const heard: string[] = []
	const reader = createBodyReader(chunked, defaultLimits, 'request', {
		data: slice => {
			heard.push(slice.toString())
			reader.stop()
		},
		end: () => heard.push('end'),
		failed: () => heard.push('failed')
	})
	reader.push(Buffer.from('1\r\na\r\n1\r\nb\r\n0\r\n\r\n'), 0)
	expect(heard).toEqual(['a'])
})

it('data is not copied', () => {
	const piece = Buffer.from('4\r\nabcd\r\n0\r\n\r\n')
	createBodyReader(chunked, defaultLimits, 'request', {
		data: slice => expect(slice.buffer).toBe(piece.buffer),
		end: () => {},
		failed: () => {}
	}).push(piece, 0)
})

const wires = [...malformed.filter(one => one.where === 'body'), ...wellFormed]
	.map(({bytes}) => bodyOf(bytes))
	.filter(({text}) => text !== '')
	.map(({framing, text}) => ({framing, text: text + 'GET / HTTP/1.1\r\n'}))

it('a body in pieces is read as in one, wherever it is cut', () => {
	fc.assert(
		fc.property(fc.constantFrom(...wires), fc.array(fc.nat(25_000), {maxLength: 8}), ({framing, text}, places) => {
			expect(read(framing, cut(text, places))).toEqual(read(framing, cut(text, [])))
		}),
		{numRuns: 3000}
	)
})

it('what was encoded is decoded, whatever the chunks and pieces', () => {
	const someChunks = fc.array(fc.uint8Array({minLength: 1, maxLength: 50}), {maxLength: 8})
	fc.assert(
		fc.property(someChunks, fc.array(fc.nat(600), {maxLength: 6}), (chunks, places) => {
			const parts = chunks.map(chunk => Buffer.from(chunk).toString('latin1'))
			const wire = parts.map(part => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
			const outcome = read(chunked, cut(`${wire}0\r\n\r\nrest`, places))
			expect(outcome).toMatchObject({body: parts.join(''), rest: 'rest', state: 'done'})
		})
	)
})

it('never throws on any bytes', () => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({maxLength: 60})), pieces => {
			const outcome = read(
				chunked,
				pieces.map(piece => Buffer.from(piece))
			)
			expect(['open', 'done', 'failed']).toContain(outcome.state)
		}),
		{numRuns: 2000}
	)
})
