import {parseFilter} from '#model/computer-filter.ts'
import type {AttentionKind, Overview} from '#contract/insight.ts'
import type {AuditRecord} from '#model/audit.ts'
import type {LinkState} from '#model/frame.ts'
import type {Lease} from '#model/lease.ts'
import type {PlaybookRun} from '#model/playbook.ts'

import type {AuditQuery} from '#core/replicas/audit/store.ts'
import {logOf} from '#core/record/incidents/testing/log-of.ts'
import type {IncidentLog, NewEntry} from '#core/record/incidents/types.ts'
import {computer, computers, guidOf, makeWorld, startOfTime, type World} from '#core/replicas/computers/testing/world.ts'
import {createWorld, type World as Folder} from '#core/store/testing/world.ts'
import {duringOf} from './actions.ts'
import {attentionOf} from './attention.ts'
import {overviewOf} from './overview.ts'
import {noEvents, noLists, type OverviewDependencies} from './types.ts'

const minute = 60_000
const connection = {id: 'one', name: 'ACME', url: 'https://service.example'}
const server = {state: 'off', problem: null} as OverviewDependencies['instances']['server'] // the part the overview reads

const unread: OverviewDependencies['audit'] = {
	...{elsewhere: 0, own: 0, oldestAt: null, readAt: null, total: null},
	...{complete: false, calls: 0, problem: null, price: 1}
}

let world: World
let folder: Folder
let log: IncidentLog

beforeEach(() => {
	folder = createWorld()
	log = logOf(folder, 'kim')
})

afterEach(async () => await world.close())

const waiting = (status: string) => ({isolation: {available: true, status}})
const free = {...waiting('not_isolated'), is_compromised: false}

async function read(records: Parameters<typeof makeWorld>[0] = [computer(1, free)]) {
	world = makeWorld(records)
	await world.inventory.refresh()
}

const overview = (changes: Partial<OverviewDependencies> = {}) => overviewOf(factsWith(changes))

function factsWith(changes: Partial<OverviewDependencies>): OverviewDependencies {
	return {
		connection,
		now: world.clock.now(),
		inventory: world.inventory,
		log,
		elsewhere: () => [],
		audit: unread,
		link: {kind: 'ok', at: '2026-01-15T12:00:00.000Z'},
		instances: {server, rows: []},
		events: noEvents,
		groups: [],
		lists: noLists,
		leases: [],
		runs: [],
		...changes
	}
}

function kinds({attention}: Overview) {
	return attention.map(({kind}) => kind)
}

function itemOf(seen: Overview, kind: AttentionKind) {
	return seen.attention.find(item => item.kind === kind)
}

/** Number of rows that the list shows at that path. */
function rowsAt(open = '') {
	const filter = new URL(open, 'https://page.example').searchParams.get('filter') ?? ''
	expect(parseFilter(filter).problems).toEqual([])
	const sort = {column: 'hostname', descending: false} as const
	return world.inventory.query({filter, sort, offset: 0, limit: 1}).matching
}

async function entry(kind: NewEntry['kind'], about: string | null = null, changes: Partial<NewEntry> = {}) {
	return await log.append({
		kind,
		about,
		surface: 'screen',
		message: `${kind} of an isolation`,
		command: 'svc_put_computers_isolation',
		connection,
		target: {guid: 'g', label: 'FIN-1'},
		...changes
	})
}

describe('the numbers', () => {
	test('open exactly the counted rows', async () => {
		await read(computers(600))
		const seen = await overview()
		for (const tile of seen.tiles) expect(rowsAt(tile.open), tile.kind).toBe(tile.count)
		for (const group of seen.groups) expect(rowsAt(group.open), group.name).toBe(group.computers)
		for (const build of seen.connectors) expect(rowsAt(build.open), `${build.version} ${build.os}`).toBe(build.computers)
		expect(seen.connectors.reduce((sum, build) => sum + build.computers, 0)).toBe(600)
	})

	test('of computers without group, version or system also open their rows', async () => {
		const bare = {group_guid: '', groups: [], connector_version: '', operating_system: ''}
		await read([computer(1, bare), computer(2)])
		const seen = await overview()
		for (const group of seen.groups) expect(rowsAt(group.open), group.name).toBe(1)
		for (const build of seen.connectors) expect(rowsAt(build.open), build.version).toBe(1)
	})

	test('are shown as "at least" while the listing is partial', async () => {
		await read(computers(40))
		const partial = {...world.inventory.state(), completeAt: null, total: 90}
		const seen = await overview({inventory: {...world.inventory, state: () => partial}})
		expect(seen.tiles.every(({atLeast}) => atLeast)).toBe(true)
		expect((await overview()).tiles.some(({atLeast}) => atLeast)).toBe(false)
	})

	test('a connector is outdated only compared with its own kind', async () => {
		const builds = ['Windows 8.4.5.1', 'Windows 8.4.0.1', 'Windows 8.2.9.1', 'macOS 1.26.1.1', 'macOS 1.9.0.1'].map(build => build.split(' '))
		await read(builds.map(([operating_system, connector_version], at) => computer(at + 1, {operating_system, connector_version})))
		const behind = (await overview()).tiles.find(({kind}) => kind === 'behind')
		expect(behind?.count).toBe(2)
		expect(rowsAt(behind?.open)).toBe(2)
	})
})

