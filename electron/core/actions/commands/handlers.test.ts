import {refused, expectRefused} from '#base/testing/code-of.ts'
import {changeComputer, freeComputer} from '#sandbox/testing/running.ts'
import {CordonError} from '#contract/errors.ts'

import {verdictOn} from '../isolation/observation.ts'
import {receiptOf} from '../isolation/receipt.ts'
import {openBench, type Bench} from './testing/bench.ts'
import {computerHandlers} from './computers.ts'
import {isolationHandlers} from './isolation.ts'
import type {CommandRequest, HandlerContext} from './types.ts'

let bench: Bench
let {sandbox, run, entries, sent} = {} as Bench

beforeEach(async () => {
	bench = await openBench({computers: 1200, seed: 'runner', agentDelayMs: 20_000})
	;({sandbox, run, entries, sent} = bench)
	return bench.close
})

const free = (skip = 0) => freeComputer(sandbox, skip)
const isolate = (guid: string) => run('svc_put_computers_isolation', {connector_guid: guid})
/** A computer that is isolated. */
async function isolated() {
	const guid = free()
	await isolate(guid)
	await bench.ports.clock.advance(60_000)
	return guid
}
const read = (guid: string, status: string, more: Partial<CommandRequest> = {}) =>
	run('svc_get_computers_isolation', {connector_guid: guid, status}, more)
const release = (guid: string) => run('svc_delete_computers_isolation', {connector_guid: guid})

test('a move is confirmed by the answer, not by the request', async () => {
	const answered = async (group_guid: string | undefined, isLost = false) => {
		const body = {data: {connector_guid: 'd7fbcdb6-0a14-4e39-867e-02f5e1649497', hostname: 'A', group_guid}}
		const facts = {status: 202, requestId: undefined, durationMs: 1, at: 1, allow: []}
		const call = vi.fn<() => Promise<unknown>>(async () => ({...facts, body}))
		if (isLost) call.mockRejectedValueOnce(new CordonError('outcome_unknown'))
		const context = {client: {call}, call: {signal: new AbortController().signal}, learn: {observe: () => {}}, label: () => 'Triage'}
		const args = {connector_guid: body.data.connector_guid, group_guid: '0fd176db-c9f8-4741-8909-d48d38c383d6'}
		// The handler uses nothing else of the context after a successful answer.
		return (await computerHandlers.svc_move_computer(args, context as unknown as HandlerContext)).message
	}
	for (const isLost of [false, true])
		expect(await answered('0FD176DB-c9f8-4741-8909-d48d38c383d6', isLost)).toContain('A is in the group Triage now')
	for (const other of ['11111111-c9f8-4741-8909-d48d38c383d6', undefined])
		expect(await answered(other)).toBe('The service accepted the move of A to the group Triage. Waiting for confirmation.')
})

