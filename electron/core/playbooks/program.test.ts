import {changeComputer, readyHosts} from '#sandbox/testing/running.ts'
import {isAsker} from '#model/approval.ts'
import {defaultGuardRules, type GuardRules} from '#model/guard.ts'
import {approvalExtension} from '#model/playbook-document.ts'
import {ownAddress} from '#model/playbook.ts'

import {refused} from '#base/testing/code-of.ts'
import {openBench, type Bench} from '#core/actions/commands/testing/bench.ts'
import {createRunner} from '#core/actions/commands/runner.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {carryOutApproved} from '#core/app/approved.ts'
import {approvalSignal} from '#core/approvals/approvals.ts'
import {openMachine, type EngineProcess, type Machine} from '#core/engine/testing/process.ts'
import {until} from '#base/testing/until.ts'
import {compose, type Line} from './compose.ts'
import {draftOf} from './draft.ts'
import {library} from './library.ts'
import {openPlaybooks, type Playbooks} from './playbooks.ts'

const {signal} = new AbortController()
let bench: Bench
let machine: Machine
let runner: Runner

interface Process {
	life: EngineProcess
	playbooks: Playbooks
}

beforeEach(async () => {
	bench = await openBench({computers: 300, seed: 'playbooks', agentDelayMs: 20_000})
	machine = openMachine(bench.profile.runs, bench.ports.clock)
	const {connections, log, locks, guards, escrow, approvals} = bench.profile
	runner = createRunner({clock: bench.ports.clock, connections, log, locks, guards, escrow, approvals})
})

afterEach(async () => {
	await machine.stop()
	await bench.close()
})

/** A separate console on the same profile. */
function open(): Process {
	const life = machine.start([])
	const {connections, log, database} = bench.profile
	const playbooks = openPlaybooks({
		...{runs: life, connections, log, database: () => database, clock: bench.ports.clock, operator: 'kim', library},
		runner: {...runner, run: request => life.alive(() => runner.run(request))},
		onTrouble: () => {},
		approvals: bench.profile.approvals,
		origins: connection => bench.profile.guards.rules(connection).origins
	})
	return {life, playbooks}
}

function free(skip = 0) {
	const host = readyHosts(bench.sandbox)[skip]
	if (host === undefined) throw new Error('There is no such computer.')
	return host
}

let number = 0

async function keep({playbooks}: Pick<Process, 'playbooks'>, lines: readonly Line[], keeps = {}) {
	const name = `Drill ${(number += 1)}`
	const inputs = {computer: ['string', 'Computer'], reason: ['string', 'Why', 'Beaconing']} as const
	const document = compose({name, description: name, labels: ['drill'], inputs, keeps, lines})
	await playbooks.add(JSON.stringify(document))
	return name
}

async function carryOut({playbooks}: Pick<Process, 'playbooks'>, lines: readonly Line[], keeps = {}) {
	return await playbooks.settled((await begin(playbooks, await keep({playbooks}, lines, keeps))).id)
}

const begin = (playbooks: Playbooks, playbook: string, more = {}) => playbooks.start({playbook, variables: {__computer__: free().guid}, ...more})
const pending = () => bench.profile.approvals.list(['pending'])[0]?.id ?? ''
const answer = (verdict: 'approved' | 'denied') => bench.profile.approvals.answer({id: pending(), verdict, reason: null, surface: 'cli'})
const rule = (rules: GuardRules) => bench.profile.guards.setRules({connection: 'sandbox', rules, confirm: 'sandbox', surface: 'cli'})
const ends = async (playbooks: Playbooks, id: string, how: object) => expect(await playbooks.settled(id)).toMatchObject(how)
const yes = (playbooks: Playbooks, id: string) => playbooks.answer(id, undefined, 'yes', null)
const never = () => Promise.reject(new Error('unused'))
const jobs = {apply: never, get: never}
const agreed = {isolation: {code: 'service', lease: null}} as const
const goOn: Line = ['ask', 'Ask', 'Go on?']
const isolate: Line = ['do', 'Isolate', 'PUT /computers/__computer__:value/isolation', {comment: '__reason__:value'}]
const putOf = (): readonly string[] => bench.sent('PUT').filter(one => one.includes('/isolation'))
const puts = (count: number) => expect(putOf()).toHaveLength(count)
const stepNamed = (process: Process, run: string, name: string) =>
	process.playbooks.run(run).then(({steps}) => steps.find(one => one.name === name))

