/** After a process ended in the middle: what the log says of each target, then what the service says, and only then anything else. */
import type { LogEntry } from '#shared/model/incident.ts';

import type { Seen, Sight } from './actions/types.ts';
import { canonicalJson } from './canonical.ts';
import { holdLease } from './send.ts';
import { iso, type RunState } from './run-state.ts';
import type { TargetChange, TargetRow } from './store.ts';

const batch = 1000;
/** The reading must not fail for a moment of bad weather; in between the pauses grow. */
const tries = 6;

/** Rejects when the states cannot be read: then nothing may be sent. */
export async function reconcile(run: RunState): Promise<void> {
  const { targets, services } = run;
  fromLog(run, readIntents(run));
  const open = targets.with('waiting', 'unknown', 'accepted');
  if (open.length === 0) return;
  const sight = await readSurely(run, open);
  run.checkedAt = services.clock.now();
  targets.changeAll(
    open.flatMap((target) => {
      const change = afterReading(run, target, sight.get(target.id));
      return change === null ? [] : [{ position: target.position, change }];
    }),
  );
  for (const { position, outcome } of open)
    if (outcome === 'unknown' && targets.get(position).accepted_at !== null) holdLease(run, position);
}

/** Targets that others changed since the plan are not sent. */
export async function recheckWaiting(run: RunState): Promise<void> {
  const waiting = run.targets.with('waiting');
  if (waiting.length === 0) return;
  const sight = await readSurely(run, waiting);
  run.targets.changeAll(
    waiting.flatMap(({ position, id }) => {
      // A worker may have sent it while this was read.
      const target = run.targets.get(position);
      const change = target.outcome === 'waiting' ? beforeSending(run, target, sight.get(id)) : null;
      return change === null ? [] : [{ position, change }];
    }),
  );
}

interface Traces {
  readonly intent: LogEntry;
  readonly outcome: LogEntry | undefined;
}

/** The newest intent of each target in the log, with what came of it. */
function readIntents({ services, id, job }: RunState): ReadonlyMap<string, Traces> {
  const intents = new Map<string, LogEntry>();
  const outcomes = new Map<string, LogEntry>();
  for (let after = job.log_seq; ;) {
    const { entries } = services.log.query({ after, limit: batch, writesOnly: true });
    for (const entry of entries) {
      after = Math.max(after, entry.seq);
      if (entry.kind === 'command.requested' && entry.data?.['job'] === id) intents.set(targetIn(entry), entry);
      else if (entry.about !== null && entry.kind !== 'command.observed') outcomes.set(entry.about, entry);
    }
    if (entries.length < batch) break;
  }
  return new Map([...intents].map(([target, intent]) => [target, { intent, outcome: outcomes.get(intent.id) }]));
}

function targetIn({ args, target }: LogEntry): string {
  const hash = args?.['sha256'];
  return (typeof hash === 'string' ? hash : (target?.guid ?? '')).toLowerCase();
}

function fromLog({ targets }: RunState, traces: ReadonlyMap<string, Traces>): void {
  // The power may have failed before a mark was on the disk: an intent in the log counts all the same.
  const open = targets.with('sending', 'waiting').filter(({ outcome, id }) => outcome === 'sending' || traces.has(id));
  targets.changeAll(
    open.map((target) => ({ position: target.position, change: asLogged(target, traces.get(target.id)) })),
  );
}

/** What was written down as sent without an intent of that time in the log never left this computer. */
function asLogged(target: TargetRow, traces: Traces | undefined): TargetChange {
  const marked = target.outcome === 'sending';
  if (traces === undefined || (marked && traces.intent.at < (target.requested_at ?? '')))
    return { outcome: 'waiting', sent: Math.max(0, target.sent - 1) };
  const { intent, outcome } = traces;
  const facts = {
    entry: intent.id,
    requested_at: intent.at,
    request_id: outcome?.requestId ?? null,
    sent: Math.max(1, target.sent),
  };
  if (outcome?.kind === 'command.succeeded' && outcome.status !== 409)
    return { ...facts, outcome: 'accepted', accepted_at: outcome.at, message: outcome.message };
  const code = outcome?.data?.['code'];
  if (outcome?.kind === 'command.failed' && code !== 'conflict') {
    const unsent = code === 'cancelled' || code === 'rate_limited' || code === 'read_only' || code === 'busy';
    if (unsent) return { outcome: 'waiting', sent: Math.max(0, target.sent - Number(marked)) };
    return { ...facts, outcome: 'failed', error: String(code), message: outcome.message };
  }
  return { ...facts, outcome: 'unknown', error: 'outcome_unknown' };
}

async function readSurely(run: RunState, targets: readonly TargetRow[]): Promise<Sight> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run.action.read(
        targets.map(({ id }) => id),
        { whole: true, signal: run.closing },
      );
    } catch (error) {
      run.closing.throwIfAborted();
      if (attempt === tries) throw error;
      run.services.onTrouble('The targets of a job could not be read before sending; tried again.', error);
      await run.pause(2000 * 2 ** attempt);
    }
  }
}

function afterReading(run: RunState, target: TargetRow, seen: Seen | null | undefined): TargetChange | null {
  if (target.outcome === 'waiting') return beforeSending(run, target, seen);
  if (seen === undefined) return null;
  if (seen === null) return gone();
  const observed = run.action.words(seen.observed);
  const at = iso(seen.at);
  const accepted_at = target.accepted_at ?? at;
  const progress = run.action.progress(seen.observed, target.id);
  if (progress === 'reached') return { outcome: 'done', observed, observed_at: at, accepted_at, error: null };
  if (progress === 'under_way') return { outcome: 'accepted', observed, accepted_at, error: null };
  if (target.outcome === 'accepted') return { observed };
  return notArrived(target, seen, observed);
}

/**
 * Its process ended before an answer, and the state is as the plan saw it: it did not arrive, and is sent again. Should the
 * first one arrive after all, the service refuses the second, or both say the same.
 */
function notArrived(target: TargetRow, seen: Seen, observed: string): TargetChange {
  if (!isAsPlanned(target, seen)) return changedElsewhere(observed);
  const message = 'The program ended before an answer came. It was read since: nothing had changed.';
  return { outcome: 'waiting', observed, message, error: null };
}

function beforeSending({ action }: RunState, target: TargetRow, seen: Seen | null | undefined): TargetChange | null {
  if (seen === undefined) return null;
  if (seen === null) return gone();
  if (isAsPlanned(target, seen)) return null;
  const observed = action.words(seen.observed);
  if (action.progress(seen.observed, target.id) === 'not_yet') return changedElsewhere(observed);
  return { outcome: 'nothing_to_do', observed, message: 'Somebody else did it since the plan was made.' };
}

function isAsPlanned({ planned }: TargetRow, { observed }: Seen): boolean {
  return canonicalJson(JSON.parse(planned)) === canonicalJson(observed);
}

function changedElsewhere(observed: string): TargetChange {
  const message = `It is not as the plan saw it: ${observed}. Nothing was sent to it.`;
  return { outcome: 'not_tried', observed, error: 'plan_drifted', message };
}

function gone(): TargetChange {
  return { outcome: 'failed', error: 'not_found', message: 'The service has no such object any more.' };
}