describe('isolation', () => {
	test('a slow reading is as old as its request: what was changed meanwhile may be missing in it', async () => {
		const body = {data: {available: true, status: 'not_isolated'}}
		const call = async () => ({status: 200, requestId: undefined, durationMs: 300, at: 1000, allow: [], body})
		const learn = {observeIsolation: vi.fn<(...given: unknown[]) => void>()}
		const context = {client: {call}, call: {}, learn, label: () => 'A', options: {}}
		// As above.
		await isolationHandlers.svc_get_computers_isolation({connector_guid: free()}, context as unknown as HandlerContext)
		expect(learn.observeIsolation).toHaveBeenCalledExactlyOnceWith(free(), expect.anything(), 700)
	})

	test('an already isolated computer is a conflict that shows its state', async () => {
		const guid = free()
		await isolate(guid)
		await expectRefused(isolate(guid), 'conflict', 'already being isolated', {state: 'pending_start', status: 409})
		await bench.ports.clock.advance(60_000)
		await expectRefused(isolate(guid), 'conflict', 'already isolated by', {state: 'isolated'})
	})

	test('a computer that still reads as isolated after its release from here is being released', async () => {
		const guid = await isolated()
		await release(guid)
		changeComputer(sandbox, guid, {isolation: {lingersUntil: bench.ports.clock.now() + 60_000}})
		await expectRefused(isolate(guid), 'conflict', 'is still being released', {state: 'pending_stop'})
		// Once its end was seen, an isolation is another one.
		changeComputer(sandbox, guid, {isolation: {status: 'not_isolated'}})
		await release(guid)
		changeComputer(sandbox, guid, {isolation: {status: 'isolated'}})
		await expectRefused(isolate(guid), 'conflict', '', {state: 'isolated'})
	})

	test('a computer whose policy forbids it says so', async () => {
		const {fleet, tenant} = sandbox.world
		const guid = tenant.hosts.find(host => host.role !== 'server' && !fleet.available(host))?.guid ?? ''
		await expectRefused(isolate(guid), 'isolation_not_allowed')
	})

	test('an accepted release marks the lease, also while the service still reports the isolation', async () => {
		const args = {connector_guid: free()}
		await run('svc_put_computers_isolation', args, {isolation: {code: 'service', lease: {hours: 4, auto: false}}})
		await bench.ports.clock.advance(60_000)
		expect(await run('svc_delete_computers_isolation', args)).toMatchObject({data: {status: 'isolated'}})
		expect(bench.profile.escrow.leases.get('sandbox', args.connector_guid)?.state).toBe('releasing')
	})

	test('releasing a computer that is not isolated succeeds with its state', async () => {
		const message = expect.stringContaining('is not isolated. No change needed.')
		expect(await release(free())).toMatchObject({status: 409, data: {status: 'not_isolated'}, message})
		expect((await entries())[0]).toMatchObject({kind: 'command.succeeded', status: 409, data: {state: 'not_isolated'}})
	})

	test('a release refused while the computer is still isolated is a refusal, not a success', async () => {
		const guid = free()
		changeComputer(sandbox, guid, {isolation: {status: 'pending_stop', lingersUntil: bench.ports.clock.now() + 60_000}})
		await expectRefused(release(guid), 'conflict', 'The service refused the release', {status: 409, state: 'isolated'})
		expect((await entries())[0]).toMatchObject({kind: 'command.failed', status: 409})
	})

	test('the text of unlock_code reaches the service as the comment of a release', async () => {
		const guid = free()
		await isolate(guid)
		const result = await run('svc_delete_computers_isolation', {connector_guid: guid, unlock_code: 'host is clean again'})
		const id = (await entries())[1]?.id.slice(-8) ?? ''
		expect(result.data).toMatchObject({comment: `host is clean again (Cordon log ${id})`})
		expect((await entries())[1]).toMatchObject({kind: 'command.requested', data: {comment: 'host is clean again'}})
	})

	test('a computer that the service does not know is not found by its name', async () => {
		const guid = crypto.randomUUID()
		await expectRefused(run('svc_get_computers_isolation', {connector_guid: guid}), 'not_found', guid, {status: 404})
	})

	test('status says whether the computer is in that state', async () => {
		const guid = free()
		expect(await read(guid, 'not_isolated')).toMatchObject({matches: true})
		const message = expect.stringContaining('is not isolated. Requested state: isolated.')
		expect(await read(guid, 'isolated')).toMatchObject({matches: false, message})
	})

	test('wait polls until the agent answers, more and more slowly', async () => {
		const guid = free()
		await isolate(guid)
		const states: string[] = []
		const onProgress: CommandRequest['onProgress'] = progress => progress.kind === 'polling' && states.push(progress.state)
		const result = await read(guid, 'isolated', {options: {wait: 120}, onProgress})
		expect(result).toMatchObject({matches: true, data: {status: 'isolated'}})
		expect(states.length).toBeGreaterThan(1)
		expect(new Set(states)).toEqual(new Set(['pending_start']))
		const pauses = bench.ports.clock.asked.filter(ms => ms >= 2000)
		expect(pauses[0]).toBe(2000)
		expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000)
	})

	test('wait ends with the last state when the time is over', async () => {
		const work = read(free(), 'isolated', {options: {wait: 30}})
		await expectRefused(work, 'wait_timeout', 'After 30 seconds', {state: 'not_isolated'})
	})
})

