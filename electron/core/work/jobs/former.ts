/**
 * Jobs and plans of versions that kept them in `jobs.db`: each is put into the store of the engine, whole and under its own
 * id, and only then taken out of that file. A kill in between has it done again, and finds it there.
 */
import {existsSync} from 'node:fs'
import {join} from 'node:path'

import {digestOfJson} from '#base/canonical.ts'
import type {Op, StepRow} from '#core/engine/port.ts'
import {removeDatabase} from '#core/store/database-files.ts'
import {type Database, openDatabase} from '#core/store/database.ts'
import {migrate, type Migration} from '#core/store/migrations.ts'
import {isAlive as isProcessAlive, ownIdentity, type ProcessIdentity} from '#core/store/process-identity.ts'
import type {AgreedPlan, JobPlan, JobSummary} from '#model/job.ts'
import {type JobFacts, jobKind, keyOf, outputWith, phaseOf, stepOf, type TargetRow} from './rows.ts'
import type {JobServices} from './types.ts'

interface FormerJob extends Pick<JobSummary, 'id' | 'connection' | 'title' | 'phase' | 'because'>, Pick<JobFacts, 'surface' | 'incident'> {
	/** Without its targets; JSON. */
	plan: string
	started_at: string
	started_by: string
	ended_at: string | null
	stop_asked: 0 | 1 | 2
	observe_until: string | null
	log_seq: number
	alive_at: number
	owner_pid: number | null
	owner_started: string | null
	undoes: string | null
	part: string | null
}

type FormerTarget = Omit<TargetRow, 'planned'> & {planned: string}

const targetColumns = `position, id, label, planned, planned_at AS plannedAt, note, outcome, sent, requested_at AS requestedAt,
  accepted_at AS acceptedAt, observed_at AS observedAt, observed, message, error, request_id AS requestId, entry`

interface FormerPlan {
	connection: string
	kept_at: number
	plan: string
}

type Dependencies = Pick<JobServices, 'profile' | 'store' | 'onTrouble' | 'isAlive'>

/** Does nothing without such a file. What cannot be migrated stays and is reported. */
export async function takeOverFormer(deps: Dependencies) {
	const path = join(deps.profile, 'jobs.db')
	if (!existsSync(path)) return
	try {
		const database = openDatabase(path, {synchronous: 'FULL'})
		let isEmpty = false
		try {
			migrate(database, jobMigrations)
			isEmpty = await takeAll(deps, database)
		} finally {
			database.close()
		}
		if (isEmpty) removeDatabase(path)
	} catch (error) {
		deps.onTrouble('Jobs of an earlier version could not be read from jobs.db.', error)
	}
}

/** Whether nothing is left in it. */
async function takeAll(deps: Dependencies, database: Database) {
	const plans = database.all<FormerPlan>('SELECT connection, kept_at, plan FROM plan')
	await deps.store.apply(plans.map(draftOf))
	database.run('DELETE FROM plan')
	let isEmpty = true
	for (const job of database.all<FormerJob>('SELECT * FROM job ORDER BY started_at, id')) {
		if (isRunning(deps, job)) isEmpty = false
		else await takeOne(deps, database, job)
	}
	return isEmpty
}

/** A program of that version may still have it. */
function isRunning({isAlive = isProcessAlive}: Dependencies, {owner_pid: pid, owner_started: started}: FormerJob) {
	return pid !== null && isAlive({pid, started: started ?? ''})
}

async function takeOne({store}: Dependencies, database: Database, job: FormerJob) {
	const targets = database.all<FormerTarget>(`SELECT ${targetColumns} FROM target WHERE job = ? ORDER BY position`, job.id)
	if ((await store.run(job.id)) === undefined) await store.apply(opsOf(job, targets, ownIdentity()))
	database.transaction(() => {
		database.run('DELETE FROM target WHERE job = ?', job.id)
		database.run('DELETE FROM job WHERE id = ?', job.id)
	})
}

function draftOf({connection, kept_at: keptAt, plan: json}: FormerPlan): Op {
	const plan = JSON.parse(json) as JobPlan
	return {kind: 'draft', keptSince: 0, draft: {id: plan.id, kind: jobKind, subject: connection, keptAt, body: plan}}
}

/** In one transaction: all of the job, or nothing of it. */
function opsOf(job: FormerJob, targets: readonly FormerTarget[], owner: ProcessIdentity): readonly Op[] {
	const held = {run: job.id, epoch: 1, at: job.alive_at}
	const stopped: Op = {...{kind: 'signal', run: job.id, name: '$cancel', payload: job.stop_asked, id: null, at: job.alive_at}, reopens: false}
	return [
		{kind: 'begin', run: newRun(job, owner), steps: targets.map(planned), draft: null, under: null},
		{kind: 'steps', ...held, steps: targets.map(stepRow), takes: null, durable: true},
		...(job.stop_asked > 0 && job.ended_at === null ? [stopped] : []),
		{kind: 'change', ...held, change: standing(job, targets), durable: true},
		...(job.ended_at === null ? [{kind: 'release', ...held} as const] : [])
	]
}

