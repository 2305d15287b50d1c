import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'

import {refused, expectRefused} from '#base/testing/code-of.ts'
import {startScript} from '#base/testing/killed.ts'
import type {Host} from '#sandbox/tenant/host.ts'
import type {Group} from '#model/group.ts'
import {defaultGuardRules, type GuardRules} from '#model/guard.ts'
import {factsOnList, type HashFacts} from '#model/hash-marks.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import {revealUnlockCode} from '../isolation/reveal.ts'
import {createRunner} from './runner.ts'
import {openBench, type Bench} from './testing/bench.ts'
import type {CommandRequest} from './types.ts'

let bench: Bench

beforeEach(async () => {
	bench = await openBench({computers: 120, seed: 'guards', agentDelayMs: 5000})
	return bench.close
})

const isolate = 'svc_put_computers_isolation'
const put = (guid: string, more: Partial<CommandRequest> = {}) => bench.run(isolate, {connector_guid: guid}, more)

const isProtected = async (work: Promise<unknown>) => await expectRefused(work, 'protected')

function isolatable() {
	const {fleet, tenant} = bench.sandbox.world
	return tenant.hosts.filter(each => fleet.available(each) && fleet.isolation(each).status === 'not_isolated')
}

function host(wanted: (host: Host) => boolean) {
	const found = isolatable().find(wanted)
	if (found === undefined) throw new Error('There is no such computer.')
	return found
}

const ordinary = () => isolatable().filter(({role}) => role !== 'server')
const workstation = () => host(({role}) => role !== 'server')
const server = () => host(({role}) => role === 'server')

function rules(change: Partial<GuardRules>) {
	const all = {...defaultGuardRules, ...change}
	bench.profile.guards.setRules({connection: 'sandbox', rules: all, confirm: 'sandbox', surface: 'cli'})
}

function protect(change: Partial<GuardRules['protected']>) {
	rules({protected: {...defaultGuardRules.protected, ...change}})
}

async function groupAbove({guid}: Host) {
	const computer = await bench.run('svc_get_computer_by_connector', {connector_guid: guid})
	const group = await bench.run('svc_get_group', {group_guid: (computer.data as {group_guid: string}).group_guid})
	const {ancestry, guid: own} = group.data as Group // what the service answers
	return ancestry?.at(-1)?.guid ?? own
}

function writes() {
	return bench.sent().filter(each => !each.startsWith('GET ') && !each.startsWith('OPTIONS '))
}

describe('without the confirmation of its tier nothing is sent, on any surface', () => {
	test.each(['screen', 'cli', 'automation', 'playbook'] as const)('%s', async surface => {
		const own = {surface, agreement: {}}
		const [plain, critical] = [workstation(), server()]
		rules({lineReason: true})
		await expectRefused(put(plain.guid, own), 'confirmation_needed', '', {field: 'reason'})
		const details = {field: 'confirm', fix: expect.stringContaining(`--confirm ${critical.hostname}`)}
		const unnamed = bench.run(isolate, {connector_guid: critical.guid, comment: 'Beaconing'}, own)
		await expectRefused(unnamed, 'confirmation_needed', '', details)
		const wrong = {surface, agreement: {confirm: 'yes'}}
		const mistyped = bench.run(isolate, {connector_guid: critical.guid, comment: 'x'}, wrong)
		await expectRefused(mistyped, 'confirmation_needed', 'does not match')
		expect([writes(), await bench.entries()]).toEqual([[], []])
	})
})

test('a command line needs no reason where the rules allow it; a screen always does', async () => {
	const {guid} = workstation()
	const screen = {surface: 'screen', agreement: {}} as const
	expect(await refused(put(guid, screen))).toMatchObject({details: {field: 'reason'}})
	await put(guid, {surface: 'cli', agreement: {}})
	expect(writes()).toHaveLength(1)
})