describe('lost answers', () => {
	const lost = ['drop', 'malformed', 'truncate', 'empty', 'errors']
	const lose = (effect = 'drop', ...more: string[]) => sandbox.weather.set([`PUT /v1/computers/*/isolation=${effect}`, ...more])
	const wasLost = 'The answer to the request was lost'
	const unread = 'GET /v1/computers/*/isolation=503'

	test.each(lost)('an isolation whose answer is lost (%s) is found by reading, and is sent once', async effect => {
		lose(effect)
		const message = expect.stringContaining('The state was checked afterwards: pending start')
		expect(await isolate(free())).toMatchObject({data: {status: 'pending_start'}, message})
		expect(sent('PUT')).toHaveLength(1)
		expect((await entries())[0]).toMatchObject({kind: 'command.succeeded', data: {state: 'pending_start'}})
	})

	test.each(['503', 'html', 'reset'])('an isolation that did not happen (%s) stays unknown, with the state that was loaded', async effect => {
		lose(effect)
		const error = await refused(isolate(free()))
		expect(error).toMatchObject({code: 'outcome_unknown', details: {state: 'not_isolated'}})
		expect(error.message).toContain(effect === 'reset' ? 'request was lost: ' : 'request does not tell the outcome: ')
		expect(error.message).toContain('Checked afterwards: not isolated.')
		expect(sent('PUT')).toHaveLength(1)
		expect((await entries())[0]).toMatchObject({kind: 'command.outcome_unknown', data: {state: 'not_isolated'}})
	})

	test('an isolation by somebody else is not taken for that whose answer is lost', async () => {
		const guid = free()
		changeComputer(sandbox, guid, {isolation: {status: 'isolated', comment: 'Beaconing', by: 'Marta Weber'}})
		lose()
		await expectRefused(isolate(guid), 'outcome_unknown', 'Checked afterwards: isolated by Marta Weber.', {state: 'isolated'})
	})

	test('an isolation whose answer is lost finds an earlier one from here whose answer was lost as well, and leaves it its receipt', async () => {
		const guid = free()
		lose('drop', unread)
		await expectRefused(isolate(guid), 'outcome_unknown')
		lose()
		const error = await refused(isolate(guid))
		expect(error).toMatchObject({code: 'conflict', details: {state: expect.stringMatching(/isolated|pending_start/)}})
		expect(error.message).toMatch(/already (being )?isolated.*\. The answer to the request was lost/)
		const all = await entries()
		const [intent] = all.slice(-1)
		expect(verdictOn(all, 'isolated', {waitingMs: 0, wasPending: false, unwantedForMs: 0})).toEqual({kind: 'observed', intent})
		expect(receiptOf(all)?.requested.entry).toBe(intent?.id)
	})

	test.each([
		['was not there ten seconds later', 'not_isolated'],
		['was read once only', 'pending_start']
	])('an isolation whose answer is lost is not ruled out by another from here that %s', async (_what, state) => {
		const guid = free()
		await isolate(guid)
		lose()
		vi.spyOn(bench.ports.clock, 'sleep').mockImplementationOnce(async ms => {
			expect(ms).toBe(10_000)
			if (state === 'pending_start') throw new Error('aborted')
			changeComputer(sandbox, guid, {isolation: {status: 'not_isolated'}})
		})
		await expectRefused(isolate(guid), 'outcome_unknown', '', {state})
	})

	test.each([
		['a release from here that still reads as the isolation', false],
		['another from here that was released since', true]
	])('an isolation whose answer is lost is not ruled out by %s', async (_what, isAnother) => {
		const guid = await isolated()
		const {comment} = (await run('svc_get_computers_isolation', {connector_guid: guid})).data as {comment: string}
		await release(guid)
		changeComputer(sandbox, guid, {isolation: {...(isAnother && {comment}), lingersUntil: bench.ports.clock.now() + 60_000}})
		lose()
		await expectRefused(isolate(guid), 'outcome_unknown', '', {state: 'isolated'})
	})

	test('a state that cannot be loaded either is reported', async () => {
		lose('drop', unread)
		await expectRefused(isolate(free()), 'outcome_unknown', 'could not be checked')
	})

	test('a release whose answer is lost is found by reading', async () => {
		const guid = free()
		await isolate(guid)
		sandbox.weather.set(['DELETE *=drop'])
		expect((await release(guid)).message).toContain(wasLost)
		expect(sent('DELETE')).toHaveLength(1)
	})

	test('a move, a hash and a policy whose answers are lost are found by reading', async () => {
		sandbox.weather.set(['PATCH *=drop', 'POST *=drop', 'DELETE *=drop'])
		const [group = '', other = ''] = await groups()
		expect((await run('svc_move_computer', {connector_guid: free(), group_guid: group})).message).toContain('The answer to the request was lost')
		const item = {file_list_guid: await fileList(), sha256: 'ab'.repeat(32)}
		expect((await run('svc_set_file_list_files_by_sha', item)).message).toContain('on the list')
		expect((await run('svc_delete_file_list_files_by_sha', item)).message).toContain('not on the list')
		const set = {group_guid: other, windows_policy_guid: await windowsPolicy()}
		expect((await run('svc_set_group_policy', set)).message).toContain(wasLost)
		expect(['PATCH', 'POST', 'DELETE'].map(method => sent(method).length)).toEqual([2, 1, 1])
	})
})

