/** Reads the targets that were sent, and settles those whose end is seen. */
import type { ObservedState } from '#shared/model/job.ts';

import { affordablePause, createPace, type Pace } from '#core/actions/isolation/pace.ts';
import { observedEntry } from '#core/actions/isolation/observation.ts';
import type { Seen, Sight } from './actions/types.ts';
import { holdLease } from './send.ts';
import { iso, type RunState } from './run-state.ts';
import type { TargetRow } from './store.ts';

/** One reading may come from a part of the service that lags behind; after so long it is the truth. */
const settledAfterMs = 10_000;
/** A lost change that a reading does not show after so long has to be looked at by somebody. */
const unknownForMs = 60_000;

/** What was seen while a job was followed: since when a target is back in a state that nobody wants. */
export interface Observer {
  readonly pace: Pace;
  readonly wasPending: Set<number>;
  readonly unwantedSince: Map<number, number>;
  /** The newest reading that was taken, its own or another's; Unix milliseconds. */
  lookedAt: number;
}

export function createObserver({ services }: RunState): Observer {
  const pace = createPace(services.clock);
  pace.restart();
  return { pace, wasPending: new Set(), unwantedSince: new Map(), lookedAt: 0 };
}

/** Targets whose end is still to be seen. */
export function openTargetsOf(
  { targets, services }: RunState,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): readonly TargetRow[] {
  const now = services.clock.now();
  return targets.with('accepted', 'unknown').filter((target) => {
    if (target.position < from || target.position >= to) return false;
    return target.outcome === 'accepted' || now - timeOf(target.requested_at) < unknownForMs;
  });
}

/** One reading of those targets, if it is due. Failures of a reading are told and tried again at the next. */
export async function look(run: RunState, observer: Observer, open: readonly TargetRow[]): Promise<void> {
  const { pace } = observer;
  const left = await takeKnown(run, observer, open);
  if (left.length === 0 || !pace.due()) return;
  observer.lookedAt = run.services.clock.now();
  const ids = left.map(({ id }) => id);
  const cost = run.action.cost(ids, false);
  pace.slower();
  try {
    await settleAll(run, observer, left, await run.action.read(ids, { whole: false, signal: run.closing }));
  } catch (error) {
    if (!run.closing.aborted) run.services.onTrouble('The targets of a job could not be read.', error);
  }
  // The pages were sent after the turn began: they are no news at the next one.
  observer.lookedAt = run.services.clock.now();
  pace.atLeast(affordablePause(run.client.budget(), cost, run.services.clock.now()));
}

/**
 * Somebody else may read the same listing, such as the watch of the console: what the local copy has learned since is as
 * good, and where it has learned of all of them, this turn costs nothing.
 */
async function takeKnown(run: RunState, observer: Observer, open: readonly TargetRow[]): Promise<readonly TargetRow[]> {
  const { action, inventory, plan } = run;
  if (plan.action.kind !== 'isolate' && plan.action.kind !== 'release') return open;
  const known = new Map<string, Seen>();
  for (const { id, accepted_at, requested_at } of open) {
    const row = inventory.row(id);
    if (row === undefined || row.vanishedAt !== null || row.isolation === 'unknown') continue;
    const at = Date.parse(row.isolationReadAt);
    const observed = { isolation: row.isolation === 'unavailable' ? 'not_isolated' : row.isolation, available: true };
    // Where nobody knows whether it arrived, what was read before it was sent tells nothing of it either.
    if (
      at > timeOf(accepted_at ?? requested_at) &&
      (at > observer.lookedAt || action.progress(observed, id) === 'reached')
    )
      known.set(id, { label: row.hostname, observed, at, row });
  }
  await settleAll(run, observer, open, known);
  if (known.size === open.length && observer.pace.due()) {
    observer.pace.slower();
    // Taken once: what nobody reads again is read by this job at its next turn.
    observer.lookedAt = Math.max(observer.lookedAt, ...[...known.values()].map(({ at }) => at));
  }
  return open.filter(({ id }) => !known.has(id));
}

