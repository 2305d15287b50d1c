/** Profiles of versions that kept jobs and plans in `jobs.db`: nothing of them is lost, and nothing of them is done twice. */
import {existsSync} from 'node:fs'
import {join} from 'node:path'

import type {JobPlan} from '#model/job.ts'
import {openDatabase, type Database} from '#core/store/database.ts'
import {migrate} from '#core/store/migrations.ts'
import {ownIdentity} from '#core/store/process-identity.ts'
import {jobMigrations} from './former.ts'
import {isolate, openWorld, type World} from './testing/world.ts'

let world: World

beforeEach(async () => {
	world = await openWorld({computers: 300, seed: 'former'})
	return world.stop
})

const path = () => join(world.ports.profile, 'jobs.db')

function formerly(write: (database: Database) => void) {
	const database = openDatabase(path(), {synchronous: 'FULL'})
	migrate(database, jobMigrations)
	write(database)
	database.close()
}

interface Was {
	phase: 'applying' | 'done' | 'interrupted'
	because?: string
	endedAt?: string
	ownerPid?: number
	outcome: 'waiting' | 'sending' | 'done'
}

function putJob(database: Database, {targets, ...plan}: JobPlan, was: Was) {
	const at = new Date(world.ports.clock.now()).toISOString()
	database.run(
		`INSERT INTO job (id, connection, plan, title, started_at, started_by, surface, phase, because, ended_at, log_seq,
       alive_at, owner_pid, owner_started) VALUES (?, 'sandbox', ?, 'Isolate 2 computers', ?, 'kim', 'cli', ?, ?, ?, 0, ?, ?, ?)`,
		...[plan.id, JSON.stringify(plan), at, was.phase, was.because ?? null, was.endedAt ?? null],
		...[Math.floor(world.ports.clock.now()), was.ownerPid ?? null, ownIdentity().started]
	)
	for (const [position, {id, label, observed, observedAt}] of targets.entries())
		database.run(
			`INSERT INTO target (job, position, id, label, planned, planned_at, outcome, sent, requested_at, accepted_at, message)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			...[plan.id, position, id, label, JSON.stringify(observed), observedAt, was.outcome],
			...(was.outcome === 'done' ? [1, at, at, 'Isolated.'] : [0, null, null, null])
		)
}

async function planned(count: number) {
	const one = await world.start()
	const plan = await one.plan(isolate, world.ready(count))
	await one.stop()
	return {...plan, id: `former-${plan.id}`}
}

/** The former file holds this job. */
async function formerJob(was: Was, count = 2) {
	const plan = await planned(count)
	formerly(database => putJob(database, plan, was))
	return plan
}

test('a job that had ended keeps its end and its receipts, and the file goes', async () => {
	const plan = await planned(2)
	const endedAt = new Date(world.ports.clock.now()).toISOString()
	formerly(database => putJob(database, plan, {phase: 'done', endedAt, outcome: 'done'}))
	const {jobs} = await world.start()
	expect((await jobs.list()).rows).toMatchObject([
		{id: plan.id, title: 'Isolate 2 computers', phase: 'done', endedAt, targets: 2, counts: {done: 2}}
	])
	const {rows} = await jobs.receipts({job: plan.id, offset: 0, limit: 10})
	expect(rows).toMatchObject(plan.targets.map(({id}) => ({id, outcome: 'done', message: 'Isolated.'})))
	expect(await jobs.agreed(plan.id)).toMatchObject({digest: plan.digest, action: isolate})
	expect(existsSync(path())).toBe(false)
})

test.each([2, 6])('a job of %i that was under way goes on as it was confirmed, and each computer is changed once', async count => {
	const plan = await formerJob({phase: 'applying', outcome: 'waiting'}, count)
	const {jobs} = await world.recovered()
	expect(await jobs.settled(plan.id)).toMatchObject({phase: 'done', counts: {done: count}})
	expect(plan.targets.map(({id}) => world.taken(id))).toEqual(plan.targets.map(() => 1))
})

test('one that had been interrupted waits, and says why', async () => {
	const plan = await formerJob({phase: 'interrupted', because: 'The disk was full.', outcome: 'waiting'})
	const {jobs} = await world.recovered()
	expect((await jobs.get(plan.id)).summary).toMatchObject({phase: 'interrupted', because: 'The disk was full.'})
	expect(world.sent('PUT')).toBe(0)
})

test('one that a program of that version still runs stays with it', async () => {
	const plan = await formerJob({phase: 'applying', outcome: 'waiting', ownerPid: process.pid})
	const one = await world.start({isAlive: () => true})
	expect((await one.jobs.list()).rows).toEqual([])
	expect(existsSync(path())).toBe(true)
	await one.stop()
	expect((await (await world.start({isAlive: () => false})).jobs.list()).rows).toMatchObject([{id: plan.id}])
})

test('one that was taken over just before a kill is not taken over a second time', async () => {
	const plan = await formerJob({phase: 'applying', outcome: 'waiting'})
	const one = await world.recovered()
	await one.jobs.settled(plan.id)
	await one.stop()
	// As the file was before the job was taken out of it.
	formerly(database => putJob(database, plan, {phase: 'applying', outcome: 'waiting'}))
	const two = await world.recovered()
	expect((await two.jobs.get(plan.id)).summary).toMatchObject({phase: 'done', counts: {done: 2}})
	expect(plan.targets.map(({id}) => world.taken(id))).toEqual([1, 1])
	expect(existsSync(path())).toBe(false)
})

test('a plan that was made and not applied can be applied', async () => {
	const plan = await planned(2)
	const sql = 'INSERT INTO plan (id, connection, kept_at, plan) VALUES (?, ?, ?, ?)'
	formerly(database => database.run(sql, plan.id, 'sandbox', Math.floor(world.ports.clock.now()), JSON.stringify(plan)))
	const {jobs} = await world.start()
	await jobs.apply({plan: plan.id, surface: 'cli'})
	expect(await jobs.settled(plan.id)).toMatchObject({phase: 'done', counts: {done: 2}})
})

test('an unreadable file is reported, stays, and blocks nothing', async () => {
	formerly(database => database.exec('ALTER TABLE job RENAME TO lost'))
	const one = await world.start()
	expect((await one.jobs.list()).rows).toEqual([])
	expect(one.troubles).toEqual([expect.stringContaining('Jobs of an earlier version could not be read')])
	expect(existsSync(path())).toBe(true)
})
