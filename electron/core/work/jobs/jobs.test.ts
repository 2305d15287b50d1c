import {expectRefused} from '#base/testing/code-of.ts'
import type {GuardRules} from '#model/guard.ts'

import {changeComputer, type ComputerChange} from '#sandbox/testing/running.ts'
import {until} from '#base/testing/until.ts'
import {isolate, isWriting, openWorld, release, type Process, type World} from './testing/world.ts'

let world: World
let one: Process

beforeEach(async () => {
	world = await openWorld({computers: 400, seed: 'jobs'})
	one = await world.start()
})
afterEach(() => world.stop())

const apply = (plan: string, confirm?: string) => one.jobs.apply({plan, confirm, surface: 'cli'})

describe('from a plan to what is seen', () => {
	test('a job isolates its frozen targets and ends when each is seen isolated', async () => {
		const targets = world.ready(12)
		const plan = await one.plan(isolate, targets)
		expect(plan.waves).toEqual([1, 5, 6])
		expect(plan.confirmation).toEqual({kind: 'count', expected: 12})
		expect(world.sent('PUT')).toBe(0)
		await apply(plan.id, '12')
		const end = await one.jobs.settled(plan.id)
		expect(one.troubles).toEqual([])
		expect(end).toMatchObject({phase: 'done', targets: 12, counts: {done: 12}, because: null})
		expect(world.are(targets)).toBe('isolated')
		expect(world.sent('PUT')).toBe(12)
		const {rows} = await one.jobs.receipts({job: plan.id, offset: 0, limit: 500})
		expect(new Set(targets.map(commentOf))).toEqual(new Set([`beaconing [INC-1] (Cordon job ${plan.id})`]))
		for (const {observed, requestedAt, acceptedAt, observedAt} of rows) {
			expect(observed).toBe('isolated')
			expect([requestedAt, acceptedAt, observedAt]).toEqual([requestedAt, acceptedAt, observedAt].toSorted())
		}
	})

	test('a release goes in one wave', async () => {
		const targets = world.ready(3)
		await one.carryOut(isolate, targets)
		expect(await one.carryOut(release, targets)).toMatchObject({phase: 'done', counts: {done: 3}, wave: {of: 1}})
		expect(world.are(targets)).toBe('not_isolated')
	})

	test('computers are moved, and seen in their group', async () => {
		const targets = world.ready(3)
		const action = world.moveOf(targets)
		const ended = await one.carryOut(action, targets)
		expect(ended).toMatchObject({phase: 'done', counts: {done: 3}})
		expect(ended.title).toBe(`Move 3 computers to ${one.inventory.groupPath(action.group).at(-1)}`)
		expect(await one.plan(action, targets)).toMatchObject({targets: [], leftOut: targets.map(id => ({id, kind: 'nothing_to_do'}))})
	})

	test('hashes are put on a list with their notes and taken off again', async () => {
		const list = world.sandbox.world.tenant.lists.at(-1)?.guid ?? ''
		const hashes = ['a', 'b', 'c', 'd', 'e'].map(digit => `${digit}0`.repeat(32))
		const noted = hashes.map(id => ({id: id.toUpperCase(), note: `note ${id.slice(0, 1)}`}))
		const add = {kind: 'add_hashes', list, reason: 'campaign'} as const
		expect(await one.carryOut(add, [...noted, hashes[0] ?? '', 'f'.repeat(32)])).toMatchObject({counts: {done: 5}})
		const remove = {kind: 'remove_hashes', list, reason: 'false alarm'} as const
		const plan = await one.plan(remove, [...hashes, '9'.repeat(64)])
		expect(plan.targets.map(({observed}) => observed['note'])).toEqual(noted.map(({note}) => note))
		expect(plan.leftOut).toMatchObject([{id: '9'.repeat(64), kind: 'nothing_to_do'}])
		expect(await one.carryOut(remove, hashes)).toMatchObject({phase: 'done', counts: {done: 5}})
	})

	test('a hash that somebody took off the list right before its turn is not put on it', async () => {
		const list = world.sandbox.world.tenant.lists.at(-1)?.guid ?? ''
		const sha256 = 'a0'.repeat(32)
		const connection = {id: 'sandbox', name: '', url: ''}
		const off = {kind: 'command.requested', command: 'svc_delete_file_list_files_by_sha', surface: 'cli', message: '', connection} as const
		const two = await world.start({
			beforeWrite: async ops => {
				if (isWriting(ops, 'sending'))
					await two.profile.log.append({...off, target: {guid: list, label: list}, args: {file_list_guid: list, sha256}})
			}
		})
		expect(await two.carryOut({kind: 'add_hashes', list, reason: 'campaign'}, [sha256])).toMatchObject({counts: {not_tried: 1}})
		expect(world.sent('POST')).toBe(0)
	})

	test('some hashes are put on a list and others taken off in one job', async () => {
		const list = world.sandbox.world.tenant.lists.at(-1)?.guid ?? ''
		const [first = '', second = '', third = ''] = ['1', '2', '3'].map(digit => `${digit}a`.repeat(32))
		await one.carryOut({kind: 'add_hashes', list, reason: 'campaign'}, [{id: first, note: 'old'}, second])
		const change = {kind: 'change_hashes', list, removes: [first], reason: 'case 9'} as const
		const plan = await one.jobs.plan({connection: 'sandbox', action: change, targets: [first, second, {id: third, note: 'new'}]})
		expect(plan.targets).toMatchObject([
			{id: first, observed: {note: 'old'}},
			{id: third, note: 'new'}
		])
		expect(plan.leftOut).toMatchObject([{id: second, message: 'It is on the list already.'}])
		await one.jobs.apply({plan: plan.id, surface: 'screen'})
		expect(await one.jobs.settled(plan.id)).toMatchObject({title: 'Change 2 hashes', counts: {done: 2}})
		const again = await one.plan(change, [first, third])
		expect(again.leftOut.map(({message}) => message)).toEqual(['It is not on the list.', 'It is on the list already.'])
	})

	test('groups get their policies', async () => {
		const {groups, policies} = world.sandbox.world.tenant
		const group = groups.at(-1)?.guid ?? ''
		const held = world.sandbox.world.directory.policy(groups.length - 1, 'windows').policy
		const policy = policies.find(each => each.product === 'windows' && each !== held)?.guid ?? ''
		const action = {kind: 'policies', policies: {windows: policy}, reason: 'harder'} as const
		expect(await one.carryOut(action, [group])).toMatchObject({phase: 'done', counts: {done: 1}})
	})
})

