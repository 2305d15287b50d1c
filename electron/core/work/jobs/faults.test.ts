/** What goes wrong around a job, in its own file, in the log, in those who listen: it ends where it can be reached. */
import {join} from 'node:path'

import {openDatabase, type Database} from '#core/store/database.ts'
import {until} from '#base/testing/until.ts'
import type {QuotaPlanner, JobServices} from './types.ts'
import {isolate, openWorld, type Process, type World} from './testing/world.ts'

let world: World
let disk: Database

beforeEach(async () => {
	world = await openWorld({computers: 300, seed: 'faults'})
	disk = openDatabase(join(world.ports.profile, 'runs.db'), {synchronous: 'NORMAL'})
})
afterEach(async () => {
	disk.close()
	await world.stop()
})

/** From now on the disk refuses these statements (SQL). */
function refuse(what: string) {
	disk.exec(`CREATE TRIGGER refused BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'disk'); END`)
	return () => disk.exec('DROP TRIGGER refused')
}

/** Jobs that a process left behind, each with its first change. */
async function left(...jobs: readonly (readonly string[])[]) {
	const ids: string[] = []
	for (const targets of jobs) ids.push(await (await world.start()).leave(isolate, targets))
	return ids
}

async function stoppedByDisk({begin, jobs}: Process, targets: readonly string[]) {
	const id = await begin(world.moveOf(targets), targets)
	expect(await jobs.settled(id)).toMatchObject({phase: 'interrupted', because: expect.stringMatching(/disk/)})
	return id
}

test('a run that cannot write its own file ends when nothing of it is on its way any more', async () => {
	const targets = world.ready(8)
	const one = await world.start()
	// Makes the file.
	await one.jobs.list()
	const mend = refuse(`UPDATE ON step WHEN NEW.position = 3 AND NEW.tag = 'sending'`)
	const id = await stoppedByDisk(one, targets)
	const calls = one.calls.length
	await world.arrived()
	expect([one.changesUnderWay(), one.calls.length]).toEqual([0, calls])
	mend()
	await one.jobs.resume(id)
	expect(await one.doneOf(id)).toBe(8)
	expect(world.took(targets)).toBe(1)
})

test('one who listens and fails keeps nothing from the others, and does not end the program', async () => {
	const one = await world.start()
	const told: string[] = []
	one.jobs.onChange(() => {
		throw new Error('the page is gone')
	})
	one.jobs.onChange((_connection, job) => void told.push(job))
	const id = await one.begin(isolate, world.ready(2))
	await one.jobs.settled(id)
	await until('the end is told', () => told.length > 0 && one.troubles.length > 0)
	expect(new Set(told)).toEqual(new Set([id]))
	expect(one.troubles.every(trouble => trouble.includes('the page is gone'))).toBe(true)
})

/** Pauses pass at once, and answers get their turn in between. */
function patientClock(): JobServices['clock'] {
	const {clock} = world.ports
	const sleep: typeof clock.sleep = async (ms, signal) => {
		await new Promise(setImmediate)
		await clock.sleep(ms, signal)
	}
	return {...clock, sleep}
}

/** Room for so many calls at a time, and no new window for an hour. */
function roomFor(calls: number): QuotaPlanner {
	const resetAt = world.ports.clock.now() + 3_600_000
	return {reserve: () => {}, room: () => ({calls, resetAt})}
}

test('with room for one more call, one change is on its way at a time', async () => {
	const one = await world.start({clock: patientClock(), planner: roomFor(1)})
	const targets = world.ready(6)
	const seen = new Set<number>()
	one.jobs.onChange(() => seen.add(one.changesUnderWay()))
	const watch = setInterval(() => seen.add(one.changesUnderWay()), 0)
	const end = await one.carryOut(world.moveOf(targets), targets)
	clearInterval(watch)
	expect(end).toMatchObject({phase: 'done', counts: {done: 6}})
	expect(Math.max(...seen)).toBe(1)
})

