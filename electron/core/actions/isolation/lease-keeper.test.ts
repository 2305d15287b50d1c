import {randomUUID} from 'node:crypto'

import {expectRefused} from '#base/testing/code-of.ts'
import type {ComputerRow} from '#model/computer.ts'
import {jobMark, leaseText} from '#text/isolation.ts'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {changeComputer, readyComputers, type ComputerChange} from '#sandbox/testing/running.ts'

import {untilPassing} from '#base/testing/until.ts'
import {createRunner} from '../commands/runner.ts'
import type {Runner} from '../commands/types.ts'
import type {Profile} from '#core/app/profile.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import type {RaisedNotice} from '#core/service/settings/notices.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {createEngine} from '#core/engine/engine.ts'
import {extend} from './lease-edit.ts'
import {startLeaseKeeper} from './lease-keeper.ts'
import {leaseReleaseKind, leaseReleaseProgram} from './lease-release.ts'
import {openLeases, type Leases} from './leases.ts'

const hour = 3_600_000
const unread = ['GET */isolation=503']

let ports: TestPorts
let sandbox: Sandbox
let keeping: {profile: Profile; runner: Runner; stop(): Promise<void>}
let connection: string
let notices: RaisedNotice[]
let takenBack: string[]
let meanwhile: () => void
/** What local data tell of each computer, and since when. */
let known: Pick<ComputerRow, 'isolation' | 'isolationReadAt'> | undefined
let since: string | undefined
let outOfReach: (connection: string) => string | undefined
const troubles: string[] = []

beforeEach(async () => {
	notices = []
	takenBack = []
	known = since = undefined
	meanwhile = () => {}
	outOfReach = () => {}
	troubles.length = 0
	ports = testPorts()
	sandbox = await startSandbox({port: 0, computers: 40, seed: 'lease', agentDelayMs: 2000, now: ports.clock.now})
})
afterEach(async () => {
	await keeping.stop()
	await sandbox.stop()
	ports.remove()
})

async function start() {
	const profile = openTestProfile(ports)
	const {connections, log, locks, guards, escrow} = profile
	const {clock} = ports
	const runner = createRunner({clock, connections, log, locks, guards, escrow})
	const client = (id: string) => {
		meanwhile()
		const why = outOfReach(id)
		if (why !== undefined) throw new Error(why)
		return connections.client(id)
	}
	const engine = createEngine({
		store: profile.runs,
		clock,
		random: ports.random,
		onTrouble: (_message, error) => {
			throw error
		}
	})
	const notify = (notice: RaisedNotice) => {
		notices.push(notice)
		return () => void takenBack.push(notice.title)
	}
	const common = {leases: escrow.leases, clock, client, connections, log, notify}
	engine.register(leaseReleaseProgram({...common, run: runner.run}))
	await engine.recover()
	const keeper = startLeaseKeeper({
		...common,
		engine,
		copy: () => ({row: () => known as ComputerRow | undefined, stateSince: () => since}),
		onTrouble: (_message, error) => {
			if (!/out of reach|told to fail/.test(String(error))) throw error
			troubles.push(String(error))
		}
	})
	const stop = async () => {
		await keeper.stop()
		await engine.stop()
		await profile.stop()
	}
	keeping = {profile, runner, stop}
	return keeping
}

async function extended(guid: string) {
	const {escrow, log, connections} = keeping.profile
	const services = {leases: escrow.leases, note: log.note, log, client: connections.client, clock: ports.clock, operator: 'kim'}
	await extend(services, {connection: connections.find(connection), guid, label: 'x'}, {hours: 4, auto: true})
}

const later = (ms = 0) => new Date(ports.clock.now() + ms).toISOString()

function isolate(guid: string, hours: number | null, auto: boolean, job?: string) {
	return keeping.runner.run({
		name: 'svc_put_computers_isolation',
		args: {connector_guid: guid, ...(job !== undefined && {comment: `Beaconing ${jobMark(job)}`})},
		agreement: {reason: 'Beaconing'},
		job,
		isolation: {code: 'generated', lease: {hours, auto}},
		connection,
		surface: 'screen'
	})
}

