/** A profile on a read-only or full disk can be read; nothing is changed and nothing is sent. */
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {run} from './testing/run.ts'
import {serviceBench} from './testing/service.ts'

const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && canMount()

let disk: string
let profile: string

const bench = serviceBench({computers: 40, seed: 'frozen'}, async () => {
	disk = join(bench.folder, 'disk')
	profile = join(bench.folder, 'profile')
	for (let index = 0; index < 20; index += 1) await cordon('log', 'note', `note ${index}`)
	await cordon('job', 'list')
})
afterEach(() => {
	for (let mounts = 0; mounts < 2; mounts += 1) spawnSync('umount', ['-l', disk])
})

function cordon(...argv: string[]) {
	return run(['--profile', profile, ...argv])
}

function onDisk() {
	mkdirSync(disk, {recursive: true})
	expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', disk]).status).toBe(0)
	cpSync(join(bench.folder, 'profile'), disk, {recursive: true})
}

function freeze() {
	for (const args of [
		['-o', 'bind', disk, disk],
		['-o', 'remount,bind,ro', disk],
	])
		expect(spawnSync('mount', args).status).toBe(0)
}

async function expectReadable() {
	const log = await cordon('log', '--limit', '50')
	expect(log).toMatchObject({code: 0, out: expect.stringContaining('note 19')})
	expect(await cordon('log', 'verify')).toMatchObject({code: 0, out: expect.stringContaining('Hash chain intact')})
	expect(await cordon('log', '--text', 'note 7')).toMatchObject({code: 0, out: expect.stringContaining('note 7')})
	expect(await cordon('connections', 'list')).toMatchObject({code: 0, out: expect.stringContaining('lab')})
	expect(await cordon('incidents', 'list')).toMatchObject({code: 0})
	expect(await cordon('job', 'list')).toMatchObject({code: 0})
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
		profile = disk
		freeze()
		const before = readdirSync(disk)
		await expectReadable()
		await expectRefused(/read-only/)
		expect(readdirSync(disk)).toEqual(before)
	})

	it('is read with the last entries, which are still in the journal', async () => {
		onDisk()
		const appender = fileURLToPath(new URL('../core/record/incidents/testing/appender.ts', import.meta.url))
		const child = spawn(process.execPath, [appender, join(disk, 'incidents.db'), 'ada'], {stdio: ['ignore', 'pipe', 2]})
		await once(child.stdout ?? child, 'data')
		child.kill('SIGKILL')
		await once(child, 'close')
		expect(readFileSync(join(disk, 'incidents.db-wal')).length).toBeGreaterThan(0)
		profile = disk
		freeze()
		expect((await cordon('log', '--limit', '9999')).out).toContain('entry 0')
		expect(readdirSync(tmpdir()).filter(name => name.startsWith('cordon-read-'))).toEqual([])
	})

	it('on a full disk is read, and changes are refused', async () => {
		onDisk()
		profile = disk
		try {
			writeFileSync(join(disk, 'ballast'), Buffer.alloc(8 << 20))
		} catch {
			// As intended.
		}
		await expectReadable()
		await expectRefused(/full/)
		const service = ['--server', 'EU', '--client-id', 'a', '--api-key-file', join(bench.folder, 'key')]
		expect(await cordon('connections', 'add', 'x', ...service)).toMatchObject({code: 1, err: 'cordon: The disk is full.\n'})
		expect((await cordon('log', '--limit', '50')).out).not.toContain('too late')
	})
})

function canMount() {
	const probe = mkdtempSync(join(tmpdir(), 'cordon-mount-'))
	const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe]).status === 0
	if (mounted) spawnSync('umount', [probe])
	rmSync(probe, {recursive: true})
	return mounted
}
