import fc from 'fast-check'

import {keyOf, networksOf, networkText, parseRange, rangeOfKey, rangeText, spanText, type AddressRange} from './address.ts'
import {collapsed, compareRanges, rangeSet, without} from './ranges.ts'

test.each([
	['192.0.2.1', '192.0.2.1'],
	['192.0.2.77/24', '192.0.2.0/24'],
	['192.0.2.0/32', '192.0.2.0'],
	['192.0.2.0-192.0.2.255', '192.0.2.0/24'],
	['192.0.2.1-192.0.2.2', '192.0.2.1-192.0.2.2'],
	['0.0.0.0/0', '0.0.0.0/0'],
	['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
	['2001:db8::/32', '2001:db8::/32'],
	['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
	['::', '::'],
	['::/0', '::/0'],
	['1::', '1::'],
	['::ffff:192.0.2.1', '192.0.2.1'],
	['::ffff:192.0.2.0/120', '192.0.2.0/24'],
	['64:ff9b::192.0.2.1', '64:ff9b::c000:201']
])('%s is written as %s', (text, usual) => {
	const range = parseRange(text)
	expect(range && rangeText(range)).toBe(usual)
})

test.each(['', '1.2.3', '1.2.3.4.5', '256.1.1.1', '010.0.0.1', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/+8', '1.2.3.4/08', '::1/129'])(
	'%j is no address',
	text => expect(parseRange(text)).toBeNull()
)

test.each(['1.2.3.9-1.2.3.4', '1.2.3.4-::1', 'fe80::1%eth0', '1.2.3.4-', 'bad.com', '1.2.3.4:80', ':::', '1::2::3', '12345::'])(
	'%j is no range',
	text => expect(parseRange(text)).toBeNull()
)

const small = fc
	.tuple(fc.constantFrom<4 | 6>(4, 6), fc.integer({min: 0, max: 63}), fc.integer({min: 0, max: 40}))
	.map(([family, start, length]) => {
		// Also near the end of IPv4, where sums exceed 32 bits.
		const base = family === 4 ? 0xffff_ff90n : 0x2001_0db8n << 96n
		return {family, start: base + BigInt(start), end: base + BigInt(start + length)}
	})

function members(ranges: Iterable<AddressRange>) {
	const set = new Set<string>()
	for (const {family, start, end} of ranges) for (let at = start; at <= end; at += 1n) set.add(`${family} ${at}`)
	return set
}

test('joined ranges hold exactly the same addresses, and none touches the next', () => {
	fc.assert(
		fc.property(fc.array(small, {maxLength: 12}), ranges => {
			const joined = [...collapsed(ranges.toSorted(compareRanges))]
			expect(members(joined)).toEqual(members(ranges))
			joined.slice(1).forEach((range, index) => {
				const before = joined[index]
				expect(before?.family !== range.family || range.start > before.end + 1n).toBe(true)
			})
		})
	)
})

test('networks of a range hold exactly its addresses, are aligned, and no two could be one', () => {
	fc.assert(
		fc.property(small, range => {
			const networks = networksOf(range)
			expect(members(networks)).toEqual(members([range]))
			for (const network of networks) expect(parseRange(networkText(network))).toEqual(network)
			networks.slice(1).forEach(({start, end}, index) => {
				const before = networks[index]
				const size = end - start + 1n
				const could = before !== undefined && before.end - before.start + 1n === size && before.start % (2n * size) === 0n
				expect(could).toBe(false)
			})
		})
	)
})

test('what is cut out is gone, and nothing else', () => {
	fc.assert(
		fc.property(small, fc.array(small, {maxLength: 8}), (range, cuts) => {
			const left = members(without(range, rangeSet(cuts)))
			const gone = members(cuts)
			expect(left).toEqual(new Set([...members([range])].filter(address => !gone.has(address))))
		})
	)
})

const anyRange = fc
	.tuple(fc.constantFrom<4 | 6>(4, 6), fc.bigInt({min: 0n, max: 2n ** 128n - 1n}), fc.bigInt({min: 0n, max: 2n ** 128n - 1n}))
	.map(([family, one, other]) => {
		const [start, end] = [one, other].map(value => (family === 4 ? value >> 96n : value)).toSorted((a, b) => (a < b ? -1 : 1))
		return {family, start: start ?? 0n, end: end ?? 0n}
	})
	.filter(({family, start, end}) => family === 4 || start > 0xffff_ffff_ffffn || end > 0xffff_ffff_ffffn)

test('text and key lead back to the range, and keys sort like ranges', () => {
	fc.assert(
		fc.property(anyRange, anyRange, (one, other) => {
			expect(parseRange(spanText(one))).toEqual(one)
			expect(rangeOfKey(keyOf(one))).toEqual(one)
			expect(Math.sign(compareRanges(one, other))).toBe(keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0)
		})
	)
})
