import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {until} from '#base/testing/until.ts'
import type {Sandbox} from '#sandbox/server.ts'
import {changeComputer, readyComputers} from '#sandbox/testing/running.ts'

import {serviceBench, type ServiceBench} from './testing/service.ts'

let sandbox: Sandbox
let {folder, cordon, json} = {} as ServiceBench // the bench's
/** Each test uses other computers. */
let used = 0
let workstations: readonly string[] = []

const bench = serviceBench({computers: 300, seed: 'cli-jobs'}, () => {
	;({sandbox, folder, cordon, json} = bench)
	workstations = readyComputers(sandbox)
})
beforeEach(() => {
	sandbox.weather.clear()
	sandbox.clearRequests()
})

function ready(count: number) {
	used += count
	return workstations.slice(used - count, used)
}

function changes() {
	return sandbox.requests.filter(({method}) => method !== 'GET' && method !== 'OPTIONS').length
}

const because = ['--reason', 'beaconing']

test('a dry run shows the plan and sends nothing', async () => {
	const targets = bench.file('dry', ready(2).join('\n'))
	const {code, out} = await cordon(['job isolate --targets', targets, ...because, '--dry-run'])
	expect(code).toBe(0)
	expect(out).toContain('2 targets, in waves of 1, 1')
	expect(out).toContain('isolation: not_isolated')
	expect(changes()).toBe(0)
})

test('isolates the computers of a file, and prints the result of each', async () => {
	const guids = ready(3)
	const targets = bench.file('go', `guid,name\n${guids.map(guid => `${guid},x`).join('\n')}\n`)
	const answer = await json('job isolate --targets', targets, ...because, '--lease', 'none')
	expect(answer).toMatchObject({code: 0, ok: true, command: 'job isolate', data: {job: {counts: {done: 3}}}})
	expect(answer.data.receipts.map(({observed}: {observed: string}) => observed)).toEqual(Array(3).fill('isolated'))
	expect(changes()).toBe(3)
	const {id} = answer.data.job
	expect((await cordon(['job list'])).out).toContain(id)
	expect(await json('job stop', id)).toMatchObject({args: {job: id}})
	expect((await cordon(['job show', id])).out).toContain('Reason: beaconing')
	expect((await cordon(['job list'])).out).toMatch(/T[\d:]{8}Z /)
	expect((await cordon(['job export', id])).out.split('\r\n')).toHaveLength(5)
	expect(await json('job export', id)).toMatchObject({receipts: [{}, {}, {}]})
	expect(
		(await cordon(['job export', id, '--jsonl'])).out
			.trim()
			.split('\n')
			.map(line => JSON.parse(line))
	).toHaveLength(3)
})

test('a move has its ticket in the log, and where the job is shown', async () => {
	const targets = bench.file('moved', `${ready(1)[0]}\nNO-SUCH-HOST`)
	const to = sandbox.world.tenant.groups.at(-1)?.guid ?? ''
	const {job, leftOut} = (await json('job move --targets', targets, ...because, '--ticket', 'INC-7', '--group', to)).data
	expect([job, leftOut]).toMatchObject([{counts: {done: 1}}, [{id: 'NO-SUCH-HOST', kind: 'not_found'}]])
	const nowhere = await cordon(['job release --targets', targets, ...because, '--plan', '/nonexistent/plan'])
	expect([nowhere.code, nowhere.err]).toEqual([2, 'cordon: /nonexistent/plan cannot be written: there is no such folder.\n'])
	expect((await cordon(['job show', job.id])).out).toContain('Reason: beaconing\nTicket: INC-7')
	const {data} = await json('log --command svc_move_computer --limit 9')
	expect(data[0]).toMatchObject({kind: 'command.requested', data: {reason: 'beaconing', ticket: 'INC-7'}})
})

test("without the tier's confirmation: exit code 2, and nothing is sent", async () => {
	const targets = bench.file('many', [...ready(6), 'NO-SUCH-HOST'].join('\n'))
	const {code, err} = await cordon(['job isolate --targets', targets, ...because])
	expect(code).toBe(2)
	expect(err).toContain('--confirm 6')
	expect(changes()).toBe(0)
	const confirmed = await cordon(['job isolate --targets', targets, ...because, '--confirm', '6'])
	expect([confirmed.code, confirmed.err]).toEqual([0, expect.stringContaining('NO-SUCH-HOST')])
	expect(confirmed.err).not.toMatch(/No target is left|0 targets/)
	expect(changes()).toBe(6)
})

test('a plan is private to its owner, and refused with exit code 5 when its targets have changed', async () => {
	const [guid = ''] = ready(1)
	const plan = join(folder, 'plan.json')
	writeFileSync(plan, '', {mode: 0o644})
	await cordon(['job isolate --targets -', ...because, '--plan', plan], {stdin: guid})
	expect(statSync(plan).mode & 0o777).toBe(0o600)
	changeComputer(sandbox, guid, {available: false})
	const drifted = await cordon(['job isolate --apply', plan, '--json'])
	expect(drifted.code).toBe(5)
	expect(JSON.parse(drifted.out).error).toMatchObject({code: 'plan_drifted', drift: [{id: guid}]})
	const told = await cordon(['job isolate --apply', plan])
	expect([told.code, told.err]).toEqual([5, expect.stringMatching(/isolation: not_isolated.* before, isolation: .* now/)])
	expect(changes()).toBe(0)
	changeComputer(sandbox, guid, {available: true})
	expect((await cordon(['job release --apply', plan])).code).toBe(2)
	expect((await cordon(['job isolate --apply', plan])).code).toBe(0)
	expect((await cordon(['job isolate --apply', plan])).code).toBe(2)
	expect(changes()).toBe(1)
})