function newRun(job: FormerJob, owner: ProcessIdentity) {
	// Written by that version from a plan.
	const agreed = JSON.parse(job.plan) as AgreedPlan
	const undoes = job.undoes === null ? null : {change: job.undoes, part: job.part ?? ''}
	const facts: JobFacts = {
		...{action: agreed.action.kind, waves: agreed.waves, surface: job.surface, incident: job.incident, undoes},
		...{logSeq: job.log_seq, waitingUntil: null, observeUntil: job.observe_until}
	}
	return {
		...{id: job.id, kind: jobKind, version: 1, subject: job.connection, title: job.title, owner, parent: null},
		...{startedAt: Date.parse(job.started_at), startedBy: job.started_by, input: null, facts: {...facts}},
		phase: job.phase === 'interrupted' ? 'applying' : job.phase,
		key: keyOf(job.connection, undoes),
		definition: {digest: digestOfJson(agreed), body: agreed}
	}
}

function planned({id, label, planned: observed, plannedAt: observedAt, note}: FormerTarget) {
	return stepOf({id, label, observed: JSON.parse(observed), observedAt, note, warnings: []})
}

function stepRow(target: FormerTarget): StepRow {
	const {position, sent: attempt, outcome: tag, requestedAt, error: code, message} = target
	const blank: StepRow = {
		...{...planned(target), position, kind: 'step', phase: phaseOf(tag), tag, attempt, digest: null, output: null},
		...{past: [], begunAt: requestedAt === null ? null : Date.parse(requestedAt), endedAt: null, due: null},
		error: code === null ? null : {code, message: message ?? ''}
	}
	return {...blank, output: outputWith(blank, target)}
}

function standing({because, ended_at: endedAt, phase}: FormerJob, targets: readonly FormerTarget[]) {
	// That version confirmed it, and told its start, before it was stored.
	if (endedAt === null) return {because, begun: true, state: phase === 'interrupted' ? ('held' as const) : ('open' as const)}
	const tags = Map.groupBy(targets, ({outcome}) => outcome)
	return {
		...{because, begun: true, endedAt: Date.parse(endedAt)},
		state: phase === 'stopped' ? ('cancelled' as const) : ('done' as const),
		tally: Object.fromEntries([...tags].map(([tag, rows]) => [tag, rows.length]))
	}
}

/** `jobs.db`: plans and jobs with the state of each target. No unlock code and no key is ever in it. */
export const jobMigrations: readonly Migration[] = [
	`
  -- Plans that were made or imported and not applied yet; JSON.
  CREATE TABLE plan (id TEXT PRIMARY KEY, connection TEXT NOT NULL, kept_at INTEGER NOT NULL, plan TEXT NOT NULL) STRICT;

  CREATE TABLE job (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    -- The plan without its targets; JSON.
    plan TEXT NOT NULL,
    title TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_by TEXT NOT NULL,
    surface TEXT NOT NULL,
    incident TEXT,
    phase TEXT NOT NULL,
    because TEXT,
    ended_at TEXT,
    -- 1: somebody asked to stop sending, 2: and to stop waiting; every process on the profile may.
    stop_asked INTEGER NOT NULL DEFAULT 0,
    waiting_until TEXT,
    observe_until TEXT,
    -- Its entries in the incident log come after this one.
    log_seq INTEGER NOT NULL,
    -- Unix milliseconds: when its process last wrote to it.
    alive_at INTEGER NOT NULL,
    -- The process that runs it; NULL when it ended in order.
    owner_pid INTEGER,
    owner_started TEXT
  ) STRICT;
  CREATE INDEX job_of_connection ON job (connection, started_at);

  CREATE TABLE target (
    job TEXT NOT NULL REFERENCES job (id),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    -- As the plan saw it; JSON.
    planned TEXT NOT NULL,
    planned_at TEXT NOT NULL,
    note TEXT,
    outcome TEXT NOT NULL,
    -- How often it was sent.
    sent INTEGER NOT NULL DEFAULT 0,
    requested_at TEXT,
    accepted_at TEXT,
    observed_at TEXT,
    observed TEXT,
    message TEXT,
    error TEXT,
    request_id TEXT,
    entry TEXT,
    PRIMARY KEY (job, position),
    UNIQUE (job, id)
  ) STRICT;
  CREATE INDEX target_outcome ON target (job, outcome);
  `,
	`
  -- How often the job was taken by a process.
  ALTER TABLE job ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  `,
	`
  -- The change, and the part of it, that the job takes back; in the log with its start. Of each part there is one job.
  ALTER TABLE job ADD COLUMN undoes TEXT;
  ALTER TABLE job ADD COLUMN part TEXT;
  CREATE UNIQUE INDEX job_undoes ON job (undoes, part) WHERE undoes IS NOT NULL;
  `
]
