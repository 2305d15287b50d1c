/** Our own entries, newest first, merged with changes elsewhere. */
import {sliceSize} from '#core/record/incidents/locate.ts'
import type {IncidentLog, LogSearch} from '#core/record/incidents/types.ts'
import {createRecent} from '#shared/recent.ts'
import type {JoinedPage, JoinedRow} from '#contract/log.ts'
import type {Incident, LogEntry} from '#model/incident.ts'
import {createPlaces, type Place} from './places.ts'
import type {AuditQuery, AuditStore} from './store.ts'

export interface JoinedRequest {
	query: LogSearch
	offset: number
	limit: number
	/** Number of the newest own entry among the rows; later ones are only counted. Default: all. */
	upTo?: number | undefined
}

/** The parts of the log needed for joining. */
export type JoinableLog = Pick<IncidentLog, 'incidents' | 'newest' | 'linesAfter' | 'stepsOf' | 'seqsBefore' | 'earliestAfter' | 'entriesAt'>

/** A row of the window, not loaded yet. */
type Spot = {seq: number} | {key: string}

/** All rows of a query, as numbers and keys. */
interface Line {
	/** Our own, newest first. */
	own: Descending
	places: readonly Place[]
}

type Descending = ReturnType<typeof descending>

/**
 * Our own entries keep their written order, even where a clock was set back. A change stands where it was requested, once, however
 * many of its entries match, so that no boundary of a window divides it. Of all rows only numbers and keys are kept between windows;
 * the rows of a window are found by binary search.
 */
export function createJoinedLog(log: () => JoinableLog) {
	const numbers = createOwnNumbers()
	const standing = createPlaces()
	return async (store: AuditStore | null, {query, offset, limit, upTo = Infinity}: JoinedRequest, signal?: AbortSignal): Promise<JoinedPage> => {
		const asked = store === null ? undefined : await elsewhereOf(query, log())
		const all = store === null || asked === undefined ? [] : await standing(log(), store, asked)
		// Last, because the next query extends the array: nothing is awaited until the window is known.
		const {lines, entries, newest} = await numbers(log(), query, signal)
		const own = descending(lines, upTo)
		const places = all.slice(countWhere(all.length, index => (all[index]?.above ?? 0) > upTo))
		const spots = spotsOf({own, places}, offset, limit)
		const counts = {
			offset,
			matching: own.length + places.length,
			own: entries,
			lines: lines.length,
			elsewhere: all.length,
			newer: lines.length - own.length + all.length - places.length,
			newest
		}
		return {...counts, rows: await rowsAt(spots, log(), store)}
	}
}

/** Those up to a number, descending. */
function descending(seqs: readonly number[], upTo: number) {
	const upToCount = (seq: number) => countWhere(seqs.length, index => (seqs[index] ?? 0) <= seq)
	const length = upTo === Infinity ? seqs.length : upToCount(upTo)
	return {
		length,
		at: (index: number) => (index < length ? seqs[length - 1 - index] : undefined),
		/** Count of those greater than this number. */
		above: (seq: number) => Math.max(0, length - upToCount(seq))
	}
}

/** Number of leading indexes for which a monotonic condition holds. */
function countWhere(length: number, holds: (index: number) => boolean) {
	let [low, high] = [0, length]
	while (low < high) {
		const middle = (low + high) >> 1
		if (holds(middle)) low = middle + 1
		else high = middle
	}
	return low
}

function spotsOf({own, places}: Line, offset: number, limit: number) {
	const rankOf = (index: number) => index + own.above(places[index]?.above ?? 0)
	let other = countWhere(places.length, index => rankOf(index) < offset)
	let mine = offset - other
	const spots: Spot[] = []
	while (spots.length < limit) {
		const [seq, place] = [own.at(mine), places[other]]
		if (seq === undefined && place === undefined) break
		const isOwn = place === undefined || (seq !== undefined && seq > place.above)
		spots.push(isOwn ? {seq: seq ?? 0} : {key: place.key})
		if (isOwn) mine += 1
		else other += 1
	}
	return spots
}

