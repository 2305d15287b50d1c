/** What was done about the isolation of a computer, from the log of this profile and from stored events: pure. */
import type { EventRow } from '#shared/contract/events.ts';
import type { LogEntry } from '#shared/model/incident.ts';

export interface IsolationStep {
  readonly key: string;
  readonly at: string;
  readonly kind: 'asked' | 'accepted' | 'observed' | 'failed' | 'unknown' | 'revealed';
  /** Which way it goes; `null` for what goes neither. */
  readonly way: 'isolate' | 'release' | null;
  readonly text: string;
  readonly who: string;
  readonly source: 'log' | 'event';
}

const ways: Readonly<Record<string, 'isolate' | 'release'>> = {
  svc_put_computers_isolation: 'isolate',
  svc_delete_computers_isolation: 'release',
};

/** Newest first. */
export function isolationSteps(entries: readonly LogEntry[], events: readonly EventRow[]): readonly IsolationStep[] {
  return [...entries.flatMap(stepOfEntry), ...events.flatMap(stepOfEvent)].toSorted((one, other) =>
    one.at < other.at ? 1 : one.at > other.at ? -1 : 0,
  );
}

const kinds: Readonly<Partial<Record<LogEntry['kind'], IsolationStep['kind']>>> = {
  'command.requested': 'asked',
  'command.succeeded': 'accepted',
  'command.observed': 'observed',
  'command.failed': 'failed',
  'command.outcome_unknown': 'unknown',
};

function stepOfEntry(entry: LogEntry): readonly IsolationStep[] {
  const common = { key: entry.id, at: entry.at, who: entry.operator, source: 'log' } as const;
  if (entry.kind === 'secret.revealed') return [{ ...common, kind: 'revealed', way: null, text: entry.message }];
  const way = ways[entry.command ?? ''];
  const kind = kinds[entry.kind];
  if (way === undefined || kind === undefined) return [];
  const comment = entry.args?.['comment'];
  const reason = kind === 'asked' && typeof comment === 'string' && comment !== '' ? `: ${comment}` : '';
  return [
    { ...common, kind, way, text: `${reason === '' ? entry.message : entry.message.replace(/\.$/, '')}${reason}` },
  ];
}

function stepOfEvent({ key, at, type }: EventRow): readonly IsolationStep[] {
  if (!/isolation/i.test(type)) return [];
  const isFailed = /fail/i.test(type);
  const way = /stop/i.test(type) ? 'release' : 'isolate';
  return [{ key, at, kind: isFailed ? 'failed' : 'observed', way, text: type, who: 'the service', source: 'event' }];
}

export interface IsolationSpan {
  readonly from: string;
  /** `null`: it lasts. */
  readonly to: string | null;
}

/** Times in which it was seen cut off, oldest first: from an observed isolation to the next observed release. */
export function isolationSpans(steps: readonly IsolationStep[]): readonly IsolationSpan[] {
  const spans: IsolationSpan[] = [];
  let from: string | null = null;
  for (const { kind, way, at } of steps.toReversed()) {
    if (kind !== 'observed') continue;
    if (way === 'isolate') from ??= at;
    else if (from !== null) {
      spans.push({ from, to: at });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, to: null }];
}