test('with the typed name a server is isolated, and the log has how it was confirmed', async () => {
	const {guid, hostname} = server()
	const agreement = {reason: 'Ransomware', ticket: 'INC-7', confirm: hostname.toLowerCase()}
	await put(guid, {agreement})
	const [, intent] = await bench.entries()
	expect(intent).toMatchObject({
		kind: 'command.requested',
		args: {comment: 'Ransomware [INC-7]'},
		data: {tier: 3, confirmed: 'name', reason: 'Ransomware', ticket: 'INC-7'}
	})
})

test('a server whose name a shell would run, with blanks nobody sees, is isolated by its name as it is read', async () => {
	const one = server()
	Object.assign(one, {hostname: '$(reboot)  DC-01 '})
	const error = await refused(put(one.guid))
	expect(error.details.fix).toMatch(/--confirm NAME$/)
	await put(one.guid, {agreement: {reason: 'Ransomware', confirm: '$(reboot) dc-01'}})
	expect(writes()).toHaveLength(1)
})

test('the eleventh isolation of a day needs the typed name, whoever sent the first ten', async () => {
	rules({rolling: {isolations: 2, hours: 24}})
	const free = ordinary()
	const elsewhere = {command: isolate, connection: {id: 'other', name: '', url: ''}}
	await bench.profile.log.append({kind: 'command.requested', surface: 'cli', message: '', ...elsewhere})
	await put(free[0]?.guid ?? '')
	await fromAnotherProgram(free[1]?.guid ?? '')
	const third = free[2]?.guid ?? ''
	await expectRefused(put(third), 'confirmation_needed', '2 were isolated')
	await bench.ports.clock.advance(25 * 3_600_000)
	await put(third)
	expect(writes()).toHaveLength(3)
})

test('simultaneous isolations are counted one after the other', async () => {
	rules({rolling: {isolations: 2, hours: 24}})
	const free = ordinary()
	// The reads before a change take a while: by then all five have been admitted.
	const together = Promise.withResolvers<undefined>()
	let waiting = 0
	const lookBefore = () => {
		if ((waiting += 1) === 5) together.resolve(undefined)
		return together.promise
	}
	bench.replace({lookBefore})
	const all = await Promise.allSettled(free.slice(0, 5).map(({guid}) => put(guid)))
	expect(all.filter(({status}) => status === 'fulfilled')).toHaveLength(2)
	expect(all.find(({status}) => status === 'rejected')).toMatchObject({
		reason: {code: 'confirmation_needed', message: expect.stringContaining('2 were isolated')}
	})
	expect(writes()).toHaveLength(2)
})

test('isolations of two programs at the same moment are counted before either is sent', async () => {
	rules({rolling: {isolations: 1, hours: 24}})
	const [own, other] = ordinary()
	const {log} = bench.profile
	let isFirst = true
	const append: typeof log.append = async entry => {
		if (isFirst) await fromAnotherProgram(other?.guid ?? '')
		isFirst = false
		return await log.append(entry)
	}
	bench.replace({log: {...log, append}})
	await expectRefused(put(own?.guid ?? ''), 'confirmation_needed', '1 was isolated')
	const [ended] = await bench.entries()
	expect([writes().length, ended]).toMatchObject([1, {kind: 'command.failed', data: {code: 'confirmation_needed'}}])
})

test('with jobs that cannot be read, a computer is isolated after its name was typed', async () => {
	writeFileSync(join(bench.ports.profile, 'runs.db'), 'torn')
	const {guid, hostname} = workstation()
	await expectRefused(put(guid), 'confirmation_needed')
	await put(guid, {agreement: {confirm: hostname}})
	expect(writes()).toHaveLength(1)
})

test('a computer that becomes protected meanwhile is not changed', async () => {
	const {guid} = workstation()
	const lookBefore = async () => void protect({guids: [guid]})
	bench.replace({lookBefore})
	await isProtected(put(guid))
	expect([writes(), await bench.entries()]).toEqual([[], []])
	rules({})
	bench.replace({})
	await put(guid)
})

