import type {EventRow} from '#contract/events.ts'
import {CordonError} from '#contract/errors.ts'
import type {Automation, Rule, Schedule} from '#model/automation.ts'

import {refused} from '#base/testing/code-of.ts'
import {openBench, type Bench} from '#core/actions/commands/testing/bench.ts'
import {openMachine, type EngineProcess, type Machine} from '#core/engine/testing/process.ts'
import {watchPlans} from '#core/store/testing/plans.ts'
import {openAutomationStore} from './automation-store.ts'
import {openAutomations, type Automations} from './automation.ts'
import {library} from './library.ts'
import {openPlaybooks, type Playbooks} from './playbooks.ts'

let bench: Bench
let machine: Machine
let rows: EventRow[]
let notices: string[]
let revision = 0
let queries = 0

beforeEach(async () => {
	bench = await openBench({computers: 20, seed: 'automation'})
	machine = openMachine(bench.profile.runs, bench.ports.clock)
	rows = []
	notices = []
})
afterEach(async () => {
	await machine.stop()
	await bench.close()
})

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

interface Process {
	life: EngineProcess
	playbooks: Playbooks
	automations: Automations
}

/** A separate console on the same profile. */
function open() {
	const life = machine.start([])
	const {connections, log, database} = bench.profile
	const shared = {connections, log, database: () => database, clock: bench.ports.clock, operator: 'kim'}
	const onTrouble = (message: string, error: unknown) => void notices.push(`${message} ${String(error)}`)
	const playbooks = openPlaybooks({
		...{...shared, library, onTrouble, runs: life},
		runner: {run: ({name, args}) => life.alive(() => bench.run(name, args)), foresee: async () => false}
	})
	const automations = openAutomations({
		...{...shared, playbooks, onTrouble, random: bytes => bench.ports.random(bytes)},
		events: () => ({
			state: () => ({revision}),
			arrived: () => ({generation: '', newest: revision}),
			arrivals: after => ({events: rows.filter(({key, severity}) => Number(key) > after && severity === 'critical')}),
			query: ({from, offset, limit}) => {
				queries += 1
				const found = rows.filter(({at}) => from === null || at >= from).toSorted((a, b) => (a.at < b.at ? 1 : -1))
				const matching = {count: found.length, exact: true}
				return {rows: found.slice(offset, offset + limit), offset, matching, all: rows.length, revision}
			}
		}),
		rolesOf: (_connection, guid) => (guid.startsWith('srv') ? ['server'] : []),
		notify: ({title}) => void notices.push(title)
	})
	return {life, playbooks, automations}
}

const common = {id: '', connection: 'sandbox', enabled: true, variables: {}} as const
const daily: Schedule = {
	...{...common, kind: 'schedule', name: 'Daily', playbook: 'Stale and duplicate computers'},
	...{times: '0 6 * * *', timeZone: 'UTC', missed: 'skip'}
}
const critical: Rule = {
	...{...common, kind: 'rule', name: 'Critical', filter: 'severity=critical', roles: ['server'], playbook: null},
	...{most: 2, minutes: 60}
}

const pass = (ms: number) => bench.ports.clock.advance(ms)
const look = async ({automations}: Process, later = 0) => {
	if (later !== 0) await pass(later)
	await automations.look()
}
const save = ({automations}: Process, one: Automation) => automations.save(one, 'screen')
async function opened(one: Automation) {
	const process = open()
	await save(process, one)
	return process
}
const outcomes = ({automations}: Process, one?: string) =>
	automations.firings(one, 50).map(({outcome, count}) => (count === 1 ? outcome : `${count} ${outcome}`))
const runsOf = async ({playbooks}: Process) => (await playbooks.runs({offset: 0, limit: 10})).rows

let number = 0
function arrive(agoMs: number, change: Partial<EventRow> = {}) {
	revision += 1
	const at = new Date(bench.ports.clock.now() - agoMs).toISOString()
	const none = {
		...{typeId: 1, detection: 'W32.Bad', about: null, parent: null, outcome: null, user: null, groupGuids: []},
		...{sha256: null, url: null, odd: false}
	}
	rows.push({
		...{key: `${revision}`, id: `${(number += 1)}`, at, type: 'Threat Detected', severity: 'critical', ...none},
		...{guid: 'srv-1', hostname: 'SRV-1', fileName: null, filePath: null, disposition: null, remote: null},
		...{detectionId: `d${number}`, ...change}
	})
}

