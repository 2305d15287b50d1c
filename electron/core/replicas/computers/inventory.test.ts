import {oddKey} from '#model/odd.ts'
import {byName, computer, computers, gate, groupOf, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

const second = 1000

let world: World
let {inventory, service} = {} as World
beforeEach(() => {
	world = makeWorld(computers(62))
	;({inventory, service} = world)
})
afterEach(() => world.close())

function matching(filter: string) {
	return inventory.query({...byName, filter, offset: 0, limit: 10}).matching
}

test('an unlock code that a listing should never hold stays out of the file', () => {
	const isolation = {available: true, status: 'isolated', unlock_code: 'canary7'}
	inventory.observe([{...computer(2), isolation}], startOfTime + second)
	expect(inventory.record(guidOf(2))?.isolation).toMatchObject({status: 'isolated', unlock_code: '••••••'})
})

test('the groups of many computers are told at once, each once', async () => {
	await inventory.refresh()
	const rows = inventory.query({...byName, filter: '', offset: 0, limit: 62}).rows
	const groups = [...new Set(rows.map(({groupGuid}) => groupGuid))]
	expect(inventory.groupsOf(rows.map(({guid}) => guid)).toSorted()).toEqual(groups.toSorted())
	expect(inventory.groupsOf([guidOf(2), 'unknown']).toSorted()).toEqual(['', inventory.row(guidOf(2))?.groupGuid])
	expect(inventory.groupsOf([])).toEqual([])
})

describe('readings of isolation', () => {
	const [guid, at] = [guidOf(2), startOfTime + 10 * second]
	const glance = () => inventory.row(guid)?.isolation
	const read = (status: string, time = at, of = guid) => inventory.observeIsolation(of, {available: true, status}, time)
	beforeEach(async () => {
		await inventory.refresh()
	})

	test('since when the state is known counts from its first reading', () => {
		expect(inventory.stateSince(guid)).toBe(new Date(startOfTime).toISOString())
		read('pending_start')
		read('pending_start', at + 5 * second)
		expect(inventory.stateSince(guid)).toBe(new Date(at).toISOString())
		expect(glance()).toBe('pending_start')
	})

	test('older ones never replace a newer one', async () => {
		const held = gate()
		service.beforePage = held.wait
		world.clock.advance(5 * second)
		const listing = inventory.refresh()
		world.clock.advance(5 * second)
		read('pending_start')
		held.open()
		await listing
		expect(glance()).toBe('pending_start')
		read('not_isolated', at - second)
		inventory.observe([computer(2)], at - second)
		expect(glance()).toBe('pending_start')
		inventory.observe([computer(2)], at + second)
		expect(glance()).toBe('not_isolated')
	})

	test('are counted, and show what waits too long', () => {
		const before = inventory.counts()
		read('pending_stop')
		expect(inventory.counts()).toEqual({...before, pendingStop: before.pendingStop + 1})
		expect(inventory.pending()).toContainEqual({guid, label: expect.any(String), status: 'pending_stop', since: new Date(at).toISOString()})
		expect(inventory.counts().pendingTooLong).toBe(0)
		world.clock.advance(611 * second)
		expect(inventory.counts().pendingTooLong).toBe(before.pendingStart + before.pendingStop + 1)
	})

	test('of an unknown computer are ignored', () => {
		read('isolated', at, 'nobody')
		expect(inventory.row('nobody')).toBeUndefined()
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
		await inventory.refresh()
	})

	test('of one computer change what they say and keep what they do not', () => {
		world.clock.advance(second)
		const heard: unknown[] = []
		inventory.onChange(change => heard.push(change))
		const moved = groupOf(5)
		inventory.observe([{connector_guid: guidOf(1), group_guid: moved.guid, groups: [moved]}], world.clock.now())
		const row = inventory.row(guidOf(1))
		expect(row).toMatchObject({groupName: 'Group 5', hostname: computer(1).hostname, lastSeen: computer(1).last_seen})
		expect(heard).toEqual([{guid: guidOf(1)}])
	})

	test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])('of %s mean a time that was never set', never => {
		inventory.observe([{...computer(1), last_seen: never}], world.clock.now() + second)
		expect(inventory.row(guidOf(1))?.lastSeen).toBeNull()
		expect(matching('last_seen:empty')).toBe(1)
		expect(inventory.record(guidOf(1))?.last_seen).toBe(never)
	})

	test('bring a new computer in, and every digit of its record', () => {
		const odd = {...computer(5000), odd: 6_533_241_145_273_614_340n}
		inventory.observe([odd], world.clock.now())
		expect(inventory.record(guidOf(5000))).toEqual(odd)
		expect(inventory.state().rows).toBe(63)
	})

	test('that say it is gone remove it, until it is listed again', async () => {
		world.clock.advance(second)
		inventory.vanished(guidOf(1), world.clock.now())
		expect(inventory.position({...byName, guid: guidOf(1)})).toBe(-1)
		world.clock.advance(second)
		await inventory.refresh()
		expect(inventory.position({...byName, guid: guidOf(1)})).toBeGreaterThanOrEqual(0)
	})

	test('mark a record that is not as documented, and find it', () => {
		const guid = guidOf(6002)
		const odd = {fields: ['hostname'], raw: '{"hostname":7}'}
		inventory.observe([{connector_guid: guid, hostname: '7', [oddKey]: odd}], world.clock.now())
		expect(inventory.query({...byName, filter: 'odd:yes', offset: 0, limit: 9}).rows.map(row => row.guid)).toEqual([guid])
		expect(inventory.row(guid)?.odd).toBe(true)
		expect(inventory.query({...byName, filter: 'odd:no', offset: 0, limit: 999}).rows.every(row => !row.odd)).toBe(true)
	})

	test('mark duplicate names as they come and go', () => {
		const [one, two] = [guidOf(6000), guidOf(6001)]
		const both = () => [one, two].map(guid => inventory.row(guid)?.duplicate)
		const tell = (guid: string, hostname: string) => {
			world.clock.advance(second)
			inventory.observe([{connector_guid: guid, hostname}], world.clock.now())
		}
		tell(one, 'twin')
		tell(two, 'other')
		expect(both()).toEqual([false, false])
		tell(two, 'TWIN')
		expect(both()).toEqual([true, true])
		tell(two, 'single')
		expect(both()).toEqual([false, false])
		tell(two, 'twin')
		inventory.vanished(one, world.clock.now())
		expect(inventory.row(two)?.duplicate).toBe(false)
	})
})

