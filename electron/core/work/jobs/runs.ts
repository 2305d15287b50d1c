/**
 * The jobs that this process carries out. Whoever begins with one has taken it before, in memory and in `jobs.db`, without
 * awaiting anything: two who begin at once find one run.
 */
import { reportError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { JobPlan } from '#shared/model/job.ts';

import { tellStart, tellStartOnce } from './notes.ts';
import { openRun, type RunParts, type RunState } from './run-state.ts';
import { runJob } from './run.ts';
import type { JobRow, JobStore } from './store.ts';
import type { JobServices } from './types.ts';

export interface OwnRun {
  /** Rejects when the run could not begin: nobody has the job then. */
  readonly begun: Promise<void>;
  /** Never rejects: what goes wrong is told by the job. */
  readonly ended: Promise<void>;
  /** Nothing more is sent; what is on its way still has its answer. */
  halt(reason: unknown): void;
}

export interface Runs {
  of(job: string): OwnRun | undefined;
  /** The job is this process's own already. Without its plan it is gone on with: another run was there before. */
  begin(row: JobRow, parts: RunParts | Promise<RunParts>, plan?: JobPlan): OwnRun;
  /** Halts every run, also those that are about to begin, and waits for them. */
  close(): Promise<void>;
}

export interface RunsOptions {
  readonly services: JobServices;
  readonly store: JobStore;
  readonly closing: AbortSignal;
  readonly changed: (connection: string, job: string) => void;
}

export function createRuns(options: RunsOptions): Runs {
  const { closing } = options;
  const own = new Map<string, OwnRun>();
  const begin: Runs['begin'] = (row, parts, plan) => {
    const sending = new AbortController();
    let run: RunState | undefined;
    const begun = open(options, { row, sending, parts, plan }).then((opened) => void (run = opened));
    const live = async (): Promise<void> => {
      try {
        await begun;
        if (run !== undefined) await carryOut(options, run, plan === undefined);
      } catch {
        // Whoever began it hears of it.
      } finally {
        leave(options, row);
        own.delete(row.id);
        options.changed(row.connection, row.id);
      }
    };
    const halt = (reason: unknown): void => {
      sending.abort(reason);
      run?.wake();
    };
    const one: OwnRun = { begun, ended: live(), halt };
    own.set(row.id, one);
    return one;
  };
  return {
    of: (job) => own.get(job),
    begin,
    close: async () => {
      for (const { halt } of own.values()) halt(closing.reason);
      await Promise.all([...own.values()].map(({ ended }) => ended));
    },
  };
}

interface Beginning {
  readonly row: JobRow;
  readonly sending: AbortController;
  readonly parts: RunParts | Promise<RunParts>;
  readonly plan: JobPlan | undefined;
}

async function open(
  { services, store, closing, changed }: RunsOptions,
  { row, sending, parts: given, plan }: Beginning,
): Promise<RunState> {
  const parts = await given;
  closing.throwIfAborted();
  const counts = store.counts(row.id);
  if (plan === undefined) await tellStartOnce(services.log, row, parts.connection, counts);
  else await startOrWithdraw({ services, store }, row, parts.connection, plan);
  if (row.phase === 'interrupted') store.changeJob(row.id, { phase: 'applying', because: null });
  return openRun({ services, store, closing, sending }, parts, row, () => changed(row.connection, row.id));
}

/** Without its start in the log there is no job, and the plan can be applied again. */
async function startOrWithdraw(
  { services, store }: Pick<RunsOptions, 'services' | 'store'>,
  row: JobRow,
  connection: Connection,
  plan: JobPlan,
): Promise<void> {
  try {
    await tellStart(services.log, row, connection, store.counts(row.id));
  } catch (error) {
    quietly(services, () => store.withdraw(row.id, connection.id, plan));
    throw error;
  }
}

async function carryOut({ closing, changed }: RunsOptions, run: RunState, resumed: boolean): Promise<void> {
  const { services, connection, id, targets } = run;
  changed(connection.id, id);
  try {
    services.planner.reserve(connection.id, id, targets.count('waiting'));
    await runJob(run, resumed);
  } catch (error) {
    if (!closing.aborted) interrupted(run, error);
  }
}

function interrupted({ id, changeJob, services }: RunState, error: unknown): void {
  services.onTrouble(`The job ${id} could not go on.`, error);
  const because = `It could not go on: ${reportError(error).message}`;
  quietly(services, () => changeJob({ phase: 'interrupted', because, waiting_until: null }));
}

function leave({ services, store }: RunsOptions, { id, connection }: JobRow): void {
  quietly(services, () => services.planner.reserve(connection, id, 0));
  quietly(services, () => store.letGo(id));
}

export function quietly(
  { onTrouble }: Pick<JobServices, 'onTrouble'>,
  work: () => void,
  otherwise = 'The state of a job could not be written.',
): void {
  try {
    work();
  } catch (error) {
    onTrouble(otherwise, error);
  }
}
