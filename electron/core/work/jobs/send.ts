/** One target: on the disk before and after, through the runner, and never twice without a reading. */
import type { CommandResult } from '#shared/commands/result.ts';
import { CordonError, reportError } from '#shared/contract/errors.ts';

import type { IsolationWish } from '#core/actions/commands/types.ts';
import type { StopReason } from './gate.ts';
import { iso, type RunState } from './run-state.ts';
import type { TargetChange, TargetRow } from './store.ts';

const busyPauseMs = 2000;
const busyTries = 15;

/** What a refusal says about all the others, too. */
const hopeless: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'secret_unavailable', 'log_unavailable']);
/** After these nobody knows whether it took effect; only a reading tells. */
const uncertain: ReadonlySet<string> = new Set([
  'outcome_unknown',
  'errors_in_success',
  'internal',
  'storage',
  'disk_full',
  'empty_body',
  'bad_json',
  'unexpected_shape',
  'truncated',
  'too_large',
  'reset',
  'response_timeout',
]);
const nothingSent: ReadonlySet<string> = new Set(['cancelled', 'rate_limited', 'read_only', 'log_unavailable']);

/** Returns why the rest must not be sent, if so. Rejects only when the job's own file cannot be written. */
export async function sendOne(run: RunState, position: number): Promise<StopReason | null> {
  for (let tries = 1; ; tries += 1) {
    const target = run.targets.get(position);
    const { requested_at, sent } = target;
    run.targets.change(position, {
      outcome: 'sending',
      sent: sent + 1,
      requested_at: iso(run.services.clock.now()),
      message: null,
      error: null,
    });
    const error = await attempt(run, position);
    if (error === null) return null;
    // Nothing of it reached the service: it is as it was.
    if (nothingSent.has(error.code) || error.code === 'busy')
      run.targets.change(position, { outcome: 'waiting', sent, requested_at });
    if (error.code === 'busy' && tries < busyTries && !run.sending.signal.aborted) {
      await run.pause(busyPauseMs);
      continue;
    }
    return await refused(run, position, error);
  }
}

async function attempt(run: RunState, position: number): Promise<CordonError | null> {
  const { services, id, job, connection, action } = run;
  const { id: target, note } = run.targets.get(position);
  const command = action.command({ id: target, note });
  try {
    const result = await services.runner.run({
      ...command,
      connection: connection.id,
      surface: job.surface,
      incident: job.incident,
      job: id,
      facts: factsOf(run, position),
      isolation: wishOf(run),
      signal: run.sending.signal,
    });
    taken(run, position, result);
    return null;
  } catch (error) {
    return error instanceof CordonError ? error : new CordonError('internal', reportError(error).message);
  }
}

/** The runner makes and seals the code, and notes the lease, before it sends anything. */
function wishOf({ plan: { action } }: RunState): IsolationWish | undefined {
  return action.kind === 'isolate' ? { code: action.code, lease: action.lease } : undefined;
}

/** What was there before goes into the intent: the undo list takes it from there. */
function factsOf({ plan, targets }: RunState, position: number): Readonly<Record<string, unknown>> | undefined {
  const { kind } = plan.action;
  if (kind === 'isolate' || kind === 'release') return undefined;
  return { before: JSON.parse(targets.get(position).planned) };
}

function taken(run: RunState, position: number, result: CommandResult): void {
  const { action, services, targets } = run;
  const now = services.clock.now();
  const target = targets.get(position);
  const observed = action.answered(result);
  const facts: TargetChange = {
    message: result.message,
    request_id: result.requestId ?? null,
    entry: result.entry,
    ...(observed !== null && { observed: action.words(observed) }),
  };
  const progress = observed === null ? 'under_way' : action.progress(observed, target.id);
  if (result.status === 409) return targets.change(position, { ...facts, ...conflicting(target, progress) });
  const accepted: TargetChange = { ...facts, accepted_at: iso(now) };
  targets.change(
    position,
    progress === 'reached'
      ? { ...accepted, outcome: 'done', observed_at: iso(now) }
      : { ...accepted, outcome: 'accepted' },
  );
}

/** A release that was refused because of the state is told as a success with that state. */
function conflicting({ sent }: TargetRow, progress: string): TargetChange {
  if (progress === 'not_yet') return { outcome: 'failed', error: 'conflict' };
  // It may well be the effect of what was sent before.
  return { outcome: sent > 1 ? 'unknown' : 'nothing_to_do' };
}

/** The answer to it was lost, and then it was seen: the lease that was asked for is held. */
export function holdLease({ services, plan, connection, targets }: RunState, position: number): void {
  const { id, entry } = targets.get(position);
  if (plan.action.kind !== 'isolate' || entry === null) return;
  try {
    services.leases?.change({ connection: connection.id, guid: id, intent: entry }, { state: 'held' }, 'asked');
  } catch (error) {
    services.onTrouble('The lease of an isolation could not be kept.', error);
  }
}

async function refused(run: RunState, position: number, error: CordonError): Promise<StopReason | null> {
  const { code, message, details } = error;
  if (code === 'cancelled') return null;
  if (code === 'rate_limited') {
    run.notBefore = Date.parse(details.retryAt ?? '') || run.services.clock.now() + 60_000;
    return null;
  }
  if (code !== 'read_only' && code !== 'log_unavailable') await settle(run, position, error);
  if (hopeless.has(code) || code === 'read_only') return { kind: 'stopped', because: message };
  return null;
}

/** An error does not name its intent; the log does. */
async function intentOf(
  { services, connection, plan, id, targets }: RunState,
  position: number,
): Promise<string | null> {
  const { id: target, entry } = targets.get(position);
  const { action } = plan;
  const object = 'list' in action ? action.list : target;
  try {
    const entries = await services.log.about(connection.id, object, 40);
    const own = entries.find(
      ({ kind, data, args }) =>
        kind === 'command.requested' &&
        data?.['job'] === id &&
        (object === target || String(args?.['sha256']).toLowerCase() === target),
    );
    return own?.id ?? entry;
  } catch {
    return entry;
  }
}

async function settle(run: RunState, position: number, error: CordonError): Promise<void> {
  const { action, targets } = run;
  const { code, message, details } = error;
  const { id, sent } = targets.get(position);
  const facts = { message, request_id: details.requestId ?? null, entry: await intentOf(run, position) };
  const state = action.settledBy(error, id);
  if (state !== null) {
    // Sent before: this may be its effect, and a reading tells.
    const outcome = sent > 1 ? 'unknown' : 'nothing_to_do';
    return targets.change(position, { ...facts, outcome, observed: state });
  }
  targets.change(position, { ...facts, outcome: uncertain.has(code) ? 'unknown' : 'failed', error: code });
}