describe('groups', () => {
	const root = {guid: guidOf(800_001), name: 'Europe'}
	const child = {guid: guidOf(800_002), name: 'Finance', ancestry: [root]}
	beforeEach(async () => {
		service.groupsNow = [root, child]
		service.computersNow = computers(60)
		await inventory.refresh()
	})

	test('have a path and a count, also those that only computers name', () => {
		const rows = inventory.groups()
		expect(rows.find(row => row.guid === child.guid)).toEqual({guid: child.guid, name: 'Finance', path: ['Europe', 'Finance'], computers: 3})
		expect(inventory.groupPath(groupOf(7).guid)).toEqual(['Group 7'])
		expect(inventory.groupPath('nobody')).toEqual([])
		expect(rows).toHaveLength(20)
	})

	test('have ancestors only where a record of theirs was read, those that it names included', () => {
		const [above, own] = [
			{guid: 'above', name: 'Above'},
			{guid: 'own', name: 'Own'}
		]
		inventory.observeGroups([{...own, ancestry: [{guid: 'parent', name: 'Parent'}, above]}], world.clock.now())
		expect(inventory.ancestryOf('OWN')).toEqual(['own', 'parent', 'above'])
		expect(inventory.groupPath('own')).toEqual(['Above', 'Parent', 'Own'])
		expect(inventory.ancestryOf(groupOf(7).guid)).toBeUndefined()
	})

	test('that were renamed are renamed for their computers too', () => {
		expect(matching('group=Finance')).toBe(3)
		inventory.observeGroups([{...child, name: 'Treasury'}], world.clock.now() + second)
		expect(matching('group=Finance')).toBe(0)
		expect(matching('treasury')).toBe(3)
	})

	test('in a circle do no harm', () => {
		inventory.observeGroups([{...root, ancestry: [child]}], world.clock.now() + second)
		expect(inventory.groupPath(child.guid)).toEqual(['Europe', 'Finance'])
	})
})

describe('completion and the palette', () => {
	beforeEach(async () => {
		service.computersNow = [
			computer(1, {hostname: 'FIN-1'}),
			computer(2, {hostname: 'FIN-10'}),
			computer(3, {hostname: 'OLD-FIN-1'}),
			computer(4, {hostname: 'OLD-1EC0'})
		]
		await inventory.refresh()
	})

	test('find the same first, then what begins so, then what holds it', () => {
		expect(inventory.find('fin-1', 10).map(found => found.label)).toEqual(['FIN-1', 'FIN-10', 'OLD-FIN-1'])
		expect(inventory.find('fin-1', 2)).toHaveLength(2)
		// All their MACs begin so.
		for (const most of [1, 10]) expect(inventory.find('1ec0', most)[0]?.label).toBe('OLD-1EC0')
		expect(inventory.find(' ', 10)).toEqual([])
	})

	test('find by GUID, address, MAC and group', () => {
		const mac = inventory.row(guidOf(2))?.macs[0] ?? ''
		const found = (text: string) => inventory.find(text, 10).map(({guid}) => guid)
		for (const text of [guidOf(2), '10.2.0.6', mac, mac.replaceAll(':', '-')]) expect(found(text), text).toEqual([guidOf(2)])
		for (const part of ['D-FIN', '-fin-1', guidOf(3).slice(-9), 'roup 3']) expect(found(part), part).toContain(guidOf(3))
		expect(inventory.find('nothing like it', 10)).toEqual([])
		expect(inventory.find('Group 2', 10)[0]).toEqual({kind: 'group', guid: groupOf(2).guid, label: 'Group 2', detail: '1 computer'})
	})

	test('suggest values by their beginning', () => {
		expect(inventory.suggest('hostname', 'fin', 10)).toEqual([
			{value: 'FIN-1', label: 'FIN-1'},
			{value: 'FIN-10', label: 'FIN-10'}
		])
		expect(inventory.suggest('computer', 'FIN-10', 10)).toEqual([{value: guidOf(2), name: 'FIN-10', label: 'FIN-10 · Group 2'}])
		expect(inventory.suggest('computer', guidOf(3), 10)[0]?.value).toBe(guidOf(3))
		expect(inventory.suggest('group', 'group 3', 10)).toEqual([{value: groupOf(3).guid, label: 'Group 3'}])
		expect(inventory.suggest('policy', 'aud', 10).map(one => one.label)).toEqual(['Audit'])
		expect(inventory.suggest('event_type', '', 10)).toEqual([])
	})
})
