import {readFileSync, writeFileSync} from 'node:fs'

import {until} from '#base/testing/until.ts'

import {readyComputers} from '#sandbox/testing/running.ts'

import type {Database} from '#core/store/database.ts'
import type {RunOptions} from './testing/run.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

const passphrase = 'correct horse battery'
const says = (text: string) => expect.stringContaining(text)

const bench = serviceBench({computers: 300, seed: 'approvals'}, async () => {
	for (const name of ['ana', 'tester']) {
		const made = await bench.cordon(['keys', 'create', name], {typed: [passphrase, passphrase]})
		const {out} = await bench.cordon(['keys', 'export', name])
		if (!made.out.includes(out.trim())) throw new Error(made.err)
		const file = bench.file(`${name}.pem`, out)
		await bench.cordon(['keys', 'add', name, file, '--confirm', name])
	}
})

const changes = () => bench.sandbox.requests.filter(({method}) => method === 'PUT').length

const hosts = (count: number) => readyComputers(bench.sandbox, count)

const approvals: ServiceBench['cordon'] = (argv, how) => bench.cordon(['approvals', ...argv], how)
const newest = async () => (await bench.json('approvals')).data[0].id
const approve = (id: string) => approvals(['approve', id, '--as', 'ana'], {typed: [passphrase]})

async function inProfile(work: (database: Database) => unknown) {
	const {openProfileDatabase} = await import('#core/store/profile-schema.ts')
	const database = openProfileDatabase(`${bench.folder}/profile`)
	work(database)
	database.close()
}

const demand = (approval: object) =>
	inProfile(database => database.run('INSERT OR REPLACE INTO guard_rules SELECT id, ? FROM connection', JSON.stringify({approval})))

async function planFile(count: number, name: string) {
	const file = `${bench.folder}/${name}.json`
	const targets = bench.file(`${name}.txt`, hosts(count).join('\n'))
	const {code, err} = await bench.cordon([...['job', 'isolate', '--targets', targets, '--reason', 'Drill', '--plan', file]])
	expect({code, err}).toMatchObject({code: 0})
	return file
}

const sign = (plan: string, out: string, how: RunOptions = {typed: [passphrase]}, as = 'ana') =>
	bench.cordon(['plan', 'sign', plan, '--as', as, '--out', out], how)

