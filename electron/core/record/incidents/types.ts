import type { ChainState } from '#shared/contract/local.ts';
import type { LogPicture } from '#shared/contract/log.ts';
import type { EntryKind, Incident, LogEntry, LogQuery, Pin, Surface } from '#shared/model/incident.ts';

import type { PinRequest } from './pins.ts';

/** What a new entry says; sequence number, id and time are the log's own. Secrets are redacted by the caller. */
export interface NewEntry {
  readonly kind: EntryKind;
  readonly surface: Surface;
  readonly message: string;
  readonly about?: string | null;
  readonly incident?: string | null;
  readonly command?: string | null;
  readonly args?: Readonly<Record<string, unknown>> | null;
  readonly target?: LogEntry['target'];
  readonly connection?: LogEntry['connection'];
  readonly durationMs?: number | null;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** What an export or a sum asks for. */
export type LogSearch = Omit<LogQuery, 'limit' | 'before' | 'after'>;

/** `md` and `html` are reports for people. */
export type LogFormat = 'jsonl' | 'csv' | 'md' | 'html';

/** The append-only log. Every method is synchronous: when `append` returns, the entry is on the disk. */
export interface IncidentLog {
  /** Throws `CordonError('log_unavailable')` when the entry cannot be committed. */
  append(entry: NewEntry): LogEntry;
  /** The same, unless an entry of one of these kinds is about the same already, whichever process wrote it. */
  appendOnce(entry: NewEntry & { readonly about: string }, kinds: readonly EntryKind[]): LogEntry | undefined;
  /** Changes that were asked for and have no outcome, oldest first. */
  openChanges(): readonly LogEntry[];
  query(query: LogQuery): { readonly entries: readonly LogEntry[]; readonly more: boolean; readonly matching: number };
  entry(id: string): LogEntry | undefined;
  /** The entry, the intent that it belongs to, and what is about either; newest first. */
  thread(id: string): readonly LogEntry[];
  /** Number of the last entry, 0 for none. */
  newest(): number;
  /** Numbers of the matching entries after this one, oldest first. */
  seqsAfter(query: LogSearch, after: number): readonly number[];
  /** The entries of these numbers, newest first. */
  entriesAt(seqs: readonly number[]): readonly LogEntry[];
  /** The earliest time of the entries after this one (ISO 8601), `null` for none: a clock may have been set back. */
  earliestAfter(after: number): string | null;
  /** The number of the last entry before each of these times (ISO 8601), 0 for none. */
  seqsBefore(times: readonly string[]): readonly number[];
  /** What is pinned as evidence now, by the id of its entry. */
  pins(): ReadonlyMap<string, Pin>;
  /** Appends the pin, or that it is taken back; `null` when it is so already. Throws `not_found`. */
  setPinned(request: PinRequest): LogEntry | null;
  /** All who left entries. */
  people(): readonly string[];
  /** Lanes of hosts, and how much each person changed in each hour. */
  picture(query: LogSearch): LogPicture;
  /** Intents of a target and their outcomes, newest first. */
  about(connection: string, targetGuid: string, limit: number): readonly LogEntry[];
  /** Streams all matching entries, oldest first. */
  export(query: LogSearch, format: LogFormat): Iterable<string>;
  /** Goes over the chain of hashes. */
  verify(signal?: AbortSignal): Promise<ChainState>;
  incidents(): readonly Incident[];
  openIncident(input: { readonly title: string; readonly reference: string }, surface: Surface): Incident;
  setIncidentOpen(id: string, open: boolean, surface: Surface): Incident;
  /** Called after entries arrived, also from another process on the profile; returns the way to stop. */
  onAppend(listener: (seq: number) => void): () => void;
  stop(): void;
}
