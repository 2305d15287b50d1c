/** A profile on a read-only or full disk can be read; nothing is changed and nothing is sent. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, cpSync, readdirSync, readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {testFolder} from '#base/testing/folder.ts'
import {mayMount, mountSmallDisk, type SmallDisk} from '#core/store/testing/small-disk.ts'

import {run} from './testing/run.ts'
import {serviceBench} from './testing/service.ts'

let disk: SmallDisk
let profile: string

const bench = serviceBench({computers: 40, seed: 'frozen'}, async () => {
	profile = join(bench.folder, 'profile')
	for (let index = 0; index < 20; index += 1) await cordon('log', 'note', `note ${index}`)
	await cordon('job', 'list')
})
afterEach(() => disk.remove())

function cordon(...argv: string[]) {
	return run(['--profile', profile, ...argv])
}

function onDisk() {
	disk = mountSmallDisk(testFolder(), 4)
	cpSync(join(bench.folder, 'profile'), disk.path, {recursive: true})
	chmodSync(disk.path, 0o700)
	profile = disk.path
}

async function expectReadable() {
	const log = await cordon('log', '--limit', '50')
	expect(log).toMatchObject({code: 0, out: expect.stringContaining('note 19')})
	expect(await cordon('log', 'verify')).toMatchObject({code: 0, out: expect.stringContaining('Hash chain intact')})
	expect(await cordon('log', '--text', 'note 7')).toMatchObject({code: 0, out: expect.stringContaining('note 7')})
	expect(await cordon('connections', 'list')).toMatchObject({code: 0, out: expect.stringContaining('lab')})
	expect(await cordon('incidents', 'list')).toMatchObject({code: 0})
	expect(await cordon('job', 'list')).toMatchObject({code: 0})
	// There are no local data of computers yet, and no room for them.
	expect(await cordon('log', 'handover')).toMatchObject({
		code: 1,
		err: expect.stringMatching(/^cordon: The local store .*(disk is full|disk may be full or read-only)/)
	})
}

async function expectRefused(because: RegExp) {
	bench.sandbox.clearRequests()
	const noted = await cordon('log', 'note', 'too late')
	expect(noted.code).toBe(70)
	expect(noted.err).toMatch(because)
	const guid = bench.sandbox.world.tenant.hosts[0]?.guid ?? ''
	const isolated = await cordon('svc_put_computers_isolation', guid, '--reason', 'beaconing')
	expect(isolated.code).not.toBe(0)
	expect(bench.sandbox.requests.filter(({method}) => method === 'PUT')).toEqual([])
}

describe.runIf(mayMount)('a profile', () => {
	it('on a disk that cannot be written is read, and changes are refused', async () => {
		onDisk()
		disk.setReadOnly(true)
		const before = readdirSync(disk.path)
		await expectReadable()
		await expectRefused(/read-only/)
		expect(readdirSync(disk.path)).toEqual(before)
	})

	it('is read with the last entries, which are still in the journal', async () => {
		onDisk()
		const appender = fileURLToPath(new URL('../core/record/incidents/testing/appender.ts', import.meta.url))
		const child = spawn(process.execPath, [appender, join(disk.path, 'incidents.db'), 'ada'], {stdio: ['ignore', 'pipe', 2]})
		await once(child.stdout ?? child, 'data')
		child.kill('SIGKILL')
		await once(child, 'close')
		expect(readFileSync(join(disk.path, 'incidents.db-wal')).length).toBeGreaterThan(0)
		disk.setReadOnly(true)
		expect((await cordon('log', '--limit', '9999')).out).toContain('entry 0')
		expect(readdirSync(tmpdir()).filter(name => name.startsWith('cordon-read-'))).toEqual([])
	})

	it('on a full disk is read, and changes are refused', async () => {
		onDisk()
		disk.fill()
		await expectReadable()
		await expectRefused(/full/)
		const service = ['--server', 'EU', '--client-id', 'a', '--api-key-file', join(bench.folder, 'key')]
		expect(await cordon('connections', 'add', 'x', ...service)).toMatchObject({code: 1, err: 'cordon: The disk is full.\n'})
		expect((await cordon('log', '--limit', '50')).out).not.toContain('too late')
	})
})
