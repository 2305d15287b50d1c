/** The job engine of one process: plans, jobs that run here, and what other processes left. */
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { JobPlan, JobSummary } from '#shared/model/job.ts';

import { isAlive, ownIdentity } from '#core/store/process-identity.ts';
import { actionOf } from './actions/action-of.ts';
import { approve } from './approve.ts';
import { csvOf, jsonOf } from './export.ts';
import { tellEnd } from './notes.ts';
import { makePlan } from './plan.ts';
import { planText, readPlan } from './plan-file.ts';
import { iso, openTargets, type RunParts } from './run-state.ts';
import { createRuns, quietly, type OwnRun, type Runs } from './runs.ts';
import { openJobStore, type JobRow, type JobStore } from './store.ts';
import { headOf, receiptOf, summaryOf, totalsOf } from './summary.ts';
import type { ApplyRequest, Jobs, JobServices } from './types.ts';
import { titleOf } from './words.ts';

/** A job that was alive so short a time ago goes on by itself; an older one waits for somebody to say so. */
const goesOnForMs = 30 * 60_000;

const retried = ['failed', 'unknown', 'not_tried', 'not_confirmed'] as const;

/** Opens `jobs.db`. Throws `storage` when that is not possible. */
export function openJobs(services: JobServices): Jobs {
  return new Engine(services);
}

class Engine implements Jobs {
  readonly #services: JobServices;
  readonly #store: JobStore;
  readonly #closing = new AbortController();
  readonly #runs: Runs;
  readonly #listeners = new Set<(connection: string, job: string) => void>();
  /** Plans that somebody applies at this moment. */
  readonly #applying = new Set<string>();
  readonly #changed = new Map<string, string>();
  #telling: NodeJS.Immediate | undefined;

