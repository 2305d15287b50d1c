/** One job in this process: what it stands on, its targets in memory, and who may end what. */
import type { Connection } from '#shared/model/connection.ts';
import type { AgreedPlan, TargetOutcome } from '#shared/model/job.ts';

import type { ApiClient } from '#core/service/api/types.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { Action } from './actions/types.ts';
import type { JobChange, JobRow, JobStore, TargetChange, TargetRow } from './store.ts';
import { headOf } from './summary.ts';
import type { JobServices } from './types.ts';

/** What a run stands on beside the engine itself. */
export type RunParts = Pick<RunState, 'connection' | 'client' | 'inventory' | 'action'>;

/** What a run has of the engine. */
export type RunFrame = Pick<RunState, 'services' | 'store' | 'closing' | 'sending'>;

export interface RunState {
  readonly services: JobServices;
  readonly store: JobStore;
  readonly id: string;
  readonly job: JobRow;
  readonly plan: AgreedPlan;
  readonly connection: Connection;
  readonly client: ApiClient;
  readonly inventory: Inventory;
  readonly action: Action;
  readonly targets: Targets;
  /** The engine closes: everything ends soon, and the next process goes on. */
  readonly closing: AbortSignal;
  /** Aborted when nothing more is to be sent; what is on its way still has its answer. */
  readonly sending: AbortController;
  /** Ends a pause, so that what changed is looked at. */
  readonly wake: () => void;
  pause(ms: number): Promise<void>;
  changeJob(change: JobChange): void;
  /** Nothing is sent before; Unix milliseconds. Set by an answer that the budget is spent. */
  notBefore: number;
  /** Changes that the gate let through and that are not over. */
  inFlight: number;
  /** When all waiting targets were last known to be as planned; Unix milliseconds. */
  checkedAt: number;
}

export function openRun(frame: RunFrame, parts: RunParts, job: JobRow, changed: () => void): RunState {
  const { services, store, closing } = frame;
  const pauses = new Set<AbortController>();
  return {
    ...frame,
    ...parts,
    id: job.id,
    job,
    plan: headOf(job),
    targets: openTargets(store, job.id, changed),
    wake: () => pauses.forEach((pause) => pause.abort()),
    pause: async (ms) => {
      const pause = new AbortController();
      pauses.add(pause);
      const woken = AbortSignal.any([pause.signal, closing]);
      await services.clock.sleep(ms, woken).catch(() => undefined);
      pauses.delete(pause);
    },
    changeJob: (change) => {
      store.changeJob(job.id, change);
      changed();
    },
    notBefore: 0,
    inFlight: 0,
    checkedAt: services.clock.now(),
  };
}

/** The targets of a job: every change is on the disk before it is here. */
export interface Targets {
  readonly all: readonly TargetRow[];
  with(...outcomes: readonly TargetOutcome[]): readonly TargetRow[];
  /** How many those are, without looking at each. */
  count(...outcomes: readonly TargetOutcome[]): number;
  get(position: number): TargetRow;
  change(position: number, change: TargetChange): void;
  changeAll(changes: readonly { readonly position: number; readonly change: TargetChange }[]): void;
}

export function openTargets(store: JobStore, job: string, changed: () => void): Targets {
  const all = [...store.targets(job)];
  const get = (position: number): TargetRow => {
    const row = all[position];
    if (row === undefined) throw new Error(`job ${job} has no target ${position}`);
    return row;
  };
  const counts = new Map<TargetOutcome, number>();
  const counted = (outcome: TargetOutcome, by: number): void =>
    void counts.set(outcome, (counts.get(outcome) ?? 0) + by);
  for (const { outcome } of all) counted(outcome, 1);
  const keep = (position: number, change: TargetChange): void => {
    const before = get(position);
    const after = { ...before, ...change };
    all[position] = after;
    counted(before.outcome, -1);
    counted(after.outcome, 1);
  };
  return {
    all,
    get,
    with: (...outcomes) => all.filter(({ outcome }) => outcomes.includes(outcome)),
    count: (...outcomes) => outcomes.reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0),
    change(position, change) {
      store.changeTarget(job, position, change);
      keep(position, change);
      changed();
    },
    changeAll(changes) {
      if (changes.length === 0) return;
      store.changeTargets(job, changes);
      for (const { position, change } of changes) keep(position, change);
      changed();
    },
  };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
