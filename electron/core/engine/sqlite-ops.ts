/** Writes of the engine on SQLite. Each reads the rows it depends on in its own transaction. */
import {columnOf, type Database, type Param} from '#core/store/database.ts'
import {
	blankStep,
	controls,
	type Held,
	type Op,
	type OpOf,
	type OpResult,
	type OpResults,
	type RunChange,
	type SignalRow,
	type StepRow,
	type Written
} from './port.ts'

/** Inside the transaction of the caller. */
export function applyOps(database: Database, ops: readonly Op[]): readonly OpResult[] {
	const batch = batchOf(database)
	const results = ops.map(op => applyOne(batch, op))
	batch.end()
	return results
}

export function isDurable(op: Op) {
	if (op.kind === 'steps' || op.kind === 'change') return op.durable
	return op.kind !== 'release' && op.kind !== 'draft' && op.kind !== 'forget'
}

type Batch = ReturnType<typeof batchOf>

interface Standing {
	epoch: number
	paused: number
	cancels: 0 | 1 | 2
}

function batchOf(database: Database) {
	const touched = new Set<string>()
	const alive = new Map<string, number>()
	return {
		database,
		/** The state of the run while this epoch owns it. */
		held({run, epoch, at}: Held) {
			const row = database.get<Standing>('SELECT epoch, paused, cancels FROM run WHERE id = ?', run)
			if (row?.epoch !== epoch) return null
			touched.add(run)
			alive.set(run, at)
			return {paused: row.paused === 1, cancels: row.cancels}
		},
		/** Notifies readers of the change. */
		touch: (run: string) => void touched.add(run),
		end() {
			for (const run of touched)
				database.run(
					'UPDATE run SET changed = ?, alive_at = coalesce(?, alive_at) WHERE id = ?',
					...[nextChange(database), integer(alive.get(run) ?? null), run]
				)
		}
	}
}

export function newestChange(database: Database) {
	return database.get<{number: number}>('SELECT number FROM newest_change')?.number ?? 0
}

function nextChange(database: Database) {
	database.run('UPDATE newest_change SET number = number + 1')
	return newestChange(database)
}

function applyOne(batch: Batch, op: Op): OpResult {
	switch (op.kind) {
		case 'begin':
			return begin(batch, op)
		case 'claim':
			return claim(batch, op)
		case 'steps':
			return steps(batch, op)
		case 'change':
			return whileHeld(batch, op, () => changeRun(batch.database, op.run, op.change))
		case 'decide':
			return decide(batch, op)
		case 'signal':
			return signal(batch, op)
		case 'release':
			return whileHeld(batch, op, () => {
				batch.database.run('UPDATE run SET owner_pid = NULL, owner_started = NULL WHERE id = ?', op.run)
			})
		case 'withdraw':
			return withdraw(batch, op)
		case 'draft':
			batch.database.run('DELETE FROM draft WHERE kept_at < ?', Math.floor(op.keptSince))
			return putDraft(batch.database, op.draft)
		case 'forget':
			return forget(batch.database, op.runs)
	}
}

function whileHeld(batch: Batch, held: Held, work: () => void) {
	const written = batch.held(held)
	if (written !== null) work()
	return written
}

function begin(batch: Batch, {run, steps: planned, draft, under}: OpOf<'begin'>): OpResults['begin'] {
	const {database} = batch
	if (under !== null && batch.held(under) === null) return {lost: true}
	const there = database.get<{id: string}>('SELECT id FROM run WHERE id = ? OR key = ?', run.id, run.key)
	if (there !== undefined) return {taken: there.id}
	if (run.definition !== null)
		database.run('INSERT OR IGNORE INTO definition (digest, body) VALUES (?, ?)', ...[run.definition.digest, json(run.definition.body)])
	insertRun(database, run)
	for (const [position, {id, label, input, tag}] of planned.entries()) putStep(database, run.id, {...blankStep, id, position, label, input, tag})
	if (draft !== null) database.run('DELETE FROM draft WHERE id = ?', draft)
	if (under !== null) {
		putStep(database, under.run, under.step)
		if (under.takes !== null) takeSignal(database, under.takes, under.step.id)
	}
	batch.touch(run.id)
	return {begun: true}
}

