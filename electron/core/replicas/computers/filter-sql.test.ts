import fc from 'fast-check'

import {computerSorts} from '#model/choices.ts'
import {parseFilter} from '#model/computer-filter.ts'
import type {ComputerRow} from '#model/computer.ts'
import {ipv4Number} from '#model/filter-values.ts'
import type {FilterTerm, FilterValue} from '#model/filter-term.ts'

import {computer, computers, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

let world: World
const odd = [
	computer(900, {hostname: 'Jane’s MacBook Pro', internal_ips: ['10.10.0.6', ' 10.251.0.3'], connector_version: '1.18.0.814'}),
	computer(901, {hostname: 'ÉTAGE-[1]', operating_system: '', os_version: '', network_addresses: [], last_seen: undefined}),
	computer(902, {hostname: 'fin-ws-2', internal_ips: ['fe80::1', '10.3.0.7'], external_ip: '', policy: null}),
	computer(903, {hostname: 'FIN-WS-2', internal_ips: [], connector_version: '8.4.0.30201'}),
	computer(904, {hostname: 'FIN-WS-10', connector_version: '8.10.1', is_compromised: true})
]

beforeAll(async () => {
	world = makeWorld([...computers(400), ...odd])
	await world.inventory.refresh()
	world.service.computersNow = world.service.computersNow.slice(3)
	world.clock.advance(10_000)
	await world.inventory.refresh()
})
afterAll(() => world.close())

function rowsOf(filter: string, column: (typeof computerSorts)[number] = 'hostname', descending = false) {
	return world.inventory.query({filter, sort: {column, descending}, offset: 0, limit: 500}).rows
}

const names = (filter: string) => rowsOf(filter).map(row => row.hostname)

describe('a typed filter finds', () => {
	test.each([
		['jane’s', ['Jane’s MacBook Pro']],
		['"macbook pro"', ['Jane’s MacBook Pro']],
		['étage', ['ÉTAGE-[1]']],
		['name:*[1]', ['ÉTAGE-[1]']],
		['name=fin-ws-2', ['fin-ws-2', 'FIN-WS-2']],
		['name:fin-ws-1*,fin-ws-2 connector:8.10', ['FIN-WS-10']],
		['ip:10.251.0.3', ['Jane’s MacBook Pro']],
		['ip:10.251.0.0/16', ['Jane’s MacBook Pro']],
		['10.251.', ['Jane’s MacBook Pro']],
		['ip:fe80::*', ['fin-ws-2']],
		['external_ip:empty', ['fin-ws-2']],
		['ip:empty', ['FIN-WS-2']],
		['mac:empty', ['ÉTAGE-[1]']],
		['last_seen:empty', ['ÉTAGE-[1]']],
		['policy:empty', ['fin-ws-2']],
		['os:empty', ['ÉTAGE-[1]']],
		['connector<2', ['Jane’s MacBook Pro']],
		['connector>8.4', ['FIN-WS-10']],
		['duplicate:yes name:fin-ws-*', ['fin-ws-2', 'FIN-WS-2']],
		[`guid:${guidOf(904)}`, ['FIN-WS-10']]
	])('%s', (filter, found) => {
		expect(names(filter)).toEqual(found)
	})

	test('computers gone from the service, only on request', () => {
		expect(names('vanished:yes')).toHaveLength(3)
		expect(names('vanished:yes,no')).toHaveLength(405)
		expect(names('')).toHaveLength(402)
		expect(names('-vanished:yes')).toHaveLength(402)
	})

	test('a MAC address however it is written', () => {
		const mac = world.inventory.row(guidOf(20))?.macs[0] ?? ''
		const digits = mac.replaceAll(':', '')
		const dotted = digits.match(/..../g)?.join('.') ?? ''
		for (const filter of [mac, mac.toUpperCase(), digits, dotted, mac.replaceAll(':', '-'), `mac:${mac}`, `mac=${dotted}`]) {
			expect(names(filter), filter).toEqual([world.inventory.row(guidOf(20))?.hostname])
		}
	})

	test('nothing at all while a part of it is not understood', () => {
		expect(() => names('grup:finance')).toThrow('There is no field “grup”. Did you mean “group”?')
		expect(() => world.inventory.guids({filter: 'os:', sort: {column: 'os', descending: false}})).toThrow('os:empty')
	})
})

/** The meaning of a term once more, over a row of the screen. */
function holds(term: FilterTerm, row: ComputerRow) {
	return term.values.some(value => valueHolds(term, value, row)) !== term.negated
}

function valueHolds({field, operator}: FilterTerm, value: FilterValue, row: ComputerRow) {
	const time = Date.parse((field === 'installed' ? row.installDate : row.lastSeen) ?? '')
	switch (value.kind) {
		case 'states':
			return value.states.includes(row.isolation)
		case 'flag':
			return {compromised: row.compromised, active: row.active, duplicate: row.duplicate}[field as 'active'] === value.value
		case 'age':
			return operator.startsWith('<') ? time > world.clock.now() - value.ms : time < world.clock.now() - value.ms
		case 'moment':
			return {
				'<': time < value.from,
				'<=': time < value.to,
				'>': time >= value.to,
				'>=': time >= value.from,
				':': time >= value.from && time < value.to,
				'=': false
			}[operator]
		case 'addresses':
			return (field === 'external_ip' ? [row.externalIp] : row.internalIps).some(
				ip => (ipv4Number(ip) ?? -1) >= value.from && (ipv4Number(ip) ?? -1) <= value.to
			)
		case 'empty':
			return field === 'last_seen' ? Number.isNaN(time) : textsOf(field, row).every(text => text === '')
		case 'text':
			return textsOf(field, row).some(text => textHolds(text.toLowerCase(), operator === '=', value.parts))
	}
}

function textHolds(text: string, whole: boolean, parts: readonly string[]) {
	const [first = '', ...rest] = parts.map(part => part.toLowerCase())
	if (rest.length === 0) return whole ? text === first : text.includes(first)
	const pattern = [first, ...rest].map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')
	return new RegExp(`^${pattern}$`, 'us').test(text)
}

const texts: Readonly<Partial<Record<FilterTerm['field'], (row: ComputerRow) => readonly string[]>>> = {
	name: row => [row.hostname],
	group: row => [row.groupName],
	policy: row => [row.policyName],
	os: row => [row.os],
	ip: row => row.internalIps,
	external_ip: row => [row.externalIp],
	guid: row => [row.guid]
}

function textsOf(field: FilterTerm['field'], row: ComputerRow) {
	const all = [row.hostname, row.groupName, row.guid, row.externalIp, ...row.internalIps, ...row.macs]
	return texts[field]?.(row) ?? all
}

describe('any filter', () => {
	const term = fc.constantFrom(
		'name:ws-1',
		'name:FIN-*',
		'name:*1*2',
		'group:"group 1"',
		'group="Group 3"',
		'policy:audit,triage',
		'os:windows',
		'os:*2019*',
		'ip:10.3.',
		'ip:10.0.0.0/9',
		'ip:10.*.6',
		'external_ip:203.0.113.0/26',
		'external_ip:*.7',
		'isolation:pending*',
		'isolation:isolated',
		'isolation:unavailable,unknown',
		'compromised:yes',
		'active:no',
		'duplicate:yes',
		'last_seen>7d',
		'last_seen<36h',
		'installed<2025-06',
		'installed>=2025-11-05',
		'installed:2025',
		'guid:0000001',
		'WS-3',
		'group 1',
		'"Group 1"',
		'FIN-*7',
		'10.1',
		'203.0.113.5',
		'last_seen:empty'
	)
	const filters = fc
		.array(fc.tuple(fc.constantFrom('', '-'), term), {minLength: 1, maxLength: 4})
		.map(terms => terms.map(([sign, text]) => sign + text).join(' '))
	const sorts = fc.record({column: fc.constantFrom(...computerSorts), descending: fc.boolean()})

	test('finds the rows that it describes, whatever the order, and windows cut the same order', () => {
		const rows = rowsOf('')
		fc.assert(
			fc.property(filters, sorts, fc.nat(100), (filter, sort, offset) => {
				const {terms} = parseFilter(filter)
				const expected = rows.filter(row => terms.every(one => holds(one, row))).map(row => row.guid)
				const guids = world.inventory.guids({filter, sort})
				expect(guids.toSorted()).toEqual(expected.toSorted())
				const window = world.inventory.query({filter, sort, offset, limit: 20})
				expect(window.rows.map(row => row.guid)).toEqual(guids.slice(offset, offset + 20))
				expect(window.matching).toBe(guids.length)
				for (const [place, guid] of guids.slice(0, 3).entries()) expect(world.inventory.position({filter, sort, guid})).toBe(place)
			}),
			{numRuns: 400}
		)
	})
})

describe('the order', () => {
	const ordered = (...by: readonly [(typeof computerSorts)[number], boolean]) => rowsOf('', ...by)

	test('of names counts numbers and not capitals', () => {
		const found = ordered('hostname', false)
			.map(row => row.hostname)
			.filter(name => /^FIN-WS-\d+$/i.test(name))
		const numbers = found.map(name => Number(name.slice(7)))
		expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
		expect(numbers.length).toBeGreaterThan(50)
	})

	test('of addresses goes by number', () => {
		const found = ordered('internal_ip', false).flatMap(row => ipv4Number(row.internalIps[0] ?? '') ?? [])
		expect(found).toEqual(found.toSorted((a, b) => a - b))
	})

	test.each([false, true])('puts what has no value last, descending: %s', descending => {
		expect(ordered('last_seen', descending).at(-1)?.lastSeen).toBeNull()
		expect(ordered('internal_ip', descending).at(-1)?.internalIps).toEqual([])
		expect(ordered('policy', descending).at(-1)?.policyName).toBe('')
	})

	test('of last seen goes by time', () => {
		const found = ordered('last_seen', true).flatMap(row => row.lastSeen ?? [])
		expect(found).toEqual(found.toSorted().toReversed())
		expect(Date.parse(found[0] ?? '')).toBeLessThanOrEqual(startOfTime)
	})

	test('of isolation shows pending changes first', () => {
		expect(ordered('isolation', false)[0]?.isolation).toBe('pending_start')
	})

	test('within one group goes by name', () => {
		const found = ordered('group', false)
			.filter(row => row.groupName === 'Group 1')
			.map(row => row.hostname)
		const byName = ordered('hostname', false)
			.filter(row => row.groupName === 'Group 1')
			.map(row => row.hostname)
		expect(found).toEqual(byName)
	})
})