test('the list is a window: a job that has not ended is never behind others, and all that run are counted', async () => {
	const [first = '', ...others] = world.ready(3)
	const left = await one.leave(isolate, [first])
	one = await world.start()
	await world.ports.clock.sleep(1)
	for (const each of others) await one.carryOut(isolate, [each])
	const list = () => one.jobs.list({connection: 'sandbox', limit: 1})
	expect(await list()).toMatchObject({rows: [{id: left, phase: 'interrupted'}], matching: 3, running: 0})
	const running = new Set<number>()
	one.jobs.onChange(async () => void running.add((await list()).running))
	await one.jobs.resume(left)
	expect(await one.doneOf(left)).toBe(1)
	expect([running.has(1), (await list()).rows[0]?.id === left, (await list()).running]).toEqual([true, false, 0])
	expect((await one.jobs.list({offset: 2})).rows).toMatchObject([{id: left}])
})

describe('a plan', () => {
	test('leaves out what is not for this job, and says why', async () => {
		const [first = '', second = ''] = world.ready(2)
		const {fleet, tenant} = world.sandbox.world
		const done = tenant.hosts.find(host => fleet.isolation(host).status === 'isolated')?.guid ?? ''
		const never = tenant.hosts.find(host => host.role === 'workstation' && !fleet.available(host))?.guid ?? ''
		const server = tenant.hosts.find(host => host.role === 'server' && fleet.available(host))?.guid ?? ''
		const unknown = '00000000-0000-4000-8000-000000000000'
		const name = tenant.hosts.find(({guid}) => guid === second)?.hostname ?? ''
		const plan = await one.jobs.plan({
			connection: 'sandbox',
			action: isolate,
			targets: [first, first.toUpperCase(), name, done, never, server, unknown, 'no-such-host', 'not a name']
		})
		expect(plan.targets.map(({id}) => id)).toEqual([first, second])
		expect(Object.fromEntries(plan.leftOut.map(({id, kind}) => [id, kind]))).toEqual({
			[first]: 'duplicate',
			[done]: 'nothing_to_do',
			[never]: 'not_possible',
			[server]: 'review',
			[unknown]: 'not_found',
			'no-such-host': 'not_found',
			'not a name': 'invalid'
		})
		expect(await one.plan(isolate, [server], {reviewed: true})).toMatchObject({tier: 3, confirmation: {kind: 'name'}})
		expect(world.sent('PUT')).toBe(0)
	})

	test('without targets is an error', async () => {
		await expectRefused(one.plan(isolate, []), 'usage')
	})

	test('goes out as a file and comes back', async () => {
		const {id} = await one.plan(isolate, world.ready(3))
		const text = await one.jobs.planFile(id)
		const two = await world.start()
		const plan = await two.jobs.importPlan('sandbox', text)
		expect(plan).toEqual(await one.jobs.planOf(id))
		await two.jobs.apply({plan: id, surface: 'cli'})
		await expectRefused(apply(id), 'taken')
		expect(await two.jobs.settled(id)).toMatchObject({counts: {done: 3}})
		await expect(() => one.jobs.importPlan('sandbox', text)).rejects.toThrow('applied already')
	})

	test('whose targets have drifted is refused with the difference', async () => {
		const targets = world.ready(2)
		const {id} = await one.plan(isolate, targets)
		change(targets[0], {available: false})
		await expectRefused(apply(id), 'plan_drifted', '', {drift: [{id: targets[0], planned: {available: true}, found: {available: false}}]})
		expect(world.sent('PUT')).toBe(0)
	})

	test('is not applied to another service', async () => {
		const {id} = await one.plan(isolate, world.ready(1))
		const {connections} = one.profile
		const elsewhere = {...connections.find('sandbox'), url: 'https://other.example'}
		const two = await world.start({connections: {...connections, find: () => elsewhere}})
		await expect(two.jobs.apply({plan: id, surface: 'cli'})).rejects.toThrow('leads to another service')
		expect(world.sent('PUT')).toBe(0)
	})

	test('is refused when a target is protected by now', async () => {
		const targets = world.ready(2)
		const {id} = await one.plan(isolate, targets)
		protect({guids: [targets[1] ?? '']})
		await expectRefused(apply(id), 'plan_drifted', '', {drift: [{id: targets[1]}]})
		expect(world.sent('PUT')).toBe(0)
	})

	test('is refused when a target is below a protected group, also where no local data list the groups', async () => {
		const {fleet, tenant, directory} = world.sandbox.world
		const above = new Map(fleet.hosts().map(host => [host.guid, directory.ancestry(fleet.group(host)).at(-1)]))
		const guid = world.ready(400).find(each => above.get(each) !== undefined) ?? ''
		const {id} = await one.plan(isolate, [guid])
		protect({groups: [tenant.groups[above.get(guid) ?? 0]?.guid ?? '']})
		await expectRefused(apply(id), 'plan_drifted')
		expect(await one.plan(isolate, [guid])).toMatchObject({targets: [], leftOut: [{id: guid, kind: 'protected'}]})
		expect(one.calls.filter(call => call.includes(' groups/'))).toHaveLength(1)
	})

	test('is not applied without the count that its tier asks for', async () => {
		const {id} = await one.plan(isolate, world.ready(7))
		const before = world.sandbox.requests.length
		for (const confirm of [undefined, '', '6', 'yes']) await expectRefused(apply(id, confirm), 'confirmation_needed', '', {field: 'confirm'})
		expect(world.sandbox.requests).toHaveLength(before)
	})
})