function insertRun(database: Database, run: OpOf<'begin'>['run']) {
	database.run(
		`INSERT INTO run (id, kind, version, subject, title, started_at, started_by, state, phase, facts, definition, failed,
       owner_pid, owner_started, epoch, alive_at, parent_run, parent_step, key, changed, input, output)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, '[]', ?, ?, 1, ?, ?, ?, ?, ?, ?, 'null')`,
		...[run.id, run.kind, run.version, run.subject, run.title, Math.floor(run.startedAt), run.startedBy],
		...[run.phase, json(run.facts), run.definition?.digest ?? null, run.owner.pid, run.owner.started],
		...[Math.floor(run.startedAt), run.parent?.run ?? null, run.parent?.step ?? null, run.key],
		...[nextChange(database), json(run.input)]
	)
}

function claim(batch: Batch, {run, epoch, at, owner}: OpOf<'claim'>) {
	const {changes} = batch.database.run(
		`UPDATE run SET owner_pid = ?, owner_started = ?, epoch = epoch + 1, alive_at = ?, state = 'open',
       because = CASE state WHEN 'held' THEN NULL ELSE because END
     WHERE id = ? AND epoch = ? AND ended_at IS NULL`,
		...[owner.pid, owner.started, Math.floor(at), run, epoch]
	)
	if (changes === 0) return null
	batch.touch(run)
	return epoch + 1
}

function steps(batch: Batch, op: OpOf<'steps'>) {
	return whileHeld(batch, op, () => {
		for (const step of op.steps) putStep(batch.database, op.run, step)
		if (op.takes !== null) takeSignal(batch.database, op.takes, op.steps[0]?.id ?? '')
	})
}

function takeSignal(database: Database, seq: number, step: string) {
	database.run('UPDATE signal SET taken_by = ? WHERE seq = ? AND taken_by IS NULL', step, seq)
}

function decide(batch: Batch, op: OpOf<'decide'>): OpResults['decide'] {
	const {database} = batch
	const {run, name, step, late, at} = op
	if (batch.held(op) === null) return null
	const found = database.get<SignalRow & {payload: string}>(
		`SELECT seq, run, name, payload, at FROM signal WHERE run = ? AND name = ? AND taken_by IS NULL ORDER BY seq LIMIT 1`,
		...[run, name]
	)
	const taken = found === undefined ? null : {...found, payload: JSON.parse(found.payload) as unknown}
	if (taken !== null) takeSignal(database, taken.seq, step.id)
	const ended = {...step, phase: 'done', endedAt: at} as const
	if (taken !== null) putStep(database, run, {...ended, tag: 'answered', output: {payload: taken.payload, at: taken.at}})
	else putStep(database, run, late ? {...ended, tag: 'timed_out', output: null} : step)
	return {taken, late: taken === null && late}
}

function signal(batch: Batch, {run, name, payload, id, at, reopens}: OpOf<'signal'>): OpResults['signal'] {
	const {database} = batch
	const row = database.get<{state: string; ended: number | null}>('SELECT state, ended_at AS ended FROM run WHERE id = ?', run)
	if (row === undefined) return 'no_run'
	if (row.ended !== null && !(reopens && row.state === 'failed')) return 'ended'
	const {changes} = database.run(
		'INSERT OR IGNORE INTO signal (run, name, id, payload, at, taken_by) VALUES (?, ?, ?, ?, ?, ?)',
		...[run, name, id, json(payload), Math.floor(at), name.startsWith('$') && isControl(name) ? '$engine' : null]
	)
	if (changes === 0) return 'duplicate'
	if (row.ended !== null)
		database.run(`UPDATE run SET state = 'open', ended_at = NULL, because = NULL, tally = NULL, failed = '[]' WHERE id = ?`, run)
	if (name === controls.pause || name === controls.resume)
		database.run('UPDATE run SET paused = ? WHERE id = ?', Number(name === controls.pause), run)
	if (name === controls.cancel) database.run('UPDATE run SET cancels = max(cancels, ?) WHERE id = ?', payload === 2 ? 2 : 1, run)
	batch.touch(run)
	return 'kept'
}