test('isolations and releases that wait for their agents are one number: pending changes', async () => {
	await read([computer(1, waiting('pending_start')), computer(2, waiting('pending_stop')), computer(3, waiting('isolated'))])
	const pending = (await overview()).tiles.find(({kind}) => kind === 'pending')
	expect(pending).toMatchObject({title: 'Pending changes', count: 2})
	expect(rowsAt(pending?.open)).toBe(2)
})

describe('attention', () => {
	test('is not needed when there is nothing', async () => {
		await read()
		expect((await overview()).attention).toEqual([])
	})

	test('goes to requests that wait for more than ten minutes, and to no younger ones', async () => {
		await read([computer(1, {...free, hostname: 'SLOW', ...waiting('pending_start')})])
		expect(kinds(await overview())).toEqual([])
		const item = itemOf(await overview({now: startOfTime + 11 * minute}), 'pending_too_long')
		expect(item).toMatchObject({count: 1, names: ['SLOW'], urgency: 'now'})
		expect(rowsAt(item?.open)).toBe(1)
	})

	test('opens requests that wait too long, of more computers than a filter names, and no younger ones', async () => {
		await read(Array.from({length: 26}, (_, at) => computer(at + 1, waiting('pending_start'))))
		await world.clock.advance(11 * minute)
		world.inventory.observe([computer(27, waiting('pending_stop'))], world.clock.now())
		expect(itemOf(await overview(), 'pending_too_long')?.count).toBe(26)
		expect(rowsAt(itemOf(await overview(), 'pending_too_long')?.open)).toBe(26)
	})

	test('goes to isolated computers that went offline', async () => {
		const isolated = {...free, ...waiting('isolated')}
		const ago = (minutes: number) => new Date(startOfTime - minutes * minute).toISOString()
		await read([computer(1, {...isolated, hostname: 'SILENT', last_seen: ago(90)}), computer(2, {...isolated, last_seen: ago(30)})])
		const item = itemOf(await overview(), 'isolated_and_silent')
		expect(item).toMatchObject({count: 1, names: ['SILENT'], since: ago(90)})
		expect(rowsAt(item?.open)).toBe(1)
	})

	test('names the groups of compromised computers', async () => {
		await read([computer(1, {...free, is_compromised: true}), computer(2, free)])
		expect(itemOf(await overview(), 'compromised')).toMatchObject({
			count: 1,
			names: ['Group 1 1'],
			urgency: 'now',
			open: '/computers?filter=compromised%3Ayes'
		})
	})

	test('goes to compromised computers whose policy only audits by its name, as it is today', async () => {
		const ill = {...free, is_compromised: true}
		const policy = (index: number, name: string) => ({policy: {guid: guidOf(700_000 + index), name}})
		await read([
			computer(1, {...ill, ...policy(1, 'Audit')}),
			computer(2, {...ill, ...policy(2, 'Servers – AUDIT (new)')}),
			computer(3, {...ill, ...policy(3, 'Auditors')}),
			computer(4, {...ill, ...policy(4, 'Audit2')}),
			computer(5, {...free, ...policy(1, 'Audit')})
		])
		const item = itemOf(await overview(), 'audit_policy')
		expect(item).toMatchObject({
			title: '2 compromised computers have a policy that by its name only audits',
			names: ['Group 1', 'Group 2'],
			urgency: 'know'
		})
		expect(rowsAt(item?.open)).toBe(2)
		world.inventory.observe([computer(1, {...ill, ...policy(1, 'Protect')})], startOfTime + 1)
		world.inventory.observe([computer(2, {...ill, ...policy(3, 'Auditors')})], startOfTime + 1)
		expect(itemOf(await overview(), 'audit_policy')).toBeUndefined()
	})

	test('goes to changes with an unknown outcome until it is confirmed', async () => {
		await read()
		const first = await entry('command.requested')
		await entry('command.outcome_unknown', first.id)
		const now = folder.clock.now()
		const matching = vi.spyOn(log, 'matching')
		expect(itemOf(await overview({now}), 'outcome_unknown')).toMatchObject({count: 1, names: ['FIN-1']})
		expect(matching).toHaveBeenCalledTimes(1)
		const second = await entry('command.requested')
		await entry('command.outcome_unknown', second.id)
		expect(itemOf(await overview({now}), 'outcome_unknown')).toMatchObject({count: 2, open: '/log/handover'})
		for (const {id} of [first, second]) await entry('command.observed', id, {data: {state: 'isolated'}})
		expect(kinds(await overview({now}))).toEqual([])
	})

	test('goes to a rejected key first, then to failed quarantines, then to detection groups, the worst first', async () => {
		await read()
		const link: LinkState = {
			kind: 'failing',
			since: '2026-01-15T11:00:00.000Z',
			error: {code: 'unauthorized', message: 'Unknown key', fault: 'operator', retry: 'no'}
		}
		const detections = {count: 3, atLeast: false, names: ['a'], since: null}
		const at = new Date(world.clock.now()).toISOString()
		const group = {
			...({title: 'W32.Bad on PC-1', severity: 'high', since: at, until: at, keys: ['9'], key: '9', stopped: false} as const),
			...({computers: [], hashes: [], suspect: null, status: 'new', owner: '', changedAt: null} as const)
		}
		const old = {...group, until: '2020-01-15T11:00:00.000Z'}
		const groups = [group, {...group, severity: 'low' as const}, old, {...group, status: 'closed' as const}]
		const events = {...noEvents, failed: {...detections, atLeast: true}}
		const seen = await overview({link, events, groups})
		expect(kinds(seen)).toEqual(['key_rejected', 'quarantine_failed', 'detection_group', 'detection_group'])
		expect(itemOf(seen, 'detection_group')?.open).toBe('/detections?group=%229%22')
		const many = {groups: Array.from({length: 5}, () => group)}
		expect((await attentionOf(factsWith(many))).map(({keys}) => keys)).toEqual(Array.from({length: 5}, () => ['9']))
		expect((await overview(many)).attention.map(item => 'keys' in item)).toEqual([false, false, false])
		expect(itemOf(seen, 'quarantine_failed')?.title).toBe('At least 3 detections with failed quarantine')
	})

	test('goes to a failed forwarding server and to unused lists', async () => {
		await read()
		const failed = {...server, state: 'failed' as const, problem: 'The port is taken.'}
		const lists = {uncovered: [{guid: 'l', name: 'Blocked'}]}
		const seen = await overview({instances: {server: failed, rows: []}, lists})
		expect(kinds(seen)).toEqual(['forwarding_failed', 'list_uncovered'])
	})

	test('names the playbook runs of this connection that need somebody, and opens the only one', async () => {
		await read()
		const run = (id: string, state: PlaybookRun['state'], at = connection.id) =>
			({id, state, connection: at, title: `Drill ${id}`, startedAt: '2026-01-15T11:00:00.000Z'}) as PlaybookRun // what is read
		const others = [run('b', 'running'), run('c', 'paused'), run('d', 'waiting', 'two')]
		expect(kinds(await overview({runs: others}))).toEqual([])
		const one = itemOf(await overview({runs: [...others, run('a', 'waiting')]}), 'playbook_waits')
		expect(one).toMatchObject({title: '1 playbook run needs you', names: ['Drill a: waiting'], open: '/playbooks/a', urgency: 'now'})
		const two = itemOf(await overview({runs: [run('e', 'interrupted'), run('a', 'waiting')]}), 'playbook_waits')
		expect(two).toMatchObject({count: 2, open: '/playbooks?state=open'})
	})
})

