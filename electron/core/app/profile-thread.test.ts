/** The storage thread answers like the repositories, and does not block the main thread. */
import {statSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

import {CordonError} from '#contract/errors.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {turns, until} from '#base/testing/until.ts'
import type {NewRun, Op} from '#core/engine/port.ts'
import {openIncidentLog, type LocalLog} from '#core/record/incidents/log.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {storeFaultOf} from '#core/store/faults.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {openStorageThread} from '#core/store/thread.ts'
import {openProfileThread, type ProfileThread} from './profile-thread.ts'
import {testFolder} from '#base/testing/folder.ts'

let folder: string
let thread: ProfileThread
let log: LocalLog

beforeEach(() => {
	folder = testFolder()
	thread = openProfileThread({profile: folder, operator: 'kim'})
	const path = join(folder, 'incidents.db')
	log = openIncidentLog({path, clock: systemClock, random: systemRandom, operator: 'kim'}, thread.log)
})
afterEach(async () => {
	await log.stop()
	await thread.runs.close().catch(() => {})
	await thread.stop()
})

const note = (message: string): NewEntry => ({kind: 'note', surface: 'screen', message})

function run(id: string): Op {
	const owner = {pid: process.pid, started: 'now'}
	const begun: NewRun = {
		...{id, kind: 'drill', version: 1, subject: null, title: id, startedAt: 1000, startedBy: 'kim', input: {a: [1]}},
		...{phase: null, facts: {}, parent: null, key: null, definition: null, owner}
	}
	return {kind: 'begin', run: begun, steps: [], draft: null, under: null}
}

test('entries from there and from here are one chain, each under its own number', async () => {
	const [first, second] = await Promise.all([log.append(note('one')), log.append(note('two'))])
	const third = log.note(note('three'))
	const fourth = await log.append(note('four'))
	expect([first, second, third, fourth].map(({seq}) => seq)).toEqual([1, 2, 3, 4])
	expect(await log.verify()).toMatchObject({checked: 4, broken: null})
	expect((await log.query({limit: 10})).entries.map(({message, operator}) => [message, operator])).toEqual(
		['four', 'three', 'two', 'one'].map(message => [message, 'kim'])
	)
})

test('listeners are notified of entries stored there', async () => {
	const heard = Promise.withResolvers<number>()
	log.onAppend(seq => heard.resolve(seq))
	await log.append(note('one'))
	expect(await heard.promise).toBe(1)
})

test('runs are kept, and an error comes back with its code and its fault', async () => {
	expect(await thread.runs.apply([run('r1'), run('r1')])).toEqual([{begun: true}, {taken: 'r1'}])
	expect(await thread.runs.run('r1')).toMatchObject({id: 'r1', input: {a: [1]}})
	const file = new DatabaseSync(join(folder, 'runs.db'))
	file.exec(`CREATE TRIGGER refused BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'no'); END`)
	file.close()
	const error: unknown = await thread.runs.apply([run('r2')]).catch((reason: unknown) => reason)
	expect(error).toMatchObject({code: 'storage'})
	expect(storeFaultOf(error)).toBe('constraint')
})

test('other calls do not wait for the lock of another process', async () => {
	await log.append(note('one'))
	await thread.runs.apply([run('r1')])
	const others = ['incidents.db', 'runs.db'].map(name => new DatabaseSync(join(folder, name)))
	for (const other of others) other.exec('BEGIN IMMEDIATE')
	let isWritten = false
	const writes = Promise.all([log.append(note('two')), thread.runs.apply([run('r2')])]).then(() => (isWritten = true))
	// This thread keeps running although both writes wait.
	await turns(1000)
	expect(isWritten).toBe(false)
	for (const other of others) other.exec('COMMIT')
	await writes
	for (const other of others) other.close()
	expect(await log.newest()).toBe(2)
	expect(await thread.runs.run('r2')).toMatchObject({id: 'r2'})
})

test('what cannot cross is refused, and the next call is answered', async () => {
	const wrong = {...run('r1'), kind: (() => {}) as never}
	await expect(thread.runs.apply([wrong])).rejects.toThrow(/could not be cloned/)
	expect(await thread.runs.run('r1')).toBeUndefined()
})

test('no call reaches it after it stopped', async () => {
	const own = openProfileThread({profile: folder, operator: 'kim'})
	await own.runs.apply([run('r1')])
	await own.runs.close()
	await own.stop()
	await expect(own.runs.run('r1')).rejects.toMatchObject({code: 'cancelled'})
})

test('until the first screen is shown runs are read without it, and what it wrote is read there and here', async () => {
	const shown = Promise.withResolvers<void>()
	const own = openProfileThread({profile: folder, operator: 'kim'}, shown.promise)
	const ids = async () => (await own.runs.runs({offset: 0, limit: 10})).rows.map(({id}) => id)
	expect(await ids()).toEqual([])
	await own.runs.apply([run('r1')])
	const before = await ids()
	shown.resolve()
	await shown.promise
	expect([before, await ids()]).toEqual([['r1'], ['r1']])
	await own.runs.close()
	await own.stop()
})

interface Bomb {
	go(): void
	add(a: number, b: number): number
}

function bombThread() {
	const code = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'close') return parentPort.close();
      if (message.method === 'go') process.exit(1);
      parentPort.postMessage({ id: message.id, value: message.args[0] + message.args[1] });
    });`
	return openStorageThread({url: new URL(`data:text/javascript,${encodeURIComponent(code)}`), name: 'bomb', data: null})
}

test('when a thread dies each pending call fails with its own error, and the next call starts a new thread', async () => {
	const made = bombThread()
	const bomb = made.part<Bomb>('bomb', {go: true, add: true}, reason => new CordonError('log_unavailable', reason))
	expect(await bomb.add(1, 2)).toBe(3)
	const asked = await Promise.allSettled([bomb.go(), bomb.add(3, 4)])
	expect(asked).toMatchObject([
		{status: 'rejected', reason: {code: 'log_unavailable'}},
		{status: 'rejected', reason: {code: 'log_unavailable'}}
	])
	expect(await bomb.add(5, 6)).toBe(11)
	await made.stop()
})

test('what the window commits to profile.db reaches the file from there: its own commits wait for no disk', async () => {
	const path = join(folder, 'profile.db')
	const database = openProfileDatabase(folder, true)
	database.exec('CREATE TABLE written (text TEXT)')
	const before = statSync(path).size
	for (let row = 0; row < 20; row += 1) database.run('INSERT INTO written VALUES (?)', 'x'.repeat(500_000))
	expect(statSync(path).size).toBe(before)
	await log.append(note('the thread runs'))
	await until('the pages are moved', () => statSync(path).size > 10_000_000)
	database.close()
})
