/** The audit logs of the connections as far as they were read: one cache for each, opened on first use. */
import { CordonError } from '#shared/contract/errors.ts';
import type { AuditState, JoinedPage, LogThread } from '#shared/contract/log.ts';
import type { AuditRecord } from '#shared/model/audit.ts';
import type { LogEntry, Surface } from '#shared/model/incident.ts';

import type { IncidentLog } from '#core/record/incidents/types.ts';
import { makeReplica, type AnyReplica, type ReplicaHost } from '../kit/replica.ts';
import { createJoinedLog, ownRow, type JoinableLog, type JoinedRequest } from './joined.ts';
import { createCodeDigest, type CodeKeyOptions } from './known-codes.ts';
import { readAudit, stateOf } from './reading.ts';
import { openAuditStore, type AuditQuery, type AuditStore } from './store.ts';

export interface Audits extends AnyReplica {
  /** Costs nothing. */
  state(connection: string): AuditState;
  /** Asks the service. Two at once are one. */
  read(connection: string, all: boolean, signal?: AbortSignal): Promise<AuditState>;
  joined(connection: string | null, request: JoinedRequest): Promise<JoinedPage>;
  /** One row with all entries about the same thing. */
  thread(connection: string | null, key: string): Promise<LogThread>;
  /** What was done elsewhere alone, newest first. */
  elsewhere(connection: string, query: AuditQuery, limit: number): readonly AuditRecord[];
  /** Copies a record into our own log, as evidence: the cache can be deleted, an entry cannot. Throws `not_found`. */
  pin(request: PinElsewhere): Promise<LogEntry>;
}

export interface PinElsewhere {
  readonly connection: string;
  readonly key: string;
  readonly reason: string;
  readonly incident: string | null;
  readonly surface: Surface;
}

export interface AuditsOptions extends CodeKeyOptions, ReplicaHost {
  readonly log: () => Pick<IncidentLog, 'query' | 'append' | 'thread'> & JoinableLog;
}

export function auditReplica(options: AuditsOptions): Audits {
  const { connections, clock, log } = options;
  const stores = makeReplica<AuditStore>(options, {
    kind: 'audit',
    folder: 'audit',
    open: ({ path }) => openAuditStore(path),
  });
  const digest = createCodeDigest(options);
  const joined = createJoinedLog(log);
  const running = new Map<string, Promise<AuditState>>();
  const read = async (connection: string, all: boolean, signal?: AbortSignal): Promise<AuditState> => {
    const { id } = connections.find(connection);
    const parts = {
      connection: id,
      client: connections.client(id),
      store: stores.open(id),
      log: log(),
      now: clock.now(),
      digest,
    };
    return await readAudit(parts, all, signal);
  };
  return {
    ...stores,
    state: (connection) => stateOf(stores.open(connection)),
    read: async (connection, all, signal) => {
      const known = running.get(connection);
      if (known !== undefined) return await known;
      const reading = read(connection, all, signal).finally(() => running.delete(connection));
      running.set(connection, reading);
      return await reading;
    },
    joined: async (connection, request) => joined(connection === null ? null : stores.open(connection), request),
    thread: async (connection, key) => threadOf(log(), connection === null ? null : stores.open(connection), key),
    elsewhere: (connection, query, limit) => stores.open(connection).newest(query, limit),
    pin: async (request) => pin(options, stores.open(request.connection), request),
  };
}

async function threadOf(
  log: Pick<IncidentLog, 'thread' | 'entriesAt'>,
  store: AuditStore | null,
  key: string,
): Promise<LogThread> {
  const entries = await log.thread(key);
  const entry = entries.find(({ id }) => id === key);
  if (entry !== undefined) return { row: ownRow(entry, (await log.entriesAt([entry.seq - 1]))[0]), entries };
  const record = store?.find(key);
  return { row: record === undefined ? null : { kind: 'elsewhere', record }, entries };
}

async function pin({ connections, log }: AuditsOptions, store: AuditStore, request: PinElsewhere): Promise<LogEntry> {
  const { key, reason, surface, incident } = request;
  const record = store.find(key);
  if (record === undefined)
    throw new CordonError('not_found', 'This change is no longer stored on this computer. Refresh the audit log.');
  const { id, name, url } = connections.find(request.connection);
  const { own: _own, ...kept } = record;
  return await log().append({
    kind: 'evidence.pinned',
    surface,
    incident,
    target: record.target,
    connection: { id, name, url },
    message: `Pinned as evidence, changed outside Cordon by ${record.user}: ${record.message}`,
    data: { reason: reason.trim(), record: kept },
  });
}
