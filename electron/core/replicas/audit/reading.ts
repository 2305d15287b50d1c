/** Reading the service's audit log: what is new since the last time, or once more everything of the last 30 days. */
import { largest, smallest } from '#shared/extremes.ts';
import { CordonError, reportError, type ErrorReport } from '#shared/contract/errors.ts';
import type { AuditState } from '#shared/contract/log.ts';
import { auditDays, type AuditEntry } from '#shared/model/audit.ts';
import type { LogEntry } from '#shared/model/incident.ts';

import { getAuditLogs } from '#core/service/api/endpoints/audit-logs.ts';
import { pageSize, type Listing } from '#core/service/api/pages.ts';
import type { ApiClient, CallOptions } from '#core/service/api/types.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import { ownEntries } from './own.ts';
import { codesAmong, type DigestOf } from './known-codes.ts';
import { codesIn, recordsOf, textsIn, type ReadRecord } from './record.ts';
import type { AuditStore, LastReading } from './store.ts';

export interface ReadingParts {
  readonly connection: string;
  readonly client: ApiClient;
  readonly store: AuditStore;
  readonly log: Pick<IncidentLog, 'query'>;
  /** Unix milliseconds. */
  readonly now: number;
  readonly digest: () => Promise<DigestOf>;
}

/** Without `all` no reading costs more calls than this. */
export const mostCalls = 10;
/** Entries may turn up a little later than they were made. */
const overlapMs = 300_000;
const dayMs = 86_400_000;

/** Somebody waits in front of it. */
const patience: CallOptions = { purpose: 'interactive', deadlineMs: 120_000, maxBudgetWaitMs: 5000 };

/** What went wrong is in the state: what was read before stays. Rejects only when it is called off. */
export async function readAudit(parts: ReadingParts, all: boolean, signal?: AbortSignal): Promise<AuditState> {
  const { client, store, now } = parts;
  const from = startOf(parts, all);
  const limit = all ? undefined : mostCalls * pageSize;
  let calls = 0;
  const onPage = (): void => void (calls += 1);
  try {
    const listing = await getAuditLogs(
      client,
      { start_time: new Date(from).toISOString(), limit },
      { ...patience, all: true, signal, onPage },
    );
    await keep(parts, listing.records);
    store.setLast(lastOf(listing, now, from, calls, store));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const before = store.last();
    const problem = problemOf(error);
    const failed = { readAt: new Date(now).toISOString(), calls: Math.max(1, calls), problem };
    store.setLast({ total: before?.total ?? null, complete: before?.complete ?? false, ...failed });
  }
  return stateOf(store);
}

/** Only behind a complete reading is what is new enough. */
function startOf({ store, now }: ReadingParts, all: boolean): number {
  const { newestAt } = store.sums();
  const first = now - auditDays * dayMs;
  if (all || newestAt === null || store.last()?.complete !== true) return first;
  return Math.max(first, Date.parse(newestAt) - overlapMs);
}

function lastOf(
  { records, total, error, complete }: Listing<AuditEntry>,
  now: number,
  from: number,
  calls: number,
  store: AuditStore,
): LastReading {
  const isWhole = complete || (error === null && total !== null && records.length >= total);
  const missing = total === null ? 0 : total - records.length;
  const cut =
    isWhole || error !== null
      ? null
      : new CordonError('incomplete', `The service has ${missing} more entries since ${new Date(from).toISOString()}.`);
  const problem = error ?? cut;
  return {
    readAt: new Date(now).toISOString(),
    total: isWhole ? store.sums().elsewhere + store.sums().own : total,
    complete: isWhole,
    calls,
    problem: problem === null ? null : problemOf(problem),
  };
}

/** Details that a state needs, without what belongs to one call. */
function problemOf(error: unknown): ErrorReport {
  return reportError(error);
}

async function keep(parts: ReadingParts, entries: readonly AuditEntry[]): Promise<void> {
  const { connection, client, store, log } = parts;
  const digestOf = await parts.digest();
  const told = codesIn(entries).filter((code) => code !== '');
  const codes = [...told, ...codesAmong(textsIn(entries), store.codes(), digestOf)];
  const records = recordsOf(entries, client.clockSkewMs(), codes);
  store.keepCodes(told.map((code) => ({ digest: digestOf(code), length: code.length })));
  store.keep(records, ownEntries(records, await intentsOf(log, connection, records)));
}

const intentsAtOnce = 1000;
const mostIntents = 20_000;
/** A little more than the time in which an intent and its record are taken for one. */
const aroundMs = 600_000;

/** Our own changes of the time of these records. */
async function intentsOf(
  log: ReadingParts['log'],
  connection: string,
  records: readonly ReadRecord[],
): Promise<readonly LogEntry[]> {
  const times = records.map(({ at }) => Date.parse(at));
  if (times.length === 0) return [];
  const [first, last] = [smallest(times) - aroundMs, largest(times) + aroundMs];
  const query = {
    connection,
    kinds: ['command.requested' as const],
    writesOnly: true,
    since: new Date(first).toISOString(),
    until: new Date(last).toISOString(),
  };
  const found: LogEntry[] = [];
  for (let before: number | undefined; found.length < mostIntents;) {
    const page = await log.query({ ...query, limit: intentsAtOnce, ...(before === undefined ? {} : { before }) });
    for (const one of page.entries) found.push(one);
    before = page.entries.at(-1)?.seq;
    if (!page.more) break;
  }
  return found;
}

export function stateOf(store: AuditStore): AuditState {
  const { elsewhere, own, oldestAt } = store.sums();
  const last = store.last();
  const { readAt = null, total = null, complete = false, calls = 0, problem = null } = last ?? {};
  const unread = last === null || complete || total === null ? 0 : Math.max(0, total - elsewhere - own);
  const price = complete ? 1 : Math.max(1, Math.ceil(Math.max(unread, total ?? 0) / pageSize));
  return { elsewhere, own, oldestAt, readAt, total, complete, calls, problem, price };
}
