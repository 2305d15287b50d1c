/** The audit logs of the connections as far as they were read: one cache for each, opened at first use. */
import type {Clock} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {getAuditLogs} from '#core/service/api/endpoints/audit-logs.ts'
import {type Listing, pageSize} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import {CordonError, reportError} from '#contract/errors.ts'
import type {AuditState, LogThread} from '#contract/log.ts'
import {largest, smallest} from '#shared/extremes.ts'
import {auditDays, type AuditEntry} from '#model/audit.ts'
import type {LogEntry, Surface} from '#model/incident.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {makeReplica, type ReplicaHost} from '../kit/replica.ts'
import {makeSharedByKey} from '../kit/shared-work.ts'
import {createJoinedLog, type JoinableLog, type JoinedRequest, ownRow} from './joined.ts'
import {type CodeKeyOptions, codesAmong, createCodeDigest, type DigestOf} from './known-codes.ts'
import {codesIn, type ReadRecord, recordsOf, textsIn} from './record.ts'
import {type AuditQuery, type AuditStore, type LastReading, openAuditStore} from './store.ts'

export type PinElsewhere = Readonly<{connection: string; key: string; reason: string; incident: string | null; surface: Surface}>

interface AuditsOptions extends CodeKeyOptions, ReplicaHost {
	log: () => Pick<IncidentLog, 'query' | 'append' | 'thread'> & JoinableLog
}

export type Audits = ReturnType<typeof auditReplica>

export function auditReplica(options: AuditsOptions) {
	const {connections, clock, log} = options
	const stores = makeReplica(options, {kind: 'audit', open: ({path}) => openAuditStore(path)})
	const digest = createCodeDigest(options)
	const joined = createJoinedLog(log)
	const running = makeSharedByKey<{all: boolean; state: AuditState}>()
	stores.attach(
		({id}) =>
			() =>
				running.end(id)
	)
	return {
		...stores,
		/** No API call. */
		state: (connection: string) => stateOf(stores.open(connection)),
		/** Queries the service. Concurrent calls are shared. */
		read: async (connection: string, all: boolean, signal?: AbortSignal) => {
			const {id} = connections.find(connection)
			const shared = running.of(id)
			const read = () =>
				shared.join(async inner => {
					const parts = {connection: id, client: connections.client(id), store: stores.open(id), log: log(), clock, digest}
					return {all, state: await readAudit(parts, all, inner)}
				}, signal)
			// What ran already may have been asked for less.
			const isEnough = (one: {all: boolean}) => one.all || !all
			let done = await read()
			while (!isEnough(done)) done = await read()
			return done.state
		},
		joined: async (connection: string | null, request: JoinedRequest, signal?: AbortSignal) =>
			joined(connection === null ? null : stores.open(connection), request, signal),
		/** One row with all entries about the same object. */
		thread: async (connection: string | null, key: string) => threadOf(log(), connection === null ? null : stores.open(connection), key),
		/** Only changes elsewhere, newest first. */
		elsewhere: (connection: string, query: AuditQuery, limit: number) => stores.open(connection).newest(query, limit),
		/** Copies a record into our own log as evidence: the cache can be deleted, an entry cannot. Throws `not_found`. */
		pin: async (request: PinElsewhere) => pin(options, stores.open(request.connection), request)
	}
}

async function threadOf(log: Pick<IncidentLog, 'thread' | 'entriesAt'>, store: AuditStore | null, key: string): Promise<LogThread> {
	const entries = await log.thread(key)
	const entry = entries.find(({id}) => id === key)
	if (entry !== undefined) return {row: ownRow(entry, (await log.entriesAt([entry.seq - 1]))[0]), entries}
	const record = store?.find(key)
	return {row: record === undefined ? null : {kind: 'elsewhere', record}, entries}
}

async function pin({connections, log}: AuditsOptions, store: AuditStore, request: PinElsewhere): Promise<LogEntry> {
	const {key, reason, surface, incident} = request
	const record = store.find(key)
	if (record === undefined) throw new CordonError('not_found', 'This change is no longer stored on this computer. Refresh the audit log.')
	const {id, name, url} = connections.find(request.connection)
	const {own: _own, ...kept} = record
	return await log().append({
		kind: 'evidence.pinned',
		surface,
		incident,
		target: record.target,
		connection: {id, name, url},
		message: `Pinned as evidence, changed outside Cordon by ${record.user}: ${record.message}`,
		data: {reason: reason.trim(), record: kept}
	})
}