test('a run that cannot write its file says so without waiting for the API limit', async () => {
	const targets = world.ready(8)
	const resetAt = world.ports.clock.now() + 3_600_000
	let [asked, hasBegun] = [0, false]
	const room: QuotaPlanner['room'] = () => {
		asked += Number(hasBegun)
		return {calls: asked > 3 ? 0 : 3, resetAt}
	}
	const reserve: QuotaPlanner['reserve'] = () => void (hasBegun = true)
	const one = await world.start({clock: patientClock(), planner: {reserve, room}})
	await one.jobs.list()
	// The first of the second wave; those beside it find no room.
	refuse(`UPDATE ON step WHEN NEW.position = 1 AND NEW.tag = 'sending'`)
	const from = world.ports.clock.now()
	await stoppedByDisk(one, targets)
	expect(world.ports.clock.now() - from).toBeLessThan(600_000)
})

test.each(['stopped by somebody', 'whose sandbox is gone'])('the end of a job %s is in the log', async how => {
	const [id = ''] = await left(world.ready(3))
	const two = await world.start({forgets: () => how !== 'stopped by somebody'})
	if (how === 'stopped by somebody') await two.jobs.stop(id)
	else await two.jobs.recover()
	expect((await two.jobs.get(id)).summary).toMatchObject({phase: 'stopped', counts: {unknown: 1, not_tried: 2}})
	const {entries} = await two.profile.log.query({kinds: ['note'], limit: 1})
	expect(entries).toMatchObject([{message: 'Job ended: Isolate 3 computers: 1 outcome unknown, 2 not sent.', data: {job: id}}])
})

test('the end of a job is in the log before it is stored, and once', async () => {
	const one = await world.start({clock: patientClock()})
	await one.jobs.list()
	const targets = world.ready(2)
	const notes = async (id: string) => (await one.notesOf(id)).length
	const mend = refuse(`UPDATE ON run WHEN NEW.ended_at IS NOT NULL`)
	const id = await one.begin(world.moveOf(targets), targets)
	expect([(await one.jobs.settled(id)).phase, await notes(id)]).toEqual(['interrupted', 2])
	mend()
	await one.jobs.resume(id)
	expect([(await one.jobs.settled(id)).phase, await notes(id)]).toEqual(['done', 2])
})

test('one job that cannot be looked after does not keep the others from going on', async () => {
	const targets = world.ready(4)
	const [first = '', second = ''] = await left(targets.slice(0, 2), targets.slice(2))
	// So old that it waits for somebody; the other continues automatically.
	disk.run('UPDATE run SET alive_at = alive_at - 3600000 WHERE id = ?', first)
	const mend = refuse(`UPDATE ON run WHEN NEW.id = '${first}'`)
	const two = await world.recovered()
	mend()
	expect(await two.doneOf(second)).toBe(2)
	expect(two.troubles).toEqual([expect.stringContaining('disk')])
})

test('a left job whose end the disk refused can be stopped later', async () => {
	const [id = ''] = await left(world.ready(2))
	const mend = refuse(`UPDATE ON run WHEN NEW.ended_at IS NOT NULL`)
	const two = await world.start()
	await expect(two.jobs.stop(id)).rejects.toMatchObject({code: 'storage'})
	mend()
	expect(await two.jobs.stop(id)).toMatchObject({phase: 'stopped', counts: {unknown: 1, not_tried: 1}})
})

test('a change seen first by another process is not reported twice', async () => {
	const targets = world.ready(2)
	const entry: JobServices['log']['entry'] = async about => {
		const intent = await one.profile.log.entry(about)
		// The watch of the console sees it after this process has looked into the log.
		const command = intent?.command ?? null
		const seen = {kind: 'command.observed', surface: 'screen', about, message: 'Seen.', command} as const
		await one.profile.log.appendOnce(seen, ['command.observed'])
		return intent
	}
	const one = await world.start({log: {entry}})
	const id = await one.begin(isolate, targets)
	expect(await one.jobs.settled(id)).toMatchObject({counts: {done: 2}})
	const {entries} = await one.profile.log.query({kinds: ['command.observed'], limit: 100})
	expect(entries.map(({message}) => message)).toEqual(['Seen.', 'Seen.'])
})