  constructor(services: JobServices) {
    this.#services = services;
    this.#store = openJobStore({
      profile: services.profile,
      self: services.self ?? ownIdentity(),
      isAlive: services.isAlive ?? isAlive,
      now: services.clock.now,
    });
    this.#runs = createRuns({
      services,
      store: this.#store,
      closing: this.#closing.signal,
      changed: (connection, job) => this.#tell(connection, job),
    });
  }

  async plan(request: Parameters<Jobs['plan']>[0]): Promise<JobPlan> {
    const plan = await makePlan(this.#services, request);
    this.#store.keepPlan(plan.connection.id, plan, this.#services.clock.now());
    return plan;
  }

  planOf(id: string): JobPlan {
    return this.#planned(id).plan;
  }

  planFile(id: string): string {
    return planText(this.#planned(id).plan);
  }

  importPlan(connection: string, text: string): JobPlan {
    const found = this.#services.connections.find(connection);
    const plan = readPlan(text, found);
    this.#refuseApplied(plan.id);
    this.#store.keepPlan(found.id, plan, this.#services.clock.now());
    return plan;
  }

  async apply(request: ApplyRequest): Promise<JobSummary> {
    const { connection: id, plan } = this.#planned(request.plan);
    if (this.#applying.has(plan.id))
      throw new CordonError('busy', 'This plan is already being applied. Nothing was sent twice.');
    this.#applying.add(plan.id);
    try {
      const services = this.#services;
      const connection = services.connections.find(id);
      const parts = await this.#partsFor(connection, plan);
      await approve({ services, connection, plan, action: parts.action, request });
      const from = await services.log.newest();
      await this.#begin(connection, plan, request, { parts, from }).begun;
      return this.#summary(plan.id);
    } finally {
      this.#applying.delete(plan.id);
    }
  }

  async stop(id: string): Promise<JobSummary> {
    const row = this.#row(id);
    if (row.ended_at !== null) return this.#summary(id);
    const nobody = this.#store.ownerOf(row) === 'nowhere';
    if (!nobody || !(await this.#endLeft(row, 'Stopped after its program had ended.'))) this.#askToStop(row);
    this.#tell(row.connection, id);
    return this.#summary(id);
  }

  async resume(id: string): Promise<JobSummary> {
    await (this.#runs.of(id) ?? this.#takeOver(id)).begun;
    return this.#summary(id);
  }

  async retryPlan(id: string, signal?: AbortSignal): Promise<JobPlan> {
    const row = this.#row(id);
    const { action, stopShare } = headOf(row);
    const rest = this.#store.targets(id, { outcomes: retried });
    if (row.ended_at === null) throw new CordonError('busy', 'The job still runs: stop it first, or wait for its end.');
    if (rest.length === 0) throw new CordonError('usage', 'Nothing of this job failed: there is nothing to try again.');
    return await this.plan({
      connection: row.connection,
      action,
      targets: rest.map(({ id: target, note }) => (note === null ? target : { id: target, note })),
      stopShare,
      // They were agreed to once; the tier asks again.
      reviewed: true,
      signal,
    });
  }

  list(connection?: string): readonly JobSummary[] {
    return this.#store.jobs(connection).map((row) => summaryOf(this.#store, row));
  }

  get(id: string): ReturnType<Jobs['get']> {
    const row = this.#row(id);
    return {
      summary: summaryOf(this.#store, row),
      runs: row.ended_at === null ? this.#store.ownerOf(row) : 'nowhere',
      observeUntil: row.observe_until,
    };
  }

  agreed(id: string): ReturnType<Jobs['agreed']> {
    return headOf(this.#row(id));
  }

  receipts({ job, outcomes, search, offset, limit }: Parameters<Jobs['receipts']>[0]): ReturnType<Jobs['receipts']> {
    this.#row(job);
    const { rows, matching } = this.#store.window(job, { outcomes, search }, offset, limit);
    return { rows: rows.map(receiptOf), offset, matching };
  }

  export(id: string, format: 'csv' | 'json'): Iterable<string> {
    const row = this.#row(id);
    const rows = this.#store.targets(id);
    return format === 'csv' ? csvOf(rows) : jsonOf(summaryOf(this.#store, row), headOf(row), rows);
  }

  totals(connection: string): ReturnType<Jobs['totals']> {
    return totalsOf(this.#store, connection);
  }

  async settled(id: string): Promise<JobSummary> {
    await this.#runs.of(id)?.ended;
    return this.#summary(id);
  }

  async recover(): Promise<void> {
    for (const { id } of this.#store.open()) {
      try {
        await this.#recoverOne(this.#row(id));
      } catch (error) {
        this.#notGoingOn(error);
      }
    }
  }

  onChange(listener: (connection: string, job: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort(new CordonError('cancelled', 'The program ends.'));
    await this.#runs.close();
    this.#listeners.clear();
    if (this.#telling !== undefined) clearImmediate(this.#telling);
    this.#store.close();
  }

  #planned(id: string): { readonly connection: string; readonly plan: JobPlan } {
    this.#refuseApplied(id);
    const found = this.#store.plan(id);
    if (found === undefined) throw new CordonError('unknown_job', 'There is no such plan, or it is older than 7 days.');
    return found;
  }

  #refuseApplied(id: string): void {
    if (this.#store.job(id) !== undefined) throw applied(id);
  }

  #row(id: string): JobRow {
    const row = this.#store.job(id);
    if (row === undefined) throw new CordonError('unknown_job', 'There is no such job on this profile.');
    return row;
  }

  #summary(id: string): JobSummary {
    return summaryOf(this.#store, this.#row(id));
  }

  #connectionOf({ connection }: JobRow): Connection | undefined {
    try {
      return this.#services.connections.find(connection);
    } catch {
      return undefined;
    }
  }

  async #partsFor(connection: Connection, plan: Pick<JobPlan, 'id' | 'action'>): Promise<RunParts> {
    const { connections, inventory: open, clock } = this.#services;
    const client = connections.client(connection.id);
    const inventory = await open(connection.id);
    return { connection, client, inventory, action: actionOf({ client, inventory, clock }, plan.action, plan.id) };
  }

  /** The job is there, and this process's own, before the log tells of its start; without that in the log there is none. */
  #begin(
    connection: Connection,
    plan: JobPlan,
    { surface, incident = null, undoes }: ApplyRequest,
    { parts, from }: { readonly parts: RunParts; readonly from: number },
  ): OwnRun {
    const { clock, operator } = this.#services;
    const now = clock.now();
    const there = this.#store.create({
      id: plan.id,
      connection: connection.id,
      plan,
      title: titleOf(plan.action.kind, plan.targets.length),
      started_at: iso(now),
      started_by: operator,
      surface,
      incident,
      log_seq: from,
      alive_at: now,
      undoes: undoes?.change ?? null,
      part: undoes?.part ?? null,
    });
    if (there !== undefined) throw there === plan.id ? applied(there) : undone(there);
    return this.#runs.begin(this.#row(plan.id), parts, plan);
  }

  /** Taken in memory and on the disk before anything is awaited. */
  #takeOver(id: string): OwnRun {
    const { connections, clock } = this.#services;
    const row = this.#row(id);
    refuseEnded(row);
    if (!this.#store.claim(id, clock.now())) {
      refuseEnded(this.#row(id));
      throw new CordonError('busy', 'Another program on this profile runs this job: nothing was sent.');
    }
    const parts = async (): Promise<RunParts> =>
      await this.#partsFor(connections.find(row.connection), { ...headOf(row), id });
    return this.#runs.begin(row, parts());
  }

  async #recoverOne(row: JobRow): Promise<void> {
    const { clock, forgets } = this.#services;
    const connection = this.#connectionOf(row);
    if (row.ended_at !== null || this.#store.ownerOf(row) !== 'nowhere' || connection === undefined) return;
    if (forgets?.(connection) === true) {
      await this.#endLeft(row, 'The sandbox was started anew, and knows nothing of it.');
    } else if (row.phase === 'interrupted') {
      return;
    } else if (clock.now() - row.alive_at <= goesOnForMs) {
      await this.resume(row.id);
    } else {
      const because = 'The program ended in the middle of it, a while ago: go on with it, or stop it.';
      this.#store.ifLeft(row.id, () => this.#store.changeJob(row.id, { phase: 'interrupted', because }));
    }
  }

  #notGoingOn(error: unknown): void {
    // Another process was faster, or this one ends: the job is in good hands.
    const harmless = error instanceof CordonError && (error.code === 'busy' || this.#closing.signal.aborted);
    if (!harmless) this.#services.onTrouble('A job that another process left could not go on.', error);
  }

  #askToStop({ id, phase, stop_asked: asked }: JobRow): void {
    const waits = phase === 'observing' || asked > 0;
    this.#store.changeJob(id, { stop_asked: waits ? 2 : 1 });
    this.#runs.of(id)?.halt(new CordonError('cancelled', 'The job was stopped: nothing was sent.'));
  }

  /** A job that nobody runs any more ends where it is: what was sent is told as it was last known. */
  async #endLeft(row: JobRow, because: string): Promise<boolean> {
    const { id } = row;
    const done = this.#store.ifLeft(id, () => {
      const targets = openTargets(this.#store, id, () => undefined);
      const changes = targets.with('waiting', 'sending', 'accepted').map(({ position, outcome }) => {
        const ends = { waiting: 'not_tried', sending: 'unknown', accepted: 'not_confirmed' } as const;
        return { position, change: { outcome: ends[outcome as keyof typeof ends], message: because } };
      });
      targets.changeAll(changes);
      this.#store.changeJob(id, { phase: 'stopped', because, ended_at: iso(this.#services.clock.now()) });
    });
    const connection = this.#connectionOf(row);
    if (done && connection !== undefined)
      await tellEnd(this.#services.log, row, connection, this.#store.counts(id)).catch((error: unknown) =>
        this.#services.onTrouble('The end of a job could not be written to the incident log.', error),
      );
    return done;
  }

  #tell(connection: string, job: string): void {
    if (this.#closing.signal.aborted) return;
    this.#changed.set(job, connection);
    this.#telling ??= setImmediate(() => {
      this.#telling = undefined;
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const [id, of] of changed)
        for (const listener of this.#listeners)
          quietly(this.#services, () => listener(of, id), 'A job could not be told of.');
    });
  }
}

function refuseEnded({ ended_at: endedAt }: JobRow): void {
  if (endedAt === null) return;
  throw new CordonError('usage', 'The job has come to its end; plan a retry of what failed.');
}

function applied(id: string): CordonError {
  return new CordonError('taken', `This plan was applied already, as the job ${id}: nothing was sent.`, {
    field: 'plan',
  });
}

function undone(job: string): CordonError {
  return new CordonError('taken', `The job ${job} undoes this change already. Nothing was sent.`);
}
