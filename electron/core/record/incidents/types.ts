import type {ChainState} from '#contract/local.ts'
import type {LogPicture} from '#contract/log.ts'
import type {EntryKind, Incident, LogEntry, LogQuery, Pin, Surface} from '#model/incident.ts'

import type {AsyncOf} from '#core/store/async.ts'

/** What a new entry says; number, id, time and operator are the log's own. Secrets are redacted by the caller. */
export type NewEntry = Pick<LogEntry, 'kind' | 'surface' | 'message'> & Partial<Omit<LogEntry, keyof LogStamp>>

/** What the log adds. */
export type LogStamp = Pick<LogEntry, 'seq' | 'id' | 'at' | 'operator'>

export interface PinRequest {
	/** Id of the entry. */
	id: string
	pinned: boolean
	reason: string
	/** Where the pin goes when its entry belongs to no incident. */
	incident: string | null
	surface: Surface
}

/** What an export or a sum asks for. */
export type LogSearch = Omit<LogQuery, 'limit' | 'before' | 'after'>

/** `md` and `html` are reports for people. */
export type LogFormat = 'jsonl' | 'csv' | 'md' | 'html'

/** How far the chain was gone over: number and hash of the last entry that fits. */
export interface VerifiedTo {
	readonly seq: number
	readonly hash: string
	readonly checked: number
}

export interface VerifiedPart extends VerifiedTo {
	readonly broken: ChainState['broken']
	/** Nothing comes behind it. */
	readonly ended: boolean
}

/** What is remembered of the end of the log. */
export interface Anchor {
	readonly seq: number
	readonly hash: string
	/** When it was written (ISO 8601). */
	readonly at: string
}

export interface LogAnchors {
	read(): Anchor | undefined
	/** One that is not further than what is kept changes nothing. */
	write(anchor: Anchor): void
	/** For a log that was started again on purpose. */
	drop(): void
}

/**
 * The log's repository as an adapter writes it: every method returns when the disk has done its part, and `append` when
 * the entry is there to stay.
 */
export interface LogRepository {
	/** Throws `CordonError('log_unavailable')` when the entry cannot be committed. */
	append(entry: NewEntry): LogEntry
	/** Several at once, in one transaction with one sync: all of them stand, or none. */
	appendAll(entries: readonly NewEntry[]): readonly LogEntry[]
	/** The same, unless an entry of one of these kinds is about the same already, whichever process wrote it. */
	appendOnce(entry: NewEntry & {about: string}, kinds: readonly EntryKind[]): LogEntry | undefined
	/** Changes that were asked for and have no outcome, oldest first. */
	openChanges(): readonly LogEntry[]
	query(query: LogQuery): {entries: readonly LogEntry[]; more: boolean; matching: number}
	entry(id: string): LogEntry | undefined
	/** The entry, the intent that it belongs to, and what is about either; newest first. */
	thread(id: string): readonly LogEntry[]
	/** Number of the last entry, 0 for none. */
	newest(): number
	/**
	 * For each matching entry after the one number and up to the other, oldest first, the number of the line that shows it: of
	 * the first entry of its change, or its own.
	 */
	linesAfter(query: LogSearch, after: number, upTo: number): readonly number[]
	/** The later entries of these changes, by the ids of their first ones; oldest first. */
	stepsOf(ids: readonly string[]): readonly LogEntry[]
	/** The entries of these numbers, newest first. */
	entriesAt(seqs: readonly number[]): readonly LogEntry[]
	/** The earliest time of the entries after this one (ISO 8601), `null` for none: a clock may have been set back. */
	earliestAfter(after: number): string | null
	/** The number of the last entry before each of these times (ISO 8601), 0 for none. */
	seqsBefore(times: readonly string[]): readonly number[]
	/** What is pinned as evidence now, by the id of its entry. */
	pins(): ReadonlyMap<string, Pin>
	/** Appends the pin, or that it is taken back; `null` when it is so already. Throws `not_found`. */
	setPinned(request: PinRequest): LogEntry | null
	/** All who left entries. */
	people(): readonly string[]
	/** Lanes of hosts, and how much each person changed in each hour. `null` when it was read in part: ask again. */
	picture(query: LogSearch): LogPicture | null
	/** Intents to change a target and their outcomes, newest first. */
	about(connection: string, targetGuid: string, limit: number): readonly LogEntry[]
	/** Entries that match, oldest first, after the one number and up to the other (default: all); fewer than `limit` at the end. */
	matching(query: LogSearch, after: number, limit: number, upTo?: number): readonly LogEntry[]
	/** Goes over the chain of hashes from the entry after this one; `last` is the hash before. */
	verifyPart(from: VerifiedTo): VerifiedPart
	/** Number and hash of the newest link, `null` for none. */
	head(): {seq: number; hash: string} | null
	hashAt(seq: number): string | null
	incidents(): readonly Incident[]
	openIncident(input: {title: string; reference: string}, surface: Surface): Incident
	setIncidentOpen(id: string, open: boolean, surface: Surface): Incident
	stop(): void
}

/** The append-only log as callers see it. `append` resolves when the entry is on the disk, never before. */
export interface IncidentLog extends AsyncOf<Omit<LogRepository, 'appendAll' | 'picture' | 'verifyPart' | 'head' | 'hashAt'>> {
	picture(query: LogSearch, signal?: AbortSignal): Promise<LogPicture>
	/** Streams all matching entries, oldest first. */
	export(query: LogSearch, format: LogFormat, signal?: AbortSignal): AsyncIterable<string>
	/** Goes over the chain of hashes, and asks whether the log still has the end that is remembered. */
	verify(signal?: AbortSignal): Promise<ChainState>
	/** Forgets the end that is remembered, and says so in the log with the reason: for a log that was started again on purpose. */
	beginAnew(reason: string, surface: Surface): Promise<LogEntry>
	/** Remembers how long the log is now. Never rejects. */
	holdEnd(): Promise<void>
	/** Called after entries arrived, also from another process on the profile; returns the way to stop. */
	onAppend(listener: (seq: number) => void): () => void
}
