import fc from 'fast-check'

import {defaultLimits} from '../limits.ts'
import {parseRequestHead} from './request-head.ts'
import {lastChunk, UnsafeHead, writeFields, writeResponseHead} from './write.ts'

describe('what we write', () => {
	it('is a head', () => {
		expect(writeFields(['Host', 'a', 'X-A', ''])).toBe('Host: a\r\nX-A: \r\n')
		expect(writeResponseHead(200, 'OK', ['A', 'b'])).toBe('HTTP/1.1 200 OK\r\nA: b\r\n\r\n')
		expect(lastChunk([])).toBe('0\r\n\r\n')
		expect(lastChunk(['X-Sum', '1'])).toBe('0\r\nX-Sum: 1\r\n\r\n')
	})

	it.each(['a\rb', 'a\nb', 'a\0b', 'a\u010db'])('never holds %j', text => {
		expect(() => writeResponseHead(200, 'OK', ['X', text])).toThrow(UnsafeHead)
		expect(() => writeResponseHead(200, text, [])).toThrow(UnsafeHead)
		expect(() => writeResponseHead(200, 'OK', [text, 'x'])).toThrow(UnsafeHead)
		expect(() => lastChunk(['X', text])).toThrow(UnsafeHead)
	})

	it('is read back as it was meant, or refused', () => {
		const value = fc.oneof(fc.string(), fc.string({unit: 'binary', maxLength: 5}))
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.constantFrom('X', 'x-y', 'a b', ''), value)), pairs => {
				const fields = ['Host', 'a', ...pairs.flat()]
				const text = written(fields)
				if (text === null) return
				const bytes = Buffer.from(text, 'latin1')
				const parsed = parseRequestHead(bytes, 0, bytes.length, defaultLimits)
				if (parsed.kind === 'refused') expect(parsed.refusal.reason).toBe('bad_field_value')
				else expect(parsed).toMatchObject({next: bytes.length, head: {fields: fields.map(trimBlanks)}})
			})
		)
	})
})

function trimBlanks(text: string) {
	return text.replace(/^[ \t]+|[ \t]+$/g, '')
}

/** `null`: refused. */
function written(fields: string[]) {
	try {
		return `GET / HTTP/1.1\r\n${writeFields(fields)}\r\n`
	} catch (error) {
		expect(error).toBeInstanceOf(UnsafeHead)
		return null
	}
}
