/** Requested, accepted and observed are three facts with three times; this puts them together from what the log holds. */
import type { LogEntry } from '#shared/model/incident.ts';
import type { IsolationReceipt } from '#shared/model/isolation.ts';

/** The isolation state as it was last read. */
export interface Reading {
  readonly state: string;
  /** ISO 8601. */
  readonly at: string;
}

export const isolateCommand = 'svc_put_computers_isolation';
export const releaseCommand = 'svc_delete_computers_isolation';

type Action = IsolationReceipt['action'];

/** The state that an action wants to reach. */
export function wantedState(action: Action): 'isolated' | 'not_isolated' {
  return action === 'isolate' ? 'isolated' : 'not_isolated';
}

/**
 * The receipt of the newest isolation request in `entries` (intents of one computer with their outcomes, any order);
 * `null` when none was made from here.
 */
export function receiptOf(entries: readonly LogEntry[], reading?: Reading): IsolationReceipt | null {
  const intent = newest(entries.filter((entry) => entry.kind === 'command.requested' && actionOf(entry) !== undefined));
  const action = intent && actionOf(intent);
  if (intent === undefined || action === undefined) return null;
  const about = entries.filter((entry) => entry.about === intent.id);
  return {
    action,
    requested: { at: intent.at, by: intent.operator, reason: reasonOf(intent), entry: intent.id },
    ...answerOf(about),
    ...observationOf(action, intent, about, reading),
    ...(reading !== undefined && { checked: reading }),
  };
}

function actionOf(entry: LogEntry): Action | undefined {
  if (entry.command === isolateCommand) return 'isolate';
  return entry.command === releaseCommand ? 'release' : undefined;
}

function newest(entries: readonly LogEntry[]): LogEntry | undefined {
  return entries.reduce<LogEntry | undefined>(
    (best, entry) => (best === undefined || entry.seq > best.seq ? entry : best),
    undefined,
  );
}

/** A release may have its comment under another name; the intent then says what was sent. */
function reasonOf(intent: LogEntry): string {
  const reason = intent.args?.['comment'] ?? intent.data?.['comment'];
  return typeof reason === 'string' ? reason : '';
}

function answerOf(about: readonly LogEntry[]): Pick<IsolationReceipt, 'accepted' | 'refused'> {
  const outcome = about.find((entry) => entry.kind !== 'command.observed' && entry.kind.startsWith('command.'));
  if (outcome === undefined) return {};
  if (outcome.kind === 'command.succeeded') return { accepted: acceptance(outcome) };
  const unknown = outcome.kind === 'command.outcome_unknown';
  return { refused: { at: outcome.at, message: outcome.message, unknown } };
}

function acceptance(outcome: LogEntry): NonNullable<IsolationReceipt['accepted']> {
  const state = outcome.data?.['state'];
  return {
    at: outcome.at,
    ...(outcome.status !== null && { status: outcome.status }),
    ...(outcome.requestId !== null && { requestId: outcome.requestId }),
    ...(typeof state === 'string' && { state }),
  };
}

/** An observation needs a reading after the answer: what was seen before the request proves nothing about it. */
function observationOf(
  action: Action,
  intent: LogEntry,
  about: readonly LogEntry[],
  reading: Reading | undefined,
): Pick<IsolationReceipt, 'observed'> {
  const wanted = wantedState(action);
  const seen = about.find((entry) => entry.kind === 'command.observed');
  if (seen !== undefined) return { observed: { state: wanted, at: seen.at } };
  const outcome = about.find((entry) => entry.kind === 'command.succeeded');
  if (outcome?.data?.['state'] === wanted) return { observed: { state: wanted, at: outcome.at } };
  const since = outcome?.at ?? intent.at;
  return reading?.state === wanted && reading.at > since ? { observed: reading } : {};
}