/** Reads the service's audit log: new entries since the last time, or all of the last 30 days again. */
interface ReadingDependencies {
	connection: string
	client: ApiClient
	store: AuditStore
	log: Pick<IncidentLog, 'query'>
	clock: Pick<Clock, 'now'>
	digest: () => Promise<DigestOf>
}

/** Limit of API calls of a read without `all`. */
const mostCalls = 10
/** Entries may appear a little later than they were made. */
const overlapMs = 300_000
const dayMs = 86_400_000

/** An operator is waiting. */
const patience: CallOptions = {purpose: 'interactive', deadlineMs: 120_000, maxQuotaWaitMs: 5000}

/** The state reports failures: earlier records stay. Rejects only on abort. */
async function readAudit(deps: ReadingDependencies, all: boolean, signal: AbortSignal) {
	const {client, store, clock} = deps
	const now = clock.now()
	const limit = all ? undefined : mostCalls * pageSize
	let calls = 0
	const onPage = () => void (calls += 1)
	try {
		const readFrom = (from: number) =>
			getAuditLogs(client, {start_time: new Date(from).toISOString(), limit}, {...patience, all: true, signal, onPage})
		let from = startOf(deps, all)
		let listing = await readFrom(from)
		// The first answer tells whether this clock is ahead.
		if (startOf(deps, all) < from - overlapMs) listing = await readFrom((from = startOf(deps, all)))
		await keep(deps, listing.records)
		store.setLast(lastOf(listing, now, from, calls, store))
	} catch (error) {
		if (signal.aborted) throw error
		const before = store.last()
		const problem = reportError(error)
		const failed = {readAt: new Date(now).toISOString(), calls: Math.max(1, calls), problem}
		store.setLast({total: before?.total ?? null, complete: before?.complete ?? false, ...failed})
	}
	return stateOf(store)
}

/** Only a complete read can start a later one. */
function startOf({store, clock, client}: ReadingDependencies, all: boolean) {
	const {newestAt} = store.sums()
	const first = clock.now() - (client.clockSkewMs() ?? 0) - auditDays * dayMs
	if (all || newestAt === null || store.last()?.complete !== true) return first
	return Math.max(first, newestAt - overlapMs)
}

function lastOf(
	{records, total, error, complete}: Listing<AuditEntry>,
	now: number,
	from: number,
	calls: number,
	store: AuditStore
): LastReading {
	const isWhole = complete || (error === null && total !== null && records.length >= total)
	const missing = total === null ? 0 : total - records.length
	const cut =
		isWhole || error !== null
			? null
			: new CordonError('incomplete', `The service has ${missing} more entries since ${new Date(from).toISOString()}.`)
	const problem = error ?? cut
	return {
		readAt: new Date(now).toISOString(),
		total: isWhole ? store.sums().elsewhere + store.sums().own : total,
		complete: isWhole,
		calls,
		problem: problem === null ? null : reportError(problem)
	}
}

async function keep(deps: ReadingDependencies, entries: readonly AuditEntry[]) {
	const {connection, client, store, log} = deps
	const digestOf = await deps.digest()
	const told = codesIn(entries).filter(code => code !== '')
	const codes = [...told, ...codesAmong(textsIn(entries), store.codes(), digestOf)]
	const records = recordsOf(entries, client.clockSkewMs(), codes)
	store.keepCodes(told.map(code => ({digest: digestOf(code), length: code.length})))
	store.keep(records, ownEntries(records, await intentsOf(log, connection, records)))
}

const intentsAtOnce = 1000
const mostIntents = 20_000
/** Slightly more than the time within which an intent and its record count as one. */
const aroundMs = 600_000