test('an isolation that the service refused does not count towards the limit', async () => {
	rules({rolling: {isolations: 2, hours: 24}})
	const first = workstation().guid
	await put(first)
	await refused(put(first))
	await put(workstation().guid)
	await expectRefused(put(workstation().guid), 'confirmation_needed', '2 were isolated')
})

/** Another program on the same profile, with its own open files. */
async function fromAnotherProgram(guid: string) {
	const {ports} = bench
	const profile = openTestProfile(ports)
	const {connections, log, locks, guards, escrow} = profile
	const runner = createRunner({clock: ports.clock, connections, log, locks, guards, escrow})
	await runner.run({name: isolate, args: {connector_guid: guid}, surface: 'cli', agreement: {reason: 'Beaconing'}})
	await profile.stop()
}

describe('a protected computer', () => {
	test.each([
		['by its GUID', (one: Host) => protect({guids: [one.guid.toUpperCase()]})],
		['by its name', (one: Host) => protect({names: [`${one.hostname.slice(0, 3)}*`]})],
		['by a group above its own', async (one: Host) => protect({groups: [await groupAbove(one)]})],
		[
			'by a role that somebody gave it',
			(one: Host) => {
				bench.profile.labels.of('sandbox').change({guids: [one.guid], add: {tags: [], roles: ['jump_host']}, remove: {tags: [], roles: []}})
				protect({roles: ['jump_host']})
			}
		]
	] as const)('%s is neither isolated nor moved, also as a part of a job, and can always be released', async (_how, guard) => {
		const one = workstation()
		await put(one.guid)
		await guard(one)
		expect(bench.profile.guards.rules('another connection')).toEqual(defaultGuardRules)
		const before = writes().length
		const agreement = {reason: 'I insist', confirm: one.hostname}
		for (const job of [undefined, 'job-1']) await isProtected(put(one.guid, {agreement, ...(job !== undefined && {job})}))
		expect(writes()).toHaveLength(before)
		await bench.run('svc_delete_computers_isolation', {connector_guid: one.guid})
		expect(writes()).toHaveLength(before + 1)
	})
})

test('a group above protects also where local data only name the groups of computers', async () => {
	const {guid} = workstation()
	protect({groups: [await groupAbove(workstation())]})
	const client = bench.profile.connections.client('sandbox')
	const inventory = openConnectionInventory({...bench.ports, connection: 'sandbox', client})
	bench.replace({inventory: () => inventory})
	for (const again of [guid, guid]) await isProtected(put(again))
	expect(writes()).toEqual([])
	await inventory.stop()
})

describe('guard rules', () => {
	test("are changed with the connection's name alone, and before and after are logged", async () => {
		const change = {connection: 'sandbox', rules: {...defaultGuardRules, largestJob: 5}, surface: 'screen'} as const
		for (const confirm of [undefined, '', 'yes']) expect(() => bench.profile.guards.setRules({...change, confirm})).toThrow('Type the connection')
		expect(bench.profile.guards.rules('sandbox').largestJob).toBe(10_000)
		bench.profile.guards.setRules({...change, confirm: 'Sandbox'})
		expect(bench.profile.guards.rules('sandbox').largestJob).toBe(5)
		const stale = {...change, before: defaultGuardRules, confirm: 'Sandbox'}
		expect(() => bench.profile.guards.setRules(stale)).toThrow('Someone else changed the guard rules')
		expect((await bench.profile.log.query({limit: 1, kinds: ['connection.changed']})).entries[0]).toMatchObject({
			message: 'Guard rules of Sandbox changed (largest job).',
			data: {before: {largestJob: 10_000}, after: {largestJob: 5}}
		})
	})

	test('refuse an approved change as any other, and ask nothing more for it', async () => {
		const {guards} = bench.profile
		const targets = [{id: 'g', label: 'DC-1', roles: ['domain_controller' as const], guessedRoles: [], groups: []}]
		const request = {connection: 'sandbox', action: 'isolate' as const, targets}
		expect((await guards.admit(request, 'approved', 'screen')).tier).toBe(3)
		protect({names: ['DC-*']})
		await isProtected(guards.admit(request, 'approved', 'screen'))
	})

	test('that cannot be read allow nothing', async () => {
		bench.profile.database.run("INSERT INTO guard_rules VALUES ('sandbox', 'nonsense')")
		await expectRefused(put(workstation().guid), 'storage')
		expect(writes()).toEqual([])
	})
})