test('a plan whose tier rose since it was made asks for what the tier asks for now', async () => {
	const {id, confirmation} = await one.plan(isolate, world.ready(2))
	expect(confirmation.kind).toBe('reason')
	one.setRules(({wide}) => ({wide: {...wide, isolate: 1}}))
	await expectRefused(apply(id), 'confirmation_needed', '', {field: 'confirm'})
	expect(world.sent('PUT')).toBe(0)
})

test.each([0, 3])('the next wave waits until the last is seen isolated, 90 seconds for a silent one', async hours => {
	setBy(-hours, 30_000)
	one = await world.start()
	const targets = world.ready(8)
	const {id} = await one.plan(isolate, targets)
	// The only one of the first wave.
	change(targets[0], {online: false})
	await apply(id, '8')
	await one.jobs.settled(id)
	const [first = 0, second = 0, , , , , seventh = 0] = sentAt()
	expect(second - first).toBeGreaterThanOrEqual(90_000)
	expect(second - first).toBeLessThan(180_000)
	const {rows} = await one.jobs.receipts({job: id, offset: 1, limit: 5})
	const lastSeen = Math.max(...rows.map(({observedAt}) => Date.parse(observedAt ?? '')))
	expect(seventh).toBeGreaterThanOrEqual(lastSeen)
	expect(seventh - second).toBeLessThan(90_000)
})