test('a plan that was tampered with is refused with the name of the field', async () => {
	const [guid = '', other = ''] = ready(2)
	const plan = join(folder, 'tampered.json')
	await cordon(['job isolate --targets -', ...because, '--plan', plan], {stdin: guid})
	writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll(guid, other))
	const {code, err} = await cordon(['job isolate --apply', plan])
	expect([code, err]).toEqual([2, expect.stringContaining('digest does not belong to this plan')])
	expect(changes()).toBe(0)
})

test('a plan contains the requested lease and all other options', async () => {
	const [guid = ''] = ready(1)
	const plan = join(folder, 'lease.json')
	const isolate = ['job', 'isolate', '--targets', '-', ...because, '--plan', plan]
	expect((await cordon([...isolate, '--lease', '4h', '--auto-release'], {stdin: guid})).code).toBe(0)
	expect(JSON.parse(readFileSync(plan, 'utf8')).action.lease).toEqual({hours: 4, auto: true})
	const endless = await cordon([...isolate, '--lease', 'none', '--auto-release'], {stdin: guid})
	expect([endless.code, endless.err]).toEqual([2, expect.stringContaining('needs a lease that ends')])
	const both = await cordon(['job isolate --apply', plan, '--lease', '24'])
	expect([both.code, both.err]).toEqual([2, expect.stringContaining('--apply and --lease cannot be given together')])
	expect(changes()).toBe(0)
})

test('with changes locked nothing is sent, and a plan can still be made', async () => {
	await cordon(['connections lock lab'])
	const targets = bench.file('locked', ready(2).join('\n'))
	const isolate = ['job', 'isolate', '--targets', targets, ...because]
	const before = sandbox.requests.length
	for (const argv of [isolate, [...isolate, '--confirm', '2'], ['job', 'release', ...isolate.slice(2)]]) expect((await cordon(argv)).code).toBe(4)
	expect(sandbox.requests).toHaveLength(before)
	expect((await cordon([...isolate, '--dry-run'])).code).toBe(0)
	expect(sandbox.requests.length).toBeGreaterThan(before)
	expect((await cordon(['connections unlock lab'])).code).toBe(0)
	expect(changes()).toBe(0)
})

test('an unknown outcome ends with exit code 9, and the retry checks the state first', async () => {
	const guids = ready(1)
	sandbox.weather.set(['PUT *=reset', 'GET */isolation=status:403', `GET /v1/computers/${guids[0] ?? ''}*=status:403,after:2`])
	// Earlier tests have used up the daily isolations that need no typed name.
	const name = sandbox.world.tenant.hosts.find(({guid}) => guid === guids[0])?.hostname ?? ''
	const args = ['job', 'isolate', '--targets', '-', ...because, '--json', '--confirm', name]
	const ended = cordon(args, {stdin: guids.join('\n')})
	// Watching lasts a minute; the other process may end first.
	const job = await Promise.race([watching(), ended.then(({err}) => Promise.reject(new Error(err)))])
	await cordon(['job stop', job])
	const {code, out} = await ended
	expect([code, JSON.parse(out).data.receipts]).toEqual([9, [expect.objectContaining({outcome: 'unknown'})]])
	sandbox.weather.clear()
	expect((await cordon(['job retry', job, '--confirm', name])).code).toBe(0)
})

test('left with a second Ctrl+C it is no success', async () => {
	sandbox.weather.set(['PATCH *=hang'])
	const args = ['job', 'move', '--targets', '-', '--group', sandbox.world.tenant.groups.at(-1)?.guid ?? '', ...because, '--json']
	const {code, out} = await cordon(args, {stdin: ready(1)[0] ?? '', left: until('a change', () => changes() > 0)})
	expect([code, JSON.parse(out).ok]).toEqual([130, false])
})

async function watching() {
	return await until('a job that watches', async () => {
		const jobs: {id: string; phase: string}[] = (await json('job list')).data
		return jobs.find(({phase}) => phase === 'observing')?.id
	})
}

test.each([
	[['job', 'isolate', '--targets', 'none.txt', ...because], 'cannot be read'],
	[['job', 'isolate', ...because], 'needs --targets'],
	[['job', 'isolate', '--targets', '-'], '--reason'],
	[['job', 'move', '--targets', '-', ...because], '--group'],
	[['job', 'policies', '--targets', '-', ...because], 'give --windows, --mac'],
	[['job', 'policies', '--targets', '-', '--mac', 'none', ...because], '--mac '],
	[['job', 'show', 'nothing'], 'no such job'],
	[['job', 'isolate', '--targets', '-', '--stop-share=0x10%', ...because], '--stop-share cannot be'],
	[['job', 'isolate', '--targets', '-', '--stop-share=1e1', ...because], '--stop-share cannot be'],
	[['job', 'isolate', '--targets', '-', '--stop-share=101', ...because], '--stop-share cannot be']
])('%j is refused with the reason', async (argv, word) => {
	const {code, err} = await cordon(argv, {stdin: ready(0).join('') || 'x'})
	expect(code).toBeGreaterThan(1)
	expect(err).toContain(word)
})
