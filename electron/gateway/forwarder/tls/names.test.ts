import {isIP} from 'node:net'

import fc from 'fast-check'

import {constraintsFor, isHostname, machineNames, privateNetworks, wantedNames, within} from './names.ts'

const nobody = {hostnames: [], addresses: []}

describe('the names of a certificate', () => {
	it('are the configured ones first, in the form that certificates have, and loopback always', () => {
		const wanted = wantedNames(['Lists.Corp.Example.', 'bücher.example', '10.0.0.7', '2001:DB8:0::7'], {
			hostnames: ['DESK', 'lists.corp.example'],
			addresses: ['192.168.1.5', '10.0.0.7']
		})
		expect(wanted).toEqual({
			hostnames: ['lists.corp.example', 'xn--bcher-kva.example', 'desk', 'localhost'],
			addresses: ['127.0.0.1', '::1', '10.0.0.7', '2001:db8::7', '192.168.1.5']
		})
	})

	it('leave out what no certificate can have', () => {
		const junk = ['my_desk', '*.example', 'a b', '-a', 'a..b', '1.2.3', '4711', `${'a'.repeat(64)}.example`, '']
		expect(wantedNames(junk, nobody)).toEqual({hostnames: ['localhost'], addresses: ['127.0.0.1', '::1']})
	})

	it('of this computer are addresses that others can use', () => {
		const {hostnames, addresses} = machineNames()
		expect(hostnames).toHaveLength(1)
		for (const address of addresses) {
			expect(isIP(address)).not.toBe(0)
			expect(address).not.toMatch(/^127\.|^::1$|^fe80:/)
		}
	})
})

describe('what an authority is limited to', () => {
	it('covers every private address, whichever it had when it was made', () => {
		const limits = constraintsFor(wantedNames([], {hostnames: ['desk'], addresses: ['192.168.1.5']}))
		expect(limits.networks).toEqual(privateNetworks)
		const moved = ['10.255.0.1', '172.31.255.255', '192.168.0.1', '100.127.0.1', '169.254.9.9', 'fd00::1', '::1']
		const outside = ['172.32.0.1', '100.128.0.1', '11.0.0.1', '2001:db8::1', '::2', '203.0.113.1']
		const {inside} = within({hostnames: [], addresses: [...moved, ...outside]}, limits)
		expect(inside.addresses).toEqual(moved)
	})

	it('covers all that it was made for, and no neighbour of a name', () => {
		const limits = constraintsFor(wantedNames(['desk.example', '203.0.113.7'], nobody))
		expect(within(wantedNames(['desk.example', '203.0.113.7'], nobody), limits).outside).toEqual(nobody)
		const others = wantedNames(['example', 'xdesk.example', '203.0.113.8'], nobody)
		expect(within(others, limits).outside).toEqual({hostnames: ['example', 'xdesk.example'], addresses: ['203.0.113.8']})
		expect(within(wantedNames(['www.desk.example'], nobody), limits).outside).toEqual(nobody)
	})

	it('is never more than what was asked for and the private networks', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6())), configured => {
				const names = wantedNames(configured, nobody)
				const limits = constraintsFor(names)
				expect(limits.names.every(name => isHostname(name))).toBe(true)
				expect(within(names, limits).outside).toEqual(nobody)
				expect(limits.networks.slice(privateNetworks.length).every(one => /\/(32|128)$/.test(one))).toBe(true)
			})
		)
	})
})
