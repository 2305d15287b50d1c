import fc from 'fast-check'
import {parseExact, stringifyExact, type Json} from './exact-json.ts'

/** Any JSON value, including integers of any size. */
const anyJson = fc.letrec<{value: Json}>(tie => ({
	value: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		fc.constant(null),
		fc.boolean(),
		fc.string(),
		fc.integer(),
		fc.bigInt({min: 2n ** 53n, max: 2n ** 70n}),
		fc.bigInt({min: -(2n ** 70n), max: -(2n ** 53n)}),
		fc.array(tie('value'), {maxLength: 5}),
		fc.dictionary(
			fc.string().filter(key => key !== '__proto__'),
			tie('value'),
			{maxKeys: 5}
		)
	)
})).value

describe('exact JSON', () => {
	test('what is written is read back, every digit of it', () => {
		fc.assert(
			fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
				expect(parseExact(stringifyExact(value, indent))).toEqual(parseExact(stringifyExact(value)))
				expect(stringifyExact(parseExact(stringifyExact(value)))).toBe(stringifyExact(value))
			})
		)
	})

	test('an integer beyond 2^53 is a bigint wherever it stands', () => {
		fc.assert(
			fc.property(fc.bigInt({min: 2n ** 53n, max: 2n ** 64n}), fc.constantFrom('', ' ', '\n\t'), fc.boolean(), (id, space, negative) => {
				const digits = negative ? `-${id}` : String(id)
				const expected = BigInt(digits)
				expect(parseExact(`${space}${digits}`)).toBe(expected)
				expect(parseExact(`[1,${space}${digits}]`)).toEqual([1, expected])
				expect(parseExact(`{"id":${space}${digits}${space}}`)).toEqual({id: expected})
			})
		)
	})

	test('the 19-digit id of an event comes out as it went in', () => {
		const text = '{"id":6839681950832132112,"detection_id":"6839681950832132099","timestamp":1592487551}'
		expect(stringifyExact(parseExact(text))).toBe(text)
	})

	test('safe integers, fractions and exponents stay numbers', () => {
		expect(parseExact('[9007199254740991, 0.1234567890123456, 1e21, -0.5]')).toEqual([9007199254740991, 0.1234567890123456, 1e21, -0.5])
	})

	test('digits inside a text stay text', () => {
		expect(parseExact('{"note":"see: 12345678901234567890"}')).toEqual({note: 'see: 12345678901234567890'})
	})

	test('what is not JSON is refused, with long numbers and without', () => {
		for (const text of ['', '{', '{"id":12345678901234567890', '[1,]', 'nul', '<html>']) expect(() => parseExact(text)).toThrow(SyntaxError)
	})
})