describe('cordon approvals', () => {
	test("a change waits, needs a terminal and another person's key, and is then carried out", async () => {
		await demand({always: true})
		const [guid = ''] = hosts(1)
		const isolate = ['svc_put_computers_isolation', guid, '--reason', 'Drill\n  ticket:\u00a01']
		const asked = await bench.cordon([...isolate, '--json'])
		expect(asked.code).toBe(5)
		const id = await newest()
		await bench.cordon(['connections', 'add', 'other', ...bench.service(bench.sandbox.readOnlyClientId)])
		expect((await bench.json('approvals', '--connection', 'other')).data).toEqual([])
		expect((await bench.json('approvals', '--connection', 'lab')).data).toMatchObject([{id}])
		await bench.cordon(['connections', 'remove', 'other'])
		const request = bench.file('request.json', (await approvals(['export', id])).out)
		expect(await sign(request, `${bench.folder}/request.sig`)).toMatchObject({code: 0})
		const asking = ['approvals', 'approve', id]
		expect(await bench.cordon([...asking, '--as', 'ana'])).toMatchObject({code: 2})
		expect(await bench.cordon([...asking, '--as', 'tester'], {typed: [passphrase]})).toMatchObject({code: 2, err: says('cannot approve it')})
		expect(changes()).toBe(0)
		const unasked = (as: string) => bench.cordon([...asking, '--as', as], {typed: []})
		expect((await unasked('nobody')).err).toMatch(/There is no key nobody\.\n$/)
		const done = await approve(id)
		expect(await unasked('ana')).toMatchObject({code: 2, err: 'cordon: This approval is used already.\n'})
		expect(done).toMatchObject({code: 0, out: says('used')})
		for (const said of ['Connection: ', 'Reason: Drill‹U+000A›  ticket:‹U+00A0›1\n']) expect(done.err).toContain(said)
		expect(changes()).toBe(1)
		expect((await bench.cordon(['approvals'])).out).toContain('Nothing waits')
	})

	test('an approved change that meets a busy target is no success, and can be withdrawn', async () => {
		const isolate = ['svc_put_computers_isolation', hosts(1)[0] ?? '', '--reason', 'Drill']
		await bench.cordon(isolate)
		const id = await newest()
		await demand({})
		const before = changes()
		bench.sandbox.weather.set(['PUT *=latency:60000'])
		const other = bench.cordon(isolate)
		await until('the other change', () => changes() > before)
		expect(await approve(id)).toMatchObject({code: 5, out: says(': approved'), err: says('is busy')})
		expect(await approvals(['withdraw', id])).toMatchObject({code: 0, out: says('withdrawn')})
		bench.sandbox.weather.clear()
		await other
	})

	test('an approved change can be undone, and an approved undo is one', async () => {
		await demand({always: true})
		const {groups} = bench.sandbox.world.tenant
		const undo = async () => (await bench.json('undo', 'list')).data.at(-1)
		await bench.cordon(['svc_move_computer', hosts(1)[0] ?? '', '--group_guid', groups.at(-1)?.guid ?? ''])
		await approve(await newest())
		const {id, impossible} = await undo()
		expect(impossible).toBeNull()
		expect((await bench.cordon(['undo', 'apply', id])).code).toBe(5)
		await approve(await newest())
		expect(await undo()).toMatchObject({id, undoneAt: expect.any(String)})
	})

	test('a plan is signed on another computer, verified, and carried out once', async () => {
		await demand({above: 1})
		const before = changes()
		const plan = await planFile(2, 'two')
		const apply = ['job', 'isolate', '--apply', plan, '--confirm', '2']
		expect((await bench.cordon(apply)).code).toBe(5)
		const signature = `${bench.folder}/two.sig`
		expect(await sign(plan, signature, {})).toMatchObject({code: 2})
		expect(await sign(plan, signature)).toMatchObject({code: 0})
		expect(await bench.cordon(['plan', 'verify', plan, signature])).toMatchObject({code: 0, out: says('approved by ana')})
		const other = await planFile(3, 'three')
		expect((await bench.cordon(['plan', 'verify', other, signature])).code).toBe(2)
		expect(changes()).toBe(before)
		expect(await approvals(['accept', signature])).toMatchObject({code: 0})
		expect(changes()).toBe(before + 2)
		expect((await approvals(['accept', signature])).code).toBe(2)
		expect((await bench.cordon(apply)).code).toBe(2)
		expect(changes()).toBe(before + 2)
	})

	test('a plan that became a job without its approval needs no other console', async () => {
		const apply = ['job', 'isolate', '--apply', await planFile(2, 'free')]
		expect((await bench.cordon(apply)).code).toBe(5)
		const id = await newest()
		await demand({})
		expect((await bench.cordon(apply)).code).toBe(0)
		expect(await approve(id)).toMatchObject({code: 0, out: says(`job ${id}`)})
		await demand({above: 1})
	})

	test('a plan is no success when Ctrl+C stops its job', async () => {
		const before = changes()
		const plan = await planFile(2, 'stopped')
		const signature = `${bench.folder}/stopped.sig`
		await bench.cordon(['job', 'isolate', '--apply', plan])
		await sign(plan, signature)
		bench.sandbox.weather.set(['PUT *=latency:300'])
		const stop = new AbortController()
		const accepted = approvals(['accept', signature], {signal: stop.signal})
		await until('a change', () => changes() > before)
		stop.abort()
		expect(await accepted).toMatchObject({code: 130, out: expect.stringMatching(/: used\.[^]* 1 not sent/)})
		bench.sandbox.weather.clear()
	})

	test('whoever applies a plan cannot sign it, whatever name stands in its file', async () => {
		const before = changes()
		const plan = await planFile(2, 'renamed')
		writeFileSync(plan, readFileSync(plan, 'utf8').replace('"createdBy": "tester"', '"createdBy": "zoe"'))
		const signature = `${bench.folder}/renamed.sig`
		await sign(plan, signature, undefined, 'tester')
		expect(await approvals(['accept', signature])).toMatchObject({code: 0, out: says('kept')})
		expect((await bench.cordon(['job', 'isolate', '--apply', plan])).code).toBe(5)
		await inProfile(database => database.run("UPDATE approval SET body = json_remove(body, '$.approval.appliedBy')"))
		expect((await approvals(['accept', signature])).err).toContain('tester asked for this')
		expect(changes()).toBe(before)
		await approvals(['withdraw', await newest()])
	})

	test('whoever signs, approves or denies a plan sees each of its targets', async () => {
		const plan = await planFile(52, 'wide')
		const ids = JSON.parse(readFileSync(plan, 'utf8')).targets.map(({id}: {id: string}) => `(${id})`)
		const seen = (text: string) => ids.filter((one: string) => text.includes(one)).length
		expect(seen((await sign(plan, `${bench.folder}/wide.sig`)).err)).toBe(52)
		expect((await bench.cordon(['job', 'isolate', '--apply', plan, '--confirm', '52'])).code).toBe(5)
		const id = await newest()
		expect((await approvals(['--json'])).out).toContain(`… and 2 more: cordon approvals show ${id}`)
		expect(seen((await approvals(['show', id])).out)).toBe(52)
		const denied = await approvals(['deny', id, '--as', 'ana'], {typed: [passphrase]})
		expect([denied.code, seen(denied.err)]).toEqual([0, 52])
	})

	test('a signature made before the plan is applied is kept; a revoked key no longer counts', async () => {
		const before = changes()
		const plan = await planFile(2, 'early')
		const signature = `${bench.folder}/early.sig`
		await sign(plan, signature)
		expect(await approvals(['accept', signature])).toMatchObject({code: 0, out: says('kept')})
		expect(await bench.cordon(['job', 'isolate', '--apply', plan])).toMatchObject({code: 0})
		expect(changes()).toBe(before + 2)
		const next = await planFile(2, 'late')
		await sign(next, signature)
		expect(readFileSync(signature, 'utf8')).toContain('"approved"')
		expect((await bench.cordon(['keys', 'revoke', 'ana', '--reason', 'Left'])).code).toBe(0)
		expect((await approvals(['accept', signature])).code).toBe(2)
		expect((await bench.cordon(['keys', 'list'])).out).toContain('revoked')
	})
})
