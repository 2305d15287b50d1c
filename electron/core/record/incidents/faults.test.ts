/** What happens to the log when processes are killed, compete, and disks fill up. */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {fileURLToPath} from 'node:url'

import {mayMount, mountSmallDisk} from '#core/store/testing/small-disk.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {openIncidentLog} from './log.ts'
import type {IncidentLog, NewEntry} from './types.ts'

let world: World
let path: string
beforeEach(() => {
	world = createWorld()
	path = join(world.folder, 'incidents.db')
})

const note: NewEntry = {kind: 'note', surface: 'cli', message: 'noted'}
const appender = fileURLToPath(new URL('testing/appender.ts', import.meta.url))

function open(file = path) {
	return openIncidentLog({path: file, clock: world.clock, random: world.random, operator: 'ada', busyTimeoutMs: 100})
}

function startAppender(operator: string, count?: number): {child: ChildProcess; acknowledged: () => number[]} {
	const child = spawn(process.execPath, [appender, path, operator, ...(count === undefined ? [] : [String(count)])], {
		stdio: ['ignore', 'pipe', 'inherit']
	})
	let output = ''
	child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
	// The last piece may be half a number.
	return {child, acknowledged: () => output.split('\n').slice(0, -1).map(Number)}
}

test('a killed process loses no acknowledged entry, and no number', async () => {
	const acknowledged: number[] = []
	for (let round = 0; round < 10; round += 1) {
		const writer = startAppender('ada')
		// Killed at another point each time: after the first, the second, … piece of output.
		for (let piece = 0; piece <= round; piece += 1) await once(writer.child.stdout ?? writer.child, 'data')
		writer.child.kill('SIGKILL')
		await once(writer.child, 'close')
		acknowledged.push(...writer.acknowledged())
	}
	const seqs = [...storedSeqs()]
	const present = new Set(seqs)
	expect(acknowledged.length).toBeGreaterThan(10)
	expect(acknowledged.filter(seq => !present.has(seq))).toEqual([])
	expect(seqs).toEqual(seqs.map((_, place) => place + 1))
})

test('two processes that append at once leave no gap and no double', async () => {
	const writers = [startAppender('ada', 150), startAppender('grace', 150)]
	await Promise.all(writers.map(writer => once(writer.child, 'close')))
	expect(writers.flatMap(writer => writer.acknowledged()).toSorted((a, b) => a - b)).toEqual(storedSeqs())
	expect(storedSeqs()).toEqual(Array.from({length: 300}, (_, place) => place + 1))
})

/** Makes single system calls fail; where it is not installed, the disk errors of full disks have to do. */
const tracer = 'strace'
const mayTrace = process.platform === 'linux' && spawnSync(tracer, ['-qq', 'true']).status === 0

test.runIf(mayTrace)('after an error of the disk the entry is refused, the file opened anew, and nothing acknowledged is lost', () => {
	// The first calls belong to making the file; the ninth is the commit of an entry.
	const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO:when=9']
	const traced = [process.execPath, appender, path, 'ada', '10']
	const run = spawnSync(tracer, ['-f', '-qq', '-o', join(world.folder, 'trace'), ...inject, ...traced])
	expect(String(run.stderr)).toBe('The incident log cannot be written because the disk reported an error.\n')
	expect(String(run.stdout).trim().split('\n').map(Number)).toEqual(storedSeqs())
	expect(storedSeqs()).toHaveLength(9)
})

test('a locked file refuses the entry with its reason and takes the next one', async () => {
	const log = open()
	await log.append(note)
	const raw = new DatabaseSync(path)
	raw.exec('BEGIN IMMEDIATE')
	await expectRefused(log, /^The incident log cannot be written because another process has locked it.$/)
	raw.exec('ROLLBACK')
	raw.close()
	expect((await log.append(note)).seq).toBe(2)
	await log.stop()
})

test('a file that is no log is refused and left alone', async () => {
	writeFileSync(path, 'notes of somebody else '.repeat(300))
	const log = open()
	await expectRefused(log, 'the file is damaged', {details: {fix: expect.stringContaining('restore')}})
	await expect(() => log.query({limit: 10})).rejects.toMatchObject({code: 'storage'})
	await log.stop()
})

test('a folder that is missing is named as the reason', async () => {
	const log = open(join(world.folder, 'missing', 'incidents.db'))
	await expectRefused(log, 'cannot be opened')
	await log.stop()
})

test.runIf(mayMount)('a full disk refuses entries, loses none, and with room the log goes on', async () => {
	const disk = mountSmallDisk(world.folder)
	try {
		const log = open(join(disk.path, 'incidents.db'))
		const before = (await log.append(note)).seq
		const makeRoom = disk.fill()
		const refusal = await firstRefusal(log)
		expect(refusal).toMatchObject({code: 'log_unavailable', message: 'The incident log cannot be written because the disk is full.'})
		const held = (await log.query({limit: 1})).matching
		expect(held).toBeGreaterThanOrEqual(before)
		makeRoom()
		expect((await log.append(note)).seq).toBe(held + 1)
		expect((await log.query({limit: 1})).matching).toBe(held + 1)
		await log.stop()
	} finally {
		disk.remove()
	}
})

test.runIf(mayMount)('a read-only disk can be read but takes no entry, and takes it again later', async () => {
	const disk = mountSmallDisk(world.folder)
	try {
		path = join(disk.path, 'incidents.db')
		const keeper = open()
		await keeper.append(note)
		disk.setReadOnly(true)
		const log = open()
		await expectRefused(log, 'read-only')
		expect((await log.query({limit: 10})).matching).toBe(1)
		disk.setReadOnly(false)
		expect((await log.append(note)).seq).toBe(2)
		await log.stop()
		await keeper.stop()
	} finally {
		disk.remove()
	}
})

function storedSeqs() {
	const raw = new DatabaseSync(path)
	const seqs = raw
		.prepare('SELECT seq FROM entry ORDER BY seq')
		.all()
		.map(row => Number(row['seq']))
	expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({integrity_check: 'ok'})
	raw.close()
	return seqs
}

const expectRefused = (log: IncidentLog, reason: string | RegExp, more = {}) =>
	expect(log.append(note)).rejects.toMatchObject({code: 'log_unavailable', message: expect.stringMatching(reason), ...more})

async function firstRefusal(log: IncidentLog) {
	for (let attempt = 0; attempt < 500; attempt += 1) {
		try {
			await log.append({...note, message: 'x'.repeat(5000)})
		} catch (error) {
			return error
		}
	}
	return undefined
}