test('the funnel counts requested, accepted and confirmed', async () => {
	await read([computer(1)])
	const [a, b] = [await entry('command.requested'), await entry('command.requested')]
	await entry('command.requested')
	await entry('command.succeeded', a.id)
	await entry('command.succeeded', b.id)
	await entry('command.observed', a.id, {data: {state: 'isolated'}})
	await entry('command.observed', b.id, {data: {state: 'not_isolated'}})
	expect((await overview({now: folder.clock.now()})).isolation).toEqual({requested: 3, accepted: 2, isolated: 1})
})

test('the last actions show each change once, by its newest entry', async () => {
	await read([computer(1)])
	const first = await entry('command.requested')
	const failed = await entry('command.failed', first.id, {message: 'Refused.'})
	const second = await entry('command.requested', null, {message: 'Isolate FIN-2'})
	expect((await overview()).lastActions.map(({text, ok, open}) => ({text, ok, open}))).toEqual([
		{text: 'Isolate FIN-2', ok: true, open: `/log?entry=${second.id}`},
		{text: 'Refused.', ok: false, open: `/log?entry=${failed.id}`}
	])
	await entry('command.observed', second.id, {message: 'Not isolated.', data: {state: 'not_isolated'}})
	expect((await overview()).lastActions[0]).toMatchObject({text: 'Not isolated.', ok: false})
})

