import fc from 'fast-check'

import {malformedAnswers, wellFormedAnswers} from '../corpus/testing/answers.ts'
import {expectSound, inPieces} from '../testing/parsing.ts'
import {parseResponseHead, type ResponseSoFar} from './response-head.ts'

const headBytes = 65_536

function parse(text: string, method = 'GET') {
	const bytes = Buffer.from(text, 'latin1')
	return parseResponseHead(bytes, 0, bytes.length, {method, headBytes})
}

const read = (bytes: Buffer, soFar?: ResponseSoFar) => parseResponseHead(bytes, 0, bytes.length, {method: 'GET', headBytes}, soFar)

function headOf(text: string, method = 'GET') {
	const parsed = parse(text, method)
	if (parsed.kind !== 'head') throw new Error(`no head: ${JSON.stringify(parsed)}`)
	return parsed.head
}

function answer(status: string, ...lines: string[]) {
	return [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n')
}

const all = [...malformedAnswers, ...wellFormedAnswers].map(one => one.bytes)

describe('a malformed answer is 502', () => {
	it.each(malformedAnswers.filter(one => one.where === 'head'))('$name', ({bytes}) => {
		expect(parse(bytes)).toMatchObject({kind: 'refused', refusal: {status: 502, proxyError: 'http_protocol_error'}})
	})
})

describe('a well-formed answer is read', () => {
	it.each(wellFormedAnswers)('$name', ({bytes, status, framing, method, keepAlive}) => {
		expect(headOf(bytes, method)).toMatchObject({status, framing, keepAlive})
	})

	it('with its fields as received, in order, the byte behind it being the next', () => {
		const text = answer('200 OK fine', 'set-cookie: a', 'Set-Cookie: b', 'X_Y:\xe9')
		expect(parse(`${text}body`)).toMatchObject({
			kind: 'head',
			next: text.length,
			head: {reason: 'OK fine', version: '1.1', fields: ['set-cookie', 'a', 'Set-Cookie', 'b', 'X_Y', '\xe9']}
		})
	})
})

describe('an answer in pieces', () => {
	it('is judged as in one, wherever it is cut', () => {
		fc.assert(
			fc.property(fc.constantFrom(...all), fc.array(fc.nat({max: 400}), {maxLength: 3}), (text, cuts) => {
				expect(inPieces(read, text, cuts)).toEqual(parse(text))
			}),
			{numRuns: 1500}
		)
	})

	it('is refused at the limit, not at its end', () => {
		expect(parse(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(headBytes)}`)).toMatchObject({refusal: {reason: 'answer_head_too_large'}})
		expect(parse('HTTP/1.1 200 OK\r\nX: a')).toMatchObject({kind: 'more', soFar: {seen: 21, fields: []}})
		expect(parse('SSH-2.0')).toMatchObject({refusal: {reason: 'bad_status_line'}})
	})
})

it('never throws, and never takes a field with a line break', () => expectSound(read, all))