test.each([-3, 3])('the end is seen at once though the clock is set by %s hours meanwhile', async hours => {
	setBy(hours, 1000)
	one = await world.start()
	expect(await one.carryOut(isolate, world.ready(1))).toMatchObject({phase: 'done', counts: {done: 1}})
	expect(world.ports.clock.monotonic()).toBeLessThan(60_000)
})

describe('sending ends', () => {
	test('after a share of failures, and the rest is not tried', async () => {
		const targets = world.ready(12)
		world.sandbox.weather.set([2, 3].map(at => `PUT *${targets[at]}*=500`))
		const end = await one.carryOut(isolate, targets)
		const because = expect.stringMatching(/^Stopped: 2 of the first \d+ computers ended with an unknown outcome, more than 20%/)
		expect(end).toMatchObject({phase: 'stopped', because})
		expect(end.counts.not_tried).toBeGreaterThanOrEqual(6)
		expect(sum(end.counts)).toBe(12)
	})

	test('on request, with the truth about what was sent', async () => {
		const targets = world.ready(12)
		const stopped = stopAfter(3)
		const id = await one.begin(isolate, targets)
		await stopped(() => one.jobs.stop(id))
		const end = await one.jobs.settled(id)
		const sent = targets.filter(guid => world.taken(guid) === 1)
		expect(end).toMatchObject({
			phase: 'stopped',
			because: `Cancelled. ${sent.length} sent, ${12 - sent.length} not.`,
			counts: {done: sent.length, not_tried: 12 - sent.length}
		})
		expect(sent.length).toBeLessThan(12)
	})

	test('when the key may not do it, in whole sentences', async () => {
		world.sandbox.weather.set(['PUT *=status:403'])
		const end = await one.carryOut(isolate, world.ready(3))
		expect(end).toMatchObject({phase: 'stopped', counts: {failed: 1, not_tried: 2}})
		expect(end.because).toMatch(/^This API key lacks permission\. The service says: [^.]+\. 1 sent, 2 not\.$/)
	})

	test('at once when changes are locked, and the retry is a new plan of the rest', async () => {
		const targets = world.ready(12)
		const stopped = stopAfter(3)
		const id = await one.begin(isolate, targets)
		await stopped(() => one.profile.connections.setLocked('sandbox', true))
		const end = await one.jobs.settled(id)
		expect(end).toMatchObject({phase: 'stopped', because: expect.stringContaining('Changes were locked.')})
		one.profile.connections.setLocked('sandbox', false)
		const retry = await one.jobs.retryPlan(id)
		expect(retry.targets).toHaveLength(end.counts.not_tried)
		const {confirmation} = retry
		await apply(retry.id, 'expected' in confirmation ? String(confirmation.expected) : undefined)
		await one.jobs.settled(retry.id)
		expect(world.are(targets)).toBe('isolated')
		expect(world.took(targets)).toBe(1)
	})
})