/** Our own changes around the time of these records. */
async function intentsOf(log: ReadingDependencies['log'], connection: string, records: readonly ReadRecord[]) {
	const times = records.map(({at}) => Date.parse(at))
	if (times.length === 0) return []
	const [first, last] = [smallest(times) - aroundMs, largest(times) + aroundMs]
	const query = {
		connection,
		kinds: ['command.requested' as const],
		writesOnly: true,
		since: new Date(first).toISOString(),
		until: new Date(last).toISOString()
	}
	const found: LogEntry[] = []
	for (let before: number | undefined; found.length < mostIntents;) {
		const page = await log.query({...query, limit: intentsAtOnce, ...omitUndefined({before})})
		for (const one of page.entries) found.push(one)
		before = page.entries.at(-1)?.seq
		if (!page.more) break
	}
	return found
}

function stateOf(store: AuditStore): AuditState {
	const {elsewhere, own, oldestAt} = store.sums()
	const last = store.last()
	const {readAt = null, total = null, complete = false, calls = 0, problem = null} = last ?? {}
	const unread = last === null || complete || total === null ? 0 : Math.max(0, total - elsewhere - own)
	const price = complete ? 1 : Math.max(1, Math.ceil(Math.max(unread, total ?? 0) / pageSize))
	return {elsewhere, own, oldestAt, readAt, total, complete, calls, problem, price}
}

/* Which of our own actions an entry of the audit log repeats. */

/** The service records our intent within this time, by one clock. */
const nearMs = 120_000

const families: Readonly<Record<string, (record: ReadRecord) => boolean>> = {
	svc_put_computers_isolation: record => changed(record, 'isolated') === 'true',
	svc_delete_computers_isolation: record => changed(record, 'isolated') === 'false',
	svc_move_computer: record => changed(record, 'isolated') === undefined && record.event !== 'delete',
	svc_set_group_policy: () => true,
	svc_set_file_list_files_by_sha: record => record.event === 'create',
	svc_delete_file_list_files_by_sha: record => record.event !== 'create'
}

/**
 * For each record the id of the intent that it repeats: the comment names the intent, or it is the same change of the same object
 * at the same time. An intent matches one record, the nearest, so that a later change by others is not taken for ours.
 */
function ownEntries(records: readonly ReadRecord[], intents: readonly LogEntry[]) {
	const found = new Map<string, string>()
	const used = new Set<string>()
	const byObject = indexOf(intents)
	const pairs = records
		.flatMap(record => (byObject.get(record.target?.guid ?? '') ?? []).map(intent => ({record, intent, distance: distanceOf(record, intent)})))
		.filter(({distance}) => distance !== undefined)
		.toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0))
	for (const {record, intent} of pairs) {
		if (found.has(record.key) || used.has(intent.id)) continue
		found.set(record.key, intent.id)
		used.add(intent.id)
	}
	return found
}

function indexOf(intents: readonly LogEntry[]) {
	const index = new Map<string, LogEntry[]>()
	for (const intent of intents) for (const guid of new Set(namedBy(intent))) index.set(guid, [...(index.get(guid) ?? []), intent])
	return index
}

/** Everything an intent names: its target and its arguments. */
function namedBy({target, args}: LogEntry) {
	const values = [target?.guid, ...Object.values(args ?? {})]
	return values.flatMap(value => (typeof value === 'string' ? [value.toLowerCase()] : []))
}

/** Milliseconds between them, 0 where the comment names the intent; `undefined` when the objects differ. */
function distanceOf(record: ReadRecord, intent: LogEntry) {
	const fits = families[intent.command ?? '']
	if (fits === undefined || !fits(record) || !sameHash(record, intent)) return undefined
	if (changed(record, 'comment')?.includes(intent.id.slice(-8)) === true) return 0
	const distance = Math.abs(Date.parse(record.at) - Date.parse(intent.at))
	return distance <= nearMs ? distance + 1 : undefined
}

/** The GUID already matches; an entry about a list item names the hash too. */
function sameHash(record: ReadRecord, intent: LogEntry) {
	const sha = record.changes.find(({name}) => name === 'sha' || name === 'sha256')
	return sha === undefined || namedBy(intent).includes((sha.new ?? sha.old ?? '').toLowerCase())
}

function changed(record: ReadRecord, name: string) {
	return record.changes.find(change => change.name === name)?.new ?? undefined
}
