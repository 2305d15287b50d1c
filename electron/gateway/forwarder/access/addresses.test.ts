import fc from 'fast-check'

import {addressGroup, clientAddress, isAllowed, isLoopback, plainAddress} from './addresses.ts'

/** An independent check: address and prefix as numbers. */
function contains(network: string, address: string) {
	const [base = '', bits] = network.split('/')
	const [left, right] = [number(base), number(address)]
	if (left.bits !== right.bits) return false
	const shift = BigInt(left.bits - Number(bits ?? left.bits))
	return left.value >> shift === right.value >> shift
}

function number(address: string): {value: bigint; bits: 32 | 128} {
	if (!address.includes(':')) return {value: address.split('.').reduce((all, part) => all * 256n + BigInt(part), 0n), bits: 32}
	const [head = '', tail] = address.split('::')
	const left = head === '' ? [] : head.split(':')
	const right = tail === undefined || tail === '' ? [] : tail.split(':')
	const groups = tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
	return {value: groups.reduce((all, group) => all * 65_536n + BigInt(`0x${group}`), 0n), bits: 128}
}

const ipv4 = fc.ipV4()
/** IPv4-mapped addresses count as IPv4, and have their own tests. */
const ipv6 = fc.ipV6().filter(address => !address.includes('.') && !(plainAddress(address) ?? '').includes('.'))
const network = fc.oneof(
	ipv4,
	ipv6,
	fc.tuple(ipv4, fc.integer({min: 0, max: 32})).map(([base, bits]) => `${base}/${bits}`),
	fc.tuple(ipv6, fc.integer({min: 0, max: 128})).map(([base, bits]) => `${base}/${bits}`)
)

describe('an allow list', () => {
	it('allows everyone when it is empty', () => {
		expect(isAllowed([], '203.0.113.7')).toBe(true)
	})

	it('allows exactly what is in one of its networks', () => {
		fc.assert(
			fc.property(fc.array(network, {minLength: 1, maxLength: 5}), fc.oneof(ipv4, ipv6), (networks, address) => {
				expect(isAllowed(networks, address)).toBe(networks.some(one => contains(one, address)))
			}),
			{numRuns: 2000}
		)
	})

	it('allows an address of each of its networks, in every spelling', () => {
		fc.assert(
			fc.property(ipv4, fc.integer({min: 0, max: 32}), (address, bits) => {
				expect(isAllowed([`${address}/${bits}`], address)).toBe(true)
				expect(isAllowed([`${address}/${bits}`], `::ffff:${address}`)).toBe(true)
				expect(isAllowed([`::ffff:${address}/${bits + 96}`], address)).toBe(true)
			})
		)
		expect(isAllowed(['fe80::/10'], 'fe80::1%eth0')).toBe(true)
		expect(isAllowed(['2001:db8::/32'], '2001:0DB8:0000::0001')).toBe(true)
	})

	it('ignores a line that is no network', () => {
		for (const line of ['', 'localhost', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/-1', '::ffff:10.0.0.0/90', '300.1.1.1']) {
			expect(isAllowed([line], '10.0.0.1'), line).toBe(false)
		}
		expect(isAllowed(['10.0.0.0/8'], 'unknown')).toBe(false)
	})
})

describe('who a request comes from', () => {
	const trusted = ['10.0.0.0/8', '2001:db8:aaaa::/48']

	it('is the peer, whatever it claims, unless it is trusted', () => {
		expect(clientAddress('203.0.113.9', ['X-Forwarded-For', '192.0.2.1'], trusted)).toBe('203.0.113.9')
		expect(clientAddress('::ffff:203.0.113.9', ['X-Forwarded-For', '192.0.2.1'], [])).toBe('203.0.113.9')
	})

	it.each([
		['198.51.100.5', '198.51.100.5'],
		['6.6.6.6, 198.51.100.5', '198.51.100.5'],
		['6.6.6.6, 198.51.100.5, 10.1.1.1', '198.51.100.5'],
		['6.6.6.6, 198.51.100.5:4711,10.1.1.1:80', '198.51.100.5'],
		['"[2001:db8::7]:443"', '2001:db8::7'],
		['2001:DB8:0::7', '2001:db8::7'],
		['10.2.2.2, 10.3.3.3', '10.2.2.2'],
		['6.6.6.6, unknown, 10.1.1.1', '10.1.1.1'],
		['6.6.6.6, ', '10.0.0.1'],
		['', '10.0.0.1']
	])('is the rightmost that is not trusted of %j', (value, client) => {
		expect(clientAddress('10.0.0.1', ['x-forwarded-for', value], trusted)).toBe(client)
	})

	it('is found over several fields as over one', () => {
		const fields = ['X-Forwarded-For', '6.6.6.6, 198.51.100.5', 'Accept', '*/*', 'X-Forwarded-For', '10.1.1.1']
		expect(clientAddress('10.0.0.1', fields, trusted)).toBe('198.51.100.5')
	})

	it('cannot be chosen by what stands left of an untrusted address', () => {
		fc.assert(
			fc.property(
				fc.string(),
				ipv4.filter(address => !contains('10.0.0.0/8', address)),
				(junk, client) => {
					expect(clientAddress('10.0.0.1', ['X-Forwarded-For', `${junk},${client}, 10.9.9.9`], trusted)).toBe(client)
				}
			)
		)
	})

	it('is an address for any claim', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.string(), ipv4, ipv6)), hops => {
				expect(plainAddress(clientAddress('10.0.0.1', ['X-Forwarded-For', hops.join(', ')], trusted))).not.toBeNull()
			})
		)
	})
})

describe('addresses are counted', () => {
	it('one by one in IPv4, by /64 in IPv6', () => {
		expect(addressGroup('192.0.2.1')).toBe('192.0.2.1')
		expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1')
		expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
		expect(addressGroup('2001:0db8:1:2::')).toBe('2001:db8:1:2::/64')
		expect(addressGroup('::1')).toBe('0:0:0:0::/64')
	})

	it('together exactly when their first 64 bits are equal', () => {
		fc.assert(
			fc.property(ipv6, ipv6, (one, other) => {
				const same = number(one).value >> 64n === number(other).value >> 64n
				expect(addressGroup(one) === addressGroup(other)).toBe(same)
			})
		)
	})
})

test('loopback is this computer in both families', () => {
	expect(['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '::2'].map(isLoopback)).toEqual([true, true, true, false, false])
})
