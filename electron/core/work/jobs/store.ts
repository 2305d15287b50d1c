/**
 * Plans and jobs in `jobs.db`. Jobs, their phases and their ends are on the disk when a call returns. The states of targets
 * may lose their last steps when the power fails: the intents in the incident log never do, and going on begins with those.
 */
import { join } from 'node:path';

import type { Surface } from '#shared/model/incident.ts';
import { targetOutcomes, type JobPhase, type JobPlan, type TargetOutcome } from '#shared/model/job.ts';

import { openDatabase, type Database, type Param } from '#core/store/database.ts';
import { migrate } from '#core/store/migrations.ts';
import type { ProcessIdentity } from '#core/store/process-identity.ts';
import { firstEpoch, openClaims, type ClaimParts, type Claims, type Owned } from './claims.ts';
import { jobMigrations } from './schema.ts';

export interface JobRow extends Owned {
  readonly connection: string;
  readonly plan: string;
  readonly title: string;
  readonly started_at: string;
  readonly started_by: string;
  readonly surface: Surface;
  readonly incident: string | null;
  readonly phase: JobPhase;
  readonly because: string | null;
  /** 1: nothing more is sent; 2: nor is the end of what was sent waited for. */
  readonly stop_asked: 0 | 1 | 2;
  readonly waiting_until: string | null;
  readonly observe_until: string | null;
  readonly log_seq: number;
  readonly alive_at: number;
  /** The change, and the part of it, that this takes back. */
  readonly undoes: string | null;
  readonly part: string | null;
}

export interface TargetRow {
  readonly position: number;
  readonly id: string;
  readonly label: string;
  readonly planned: string;
  readonly planned_at: string;
  readonly note: string | null;
  readonly outcome: TargetOutcome;
  readonly sent: number;
  readonly requested_at: string | null;
  readonly accepted_at: string | null;
  readonly observed_at: string | null;
  readonly observed: string | null;
  readonly message: string | null;
  readonly error: string | null;
  readonly request_id: string | null;
  readonly entry: string | null;
}

export type TargetChange = Partial<Omit<TargetRow, 'position' | 'id' | 'label' | 'planned' | 'planned_at' | 'note'>>;
export type JobChange = Partial<
  Pick<JobRow, 'phase' | 'because' | 'ended_at' | 'stop_asked' | 'waiting_until' | 'observe_until'>
>;

export interface NewJob extends Pick<
  JobRow,
  'id' | 'title' | 'started_at' | 'started_by' | 'surface' | 'incident' | 'log_seq' | 'alive_at' | 'undoes' | 'part'
> {
  /** The connection on this profile; a plan from elsewhere names another id. */
  readonly connection: string;
  readonly plan: JobPlan;
}

export interface TargetFilter {
  readonly outcomes?: readonly TargetOutcome[] | undefined;
  readonly search?: string | undefined;
}

export interface JobStore extends Omit<Claims, 'create' | 'epochOf'> {
  keepPlan(connection: string, plan: JobPlan, now: number): void;
  plan(id: string): { readonly connection: string; readonly plan: JobPlan } | undefined;
  /**
   * Takes the plan out and puts the job in, owned by this process. Returns the id of the job that is in its place already:
   * of the same plan, or one that undoes the same.
   */
  create(job: NewJob): string | undefined;
  /** A job that nothing was done of is a plan again. */
  withdraw(job: string, connection: string, plan: JobPlan): void;
  job(id: string): JobRow | undefined;
  /** Asked before every change, of jobs whose plan may be long. */
  stopAsked(id: string): JobRow['stop_asked'];
  jobs(connection: string | undefined): readonly JobRow[];
  /** Jobs that have not come to their end. */
  open(): readonly JobRow[];
  counts(job: string): Readonly<Record<TargetOutcome, number>>;
  targets(job: string, filter?: TargetFilter): readonly TargetRow[];
  window(
    job: string,
    filter: TargetFilter,
    offset: number,
    limit: number,
  ): { readonly rows: readonly TargetRow[]; readonly matching: number };
  /** Where this process has the job, nothing is written once another has taken it over. */
  changeJob(job: string, change: JobChange): void;
  changeTarget(job: string, position: number, change: TargetChange): void;
  changeTargets(job: string, changes: readonly { readonly position: number; readonly change: TargetChange }[]): void;
  close(): void;
}