describe('what the service says', () => {
	test('409 is the state that it means', async () => {
		const targets = world.ready(2)
		const {id} = await one.plan(isolate, targets)
		const [first = '', second = ''] = targets
		// Between the reading before the first target and the second, somebody else isolates it.
		const stopped = stopAfter(1)
		await apply(id)
		await stopped(() => change(second, {isolation: {status: 'isolated'}}))
		expect(await one.jobs.settled(id)).toMatchObject({phase: 'done', counts: {done: 1, nothing_to_do: 1}})
		expect([world.taken(first), world.taken(second)]).toEqual([1, 0])
	})

	test('a lost answer is read back and never sent again', async () => {
		const targets = world.ready(8)
		world.sandbox.weather.set(['PUT *=drop,after:2,times:2', 'GET */isolation=503'])
		expect(await one.carryOut(isolate, targets, {stopShare: 1})).toMatchObject({phase: 'done', counts: {done: 8}})
		expect(world.sent('PUT')).toBe(8)
	})

	test('an agent that refuses is a failure, not a success', async () => {
		const targets = world.ready(2)
		change(targets[1], {failsNext: true})
		expect(await one.carryOut(isolate, targets)).toMatchObject({counts: {done: 1, failed: 1}})
	})

	test('while offline computers are watched, what was not sent is planned again at once', async () => {
		const targets = world.ready(12)
		for (const guid of targets) change(guid, {online: false})
		const {id} = await one.plan(isolate, targets)
		let early: ReturnType<typeof one.jobs.retryPlan> | undefined
		one.jobs.onChange(async () => {
			const {summary} = await one.jobs.get(id)
			if (summary.phase === 'observing') early ??= one.jobs.retryPlan(id)
		})
		const stopped = stopAfter(1)
		await apply(id, '12')
		await expectRefused(one.jobs.retryPlan(id), 'busy')
		await stopped(() => one.jobs.stop(id))
		const {counts} = await one.jobs.settled(id)
		expect(counts.not_confirmed).toBeGreaterThan(0)
		expect((await early)?.targets).toHaveLength(counts.not_tried)
	})

	test('429 waits, visibly, and sends when the window begins', async () => {
		const targets = world.ready(3)
		const waits = new Set<string | null>()
		const two = await world.start({planner: {reserve: () => {}, room: () => null}})
		two.jobs.onChange(async () => (await two.jobs.list()).rows.forEach(({waitingUntil}) => waits.add(waitingUntil)))
		world.sandbox.weather.set(['PUT *=429:120,times:2'])
		const from = world.ports.clock.now()
		expect(await two.carryOut(isolate, targets)).toMatchObject({counts: {done: 3}, waitingUntil: null})
		expect(world.ports.clock.now() - from).toBeGreaterThan(120_000)
		expect([...waits].some(until => until !== null)).toBe(true)
	})

	test('429 is waited for no longer where the clock is set back meanwhile', async () => {
		setBy(-5, 2000)
		const two = await world.start({planner: {reserve: () => {}, room: () => null}})
		world.sandbox.weather.set(['PUT *=429:120,times:1'])
		expect(await two.carryOut(isolate, world.ready(1))).toMatchObject({counts: {done: 1}})
		expect(world.ports.clock.monotonic()).toBeLessThan(600_000)
	})
})

/** Runs something once so many changes have arrived. */
function stopAfter(count: number): (work: () => unknown) => Promise<void> {
	const from = world.sent('PUT')
	return async work => {
		await until('the changes', () => world.sent('PUT') - from >= count, Infinity)
		work()
	}
}

function sum(counts: Readonly<Record<string, number>>) {
	return Object.values(counts).reduce((total, count) => total + count, 0)
}

const change = (guid = '', to: ComputerChange) => changeComputer(world.sandbox, guid, to)

/** Sets the clock so long after the first change. */
function setBy(hours: number, afterMs: number) {
	const {clock} = world.ports
	const {now} = clock
	vi.spyOn(clock, 'now').mockImplementation(() => now() + (now() - (sentAt()[0] ?? now()) > afterMs ? hours * 3_600_000 : 0))
}

/** When each change reached the service; Unix milliseconds. */
function sentAt() {
	return world.sandbox.requests.filter(({method}) => method === 'PUT').map(({at}) => at)
}

/** As the service keeps it. */
function commentOf(guid: string) {
	const {fleet} = world.sandbox.world
	const host = fleet.find(guid)
	return host && fleet.isolation(host).comment
}

function protect(change: Partial<GuardRules['protected']>) {
	one.setRules(rules => ({protected: {...rules.protected, ...change}}))
}