/** Advances time in steps, so that agents, timers and answers get their turn. */
async function pass(ms: number, stepMs = 15_000) {
	for (let left = ms; left > 0; left -= stepMs) {
		await ports.clock.advance(Math.min(stepMs, left))
		await new Promise(resolve => setTimeout(resolve, 1))
	}
}

const until = (what: string, look: () => boolean | Promise<boolean>) => untilPassing(ports.clock, 15_000, what, look)

function releases(guid: string) {
	return sandbox.requests.filter(({method, path}) => method === 'DELETE' && path.includes(guid)).length
}

/** A console with its connection, and a computer. */
async function connected() {
	const {profile} = await start()
	const {url, clientId, apiKey} = sandbox
	const input = {name: 'ACME', url, clientId, apiKey, insecure: false, colour: 'blue', readOnly: false} as const
	connection = (await profile.connections.add({...input, environment: 'test'})).id
	return readyComputers(sandbox)[0] ?? ''
}

async function held(hours = 4, auto = true, job?: string) {
	const guid = await connected()
	await isolate(guid, hours, auto, job)
	await until('the isolation', () => stateOf(guid) === 'isolated')
	return guid
}

/** Asks for an isolation whose answer is lost. */
async function lost(guid: string) {
	await expectRefused(isolate(guid, 4, true), 'outcome_unknown')
}

const freed = (guid: string) => until('the release', () => stateOf(guid) === 'not_isolated')

async function expiryOf(guid: string) {
	await pass(4 * hour, 60_000)
	await freed(guid)
}

const all = () => stored(leases => leases.list())
const leaseOf = (guid: string) => all().find(one => one.guid === guid)
const leases = (count: number) => until('the end of leases', () => all().length === count)

async function releaseOf() {
	const command = 'svc_delete_computers_isolation'
	return (await keeping.profile.log.query({limit: 1, command, kinds: ['command.requested']})).entries[0]
}

function isolateElsewhere(guid: string, comment: string | null, by = 'Marta Weber') {
	change(guid, {isolation: {status: 'isolated', unlockCode: 'abcdef', comment, by, since: 0, lingersUntil: 0}})
}

const change = (guid: string, to: ComputerChange) => changeComputer(sandbox, guid, to)

function stateOf(guid: string) {
	const {world} = sandbox
	const host = world.fleet.find(guid)
	world.settle(ports.clock.now())
	return host && world.fleet.isolation(host).status
}

function stored<T>(look: (leases: Leases) => T) {
	const database = openProfileDatabase(ports.profile)
	try {
		return look(openLeases(database))
	} finally {
		database.close()
	}
}

