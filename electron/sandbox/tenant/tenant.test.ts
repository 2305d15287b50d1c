import fc from 'fast-check'

import {everydayActivity} from './activity.ts'
import {cast} from './cast.ts'
import {dice, random} from './random.ts'
import {generateTenant, type Tenant} from './tenant.ts'

const tenant = generateTenant('ward', 2000)

function everything(of: Tenant): unknown {
	const {events, ...rest} = of
	return {...rest, events: events(), activity: of.hosts.slice(0, 30).map(host => everydayActivity(of.seed, of.seedNumber, host))}
}

describe('a tenant', () => {
	test('is the same with the same seed, whatever the time', () => {
		expect(everything(generateTenant('ward', 400))).toEqual(everything(generateTenant('ward', 400)))
	})

	test('is another one with another seed', () => {
		const other = generateTenant('theatre', 2000)
		const guids = new Set(other.hosts.map(({guid}) => guid))
		expect(tenant.hosts.filter(({guid}) => guids.has(guid))).toEqual([])
		expect(other.hosts.map(({hostname}) => hostname)).not.toEqual(tenant.hosts.map(({hostname}) => hostname))
		expect(other.story.indicators.dropper).not.toBe(tenant.story.indicators.dropper)
	})

	test('has any size, the important computers first', () => {
		fc.assert(
			fc.property(fc.integer({min: 1, max: 120}), size => {
				const {hosts} = generateTenant('any', size)
				const names = hosts.map(({hostname}) => hostname)
				return hosts.length === size && hosts.every(({index}, place) => index === place) && names.includes('FIN-LT-0231')
			}),
			{numRuns: 40}
		)
	})

	test('has as many groups as are asked for: sites below those of the hospital, with computers in them', () => {
		const {groups, hosts, lists} = generateTenant('ward', 2000, {groups: 2000, fileLists: 0})
		expect([groups.length, new Set(groups.map(({guid}) => guid)).size, lists.length]).toEqual([2000, 2000, 0])
		expect(groups.slice(0, 44)).toEqual(tenant.groups)
		expect(groups.every(({parent}, index) => parent === undefined || parent < index)).toBe(true)
		expect(new Set(hosts.map(({group}) => group)).size).toBeGreaterThan(200)
		expect(hosts.every(({group}) => group < 2000)).toBe(true)
		expect(hosts.map(({guid}) => guid)).toEqual(tenant.hosts.map(({guid}) => guid))
	})

	test('has the whole cast in a normal size', () => {
		const names = tenant.hosts.map(({hostname}) => hostname)
		expect(names).toEqual(expect.arrayContaining(cast.flatMap(({change}) => change.hostname ?? [])))
	})

	test('has names of department, kind and number, few of them twice', () => {
		const plain = tenant.hosts.filter(({hostname}) => /^[A-Z]{2,3}-[A-Z]{2,4}-\d{2,4}$/.test(hostname))
		expect(plain.length).toBeGreaterThan(1980)
		const doubles = tenant.hosts.length - new Set(tenant.hosts.map(({hostname}) => hostname)).size
		expect(doubles).toBeGreaterThan(10)
		expect(doubles).toBeLessThan(60)
	})

	test('repeats reinstalled machines under another GUID, with the same hardware, long unseen', () => {
		const twins = tenant.hosts.filter(host => host.hostname === 'FIN-WS-0033')
		expect(twins).toHaveLength(2)
		const [now, before] = twins
		expect([before?.mac, before?.hardwareId, before?.ips]).toEqual([now?.mac, now?.hardwareId, now?.ips])
		expect(before?.guid).not.toBe(now?.guid)
		expect(before?.silentFor).toBeGreaterThan(30 * 86_400)
	})

	test('was last seen between seconds and ninety days ago', () => {
		const days = tenant.hosts.map(({silentFor}) => silentFor / 86_400)
		expect(Math.min(...days)).toBeLessThan(60 / 86_400)
		expect(Math.max(...days)).toBeGreaterThan(60)
		expect(Math.max(...days)).toBeLessThanOrEqual(90)
		const online = tenant.hosts.filter(host => host.online).length
		expect(online / tenant.hosts.length).toBeGreaterThan(0.5)
		expect(online / tenant.hosts.length).toBeLessThan(0.8)
	})

	test('keeps each department in a network of its own, outside addresses in documentation ranges', () => {
		const nets = new Map<string, Set<string>>()
		for (const {hostname, ips, externalIp} of tenant.hosts) {
			expect(externalIp).toMatch(/^(198\.51\.100|192\.0\.2)\.\d+$/)
			const office = ips.map(ip => ip.trim()).find(ip => ip.startsWith('10.')) ?? ''
			const department = /^([A-Z]{2,3})-(LT|WS)-\d{4}$/.exec(hostname)?.[1]
			if (department !== undefined) nets.set(department, (nets.get(department) ?? new Set()).add(office.split('.').slice(0, 2).join('.')))
		}
		expect(nets.size).toBeGreaterThan(8)
		for (const [department, seen] of nets) expect(seen.size, department).toBe(1)
	})

	test('has groups, policies and lists that refer to each other', () => {
		expect(tenant.groups.length).toBeGreaterThanOrEqual(40)
		expect(tenant.policies).toHaveLength(17)
		expect(tenant.lists.filter(({type}) => type !== 'allowed_applications')).toHaveLength(12)
		expect(Math.max(...tenant.lists.map(({size}) => size))).toBeGreaterThan(4000)
		const lists = new Set(tenant.lists.map(({name}) => name))
		for (const policy of tenant.policies) for (const list of policy.lists) expect(lists).toContain(list)
		for (const [index, {parent, policies}] of tenant.groups.entries()) {
			expect(parent ?? -1).toBeLessThan(index)
			for (const [product, name] of Object.entries(policies))
				expect(tenant.policies.some(policy => policy.product === product && policy.name === name)).toBe(true)
		}
		for (const {group} of tenant.hosts) expect(tenant.groups[group]).toBeDefined()
	})

	test('has nothing from the future and nothing that an offline connector could not have sent', () => {
		for (const event of tenant.events()) {
			const host = tenant.hosts[event.host]
			expect(event.at).toBeLessThanOrEqual(0)
			if (host !== undefined && !host.compromised) expect(event.at).toBeLessThanOrEqual(-host.silentFor * 1000)
		}
	})

	test('gives some computers thousands of activities and most of them hundreds or fewer', () => {
		const counts = tenant.hosts.slice(0, 300).map(host => everydayActivity(tenant.seed, tenant.seedNumber, host).length)
		expect(Math.max(...counts)).toBeGreaterThan(2000)
		expect(counts.filter(count => count < 900).length).toBeGreaterThan(200)
	})
})

describe('the dice', () => {
	test('are fair enough and depend on each part', () => {
		const rolls = Array.from({length: 20_000}, (_, index) => dice(7, index, 3))
		expect(rolls.reduce((sum, roll) => sum + roll, 0) / rolls.length).toBeCloseTo(0.5, 1)
		expect(Math.min(...rolls)).toBeGreaterThanOrEqual(0)
		expect(Math.max(...rolls)).toBeLessThan(1)
		expect(new Set([dice(1, 2, 3), dice(2, 2, 3), dice(1, 3, 3), dice(1, 2, 4)]).size).toBe(4)
	})

	test('make GUIDs of version 4 and hashes of the right length', () => {
		const die = random('x')
		expect(die.guid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
		expect(die.hex(64)).toMatch(/^[0-9a-f]{64}$/)
		expect(random('x').guid()).not.toBe(random('y').guid())
	})
})
