import {oddKey} from '#model/odd.ts'
import {byName, computer, computers, gate, groupOf, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

const second = 1000

let world: World
beforeEach(() => {
	world = makeWorld(computers(62))
})
afterEach(() => world.close())

function matching(filter: string) {
	return world.inventory.query({...byName, filter, offset: 0, limit: 10}).matching
}

test('an unlock code that a listing should never hold stays out of the file', () => {
	const isolation = {available: true, status: 'isolated', unlock_code: 'canary7'}
	world.inventory.observe([{...computer(2), isolation}], startOfTime + second)
	expect(world.inventory.record(guidOf(2))?.isolation).toMatchObject({status: 'isolated', unlock_code: '••••••'})
})

describe('readings of isolation', () => {
	const [guid, at] = [guidOf(2), startOfTime + 10 * second]
	const glance = () => world.inventory.row(guid)?.isolation
	const read = (status: string, time = at, of = guid) => world.inventory.observeIsolation(of, {available: true, status}, time)
	beforeEach(async () => {
		await world.inventory.refresh()
	})

	test('since when the state is known counts from its first reading', () => {
		expect(world.inventory.stateSince(guid)).toBe(new Date(startOfTime).toISOString())
		read('pending_start')
		read('pending_start', at + 5 * second)
		expect(world.inventory.stateSince(guid)).toBe(new Date(at).toISOString())
		expect(glance()).toBe('pending_start')
	})

	test('older ones never replace a newer one', async () => {
		const held = gate()
		world.service.beforePage = held.wait
		world.clock.advance(5 * second)
		const listing = world.inventory.refresh()
		world.clock.advance(5 * second)
		read('pending_start')
		held.open()
		await listing
		expect(glance()).toBe('pending_start')
		read('not_isolated', at - second)
		world.inventory.observe([computer(2)], at - second)
		expect(glance()).toBe('pending_start')
		world.inventory.observe([computer(2)], at + second)
		expect(glance()).toBe('not_isolated')
	})

	test('are counted, and show what waits too long', () => {
		const before = world.inventory.counts()
		read('pending_stop')
		expect(world.inventory.counts()).toEqual({...before, pendingStop: before.pendingStop + 1})
		expect(world.inventory.pending()).toContainEqual({
			guid,
			label: expect.any(String),
			status: 'pending_stop',
			since: new Date(at).toISOString(),
		})
		expect(world.inventory.counts().pendingTooLong).toBe(0)
		world.clock.advance(611 * second)
		expect(world.inventory.counts().pendingTooLong).toBe(before.pendingStart + before.pendingStop + 1)
	})

	test('of an unknown computer are ignored', () => {
		read('isolated', at, 'nobody')
		expect(world.inventory.row('nobody')).toBeUndefined()
	})

	test('survive a clock that is set back', () => {
		read('isolated', at + 3_600 * second)
		world.clock.advance(20 * second)
		read('pending_stop', world.clock.now())
		expect(glance()).toBe('pending_stop')
	})
})

describe('other readings', () => {
	beforeEach(async () => {
		await world.inventory.refresh()
	})

	test('of one computer change what they say and keep what they do not', () => {
		world.clock.advance(second)
		const heard: unknown[] = []
		world.inventory.onChange(change => heard.push(change))
		const moved = groupOf(5)
		world.inventory.observe([{connector_guid: guidOf(1), group_guid: moved.guid, groups: [moved]}], world.clock.now())
		const row = world.inventory.row(guidOf(1))
		expect(row).toMatchObject({groupName: 'Group 5', hostname: computer(1).hostname, lastSeen: computer(1).last_seen})
		expect(heard).toEqual([{guid: guidOf(1)}])
	})

	test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])('of %s mean a time that was never set', never => {
		world.inventory.observe([{...computer(1), last_seen: never}], world.clock.now() + second)
		expect(world.inventory.row(guidOf(1))?.lastSeen).toBeNull()
		expect(matching('last_seen:empty')).toBe(1)
		expect(world.inventory.record(guidOf(1))?.last_seen).toBe(never)
	})

	test('bring a new computer in, and every digit of its record', () => {
		const odd = {...computer(5000), odd: 6_533_241_145_273_614_340n}
		world.inventory.observe([odd], world.clock.now())
		expect(world.inventory.record(guidOf(5000))).toEqual(odd)
		expect(world.inventory.state().rows).toBe(63)
	})

	test('that say it is gone remove it, until it is listed again', async () => {
		world.clock.advance(second)
		world.inventory.vanished(guidOf(1), world.clock.now())
		expect(world.inventory.position({...byName, guid: guidOf(1)})).toBe(-1)
		world.clock.advance(second)
		await world.inventory.refresh()
		expect(world.inventory.position({...byName, guid: guidOf(1)})).toBeGreaterThanOrEqual(0)
	})

	test('mark a record that is not as documented, and find it', () => {
		const guid = guidOf(6002)
		const odd = {fields: ['hostname'], raw: '{"hostname":7}'}
		world.inventory.observe([{connector_guid: guid, hostname: '7', [oddKey]: odd}], world.clock.now())
		expect(world.inventory.query({...byName, filter: 'odd:yes', offset: 0, limit: 9}).rows.map(row => row.guid)).toEqual([guid])
		expect(world.inventory.row(guid)?.odd).toBe(true)
		expect(world.inventory.query({...byName, filter: 'odd:no', offset: 0, limit: 999}).rows.every(row => !row.odd)).toBe(true)
	})

	test('mark duplicate names as they come and go', () => {
		const [one, two] = [guidOf(6000), guidOf(6001)]
		const both = () => [one, two].map(guid => world.inventory.row(guid)?.duplicate)
		const tell = (guid: string, hostname: string) => {
			world.clock.advance(second)
			world.inventory.observe([{connector_guid: guid, hostname}], world.clock.now())
		}
		tell(one, 'twin')
		tell(two, 'other')
		expect(both()).toEqual([false, false])
		tell(two, 'TWIN')
		expect(both()).toEqual([true, true])
		tell(two, 'single')
		expect(both()).toEqual([false, false])
		tell(two, 'twin')
		world.inventory.vanished(one, world.clock.now())
		expect(world.inventory.row(two)?.duplicate).toBe(false)
	})
})