/** The states are settled together, before the log is told of those that were reached. */
async function settleAll(run: RunState, observer: Observer, open: readonly TargetRow[], sight: Sight): Promise<void> {
  const telling = open.flatMap(({ position, id }) => {
    const seen = sight.get(id);
    if (seen === undefined || !settleOne(run, observer, position, seen)) return [];
    return seen === null ? [] : [{ position, seen }];
  });
  for (const { position, seen } of telling) await tellLog(run, position, seen);
}

/** Whether it is where it was to be. */
function settleOne(run: RunState, observer: Observer, position: number, seen: Seen | null): boolean {
  const { targets, action } = run;
  const target = targets.get(position);
  if (seen === null) {
    const message = 'The service has no such object any more.';
    targets.change(position, { outcome: 'failed', error: 'not_found', message });
    return false;
  }
  // What was asked for before the answer came may not show its effect.
  if (seen.at < timeOf(target.accepted_at ?? target.requested_at)) return false;
  const observed = action.words(seen.observed);
  switch (action.progress(seen.observed, target.id)) {
    case 'reached':
      reached(run, position, seen, observed);
      return true;
    case 'under_way':
      underWay(run, observer, position, seen, observed);
      return false;
    case 'not_yet':
      notYet(run, observer, target, seen, observed);
      return false;
  }
}

function reached(run: RunState, position: number, seen: Seen, observed: string): void {
  const { targets } = run;
  const before = targets.get(position);
  const at = iso(seen.at);
  const accepted_at = before.accepted_at ?? at;
  targets.change(position, { outcome: 'done', observed, observed_at: at, accepted_at, error: null });
  if (before.accepted_at === null) holdLease(run, position);
}

/** The log's own third fact, unless the watch of this console was first. */
async function tellLog(
  { services, plan, connection, targets }: RunState,
  position: number,
  { row, at }: Seen,
): Promise<void> {
  const { id, entry } = targets.get(position);
  if (row === null || entry === null || (plan.action.kind !== 'isolate' && plan.action.kind !== 'release')) return;
  try {
    const entries = await services.log.about(connection.id, id, 20);
    const intent = entries.find((one) => one.id === entry);
    if (intent !== undefined) await services.log.appendOnce(observedEntry(intent, row, at), ['command.observed']);
  } catch (error) {
    services.onTrouble('What was observed could not be written to the incident log.', error);
  }
}

function underWay(run: RunState, observer: Observer, position: number, seen: Seen, observed: string): void {
  const { targets } = run;
  observer.wasPending.add(position);
  observer.unwantedSince.delete(position);
  const target = targets.get(position);
  if (target.outcome === 'accepted' && target.observed === observed) return;
  targets.change(position, {
    outcome: 'accepted',
    observed,
    accepted_at: target.accepted_at ?? iso(seen.at),
    error: null,
  });
  if (target.accepted_at === null) holdLease(run, position);
}

function notYet(run: RunState, observer: Observer, target: TargetRow, seen: Seen, observed: string): void {
  const { targets, action } = run;
  const { position } = target;
  if (wasUnderWay(run, observer, target)) {
    const since = observer.unwantedSince.get(position) ?? seen.at;
    observer.unwantedSince.set(position, since);
    if (seen.at - since >= settledAfterMs) {
      const message = `It did not happen: the state is ${action.words(seen.observed)} again.`;
      return targets.change(position, { outcome: 'failed', observed, error: 'conflict', message });
    }
  }
  if (target.observed !== observed && target.outcome === 'unknown') targets.change(position, { observed });
}

/** As an earlier reading or the answer itself told. */
function wasUnderWay({ action }: RunState, { wasPending }: Observer, { position, id, observed }: TargetRow): boolean {
  if (wasPending.has(position)) return true;
  const state: ObservedState = { isolation: observed };
  if (observed === null || action.progress(state, id) !== 'under_way') return false;
  wasPending.add(position);
  return true;
}

export function timeOf(text: string | null): number {
  return text === null ? 0 : Date.parse(text);
}