describe('lists', () => {
	test('a limit above one page is exactly that many', async () => {
		const streamed: unknown[] = []
		const result = await run('svc_get_computers', {limit: '730'}, {onRecords: records => streamed.push(...records)})
		expect(result.data).toHaveLength(730)
		expect(result.total).toBe(1200)
		expect(result.message).toBe('730 of 1,200 computers.')
		expect(streamed).toHaveLength(730)
	})

	test('all walks to the end and shows progress', async () => {
		const read: number[] = []
		const onProgress: CommandRequest['onProgress'] = progress => progress.kind === 'pages' && read.push(progress.read)
		const result = await run('svc_get_computers', {}, {options: {all: true}, onProgress})
		expect(result.data).toHaveLength(1200)
		expect(result.missing).toBeUndefined()
		expect(read.at(-1)).toBe(3)
	})

	test('on screen, all is so many as host and page bear', async () => {
		await bench.close()
		bench = await openBench({computers: 10_100, seed: 'runner'})
		const {message} = await bench.run('svc_get_computers', {}, {surface: 'screen', options: {all: true}})
		expect(message).toBe('10,000 of 10,100 computers.')
	})

	test('what arrived is kept when a page fails, and the page is named', async () => {
		sandbox.weather.set(['GET /v1/computers?*offset=500*=500'])
		const result = await run('svc_get_computers', {}, {options: {all: true}})
		expect(result.data).toHaveLength(700)
		expect(result.missing).toEqual([500])
		expect(result.message).toContain('The page at offset 500 could not be read')
		expect((await entries())[0]).toMatchObject({data: {records: 700, missing: [500]}})
	})

	test('a trajectory says when the service returned fewer events than requested', async () => {
		const guid = free()
		const result = await run('svc_get_computer_trajctory', {connector_guid: guid, limit: '5000'})
		expect(result.data).toMatchObject({computer: {connector_guid: guid}, events: expect.any(Array)})
		expect(result.message).toContain('the service gave fewer')
		expect(sent()[0]).toContain('limit=5000')
	})

	test('every reading command works against the service', async () => {
		const [group = ''] = await groups()
		const list = await fileList()
		const reads: readonly (readonly [string, CommandRequest['args']])[] = [
			['svc_get_computer_by_connector', {connector_guid: free()}],
			['svc_get_computer_trajectory', {connector_guid: free()}],
			['svc_get_computer_activity', {q: 'chrome.exe'}],
			['svc_get_events', {limit: '5'}],
			['svc_get_event_types', {}],
			['svc_get_application_blocking', {}],
			['svc_get_simple_custom_detections', {}],
			['svc_get_file_list_by_guid', {file_list_guid: list}],
			['svc_get_file_list_files', {file_list_guid: list}],
			['svc_get_groups', {}],
			['svc_get_group', {group_guid: group}],
			['svc_get_policies', {product: 'windows,mac'}],
			['svc_get_policy', {policy_guid: await windowsPolicy()}],
			['svc_get_version', {}]
		]
		for (const [name, args] of reads) {
			const result = await run(name, args)
			expect(result.message, name).toMatch(/\S.*\.$/)
			expect(result.status, name).toBe(200)
		}
		const missing = '11111111-1111-4111-8111-111111111111'
		await expect(run('svc_get_group', {group_guid: missing})).rejects.toThrow(`no group ${missing}; it may`)
	})
})

const groups = () => bench.guids('svc_get_groups')
const fileList = async () => (await bench.guids('svc_get_simple_custom_detections'))[0] ?? ''
const windowsPolicy = async () => (await bench.guids('svc_get_policies', {product: 'windows'})).at(-1) ?? ''