export interface JobStoreOptions extends Pick<ClaimParts, 'self' | 'isAlive'> {
  readonly profile: string;
  readonly now: () => number;
}

const planKeptMs = 7 * 24 * 3_600_000;

export function openJobStore({ profile, self, isAlive, now }: JobStoreOptions): JobStore {
  const database = openDatabase(join(profile, 'jobs.db'), { synchronous: 'NORMAL' });
  try {
    migrate(database, jobMigrations);
  } catch (error) {
    database.close();
    throw error;
  }
  const jobOf = (id: string): JobRow | undefined => database.get<JobRow>('SELECT * FROM job WHERE id = ?', id);
  const claims = openClaims(database, { self, isAlive, rowOf: jobOf });
  return {
    keepPlan: (connection, plan, at) => database.transaction(() => putPlan(database, connection, plan, at)),
    plan(id) {
      const row = database.get<{ readonly connection: string; readonly plan: string }>(
        'SELECT connection, plan FROM plan WHERE id = ?',
        id,
      );
      return row && { connection: row.connection, plan: storedPlan(row.plan) };
    },
    create: (job) =>
      claims.create(job.id, () => database.transaction(() => createJob(database, job, self), { durable: true })),
    withdraw: (job, connection, plan) => {
      claims.letGo(job);
      claims.ifLeft(job, () => {
        database.run('DELETE FROM target WHERE job = ?', job);
        database.run('DELETE FROM job WHERE id = ?', job);
        putPlan(database, connection, plan, now());
      });
    },
    job: jobOf,
    stopAsked: (id) =>
      database.get<Pick<JobRow, 'stop_asked'>>('SELECT stop_asked FROM job WHERE id = ?', id)?.stop_asked ?? 0,
    jobs: (connection) => jobsOf(database, connection),
    open: () => database.all<JobRow>('SELECT * FROM job WHERE ended_at IS NULL ORDER BY started_at, id'),
    counts: (job) => countsOf(database, job),
    targets: (job, filter = {}) => {
      const { sql, params } = conditionOf(job, filter);
      return database.all<TargetRow>(`SELECT * FROM target WHERE ${sql} ORDER BY position`, ...params);
    },
    window(job, filter, offset, limit) {
      const { sql, params } = conditionOf(job, filter);
      const rows = database.all<TargetRow>(
        `SELECT * FROM target WHERE ${sql} ORDER BY position LIMIT ? OFFSET ?`,
        ...params,
        limit,
        offset,
      );
      const matching = database.get<{ readonly n: number }>(`SELECT count(*) AS n FROM target WHERE ${sql}`, ...params);
      return { rows, matching: matching?.n ?? 0 };
    },
    changeJob: (job, change) =>
      database.transaction(
        () => {
          const values = { ...change, alive_at: Math.round(now()) };
          update(database, 'job', values, 'id = ? AND epoch = coalesce(?, epoch)', [job, claims.epochOf(job)]);
        },
        { durable: true },
      ),
    changeTarget: (job, position, change) =>
      update(database, 'target', change, 'job = ? AND position = ?', [job, position]),
    changeTargets: (job, changes) =>
      database.transaction(() => {
        for (const { position, change } of changes)
          update(database, 'target', change, 'job = ? AND position = ?', [job, position]);
      }),
    claim: claims.claim,
    holds: claims.holds,
    letGo: claims.letGo,
    ifLeft: claims.ifLeft,
    ownerOf: claims.ownerOf,
    close: () => database.close(),
  };
}