describe('a schedule', () => {
	test('starts its playbook once at its time, in one process, and says by whom', async () => {
		const one = open()
		const {id, next} = await save(one, daily)
		expect(next).toBe('2026-01-01T06:00:00.000Z')
		await look(one)
		expect(await runsOf(one)).toHaveLength(0)
		await pass(6 * hour + 10_000)
		expect((await save(one, daily)).id, 'its answer was lost').toBe(id)
		const other = open()
		await Promise.all([look(one), look(other), look(one)])
		expect(outcomes(one)).toEqual(['started'])
		const [run] = await runsOf(one)
		expect(run).toMatchObject({startedBy: 'schedule Daily'})
		const begun = await one.life.get(run?.id ?? '')
		expect(begun && (await one.life.definitionOf(begun))).toMatchObject({appliedBy: 'kim'})
		await look(one)
		expect(await runsOf(one)).toHaveLength(1)
	})

	test('killed between the start and its record is not started again by the next process', async () => {
		const one = open()
		await one.automations.save(daily, 'cli')
		await pass(6 * hour + 1000)
		const dead = one.life.killAt('after', ops => ops.some(({kind}) => kind === 'begin'))
		void look(one)
		await dead
		const next = open()
		await look(next)
		expect(outcomes(next)).toEqual(['started'])
		expect(await runsOf(next)).toHaveLength(1)
	})

	test('keeps a run as long as its line in the history, and the last one longer', async () => {
		const process = await opened(daily)
		for (const later of [6 * hour + 1000, day]) {
			await look(process, later)
			await process.playbooks.settled((await runsOf(process))[0]?.id ?? '')
		}
		const [last, ...others] = await runsOf(process)
		expect(others).toHaveLength(1)
		expect((await process.playbooks.runs({last: true, offset: 0, limit: 10})).rows).toEqual([last])
		// The clock is far ahead for two days.
		for (const later of [200 * day + hour, day + minute, -201 * day - hour, 92 * day, ...Array<number>(6).fill(day + minute)])
			await look(process, later)
		expect(await runsOf(process)).toHaveLength(2)
		vi.spyOn(process.playbooks, 'forget').mockRejectedValueOnce(new Error('busy'))
		await expect(look(process, day + hour)).rejects.toThrow('busy')
		await look(process, day + hour)
		expect(await runsOf(process)).toEqual([last])
	})

	test.each([
		['skip', 0, ['3 missed']],
		['once', 1, ['started', '2 missed']]
	] as const)('with %s of missed times starts %d, and shows what was missed', async (missed, runs, told) => {
		const process = await opened({...daily, missed})
		await look(process, 3 * day)
		expect(outcomes(process).toSorted()).toEqual(told.toSorted())
		expect(await runsOf(process)).toHaveLength(runs)
		expect(notices).toEqual(['Schedule missed: Daily'])
		await look(process)
		expect(outcomes(process)).toHaveLength(told.length)
	})

	test('waits while its connection leads to another service, says so once, and goes on when it is saved again', async () => {
		const process = open()
		const {id} = await save(process, daily)
		const {connections, database} = bench.profile
		// As an older Cordon saved it.
		database.run("UPDATE automation SET body = json_remove(body, '$.url')")
		await look(process)
		const there = {...connections.find('sandbox'), url: 'https://other.example', sandbox: false}
		vi.spyOn(connections, 'find').mockReturnValue(there)
		await look(process, 6 * hour + 10_000)
		await look(process)
		expect(notices).toEqual(['On hold: Daily'])
		expect(await runsOf(process)).toHaveLength(0)
		await process.automations.enable(id, true, 'cli')
		const held = {onHold: expect.stringContaining('another service'), next: null, last: {outcome: 'skipped'}}
		expect(process.automations.list()).toMatchObject([held])
		expect(await save(process, {...daily, id})).toMatchObject({onHold: null, next: expect.any(String)})
		await look(process, day)
		expect(outcomes(process)).toEqual(['started', 'skipped'])
	})

	test('starts no second run beside one that waits, however long', async () => {
		const process = open()
		const guid = bench.sandbox.world.tenant.hosts[0]?.guid ?? ''
		const variables = {__computer__: guid, __reason__: 'Drill'}
		await save(process, {...daily, times: '0 0 * * *', playbook: 'Isolate after approval, with lease', variables})
		for (let each = 0; each < 100; each += 1) await look(process, day)
		expect(await runsOf(process)).toMatchObject([{state: 'waiting'}])
	})

	test('goes on, and says so, after the clock was ahead once', async () => {
		const process = await opened(daily)
		await look(process, 30.5 * day)
		await look(process, -30 * day)
		expect(process.automations.firings(undefined, 5)[0]?.message).toContain('clock went back')
		await look(process, 18 * hour + 1000)
		expect(outcomes(process)[0]).toBe('started')
	})

	test('starts again where the store of its last run was lost', async () => {
		const process = await opened(daily)
		for (const ms of [6 * hour + 1000, day]) {
			await look(process, ms)
			bench.profile.database.run("UPDATE automation_firing SET run = 'lost'")
		}
		expect(outcomes(process)).toEqual(['started', 'started'])
	})

	test('that is paused misses nothing, and begins anew when it is resumed', async () => {
		const process = open()
		const one = await save(process, {...daily, enabled: false})
		await look(process, 2 * day)
		await save(process, {...daily, id: one.id})
		await look(process)
		expect(outcomes(process)).toEqual([])
	})

	test('saved from an old form is refused, and a pause leaves what others changed', async () => {
		const {automations} = open()
		const {id} = await automations.save(daily, 'screen')
		const before = {...daily, id}
		const stale = () => refused(automations.save({...before, name: 'New'}, 'screen', before))
		await automations.save({...before, times: '0 8 * * *'}, 'screen', before)
		expect(await automations.enable(id, false, 'cli')).toMatchObject({enabled: false, times: '0 8 * * *'})
		expect(await stale()).toMatchObject({code: 'conflict'})
		await automations.remove(id, 'cli')
		expect(await stale()).toMatchObject({code: 'not_found'})
		expect(automations.list()).toEqual([])
	})

	test('of an unsigned playbook, or without a value for a variable, is refused', async () => {
		const {automations, playbooks} = open()
		const text = playbooks.file('Stale and duplicate computers').text
		await playbooks.add(text.replace('Stale and duplicate computers', 'Mine').replace(/playbook--\w/, 'playbook--0'))
		expect(await refused(automations.save({...daily, playbook: 'Mine'}, 'screen'))).toMatchObject({code: 'usage'})
		const hunt = {...daily, playbook: 'Hunt indicators'}
		expect(await refused(automations.save(hunt, 'screen'))).toMatchObject({details: {field: '__indicators__'}})
		expect(automations.list()).toEqual([])
	})
})