test('changes outside Cordon appear among the last actions, with their authors', async () => {
	await read([computer(1)])
	const own = await entry('command.requested', null, {message: 'Isolate FIN-2'})
	const at = (ms: number) => new Date(Date.parse(own.at) + ms).toISOString()
	const record = (key: string, ms: number): AuditRecord => ({
		...{key, at: at(ms), serviceAt: at(ms), user: 'ada@acme.example', event: 'update', type: 'Policy'},
		...{target: null, message: `Policy changed: ${key}.`, changes: [], own: null}
	})
	const asked: AuditQuery[] = []
	const elsewhere: OverviewDependencies['elsewhere'] = query => {
		asked.push(query)
		return [record('later', 1000), record('earlier', -1000)]
	}
	expect((await overview({elsewhere})).lastActions.map(({text, who, where, open}) => [text, who, where, open])).toEqual([
		['Policy changed: later.', 'ada@acme.example', 'elsewhere', '/log?entry=later'],
		['Isolate FIN-2', 'kim', 'here', `/log?entry=${own.id}`],
		['Policy changed: earlier.', 'ada@acme.example', 'elsewhere', '/log?entry=earlier']
	])
	const during = await duringOf({connection, log, elsewhere}, at(1), at(5000))
	expect(during.lastActions.map(({where}) => where)).toEqual(['elsewhere', 'elsewhere'])
	expect(during.isolation).toEqual({requested: 0, accepted: 0, isolated: 0})
	expect(asked).toEqual([{writesOnly: true}, {writesOnly: true, since: at(1), until: at(5000)}])
	expect((await duringOf({connection, log, elsewhere: () => []}, at(0), at(1))).isolation.requested).toBe(1)
})

describe('leases', () => {
	const lease = (guid: string, endsInMs: number | null, change: Partial<Lease> = {}): Lease => ({
		connection: 'one',
		guid,
		label: guid,
		intent: 'i',
		startedAt: new Date(world.clock.now() - 86_400_000).toISOString(),
		endsAt: endsInMs === null ? null : new Date(world.clock.now() + endsInMs).toISOString(),
		auto: false,
		holder: 'kim',
		note: '',
		state: 'held',
		trouble: null,
		...change
	})

	test('that expire within the hour and expired ones are counted apart; released computers do not count', async () => {
		const states = ['isolated', 'isolated', 'not_isolated', 'isolated']
		await read(states.map((state, at) => computer(at + 1, waiting(state))))
		const guid = (index: number) => computer(index).connector_guid
		const ends = [-1, 59 * minute, -1, 61 * minute]
		const leases = [...ends.map((end, at) => lease(guid(at + 1), end)), lease(guid(4), null)]
		const row = vi.spyOn(world.inventory, 'row')
		const seen = await overview({leases})
		expect(itemOf(seen, 'lease_over')).toMatchObject({count: 1, urgency: 'now', names: [guid(1)]})
		expect(itemOf(seen, 'lease_ending')).toMatchObject({count: 1, urgency: 'soon', names: [guid(2)]})
		expect(row).not.toHaveBeenCalled()
		expect(rowsAt(itemOf(seen, 'lease_over')?.open)).toBe(1)
		const many = Array.from({length: 26}, (_, at) => lease(guid(at + 10), -1))
		// A filter cannot name them all; the handover lists them.
		expect(itemOf(await overview({leases: many}), 'lease_over')).toMatchObject({count: 26, open: '/log/handover'})
	})
})