describe('the code of an isolation', () => {
	test('is random, sealed before it is sent, and in no result, log or database', async () => {
		const {guid} = workstation()
		const wish = {isolation: {code: 'generated', lease: {hours: 4, auto: false}}} as const
		const {codes, ...rest} = bench.profile.escrow
		const seal: typeof codes.seal = async one => {
			for (let calls = 0; calls < 3; calls += 1) await bench.run('svc_get_version')
			await codes.seal(one)
			expect(writes()).toEqual([])
		}
		bench.replace({escrow: {...rest, codes: {...codes, seal}}})
		const result = await put(guid, wish)
		const [sealed] = bench.profile.escrow.codes.list('sandbox')
		const code = await bench.profile.escrow.codes.open(sealed?.id ?? '')
		expect(code).toMatch(/^[A-Z0-9]{16}$/)
		expect(sealed).toMatchObject({id: result.entry, guid, state: 'in_use'})
		const told = JSON.stringify([result, (await bench.profile.log.query({limit: 100})).entries])
		expect(told).not.toContain(code)
		expect(bench.profile.escrow.leases.get('sandbox', guid)).toMatchObject({state: 'held', holder: 'kim'})
	})

	test('is shown offline, after its reason is logged, and only for the named computer', async () => {
		const {guid, hostname} = workstation()
		const {entry} = await put(guid, {isolation: {code: 'generated', lease: null}})
		const {log, escrow, connections} = bench.profile
		const services = {client: () => undefined, log, codes: escrow.codes, clock: bench.ports.clock}
		const request = {connection: connections.find('sandbox'), guid, label: hostname, reason: 'on site'}
		const more = {surface: 'screen', incident: null} as const
		const shown = await revealUnlockCode(services, {...request, ...more})
		expect(shown).toMatchObject({source: 'vault', code: await escrow.codes.open(entry)})
		expect(await log.entry(shown.entry)).toMatchObject({kind: 'secret.revealed', data: {reason: 'on site'}})
		const other = {...request, ...more, guid: server().guid, sealed: entry}
		await expectRefused(revealUnlockCode(services, other), 'not_found')
		const refusing = {asks: async () => 'passphrase' as const, check: () => Promise.reject(new Error('wrong'))}
		const before = (await log.query({limit: 1, kinds: ['secret.revealed']})).matching
		await expect(revealUnlockCode({...services, presence: refusing}, {...request, ...more})).rejects.toThrow('wrong')
		expect((await log.query({limit: 1, kinds: ['secret.revealed']})).matching).toBe(before)
	})

	test('that cannot be sealed is not sent', async () => {
		const {codes, ...rest} = bench.profile.escrow
		const seal = () => Promise.reject(new Error('the disk is full'))
		bench.replace({escrow: {...rest, codes: {...codes, seal}}})
		const wish = {isolation: {code: 'generated', lease: null}} as const
		await refused(put(workstation().guid, wish))
		expect([writes(), (await bench.entries())[0]?.kind]).toEqual([[], 'command.failed'])
	})
})