function putPlan(database: Database, connection: string, plan: JobPlan, at: number): void {
  database.run('DELETE FROM plan WHERE kept_at < ?', Math.round(at - planKeptMs));
  database.run(
    'INSERT OR REPLACE INTO plan (id, connection, kept_at, plan) VALUES (?, ?, ?, ?)',
    plan.id,
    connection,
    Math.round(at),
    JSON.stringify(plan),
  );
}

function storedPlan(json: string): JobPlan {
  // Written by `keepPlan` alone.
  return JSON.parse(json) as JobPlan;
}

/** The newest first. */
function jobsOf(database: Database, connection: string | undefined): readonly JobRow[] {
  const order = 'ORDER BY started_at DESC, id DESC';
  return connection === undefined
    ? database.all<JobRow>(`SELECT * FROM job ${order}`)
    : database.all<JobRow>(`SELECT * FROM job WHERE connection = ? ${order}`, connection);
}

function createJob(database: Database, job: NewJob, self: ProcessIdentity): string | undefined {
  const same = 'SELECT id FROM job WHERE id = ? OR (undoes = ? AND part = ?)';
  const there = database.get<Pick<JobRow, 'id'>>(same, job.id, job.undoes, job.part);
  if (there !== undefined) return there.id;
  const { targets, ...plan } = job.plan;
  insert(database, 'job', {
    ...job,
    plan: JSON.stringify(plan),
    alive_at: Math.round(job.alive_at),
    phase: 'applying',
    owner_pid: self.pid,
    owner_started: self.started,
    epoch: firstEpoch,
  });
  for (const [position, { id, label, observed, observedAt, note }] of targets.entries())
    insert(database, 'target', {
      job: job.id,
      position,
      id,
      label,
      planned: JSON.stringify(observed),
      planned_at: observedAt,
      note,
      outcome: 'waiting',
    });
  database.run('DELETE FROM plan WHERE id = ?', job.id);
  return undefined;
}

type Values = Readonly<Record<string, Param | undefined>>;

/** Names of columns are literals of this program, never input. */
function insert(database: Database, table: string, values: Values): void {
  const names = Object.keys(values);
  const marks = names.map(() => '?').join(', ');
  database.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
    ...names.map((name) => values[name] ?? null),
  );
}

function update(database: Database, table: string, values: Values, where: string, params: readonly Param[]): void {
  const names = Object.keys(values).filter((name) => values[name] !== undefined);
  if (names.length === 0) return;
  const sets = names.map((name) => `${name} = ?`).join(', ');
  database.run(`UPDATE ${table} SET ${sets} WHERE ${where}`, ...names.map((name) => values[name] ?? null), ...params);
}

function conditionOf(
  job: string,
  { outcomes, search }: TargetFilter,
): { readonly sql: string; readonly params: Param[] } {
  const parts = ['job = ?'];
  const params: Param[] = [job];
  if (outcomes !== undefined) {
    parts.push(`outcome IN (${outcomes.map(() => '?').join(', ')})`);
    params.push(...outcomes);
  }
  if (search !== undefined && search !== '') {
    parts.push(`(label LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\')`);
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    params.push(pattern, pattern);
  }
  return { sql: parts.join(' AND '), params };
}

function countsOf(database: Database, job: string): Readonly<Record<TargetOutcome, number>> {
  const rows = database.all<{ readonly outcome: TargetOutcome; readonly n: number }>(
    'SELECT outcome, count(*) AS n FROM target WHERE job = ? GROUP BY outcome',
    job,
  );
  const found = new Map(rows.map(({ outcome, n }) => [outcome, n]));
  // Every outcome has its number, also 0.
  return Object.fromEntries(targetOutcomes.map((outcome) => [outcome, found.get(outcome) ?? 0])) as Record<
    TargetOutcome,
    number
  >;
}
