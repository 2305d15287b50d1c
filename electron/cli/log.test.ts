import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

import {CordonError} from '#contract/errors.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

const bench = serviceBench({computers: 300, seed: 'cli'})

const cordon: ServiceBench['cordon'] = (...how) => bench.cordon(...how)

const json: ServiceBench['json'] = (...argv) => bench.json(...argv)

it('pin evidence, verify the chain, and hand over', async () => {
	const note = await json('log', 'note', 'First sign of it')
	const {seq} = note.data
	const pinned = await json('log', 'pin', String(seq), '--reason', 'beacon')
	expect(pinned).toMatchObject({code: 0, message: `Entry ${seq} was pinned.`})
	expect((await json('log', 'pin', note.entry)).entry).toBeNull()
	expect((await cordon(['log', '--limit', '1'])).err).toMatch(/^1 of \d+ entries\. .*log export/)
	expect((await cordon(['log'])).err).toBe('')
	expect((await json('log', '--pinned')).data.map(({id}: {id: string}) => id)).toEqual([note.entry])
	for (const filter of ['--writes', '--pinned']) {
		const lines = (await cordon(['log', 'export', filter])).out.split('\n').filter(Boolean)
		const {out} = await cordon(['log', 'export', filter, '--json'])
		expect(JSON.parse(out)).toEqual(lines.map(line => JSON.parse(line)))
	}
	const signal = AbortSignal.abort(new CordonError('cancelled'))
	expect((await cordon(['log', 'export'], {signal})).code).toBe(130)
	expect((await cordon(['log', 'export', '--pinned', '--format', 'md'])).out).toContain('by tester: beacon')
	const text = await cordon(['log', 'handover', '--next', '- call the owner'])
	expect(text.out).toMatch(/## Next steps\n\n- call the owner\n[^]*## Evidence\n\n- .*First sign of it/)
	expect((await cordon(['log', 'handover', '--hours', '0'])).code).toBe(2)
	for (const command of [['log'], ['log', 'export'], ['log', 'audit']]) {
		const {code, err} = await cordon([...command, '--since', '1d', '--until', '7d'])
		expect([code, err]).toEqual([2, expect.stringMatching(/--since \(.*\) is later than --until \(/)])
	}
	expect(await json('log', 'unpin', String(seq))).toMatchObject({code: 0})
	expect((await json('log', 'pin', '999999')).error).toMatchObject({code: 'not_found'})
	expect(await json('log', 'verify')).toMatchObject({code: 0, data: {broken: null}})
	const raw = new DatabaseSync(join(bench.folder, 'profile', 'incidents.db'))
	raw.exec(`DROP TRIGGER entry_no_update; UPDATE entry SET message = 'another' WHERE seq = ${seq}`)
	raw.close()
	expect(await json('log', 'verify')).toMatchObject({code: 1, ok: false})
	expect(await cordon(['log', 'verify'])).toMatchObject({code: 1, out: expect.stringContaining(`broken at entry ${seq} of`)})
})

it('show changes outside Cordon, and the cost of loading them', async () => {
	expect((await cordon(['log', 'audit'])).err).toContain('has not been loaded yet')
	const read = await json('log', 'audit', '--read', '--text', 'logged in', '--limit', '3')
	expect(read.data).toHaveLength(3)
	expect(read.message).toMatch(/^\d+ changes outside Cordon, \d+ entries of Cordon; loaded \S+ with 1 call\.$/)
	bench.sandbox.clearRequests()
	expect((await json('log', 'audit')).data).toHaveLength(200)
	expect(bench.sandbox.requests).toHaveLength(0)
	bench.sandbox.weather.set(['GET /v1/audit_logs=status:403'])
	expect((await cordon(['log', 'audit', '--read'])).code).toBe(4)
	bench.sandbox.weather.set([])
})

it('leave out entries of other connections where one is named', async () => {
	await cordon(['connections', 'add', 'other', ...bench.service(bench.sandbox.readOnlyClientId)])
	await cordon(['log', 'note', 'Of no connection'])
	for (const command of [['log'], ['log', 'export']]) {
		const {out} = await cordon([...command, '--connection', 'lab'])
		expect([/added: lab/, /Of no connection/, /added: other/].map(each => each.test(out))).toEqual([true, true, false])
		for (const name of ['connection', 'incident']) expect((await cordon([...command, `--${name}`, 'none'])).code).toBe(3)
	}
	expect((await cordon(['playbook', 'runs', '--connection', 'none'])).code).toBe(3)
	await cordon(['connections', 'remove', 'other'])
})

it('begun anew has no active incident any more', async () => {
	const profile = join(bench.folder, 'profile')
	const opened = (await json('incidents', 'open', 'Beaconing')).data.id
	const raw = new DatabaseSync(join(profile, 'profile.db'))
	raw.prepare('INSERT OR REPLACE INTO setting VALUES (?, ?)').run('activeIncident', JSON.stringify(opened))
	raw.close()
	const note = async () => (await json('log', 'note', 'x')).data.incident
	expect(await note()).toBe(opened)
	for (const end of ['', '-wal', '-shm']) rmSync(join(profile, `incidents.db${end}`), {force: true})
	expect(await json('log', 'verify', '--begin-anew', 'archived')).toMatchObject({code: 0})
	expect(await note()).toBeNull()
})