test('a lock that another process sets after the proof keeps the request from being sent', async () => {
	// The child waits for this answer after the guard rules were checked and before anything is sent.
	bench.sandbox.weather.set(['GET /v1/computers/*=latency:1500'])
	const {guid} = workstation()
	const script = fileURLToPath(new URL('testing/one-stored-change.ts', import.meta.url))
	const child = startScript(script, [bench.ports.profile, guid], [bench.sandbox.apiKey])
	await bench.reached('GET')
	bench.profile.connections.setLocked('sandbox', true)
	const told = await text(child.stdout ?? process.stdin)
	expect(JSON.parse(told)).toMatchObject({code: 'read_only'})
	expect(writes()).toEqual([])
})

/** The arguments that put a hash on a list of which this is known. */
function listing(sha256: string, facts: HashFacts) {
	bench.replace({knownHashes: () => new Map([[sha256, facts]])})
	return {file_list_guid: bench.sandbox.world.tenant.lists.at(-1)?.guid ?? '', sha256}
}

test('a hash that our events call clean is typed before it goes on a list; removing it asks nothing', async () => {
	const args = listing('ab'.repeat(32), {clean: true, prevalence: 3})
	const error = await refused(bench.run('svc_set_file_list_files_by_sha', args, {agreement: {reason: 'Emotet'}}))
	expect(error).toMatchObject({code: 'confirmation_needed', details: {field: 'confirm'}})
	expect(error.message).toContain('Stored events call abababab clean')
	expect(writes()).toEqual([])
	const confirm = /--confirm (\S+)/.exec(error.details.fix ?? '')?.[1]
	await bench.run('svc_set_file_list_files_by_sha', args, {agreement: {reason: 'Emotet', confirm}})
	await bench.run('svc_delete_file_list_files_by_sha', args, {agreement: {reason: 'a mistake'}})
	expect(writes()).toHaveLength(2)
})

test('a hash that our events call malicious is typed before it goes on an allow list', async () => {
	const args = listing('cd'.repeat(32), factsOnList('allowed_applications', [], {malicious: true}))
	await expectRefused(
		bench.run('svc_set_file_list_files_by_sha', args, {agreement: {reason: 'needed'}}),
		'confirmation_needed',
		'malicious: this list would let it run'
	)
	expect(writes()).toEqual([])
})

test('maintenance windows hold for lines, playbooks and the parts of a job', async () => {
	const now = bench.ports.clock.now()
	const span = (hours: number) => {
		const at = (ms: number) => `${new Date(now + ms * 3_600_000).toISOString().slice(11, 13)}:00`
		return `SUN-SAT ${at(hours)}-${at(hours + 1)} UTC`
	}
	rules({windows: [`isolate never ${span(0)}`, `change only ${span(3)}`]})
	const [one, other] = [workstation(), server()]
	const move = {connector_guid: one.guid, group_guid: await groupAbove(other)}
	const [args, agreement] = [{connector_guid: one.guid}, {reason: 'Drill'}]
	for (const surface of ['cli', 'playbook'] as const) {
		await expectRefused(bench.run(isolate, args, {surface, agreement}), 'confirmation_needed', 'maintenance window')
		await isProtected(bench.run('svc_move_computer', move, {surface}))
	}
	const part = {job: 'one', confirmedAt: now - 2 * 3_600_000}
	await isProtected(bench.run(isolate, args, part))
	await isProtected(bench.run('svc_move_computer', move, part))
	expect(writes()).toEqual([])
	await bench.run(isolate, args, {job: 'two', confirmedAt: now})
	await put(workstation().guid, {agreement: {...agreement, confirm: workstation().hostname}})
	expect(writes()).toHaveLength(2)
	const next = workstation()
	const above = await groupAbove(next)
	rules({windows: [`isolate never ${span(0)} ${above}`, `change only ${span(3)} ${above}`]})
	await expectRefused(put(next.guid), 'confirmation_needed')
	await isProtected(bench.run('svc_move_computer', {...move, connector_guid: next.guid}))
})