describe('a rule', () => {
	test('reports an event on a server once, also when local data is loaded anew', async () => {
		const process = open()
		arrive(minute)
		await save(process, critical)
		await pass(minute)
		arrive(1000)
		arrive(1000, {guid: 'lap-1', hostname: 'LAP-1'})
		await look(process)
		rows = rows.map(row => ({...row, key: `${(revision += 1)}`}))
		await look(process)
		expect(notices).toEqual(['Critical: Threat Detected on SRV-1'])
		expect(outcomes(process)).toEqual(['notified'])
	})

	test('never acts on events older than itself, nor on those before it was resumed', async () => {
		const process = open()
		const {id} = await save(process, {...critical, enabled: false})
		await pass(hour)
		arrive(minute)
		await save(process, {...critical, id})
		await look(process)
		expect(outcomes(process)).toEqual([])
	})

	test('keeps its limit, lists what it skipped, and acts again later', async () => {
		const process = await opened(critical)
		await pass(minute)
		for (let each = 0; each < 4; each += 1) arrive(1000 - each)
		await look(process)
		expect(outcomes(process).toSorted()).toEqual(['limited', 'limited', 'notified', 'notified'])
		expect(notices.filter(title => title.startsWith('Rule at its limit'))).toHaveLength(1)
		await pass(2 * hour)
		arrive(1000)
		await look(process)
		expect(outcomes(process)[0]).toBe('notified')
	})

	test('settles many events in one write, before anybody hears of one', async () => {
		const process = await opened(critical)
		await pass(minute)
		for (let each = 0; each < 4; each += 1) arrive(1000 - each)
		let stored = 0
		vi.spyOn(notices, 'push').mockImplementationOnce(() => (stored = outcomes(process).length))
		await look(process)
		expect(stored).toBe(4)
	})

	test('acts again after the clock was ahead when it acted, and misses nothing between', async () => {
		const process = await opened(critical)
		await pass(30 * day)
		arrive(1000)
		arrive(1000)
		await look(process)
		await pass(-29.5 * day)
		arrive(1000)
		await look(process)
		await look(process, 2 * hour)
		expect(outcomes(process)).toEqual(['notified', 'missed', 'notified', 'notified'])
	})

	test('acts on an event that arrives late behind known ones, and says where its search ends', async () => {
		const process = await opened(critical)
		await pass(hour)
		const laptops = (count: number) => Array.from({length: count}).forEach(() => arrive(minute, {guid: 'lap-1'}))
		arrive(1000)
		laptops(500)
		await look(process)
		arrive(2 * minute)
		await look(process)
		expect(outcomes(process)).toEqual(['notified', 'notified'])
		laptops(5000)
		await look(process)
		expect(outcomes(process)).toContain('limited')
	})

	test('looks at all of a day again only for an event that may match, and lets others in meanwhile', async () => {
		const process = await opened(critical)
		arrive(1000)
		const turn = vi.fn<() => void>()
		setImmediate(turn)
		await look(process)
		expect(turn).toHaveBeenCalled()
		const before = queries
		arrive(1000, {severity: 'low'})
		await look(process)
		expect(queries).toBe(before)
		await look(process, 10 * minute)
		expect(queries).toBeGreaterThan(before)
	})

	test('starts its playbook with fields of the event, in one run for each detection', async () => {
		const process = open()
		const hunting = {playbook: 'Hunt indicators', variables: {__indicators__: '{sha256}'}}
		await save(process, {...critical, ...hunting})
		await pass(minute)
		const sha256 = 'ab'.repeat(32)
		arrive(2000, {sha256, detectionId: 'same'})
		await look(process)
		arrive(1000, {sha256, detectionId: 'same'})
		await look(process)
		expect(outcomes(process)).toEqual(['started'])
		const [run] = await runsOf(process)
		expect((await process.playbooks.run(run?.id ?? '')).variables).toMatchObject({__indicators__: sha256})
	})

	test('that names no field of an event is refused, and a preview shows what it would do', async () => {
		const process = open()
		const odd = {...critical, playbook: 'Hunt indicators', variables: {__indicators__: '{nothing}'}}
		expect((await refused(save(process, odd))).message).toContain('no field nothing')
		for (let each = 0; each < 3; each += 1) arrive(hour + each)
		const {rows: told} = process.automations.test(critical, 7)
		expect(told.map(({outcome}) => outcome)).toEqual(['limited', 'notified', 'notified'])
		expect(outcomes(process)).toEqual([])
	})

	test('is in the incident log when it is saved and deleted, also without its connection', async () => {
		const process = open()
		const {id} = await save(process, critical)
		vi.spyOn(bench.profile.connections, 'find').mockImplementation(() => {
			throw new CordonError('unknown_connection')
		})
		await process.automations.remove(id, 'cli')
		const {entries} = await bench.profile.log.query({kinds: ['note'], limit: 10})
		expect(entries.map(({message, surface}) => `${surface}: ${message}`).toSorted()).toEqual([
			'cli: Rule deleted: Critical.',
			'screen: Rule saved: Critical.'
		])
	})
})

test('what is too old, and the last run of each, are found without reading all firings', async () => {
	const store = openAutomationStore(() => bench.profile.database)
	const plans = watchPlans()
	await store.prune('2026', async () => {})
	for (const plan of plans) expect(plan).toMatch(/firing_handled \(handled_at<\?\).*firing_run \(automation=\?\)$/)
})