function isControl(name: string) {
	return Object.values<string>(controls).includes(name)
}

function withdraw(batch: Batch, op: OpOf<'withdraw'>): Written {
	const {database} = batch
	const written = batch.held(op)
	if (written === null) return null
	const {changes} = database.run('DELETE FROM run WHERE id = ? AND begun = 0', op.run)
	if (changes > 0 && op.draft !== null) putDraft(database, op.draft)
	return written
}

function putDraft(database: Database, {id, kind, subject, keptAt, body}: OpOf<'draft'>['draft']): true {
	database.run(
		'INSERT OR REPLACE INTO draft (id, kind, subject, kept_at, body) VALUES (?, ?, ?, ?, ?)',
		...[id, kind, subject, Math.floor(keptAt), json(body)]
	)
	return true
}

function forget(database: Database, runs: readonly string[]): true {
	database.run(
		// Those under one that is open stay: it would begin them a second time.
		`WITH RECURSIVE gone (id) AS (SELECT id FROM run WHERE ended_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))
       UNION SELECT run.id FROM run JOIN gone ON run.parent_run = gone.id WHERE ended_at IS NOT NULL)
     DELETE FROM run WHERE id IN gone`,
		JSON.stringify(runs)
	)
	database.run('DELETE FROM definition WHERE digest NOT IN (SELECT definition FROM run WHERE definition IS NOT NULL)')
	return true
}

const stepSql = `INSERT INTO step (run, id, position, kind, label, phase, tag, attempt, input, digest, output, error, past,
    begun_at, ended_at, due)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run, id) DO UPDATE SET label = excluded.label, phase = excluded.phase, tag = excluded.tag,
    attempt = excluded.attempt, input = excluded.input, digest = excluded.digest, output = excluded.output,
    error = excluded.error, past = excluded.past, begun_at = excluded.begun_at, ended_at = excluded.ended_at,
    due = excluded.due`

function putStep(database: Database, run: string, step: StepRow) {
	database.run(
		stepSql,
		...[run, step.id, step.position, step.kind, step.label, step.phase, step.tag, step.attempt, json(step.input)],
		...[step.digest, json(step.output), step.error === null ? null : json(step.error), json(step.past)],
		...[integer(step.begunAt), integer(step.endedAt), integer(step.due)]
	)
}

const asJson: ReadonlySet<string> = new Set(['facts', 'failed', 'output', 'tally'])

function changeRun(database: Database, run: string, change: RunChange) {
	// Every name is one of a column in camel case.
	const names = (Object.keys(change) as (keyof RunChange)[]).filter(name => change[name] !== undefined)
	if (names.length === 0) return
	const letsGo = typeof change.endedAt === 'number' ? ['owner_pid = NULL', 'owner_started = NULL'] : []
	const sets = [...names.map(name => `${columnOf(name)} = ?`), ...letsGo].join(', ')
	database.run(`UPDATE run SET ${sets} WHERE id = ?`, ...names.map(name => valueOf(name, change[name])), run)
}

function valueOf(name: string, value: unknown): Param {
	if (value === null && name !== 'output') return null
	if (asJson.has(name)) return json(value)
	if (typeof value === 'boolean') return Number(value)
	return typeof value === 'number' ? Math.floor(value) : String(value)
}

/** Truncated like the ISO texts of the incident log: both are compared. */
function integer(value: number | null) {
	return value === null ? null : Math.floor(value)
}

function json(value: unknown) {
	return JSON.stringify(value ?? null)
}