async function rowsAt(spots: readonly Spot[], log: JoinableLog, store: AuditStore | null) {
	const seqs = spots.flatMap(spot => ('seq' in spot ? [spot.seq] : []))
	const entries = await entriesWithTheOneBefore(seqs, log)
	const ids = seqs.flatMap(seq => entries.get(seq)?.id ?? [])
	const steps = ids.length === 0 ? new Map<string | null, LogEntry[]>() : Map.groupBy(await log.stepsOf(ids), ({about}) => about)
	return spots.flatMap((spot): readonly JoinedRow[] => {
		if ('seq' in spot) {
			const entry = entries.get(spot.seq)
			return entry === undefined ? [] : [ownRow(entry, entries.get(spot.seq - 1), steps.get(entry.id))]
		}
		const record = store?.find(spot.key)
		return record === undefined ? [] : [{kind: 'elsewhere', record}]
	})
}

async function entriesWithTheOneBefore(seqs: readonly number[], log: Pick<JoinableLog, 'entriesAt'>) {
	if (seqs.length === 0) return new Map<number, LogEntry>()
	const wanted = new Set(seqs.flatMap(seq => [seq - 1, seq]))
	return new Map((await log.entriesAt([...wanted])).map(entry => [entry.seq, entry]))
}

/** Smaller steps are normal clock corrections (ms). */
const notableStep = 1000

/** An entry, with the clock step since the entry written before it. */
export function ownRow(entry: LogEntry, before: LogEntry | undefined, steps: readonly LogEntry[] = []): JoinedRow {
	const setBackMs = before === undefined ? 0 : Date.parse(before.at) - Date.parse(entry.at)
	return {kind: 'own', entry, steps, ...(setBackMs >= notableStep && {setBackMs})}
}

/** The same query for the audit log; `undefined` where nothing elsewhere can match. */
async function elsewhereOf(query: LogSearch, log: JoinableLog): Promise<AuditQuery | undefined> {
	const {text, hash, target, operator, writesOnly, kinds, command, surface, pinned} = query
	if (kinds !== undefined || command !== undefined || surface !== undefined || pinned === true) return undefined
	const incidents = query.incident === undefined ? [] : await log.incidents()
	const span = spanOf(
		query,
		incidents.find(({id}) => id === query.incident)
	)
	const words = `${text ?? ''} ${hash ?? ''}`.split(/\s+/u).filter(word => word !== '')
	return {text: words, target, user: operator, writesOnly, ...span}
}

/** Records elsewhere name no incident of ours: changes while it was open may belong to it. */
function spanOf({since, until}: LogSearch, incident: Incident | undefined): Pick<AuditQuery, 'since' | 'until'> {
	const starts = [isoOf(since), incident?.openedAt].filter(time => time !== undefined).toSorted()
	const ends = [isoOf(until), incident?.closedAt ?? undefined].filter(time => time !== undefined).toSorted()
	return {since: starts.at(-1), until: ends[0]}
}

/** The log has already refused invalid times. */
function isoOf(time: string | undefined) {
	return time === undefined ? undefined : new Date(time).toISOString()
}

/** Cached numbers of the lines that match a query: the log only grows, so only new entries are read. */
type Log = Pick<IncidentLog, 'newest' | 'linesAfter'>

interface Known {
	/** Number of the newest entry checked. */
	newest: number
	/** Number of matching entries. */
	entries: number
	/** Ascending. */
	lines: number[]
	slice?: Promise<void> | undefined
}

/** Later calls extend the lines: use them before the next one. */
function createOwnNumbers() {
	const known = createRecent<Known>()
	return async (log: Log, query: LogSearch, signal?: AbortSignal): Promise<Readonly<Known>> => {
		const key = JSON.stringify(query)
		const newest = await log.newest()
		const last = known.get(key)
		// Unpinning by a later entry is the only change to earlier results.
		const isStale = last === undefined || (query.pinned === true && newest > last.newest)
		const sums = isStale ? known.set(key, {newest: 0, entries: 0, lines: []}) : last
		while (sums.newest < newest) {
			signal?.throwIfAborted()
			// Shared with other windows of the query.
			await (sums.slice ??= grow(log, query, sums, newest).finally(() => (sums.slice = undefined)))
		}
		return {...sums}
	}
}

/** An outcome may match where the request, which is older, did not: its line goes to its place. */
async function grow(log: Log, query: LogSearch, sums: Known, newest: number) {
	const upTo = Math.min(newest, sums.newest + sliceSize)
	const found = await log.linesAfter(query, sums.newest, upTo)
	sums.newest = upTo
	sums.entries += found.length
	for (const line of found) {
		const at = countWhere(sums.lines.length, index => (sums.lines[index] ?? 0) < line)
		if (sums.lines[at] !== line) sums.lines.splice(at, 0, line)
	}
}