describe('a lease', () => {
	test('with automatic release ends with one release, and the log says why', async () => {
		const guid = await held()
		expect(leaseOf(guid)).toMatchObject({state: 'held', auto: true, holder: 'kim'})
		const end = Date.parse(leaseOf(guid)?.endsAt ?? '')
		await pass(3 * hour, 60_000)
		expect(releases(guid)).toBe(0)
		await freed(guid)
		await leases(0)
		expect(releases(guid)).toBe(1)
		const released = await releaseOf()
		expect(released).toMatchObject({surface: 'automation', args: {comment: expect.stringContaining('lease')}})
		const late = Date.parse(released?.at ?? '') - end
		expect(late).toBeGreaterThanOrEqual(0)
		expect(late).toBeLessThan(hour)
		expect(released?.args?.['comment']).not.toContain(leaseText.late)
		expect(notices.map(({body}) => body)).toEqual([expect.stringContaining('when it next starts')])
	})

	test('with manual release is announced once before expiry and once at expiry, and not released', async () => {
		const guid = await held(4, false)
		await pass(4 * hour + 10 * 60_000, 30_000)
		expect(notices.map(({title}) => title)).toEqual([expect.stringContaining('expires at'), expect.stringContaining('expired at')])
		expect([releases(guid), stateOf(guid)]).toEqual([0, 'isolated'])
		expect(takenBack).toEqual([expect.stringContaining('expires at')])
		stored(leases => leases.end(connection, guid))
		await until('the end', () => takenBack.length === 2)
	})

	test.each([
		[10, 1],
		[11, 0]
	])('of a computer read as not isolated after %i minutes is kept: %i', async (minutes, kept) => {
		await held(4, false)
		known = {isolation: 'not_isolated', isolationReadAt: later(minutes * 60_000 - 30_000)}
		await pass(15_000)
		expect(all()).toHaveLength(kept)
	})

	test('that is being released ends by local data once they show the release, and not by what was read before', async () => {
		const guid = await held()
		known = {isolation: 'not_isolated', isolationReadAt: later()}
		sandbox.weather.set(unread)
		await pass(5 * hour, 60_000)
		expect(leaseOf(guid)).toMatchObject({state: 'releasing'})
		sandbox.weather.clear()
		await freed(guid)
		since = later()
		await pass(30_000)
		expect([releases(guid), all()]).toEqual([1, []])
	})

	test('that expired while no console ran is released at the next start, and says so', async () => {
		expect(leaseText.autoRelease).toContain('when Cordon next starts')
		const guid = await held()
		await keeping.stop()
		await pass(9 * hour, hour)
		expect(stateOf(guid)).toBe('isolated')
		await start()
		await freed(guid)
		expect(releases(guid)).toBe(1)
		const entry = await releaseOf()
		expect(entry?.args?.['comment']).toContain(leaseText.late)
		expect(notices.at(-1)?.body).toContain(leaseText.late)
	})

	test.each<[string, string | null, string | undefined, number]>([
		['with a reason of their own, is left to them', 'Beaconing', undefined, 0],
		['without a reason, is released', null, undefined, 1],
		['is released where the lease has no request', 'Beaconing', 'old', 1],
		['is released where the lease was set by hand later', 'Beaconing', '', 1]
	])('of a computer that somebody else isolated while no console ran, %s', async (_what, comment, other, count) => {
		const guid = await held()
		await keeping.stop()
		await pass(120_000, 60_000)
		stored(kept => {
			const own = kept.get(connection, guid)
			if (own === undefined || other === undefined) return
			kept.begin({...own, intent: other || own.intent, at: ports.clock.now(), term: {hours: 4, auto: true}})
		})
		isolateElsewhere(guid, comment)
		await pass(5 * hour, hour)
		await start()
		await leases(0)
		expect([releases(guid), stateOf(guid)]).toEqual([count, count === 0 ? 'isolated' : 'not_isolated'])
		const {entries} = await keeping.profile.log.query({limit: 1, kinds: ['lease.changed']})
		const told = {surface: 'automation', message: expect.stringContaining('is isolated by Marta Weber'), target: {guid}}
		expect(entries).toMatchObject(count === 0 ? [told] : [])
		expect(notices.filter(({title}) => title.includes('another isolation'))).toHaveLength(1 - count)
	})

	test('is known by its request, however much was done with the computer since', async () => {
		const guid = await held()
		const {log, connections} = keeping.profile
		const {id, name, url} = connections.find(connection)
		const move = {kind: 'command.requested', command: 'svc_move_computer', surface: 'cli', message: 'Move'} as const
		for (let count = 0; count <= 200; count += 1) await log.append({...move, target: {guid, label: guid}, connection: {id, name, url}})
		sandbox.weather.set(unread)
		stored(kept => kept.change({connection, guid, intent: kept.get(connection, guid)?.intent ?? ''}, {state: 'asked'}))
		await pass(30_000)
		expect(leaseOf(guid)?.state).toBe('held')
		sandbox.weather.clear()
		isolateElsewhere(guid, 'Beaconing')
		await pass(5 * hour, 60_000)
		expect([releases(guid), all()]).toEqual([0, []])
	})

	test('of a computer whose release by somebody else failed is released', async () => {
		const guid = await held()
		const {fleet} = sandbox.world
		const host = fleet.find(guid)
		isolateElsewhere(guid, 'Cleaned and checked', (host && fleet.isolation(host).by) ?? '')
		await expiryOf(guid)
		expect(releases(guid)).toBe(1)
	})

	test.each([
		['Beaconing', 0, false],
		['Beaconing', 0, true],
		[null, 1, false]
	])('whose answer was lost is not held where somebody else isolated it: reason %s, kept %i, seen locally %s', async (...how) => {
		const [comment, kept, isSeen] = how
		const guid = await connected()
		sandbox.weather.set(['PUT */isolation=reset'])
		await lost(guid)
		isolateElsewhere(guid, comment)
		if (isSeen) known = {isolation: 'isolated', isolationReadAt: later(1000)}
		await pass(12 * 60_000)
		expect(all().map(({state}) => state)).toEqual(Array(kept).fill('held'))
		expect(notices).toHaveLength(1 - kept)
	})

	test.each([
		['was lost as well', 1, [undefined]],
		['said that it was accepted', 0, [undefined]],
		['said at the second attempt of its job that it was accepted', 0, ['j1', 'j1']]
	])('whose answer was lost counts for the isolation of an earlier request from here whose answer %s: %i', async (answer, count, jobs) => {
		const guid = await connected()
		const dropping = ['PUT */isolation=drop', 'GET */isolation=500']
		if (count === 1) sandbox.weather.set(dropping)
		if (jobs.length > 1) sandbox.weather.set(['PUT */isolation=reset,times:1'])
		for (const job of jobs) await isolate(guid, null, false, job).catch(() => {})
		sandbox.weather.set(dropping)
		await lost(guid)
		sandbox.weather.clear()
		await pass(12 * 60_000)
		expect(all()).toMatchObject([{state: 'held', auto: count === 1}])
		await pass(5 * hour, 60_000)
		expect([answer, releases(guid)]).toEqual([answer, count])
	})

	test('set by hand on an isolation from elsewhere, which Cordon could not make, is released', async () => {
		const guid = await connected()
		isolateElsewhere(guid, 'Beaconing')
		await expectRefused(isolate(guid, 4, true), 'conflict')
		await extended(guid)
		await expiryOf(guid)
	})

	test.each([
		['after', 1],
		['before', 0]
	])('that is extended by hand %s somebody else isolated the computer is released: %i', async (when, count) => {
		const guid = await held()
		await pass(120_000, 60_000)
		if (when === 'before') await extended(guid)
		isolateElsewhere(guid, 'Beaconing')
		if (when === 'after') await extended(guid)
		await pass(5 * hour, 60_000)
		await leases(0)
		expect(releases(guid)).toBe(count)
	})

	test('is extended at once, whatever the service says, and stays the same one where nothing is isolated', async () => {
		const guid = await held()
		const {intent} = leaseOf(guid) ?? {}
		await pass(60_000)
		change(guid, {isolation: {status: 'not_isolated', comment: 'Clean'}})
		const extending = extended(guid)
		expect(leaseOf(guid)?.endsAt).toBe(later(4 * hour))
		await extending
		expect(leaseOf(guid)).toMatchObject({intent})
	})

	test('whose answer was lost is held by local data where the service cannot be read', async () => {
		const guid = await connected()
		sandbox.weather.set(['PUT */isolation=reset'])
		await lost(guid)
		sandbox.weather.set(unread)
		known = {isolation: 'isolated', isolationReadAt: later(1000)}
		await pass(2 * 60_000)
		expect(all().map(({state}) => state)).toEqual(['held'])
	})

	test.each([undefined, 'job-1'])('whose agent could not release it is released again; of a job: %s', async job => {
		const guid = await held(4, true, job)
		change(guid, {failsNext: true})
		await expiryOf(guid)
		expect(releases(guid)).toBe(2)
	})

	test('whose agent does not answer is released once', async () => {
		const guid = await held()
		change(guid, {online: false})
		await pass(6 * hour, 60_000)
		expect([releases(guid), stateOf(guid)]).toEqual([1, 'pending_stop'])
	})

	test('claimed by a killed console is checked before anything is sent again', async () => {
		const guid = await held()
		await keeping.stop()
		// The killed process had already sent the release but never received the answer.
		await pass(5 * hour, hour)
		await start()
		await keeping.runner
			.run({
				name: 'svc_delete_computers_isolation',
				args: {connector_guid: guid, comment: 'as the killed one did'},
				connection,
				surface: 'automation'
			})
			.catch(() => {})
		await keeping.stop()
		const lease = leaseOf(guid)
		if (lease !== undefined) stored(leases => leases.change(lease, {state: 'releasing', attempts: 1, nextTryAt: null}))
		const before = releases(guid)
		await start()
		await leases(0)
		expect(releases(guid)).toBe(before)
		expect(stateOf(guid)).toBe('not_isolated')
	})

	test('is released once by two consoles of one profile', async () => {
		const guid = await held()
		const first = keeping
		await start()
		await expiryOf(guid)
		await leases(0)
		await pass(hour, 60_000)
		await first.stop()
		expect(releases(guid)).toBe(1)
	})

	test('extended while it is checked stays, and nothing is released', async () => {
		const guid = await held()
		let given = 0
		meanwhile = () =>
			stored(leases => {
				const lease = leases.get(connection, guid)
				if (lease?.state !== 'releasing' || given > 0) return
				given += 1
				leases.change(lease, {endsAt: later(4 * hour)})
			})
		await pass(5 * hour, 60_000)
		expect([given, releases(guid), stateOf(guid)]).toEqual([1, 0, 'isolated'])
		expect(leaseOf(guid)).toMatchObject({state: 'held', auto: true})
		await pass(2 * hour, 60_000)
		await freed(guid)
		expect(releases(guid)).toBe(1)
	})

	test.each(['held', 'releasing'])('of an ended isolation, %s, does not release a later one', async state => {
		const guid = await held()
		meanwhile = () =>
			stored(leases => {
				const old = leases.get(connection, guid)
				if (old?.intent === 'newer' || old?.state !== state || ports.clock.now() < Date.parse(old.endsAt ?? '')) return
				isolateElsewhere(guid, 'Of the newer one')
				const lease = {connection, guid, label: 'x', intent: 'newer', holder: 'sam', at: ports.clock.now()}
				leases.begin({...lease, term: {hours: 24, auto: true}})
			})
		await pass(6 * hour, 60_000)
		expect([releases(guid), stateOf(guid)]).toEqual([0, 'isolated'])
		expect(all()).toEqual([expect.objectContaining({intent: 'newer', state: 'held', attempts: 0})])
		expect(notices).toHaveLength(1)
	})

	test('keeps trying while changes are locked, and says what blocks it', async () => {
		const guid = await held()
		keeping.profile.connections.setLocked(connection, true)
		await pass(4 * hour + 5 * 60_000, 60_000)
		expect(notices.map(({body}) => body).slice(1)).toEqual([expect.stringMatching(/^Cordon could not .* are locked/)])
		expect([releases(guid), leaseOf(guid)?.trouble]).toEqual([0, expect.stringContaining('are locked')])
		keeping.profile.connections.setLocked(connection, false)
		await freed(guid)
		expect(releases(guid)).toBe(1)
		// All attempts are of one run.
		expect((await keeping.profile.runs.runs({kind: leaseReleaseKind, offset: 0, limit: 10})).rows).toHaveLength(1)
		// Cordon ran all the time: the late release reports only that it was not possible.
		const sent = await releaseOf()
		expect(sent?.args?.['comment']).toContain(leaseText.late)
	})

	test('whose release failed while the clock was ahead is released soon after it is right', async () => {
		const guid = await held()
		const {connections} = keeping.profile
		connections.setLocked(connection, true)
		const {now} = ports.clock
		const ahead = vi.spyOn(ports.clock, 'now').mockImplementation(() => now() + 30 * hour)
		await pass(5 * 60_000)
		ahead.mockRestore()
		connections.setLocked(connection, false)
		await expiryOf(guid)
		expect(releases(guid)).toBe(1)
	})

	test.each([true, false])('of a computer that was deleted in the service ends, and that is told; automatic: %s', async auto => {
		const guid = await held(4, auto)
		sandbox.weather.set(unread)
		await pass(5 * hour, 60_000)
		sandbox.weather.clear()
		change(guid, {removed: true})
		// One answer after so many failures proves nothing.
		await pass(hour / 2, 60_000)
		expect(all()).toHaveLength(1)
		await leases(0)
		expect(notices.at(-1)?.title).toContain('ended without a release')
		const {entries} = await keeping.profile.log.query({limit: 1, kinds: ['lease.changed']})
		expect(entries).toMatchObject([{surface: 'automation', message: expect.stringContaining('no such computer'), target: {guid}}])
	})

	test('of missing computers are read one a turn: a slow service holds up no other', async () => {
		await connected()
		const missing = {connection, label: 'x', holder: 'kim', at: ports.clock.now() - 2 * hour, term: {hours: 1, auto: false}}
		const guids = [randomUUID(), randomUUID(), randomUUID()]
		stored(all => guids.forEach(guid => all.begin({...missing, guid, intent: guid})))
		// In the order of the readings.
		const tried = () =>
			all()
				.flatMap(({nextTryAt}) => nextTryAt ?? [])
				.toSorted()
		for (let turn = 0; turn < 4000 && tried().length < 3; turn += 1) await pass(100, 100)
		const [first = 0, second = 0, third = 0] = tried().map(Date.parse)
		expect([second - first, third - second].every(pause => pause >= 15_000)).toBe(true)
	})

	test('of a refused isolation does not replace the current one', async () => {
		const guid = await held(24, false)
		const before = leaseOf(guid)
		await expectRefused(isolate(guid, 4, true), 'conflict')
		expect(all()).toEqual([expect.objectContaining({intent: before?.intent, auto: false})])
	})

	test('whose answer was lost is held or ended as the service says, where no local data tell', async () => {
		const guid = await held()
		const other = readyComputers(sandbox)[1] ?? ''
		const asked = {connection, label: 'x', intent: 'lost', holder: 'kim', at: ports.clock.now(), state: 'asked'} as const
		stored(leases => {
			leases.end(connection, guid)
			for (const one of [guid, other, randomUUID()]) leases.begin({...asked, guid: one, term: {hours: 4, auto: true}})
		})
		const reads = () => sandbox.requests.filter(({path}) => path.includes(other)).length
		const before = reads()
		await pass(9 * 60_000)
		expect([all().length, reads()]).toEqual([3, before])
		sandbox.weather.set(unread)
		await pass(5 * 60_000)
		sandbox.weather.clear()
		await leases(1)
		await until('the hold', () => leaseOf(guid)?.state === 'held')
		expect(leaseOf(guid)?.nextTryAt).toBeNull()
		await expiryOf(guid)
	})

	test('whose answer was lost waits for no other at a service that answers', async () => {
		await connected()
		const asked = {connection, label: 'x', intent: 'lost', holder: 'kim', at: ports.clock.now(), state: 'asked'} as const
		stored(kept => {
			for (let count = 0; count < 8; count += 1) kept.begin({...asked, guid: randomUUID(), term: {hours: 4, auto: true}})
		})
		await pass(620_000)
		// In one turn: the clock stands still.
		await expect.poll(all).toEqual([])
	})

	test('that fails does not hold up the others', async () => {
		const guid = await held()
		stored(leases => {
			const broken = {connection: 'c9', guid: 'g9', label: 'broken', intent: 'i9', holder: 'sam', at: 0}
			leases.begin({...broken, term: {hours: 1, auto: true}})
		})
		outOfReach = connection => (connection === 'c9' ? 'out of reach' : undefined)
		await expiryOf(guid)
		expect(releases(guid)).toBe(1)
		expect(troubles.length).toBeGreaterThan(0)
	})

	test('extended while another was released is not announced with its old expiry', async () => {
		const guid = await held()
		const [endsAt] = all().map(lease => lease.endsAt ?? '')
		stored(leases => {
			const at = Date.parse(endsAt ?? '') - 4 * hour
			const second = {connection, guid: 'g2', label: 'SECOND', intent: 'i2', holder: 'sam', at}
			leases.begin({...second, term: {hours: 4, auto: false}})
		})
		const {leases} = keeping.profile.escrow
		meanwhile = () => {
			const second = leases.get(connection, 'g2')
			if (second === undefined || ports.clock.now() < Date.parse(endsAt ?? '')) return
			// While the first is requested; the second is already listed.
			leases.change(second, {endsAt: later(24 * hour)})
		}
		await expiryOf(guid)
		await pass(hour, 60_000)
		expect(notices.filter(({title}) => title.includes('SECOND')).map(({title}) => title)).toEqual([expect.stringContaining('expires at')])
	})
})