describe('groups', () => {
	const root = {guid: guidOf(800_001), name: 'Europe'}
	const child = {guid: guidOf(800_002), name: 'Finance', ancestry: [root]}
	beforeEach(async () => {
		world.service.groupsNow = [root, child]
		world.service.computersNow = computers(60)
		await world.inventory.refresh()
	})

	test('have a path and a count, also those that only computers name', () => {
		const rows = world.inventory.groups()
		expect(rows.find(row => row.guid === child.guid)).toEqual({
			guid: child.guid,
			name: 'Finance',
			path: ['Europe', 'Finance'],
			computers: 3,
		})
		expect(world.inventory.groupPath(groupOf(7).guid)).toEqual(['Group 7'])
		expect(world.inventory.groupPath('nobody')).toEqual([])
		expect(rows).toHaveLength(20)
	})

	test('have ancestors only where a record of theirs was read, those that it names included', () => {
		const [above, own] = [
			{guid: 'above', name: 'Above'},
			{guid: 'own', name: 'Own'},
		]
		world.inventory.observeGroups([{...own, ancestry: [{guid: 'parent', name: 'Parent'}, above]}], world.clock.now())
		expect(world.inventory.ancestryOf('OWN')).toEqual(['own', 'parent', 'above'])
		expect(world.inventory.groupPath('own')).toEqual(['Above', 'Parent', 'Own'])
		expect(world.inventory.ancestryOf(groupOf(7).guid)).toBeUndefined()
	})

	test('that were renamed are renamed for their computers too', () => {
		expect(matching('group=Finance')).toBe(3)
		world.inventory.observeGroups([{...child, name: 'Treasury'}], world.clock.now() + second)
		expect(matching('group=Finance')).toBe(0)
		expect(matching('treasury')).toBe(3)
	})

	test('in a circle do no harm', () => {
		world.inventory.observeGroups([{...root, ancestry: [child]}], world.clock.now() + second)
		expect(world.inventory.groupPath(child.guid)).toEqual(['Europe', 'Finance'])
	})
})

describe('completion and the palette', () => {
	beforeEach(async () => {
		world.service.computersNow = [
			computer(1, {hostname: 'FIN-1'}),
			computer(2, {hostname: 'FIN-10'}),
			computer(3, {hostname: 'OLD-FIN-1'}),
			computer(4, {hostname: 'OLD-1EC0'}),
		]
		await world.inventory.refresh()
	})

	test('find the same first, then what begins so, then what holds it', () => {
		expect(world.inventory.find('fin-1', 10).map(found => found.label)).toEqual(['FIN-1', 'FIN-10', 'OLD-FIN-1'])
		expect(world.inventory.find('fin-1', 2)).toHaveLength(2)
		// All their MACs begin so.
		for (const most of [1, 10]) expect(world.inventory.find('1ec0', most)[0]?.label).toBe('OLD-1EC0')
		expect(world.inventory.find(' ', 10)).toEqual([])
	})

	test('find by GUID, address, MAC and group', () => {
		const mac = world.inventory.row(guidOf(2))?.macs[0] ?? ''
		for (const text of [guidOf(2), '10.2.0.6', mac, mac.replaceAll(':', '-')]) {
			expect(
				world.inventory.find(text, 10).map(found => found.guid),
				text,
			).toEqual([guidOf(2)])
		}
		for (const part of ['D-FIN', '-fin-1', guidOf(3).slice(-9), 'roup 3'])
			expect(
				world.inventory.find(part, 10).map(found => found.guid),
				part,
			).toContain(guidOf(3))
		expect(world.inventory.find('nothing like it', 10)).toEqual([])
		expect(world.inventory.find('Group 2', 10)[0]).toEqual({
			kind: 'group',
			guid: groupOf(2).guid,
			label: 'Group 2',
			detail: '1 computer',
		})
	})

	test('suggest values by their beginning', () => {
		expect(world.inventory.suggest('hostname', 'fin', 10)).toEqual([
			{value: 'FIN-1', label: 'FIN-1'},
			{value: 'FIN-10', label: 'FIN-10'},
		])
		expect(world.inventory.suggest('computer', 'FIN-10', 10)).toEqual([{value: guidOf(2), name: 'FIN-10', label: 'FIN-10 · Group 2'}])
		expect(world.inventory.suggest('computer', guidOf(3), 10)[0]?.value).toBe(guidOf(3))
		expect(world.inventory.suggest('group', 'group 3', 10)).toEqual([{value: groupOf(3).guid, label: 'Group 3'}])
		expect(world.inventory.suggest('policy', 'aud', 10).map(one => one.label)).toEqual(['Audit'])
		expect(world.inventory.suggest('event_type', '', 10)).toEqual([])
	})
})