describe('a run', () => {
	test('of a draft from the log does the same to another computer, once someone says yes', async () => {
		const {playbooks} = open()
		const [first, second] = [free(), free(1)]
		const {profile, sandbox} = bench
		const list = sandbox.world.tenant.lists.find(({type}) => type === 'simple_custom_detections')?.guid ?? ''
		await bench.run('svc_put_computers_isolation', {connector_guid: first.guid, comment: 'Beacon'}, agreed)
		await bench.run('svc_set_file_list_files_by_sha', {file_list_guid: list, sha256: 'ab'.repeat(32)}, {agreement: {reason: 'r'}})
		const {entries} = await profile.log.query({limit: 100})
		const document = await draftOf(
			entries.map(({id}) => id),
			id => profile.log.entry(id),
			new Date(bench.ports.clock.now()).toISOString()
		)
		await playbooks.add(JSON.stringify(document))
		const sha256 = 'cd'.repeat(32)
		const {id} = await playbooks.start({playbook: document.name, variables: {__computer__: second.guid, __sha256__: sha256, __reason__: 'Again'}})
		await ends(playbooks, id, {state: 'waiting', questions: [{name: 'Ask for approval'}]})
		puts(1)
		await yes(playbooks, id)
		await ends(playbooks, id, {state: 'completed'})
		expect(putOf()).toEqual([first, second].map(({guid}) => expect.stringContaining(guid)))
		expect([...bench.sent('PUT'), ...bench.sent('POST')].some(one => one.endsWith(`/files/${sha256}`))).toBe(true)
	})

	test('fails at its next step when its connection leads to another service by then', async () => {
		const {playbooks} = open()
		const {id} = await carryOut({playbooks}, [['ask', 'Ask', 'Isolate?', 'answer'], isolate], {answer: 'string'})
		const {connections} = bench.profile
		vi.spyOn(connections, 'find').mockReturnValue({...connections.find('sandbox'), url: 'https://other.example'})
		await yes(playbooks, id)
		await ends(playbooks, id, {state: 'failed', because: expect.stringContaining('another service')})
		puts(0)
	})

	test('goes through commands, questions, branches and loops, and the log shows it', async () => {
		const {playbooks} = open()
		const playbook = await keep(
			{playbooks},
			[
				['do', 'Find', 'GET /computers/__computer__:value/guid', {}, 'guid'],
				['ask', 'Ask', 'Isolate __computer__:value?', 'answer'],
				[
					'if',
					'Agreed?',
					'__answer__:value = yes',
					[
						['do', 'Isolate', 'PUT /computers/__guid__:value/isolation', {comment: '__reason__:value'}, 'status'],
						[
							'while',
							'Until isolated',
							'__status__:value != isolated',
							[['do', 'Read', 'GET /computers/__guid__:value/isolation/wait?until=isolated&timeout=60', {}, 'status']]
						]
					]
				],
				['do', 'Note', 'POST /incidents/-/entries', {text: 'Ended with __status__:value'}]
			],
			{guid: ['string'], answer: ['string', 'no'], status: ['string', 'none']}
		)
		const {id} = await playbooks.start({playbook, variables: {__computer__: free().hostname}})
		await ends(playbooks, id, {state: 'waiting', questions: [{name: 'Ask', question: `Isolate ${free().hostname}?`, free: true}]})
		puts(0)
		await yes(playbooks, id)
		await ends(playbooks, id, {state: 'completed', variables: {__status__: 'isolated'}})
		puts(1)
		const {entries} = await bench.profile.log.query({surface: 'playbook', limit: 100})
		const told = entries.toReversed().map(({kind, message}) => (kind === 'note' ? message : kind))
		expect(told.at(0)).toBe(`Playbook started: ${playbook}. Started by kim.`)
		expect(told).toContain('Ended with isolated')
		expect(told.at(-1)).toBe(`Playbook completed: ${playbook}.`)
		expect(entries.every(({kind, data}) => kind.startsWith('command.') || data?.['run'] === id)).toBe(true)
	})

	test('what a screen asks again and again stays small, and its steps are read in windows', async () => {
		const process = open()
		const {playbooks} = process
		const listed: Line = ['do', 'List', 'GET /computers?limit=120&select=connector_guid', {}, 'all']
		const each = {connector_guid: '__all__:value'}
		const read: Line = ['do', 'Read', 'POST /commands/svc_get_computer_by_connector?each=connector_guid', each, 'last']
		const {id} = await carryOut(process, [listed, read, goOn], {all: ['string', ''], last: ['string', '']})
		const {questions, steps, ...run} = await playbooks.progress(id)
		expect(run).toMatchObject({state: 'waiting', failed: [], failedNames: []})
		expect(questions).toMatchObject([{name: 'Ask'}])
		const {workflow} = await playbooks.pinned(id)
		expect(steps.map(({step, visits, kind, state}) => [workflow[step]?.name, visits, kind, state])).toEqual([
			['List', 1, 'step', 'done'],
			['Read', 1, 'step', 'done'],
			['Ask', 1, 'decision', 'intent']
		])
		const all = (await playbooks.run(id)).steps
		expect(all).toHaveLength(122)
		expect(await playbooks.steps({run: id, offset: 100, limit: 50})).toEqual({rows: all.slice(0, 22).toReversed(), matching: 122})
		const brief = await playbooks.steps({run: id, brief: true, offset: 121, limit: 9})
		expect(brief.rows).toEqual([{...all[0], input: null, output: String(all[0]?.output).slice(0, 300)}])
		const step = steps[1]?.step ?? ''
		const newest = await playbooks.steps({run: id, step, offset: 0, limit: 10})
		expect(newest).toEqual({rows: all.slice(111, 121).toReversed(), matching: 120})
	})

	test('a denied question ends it, and nothing is sent', async () => {
		const {life, playbooks} = open()
		const {id} = await carryOut({playbooks}, [['ask', 'Ask', 'Sure?'], isolate])
		expect((await refused(playbooks.answer(id, undefined, 'perhaps', null))).message).toBe('Answer yes or no.')
		await playbooks.answer(id, undefined, 'no', 'not now')
		await ends(playbooks, id, {state: 'failed', because: 'Ask: the answer was no.'})
		expect((await life.get(id))?.output).toEqual({code: 'approval_denied'})
		const {entries} = await bench.profile.log.query({kinds: ['note'], limit: 10})
		expect(entries.map(({message}) => message)).toContain('Ask: kim answered: no. Reason: not now')
		puts(0)
	})

	test('parallel branches have their own variables, merged in document order', async () => {
		const get = (into: string): readonly Line[] => [
			['do', `Version ${into}`, 'GET /version', {}, into],
			['do', 'Count', 'GET /groups?limit=5&count=true', {}, 'both']
		]
		const keeps = {a: ['string'], b: ['string'], both: ['string', '']}
		const ended = await carryOut(open(), [['parallel', 'Both', get('a'), get('b')]], keeps)
		expect(ended.state, ended.because ?? '').toBe('completed')
		expect(ended.variables['__a__']).toBe(ended.variables['__b__'])
		expect(Number(ended.variables['__both__'])).toBeGreaterThan(0)
	})

	test('a loop that never ends is ended', async () => {
		const ended = await carryOut(open(), [['while', 'Ever', '__reason__:value = Beaconing', []]])
		expect(ended).toMatchObject({state: 'failed', because: 'Ever was repeated 1000 times, and ends here.'})
	})

	test('a guard that refuses fails the step, which can be retried or skipped with a reason', async () => {
		const process = open()
		const {playbooks} = process
		const {connections} = bench.profile
		connections.setLocked('sandbox', true)
		const failed = await carryOut(process, [isolate, ['do', 'Version', 'GET /version']])
		expect(failed).toMatchObject({state: 'failed', failed: [expect.stringMatching(/^action--.*#1$/)]})
		puts(0)
		connections.setLocked('sandbox', false)
		await playbooks.retry(failed.id)
		await ends(playbooks, failed.id, {state: 'completed'})
		expect(await stepNamed(process, failed.id, 'Isolate')).toMatchObject({state: 'done', attempt: 2, output: 'pending_start'})
		puts(1)
		connections.setLocked('sandbox', true)
		const again = await playbooks.again(failed.id, false)
		await ends(playbooks, again.id, {state: 'failed'})
		expect((await refused(playbooks.skip(again.id, again.failed[0] ?? '', ' '))).message).toContain('Give the reason')
		const [step = ''] = (await playbooks.run(again.id)).failed
		await playbooks.skip(again.id, step, 'Isolated by hand')
		await ends(playbooks, again.id, {state: 'completed'})
		expect(await stepNamed(process, again.id, 'Isolate')).toMatchObject({state: 'skipped', error: {message: 'Isolated by hand'}})
		puts(1)
	})

	test('an answer fits its variable, or the question stays; a dry run assumes one', async () => {
		const {playbooks} = open()
		const {id, title: playbook} = await carryOut({playbooks}, [['ask', 'Hours', 'How many?', 'hours'], isolate], {hours: ['integer']})
		const wrong = await refused(playbooks.answer(id, undefined, '4h', null))
		expect(wrong).toMatchObject({message: 'The answer is not a whole number.', details: {field: 'answer'}})
		await playbooks.answer(id, undefined, '4', null)
		await ends(playbooks, id, {state: 'completed'})
		const asked = {playbook, variables: {__computer__: free(1).guid}}
		expect(await playbooks.dryRun(asked, signal)).toMatchObject({because: null, changes: 1})
	})

	test('a denied change holds, and its retry asks anew, also after a kill', async () => {
		const {approvals} = bench.profile
		rule({...defaultGuardRules, approval: {...defaultGuardRules.approval, always: true}})
		let process = open()
		approvals.wakeWith(async (run, id) => void (await process.life.signal(run, approvalSignal(id))))
		const {id} = await begin(process.playbooks, await keep(process, [isolate]))
		for (const count of [1, 2]) {
			await ends(process.playbooks, id, {state: 'waiting'})
			process.life.kill()
			process = open()
			await process.playbooks.resume(id)
			await ends(process.playbooks, id, {state: 'waiting'})
			await answer('denied')
			expect((await process.playbooks.ended(id)).because).toContain('denied')
			expect(approvals.list()).toHaveLength(count)
			await process.playbooks.retry(id)
		}
		puts(0)
	})

	/** A change that waits for an approval. */
	async function waiting() {
		const {life, playbooks} = open()
		const {id} = await begin(playbooks, await keep({playbooks}, [isolate]), {proposes: true})
		await ends(playbooks, id, {state: 'waiting'})
		const {approvals} = bench.profile
		return {life, playbooks, id, approvals, tell: () => carryOutApproved(approvals, {...bench.profile, runner, jobs, runs: life})}
	}

	test.each(['denied', 'withdrawn'] as const)('one %s by a process that was killed before it told the run ends it', async verdict => {
		const {playbooks, id, approvals, tell} = await waiting()
		approvals.wakeWith(() => Promise.reject(new Error('killed')))
		await expect(verdict === 'denied' ? answer(verdict) : approvals.withdraw(pending(), 'r', 'cli')).rejects.toThrow('killed')
		tell()
		await approvals.sweep()
		expect((await playbooks.ended(id)).because).toContain(verdict)
	})

	test('a paused run is told once that it is approved', async () => {
		const {life, playbooks, id, approvals, tell} = await waiting()
		tell()
		await playbooks.pause(id)
		await answer('approved')
		for (let count = 0; count < 5; count += 1) await approvals.sweep()
		expect((await life.signals(id)).length).toBeLessThan(2)
		await playbooks.resume(id)
		await ends(playbooks, id, {state: 'completed'})
		puts(1)
	})

	test('paused it begins nothing, cancelled it ends', async () => {
		const {playbooks} = open()
		const {id} = await carryOut({playbooks}, [goOn, isolate])
		await playbooks.pause(id)
		await yes(playbooks, id)
		await ends(playbooks, id, {state: 'paused'})
		await playbooks.cancel(id)
		await ends(playbooks, id, {state: 'cancelled'})
		puts(0)
		expect((await refused(playbooks.answer(id, 'x', 'yes', null))).message).toBe('The run has ended.')
	})

	test('existing state counts as done: a hash that is on the list', async () => {
		const list = bench.sandbox.world.tenant.lists.at(-1)
		const add: Line = ['do', 'Block', `PUT /file-lists/${list?.guid}/files/${'ab'.repeat(32)}`, {reason: 'r', description: 'd'}]
		expect(await carryOut(open(), [add, add])).toMatchObject({state: 'completed', because: null})
	})

	test.each(['is still being released', 'may still take effect'])('no lost isolation is done by one just released: it %s', async told => {
		const {sandbox, ports} = bench
		const {guid, hostname} = free()
		await bench.run('svc_put_computers_isolation', {connector_guid: guid}, agreed)
		await ports.clock.advance(60_000)
		sandbox.weather.set(told.startsWith('may') ? ['DELETE *=drop', 'GET */isolation=503'] : [])
		await bench.run('svc_delete_computers_isolation', {connector_guid: guid}).catch(() => {})
		sandbox.weather.set(['PUT *=drop', 'GET */isolation=503'])
		const {playbooks} = open()
		const playbook = await keep({playbooks}, [isolate])
		const start = (computer: string) => begin(playbooks, playbook, {variables: {__computer__: computer}})
		const {id} = await start(hostname)
		await ends(playbooks, id, {state: 'failed'})
		sandbox.weather.set([])
		changeComputer(sandbox, guid, {isolation: {status: 'isolated', lingersUntil: 0}})
		// Another has the name as well by then.
		Object.assign(free(), {hostname})
		await playbooks.retry(id)
		await ends(playbooks, id, {state: 'failed', because: expect.stringContaining('just released')})
		// The service refuses it.
		await ends(playbooks, (await start(guid)).id, {state: 'failed', because: expect.stringContaining(told)})
		// By then it shows the truth.
		await ports.clock.advance(600_000)
		await playbooks.retry(id)
		await ends(playbooks, id, {state: 'completed'})
	})

	test('an approval that nobody gives in time leads to its own branch', async () => {
		const {playbooks} = open()
		const lines: readonly Line[] = [goOn, isolate, ['do', 'Late', 'GET /version']]
		const inputs = {computer: ['string', ''], reason: ['string', '']} as const
		const {workflow, ...rest} = compose({name: 'Late', description: 'Late', labels: ['x'], inputs, lines})
		const steps = Object.entries(workflow)
		const [late = ''] = steps.find(([, {name}]) => name === 'Late') ?? []
		const [asks = '', asking] = steps.find(([, {name}]) => name === 'Ask') ?? []
		const extended = {...asking, timeout: 1000, step_extensions: {[approvalExtension]: {on_timeout: late}}}
		await playbooks.add(JSON.stringify({...rest, workflow: {...workflow, [asks]: extended}}))
		const by = {startedBy: 'schedule Nightly', appliedBy: 'kim'}
		const {id} = await playbooks.start({playbook: 'Late', variables: {__computer__: free().guid, __reason__: 'r'}, ...by})
		const {state, steps: done} = await playbooks.settled(id)
		expect([state, done.at(-1)?.name, done.some(({name}) => name === 'Isolate')]).toEqual(['completed', 'Late', false])
		const [asked] = bench.profile.approvals.list()
		expect(asked?.state).toBe('timed_out')
		// Whoever saved the schedule is no second person.
		expect(['kim', 'Steve'].map(name => asked && isAsker(asked, name))).toEqual([true, false])
		puts(0)
	})

	test('playbooks that run each other in a cycle are refused before the start', async () => {
		const {playbooks} = open()
		const idOf = (name: string) => `playbook--00000000-0000-4000-8000-00000000000${name}`
		for (const [own = '', other = ''] of ['12', '23', '32']) {
			const {workflow, ...rest} = compose({...{name: own, description: own, labels: ['x']}, inputs: {}, lines: []})
			const [step, end] = [`playbook-action--${idOf(own).slice(10)}`, Object.keys(workflow)[0] ?? '']
			const steps = {
				[rest.workflow_start]: {type: 'start', on_completion: step},
				[step]: {type: 'playbook-action', playbook_id: idOf(other), on_completion: end}
			}
			await playbooks.add(JSON.stringify({...rest, id: idOf(own), workflow: {...workflow, ...steps}}))
		}
		const start = playbooks.start({playbook: '1', variables: {}})
		expect((await refused(start)).message).toBe('3 runs 2 in a circle.')
	})

	test('a run keeps the version that it began with', async () => {
		const {playbooks} = open()
		const playbook = await keep({playbooks}, [goOn, ['do', 'Version', 'GET /version']])
		const {id, digest} = await playbooks.start({playbook, variables: {__computer__: 'x'}})
		const {document} = await playbooks.show(playbook)
		await playbooks.add(JSON.stringify({...document, description: 'changed', modified: '2027-01-01T00:00:00.000Z'}))
		expect((await playbooks.show(playbook)).versions).toHaveLength(2)
		await playbooks.settled(id)
		await yes(playbooks, id)
		await ends(playbooks, id, {state: 'completed', digest})
		expect((await playbooks.again(id, true)).digest).not.toBe(digest)
	})
})

const moments = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap(at => [[at, 'before'] as const, [at, 'after'] as const])

describe('killed at any write', () => {
	const lines: readonly Line[] = [
		['do', 'Find', 'GET /computers/__computer__:value/guid', {}, 'guid'],
		['do', 'Isolate', 'PUT /computers/__guid__:value/isolation', {comment: '__reason__:value'}, 'status'],
		['do', 'Block', `PUT /file-lists/__list__:value/files/${'cd'.repeat(32)}`, {reason: '__reason__:value', description: 'd'}],
		['do', 'Note', 'POST /incidents/-/entries', {text: 'Contained'}]
	]

	test.each(moments)('write %i, %s: every host isolated, hash listed and note written once', async (at, moment) => {
		const first = open()
		const list = bench.sandbox.world.tenant.lists.at(-1)
		const playbook = await keep(first, lines, {guid: ['string'], status: ['string'], list: ['string', list?.guid]})
		let writes = 0
		const dead = first.life.killAt(moment, () => (writes += 1) === at)
		const started = begin(first.playbooks, playbook)
		started.catch(() => undefined)
		const ended = started.then(({id}) => first.playbooks.settled(id))
		const isDead = await Promise.race([dead.then(() => true), ended.then(() => false)])
		expect(isDead).toBe(true)
		first.life.kill()
		await until('the end of its requests', () => runner.running('sandbox') === 0)
		const second = open()
		await second.life.recover()
		const {rows} = await second.playbooks.runs({offset: 0, limit: 10})
		for (const {id} of rows) await ends(second.playbooks, id, {state: 'completed', because: null})
		const done = rows.length
		expect(done).toBeLessThanOrEqual(1)
		puts(done)
		expect(bench.sent('POST')).toHaveLength(done)
		const {entries} = await bench.profile.log.query({kinds: ['note'], limit: 99})
		expect(entries.filter(({message}) => message === 'Contained')).toHaveLength(done)
	})
})

test('a clock set back during a run hides neither its note after a kill nor its entries', async () => {
	const first = open()
	const {clock, log} = {...bench.ports, ...bench.profile}
	const text = 'Contained'
	const {id} = await begin(first.playbooks, await keep(first, [goOn, ['do', 'Note', 'POST /incidents/-/entries', {text}]]))
	await ends(first.playbooks, id, {state: 'waiting'})
	await clock.advance(-3 * 3_600_000)
	const append = vi.spyOn(log, 'append')
	const isNoted = () => append.mock.calls.some(([{message}]) => message === text)
	const dead = first.life.killAt('before', isNoted)
	await yes(first.playbooks, id)
	await dead
	const {life, playbooks} = open()
	await life.recover()
	expect(await playbooks.ended(id)).toMatchObject({state: 'completed'})
	const said = (await playbooks.entries(id)).map(({message}) => message)
	expect(said.filter(one => one === text)).toHaveLength(1)
	expect(said).toHaveLength(4)
})

describe('the library', () => {
	const given = (name: string) => {
		const {groups, policies} = bench.sandbox.world.tenant
		const computers = [free(1).guid, free(2).guid].join(',')
		const values: Record<string, string | undefined> = {
			...{computer: free().hostname, computers, reason: 'Beaconing', sha256: 'ef'.repeat(32)},
			...{indicators: `${'ef'.repeat(32)},10.0.0.1`, group: groups.at(-1)?.name, policy: policies[0]?.name},
			...{days: '30', since: '2025-12-31T00:00:00Z'}
		}
		return values[name.replaceAll('__', '')] ?? ''
	}

	test('refuses a file with the ID of one of its playbooks', async () => {
		const text = JSON.stringify({...library()[0], name: 'Mine'})
		await expect(open().playbooks.add(text)).rejects.toMatchObject({code: 'usage'})
	})

	test.each([
		['Contain an endpoint', 1],
		['Contain and collect', 1],
		['Block a hash everywhere', 7],
		['Release with checks', 2],
		['Isolate after approval, with lease', 1],
		['Hunt indicators', 0],
		['Move to triage and back', 2],
		['Stale and duplicate computers', 0],
		['Failed quarantine follow-up', 0],
		['Policy drift report', 0],
		['End-of-shift handover', 0],
		['Ransomware: first ten minutes', 9]
	])('%s runs to its end with %i changes', async (name, expected) => {
		const {playbooks} = open()
		const host = free()
		if (name === 'Release with checks') {
			await bench.run('svc_put_computers_isolation', {connector_guid: host.guid, comment: 'x'})
			await bench.ports.clock.sleep(60_000)
		}
		const {inputs} = playbooks.list().find(one => one.name === name) ?? {inputs: []}
		const variables = Object.fromEntries(inputs.map(one => [one.name, given(one.name)]))
		if ('__computer__' in variables) variables['__computer__'] = host.hostname
		const {id} = await playbooks.start({playbook: name, variables})
		let run = await playbooks.settled(id)
		for (; run.state === 'waiting'; run = await playbooks.settled(id)) {
			const [question] = run.questions
			await playbooks.answer(id, question?.step, question?.free === true ? 'none' : 'yes', null)
		}
		expect(run.state, JSON.stringify(run.steps.at(-1))).toBe('completed')
		expect(bench.sent().filter(one => !one.startsWith('GET'))).toHaveLength(expected)
	})
})

test('a request to another address runs where the guard rules list its origin, and is in the log', async () => {
	const {playbooks} = open()
	const [document] = library()
	const text = JSON.stringify({...document, id: `playbook--${crypto.randomUUID()}`, name: 'Outside'})
	await playbooks.add(text.replaceAll(ownAddress, `${bench.sandbox.url}/tickets.api`))
	const asked = {playbook: 'Outside', variables: {__computer__: free().hostname, __reason__: 'Drill'}}
	const error = await refused(playbooks.start(asked))
	expect(error.message).toContain('no origin that the connection lists')
	expect(await refused(playbooks.dryRun(asked, signal))).toMatchObject({message: error.message})
	rule({...defaultGuardRules, origins: [`${bench.sandbox.url} private`]})
	const run = await playbooks.settled((await playbooks.start(asked)).id)
	// The sandbox has no such path: the step ends with the response of the other side.
	expect(run.because ?? run.steps.at(-1)?.error?.message).toContain(`${bench.sandbox.url} answered 4`)
	const {entries} = await bench.profile.log.query({surface: 'playbook', limit: 50})
	expect(entries.map(({message}) => message).join()).toContain(`to ${bench.sandbox.url}.`)
})

test('a note goes to the incident that its step names, and an unknown one is refused', async () => {
	const process = open()
	const {log} = bench.profile
	const {id} = await log.openIncident({title: 'Phishing', reference: ''}, 'cli')
	const note = (incident: string): Line => ['do', 'Note', `POST /incidents/${incident}/entries`, {text: 'Seen'}]
	expect(await carryOut(process, [note(id)])).toMatchObject({state: 'completed'})
	const {entries} = await log.query({incident: id, kinds: ['note'], limit: 9})
	expect(entries.map(({message}) => message)).toEqual(['Seen'])
	expect(await carryOut(process, [note('none')])).toMatchObject({because: expect.stringContaining('There is no incident none.')})
	const asked = {playbook: await keep(process, [note('none')]), variables: {__computer__: 'x'}}
	expect((await process.playbooks.dryRun(asked, signal)).because).toContain('There is no incident none.')
})

describe('a dry run', () => {
	test('reads for real, lists every change with its calls, and sends none', async () => {
		const {playbooks} = open()
		const variables = {__computer__: free().hostname, __reason__: 'Beaconing'}
		const dry = await playbooks.dryRun({playbook: 'Contain an endpoint', variables}, signal)
		expect(dry).toMatchObject({because: null, changes: 1, calls: 9, open: 0})
		expect(dry.steps.map(({name, kind}) => `${kind} ${name}`)).toEqual([
			'read Find computer',
			'question Ask for approval',
			'change Isolate',
			'read Wait until isolated',
			'note Write note'
		])
		expect(dry.steps[2]?.what).toContain(free().guid)
		puts(0)
		expect(bench.sent('GET').length).toBeGreaterThan(0)
		expect((await playbooks.runs({offset: 0, limit: 1})).matching).toBe(0)
	})

	test('tells what a guard rule would refuse and what would wait for an approval', async () => {
		const {playbooks} = open()
		const {approvals} = bench.profile
		const {guid} = free()
		const playbook = await keep({playbooks}, [isolate])
		const dry = async (change: Partial<typeof defaultGuardRules>) => {
			rule({...defaultGuardRules, ...change})
			return await playbooks.dryRun({playbook, variables: {__computer__: guid}}, signal)
		}
		const waits = await dry({approval: {...defaultGuardRules.approval, always: true}})
		expect(waits).toMatchObject({because: null, changes: 1, steps: [{kind: 'change', result: 'Others have to approve it first.'}]})
		expect(await dry({protected: {...defaultGuardRules.protected, guids: [guid]}})).toMatchObject({
			...{because: expect.stringContaining('protected'), changes: 0, steps: [{kind: 'refused', calls: 0}]}
		})
		expect(approvals.list()).toEqual([])
		puts(0)
	})

	test('counts its isolations, as the guard rules do', async () => {
		const {playbooks} = open()
		rule({...defaultGuardRules, rolling: {isolations: 2, hours: 24}})
		const targets = {each: 'connector_guid', connector_guid: [0, 1, 2].map(at => free(at).guid).join()}
		const playbook = await keep({playbooks}, [['do', 'All', 'POST /commands/svc_put_computers_isolation', targets]])
		const because = expect.stringContaining('2 were isolated')
		expect(await playbooks.dryRun({playbook, variables: {__computer__: ''}}, signal)).toMatchObject({changes: 2, because})
		await ends(playbooks, (await begin(playbooks, playbook)).id, {state: 'failed', because})
		puts(2)
	})

	test('shows where it would end early and what it did not reach, and leaves a loop that no reading ends', async () => {
		const process = open()
		const ask = (playbook: string, computer: string) =>
			process.playbooks.dryRun({playbook, variables: {__computer__: computer, __reason__: 'r'}}, signal)
		const because = expect.stringContaining('There is no NO-SUCH-HOST')
		expect(await ask('Contain an endpoint', 'NO-SUCH-HOST')).toMatchObject({because, changes: 0, open: 1})
		const branch: Line = ['if', 'Gone?', '__reason__:value = gone', [isolate, isolate]]
		expect(await ask(await keep(process, [branch, isolate]), free().guid)).toMatchObject({because: null, changes: 1, open: 2})
		const read: Line = ['do', 'Read', 'GET /computers/__computer__:value/isolation/status', {}, 'status']
		const loop: Line = ['while', 'Until gone', '__status__:value != gone', [read]]
		const endless = await keep(process, [loop], {status: ['string', 'none']})
		expect((await ask(endless, free().guid)).because).toContain('more than 20 times')
	})
})
