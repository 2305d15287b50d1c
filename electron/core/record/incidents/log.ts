/** The incident log as callers see it: a repository behind promises, appends in flight committed together. */
import {every} from '#base/every.ts'
import type {Clock} from '#base/ports.ts'
import {createTurns} from '#base/turns.ts'
import {inThread, type AsyncOf} from '#core/store/async.ts'
import type {ChainState} from '#contract/local.ts'
import {annotations, type LogEntry} from '#model/incident.ts'
import {faultByAnchor, keepAnchor} from './anchor.ts'
import {chainStart} from './chain.ts'
import {csvOf, jsonlOf} from './export.ts'
import {refuseCredentials} from './new-entry.ts'
import {htmlOf, markdownOf} from './report.ts'
import {type LogOptions, openSqliteLog} from './sqlite-log.ts'
import type {IncidentLog, LogAnchors, LogFormat, LogRepository, LogSearch, NewEntry, VerifiedPart} from './types.ts'

/**
 * In the thread of the caller, as the command line has it, or with its repository elsewhere: then only `note` opens the file
 * here, too. Nothing is opened before the first call.
 */
export function openIncidentLog(options: LogOptions, elsewhere?: AsyncOf<LogRepository>): LocalLog {
	const repository = openSqliteLog(options)
	const {log, appended} = overRepository(elsewhere ?? inThread(repository), options)
	const note = (entry: NewEntry): LogEntry => {
		refuseCredentials(entry)
		const added = repository.append(entry)
		appended(added.seq)
		return added
	}
	const stop = async () => {
		await log.stop()
		if (elsewhere !== undefined) repository.stop()
	}
	return {...log, note, stop}
}

/** A log whose file is written by this very thread. */
export interface LocalLog extends IncidentLog {
	/** For what is stored in this thread too, and must not stand without its entry. Throws `log_unavailable`. */
	note(entry: NewEntry): LogEntry
}

/** Over any adapter. Whoever made it calls `stop`, which waits for what is being appended. */
export function incidentLog(repository: AsyncOf<LogRepository>, options: Pick<LogOptions, 'clock' | 'anchors'>) {
	return overRepository(repository, options).log
}

function overRepository(repository: AsyncOf<LogRepository>, {clock, anchors = nowhere}: Pick<LogOptions, 'clock' | 'anchors'>) {
	const announcer = createAnnouncer(clock, () => repository.newest())
	const anchor = keepAnchor(anchors, clock, repository)
	const appended = (seq: number) => {
		void anchor.appended()
		announcer.appended(seq)
	}
	const append = groupedAppends(repository, appended)
	const summing = createTurns(4)
	/** Tells of what any other writing method appended. */
	const told = async <Answer>(work: Promise<Answer>) => {
		const answer = await work
		appended(await repository.newest().catch(() => 0))
		return answer
	}
	const {appendAll: _all, verifyPart: _part, head: _head, hashAt: _hashAt, ...methods} = repository
	const log: IncidentLog = {
		...methods,
		append: append.add,
		appendOnce: (entry, kinds) => told(repository.appendOnce(entry, kinds)),
		setPinned: request => told(repository.setPinned(request)),
		openIncident: (input, surface) => told(repository.openIncident(input, surface)),
		setIncidentOpen: (id, open, surface) => told(repository.setIncidentOpen(id, open, surface)),
		picture: async (query, signal) =>
			// More at once than are kept would push one another out, and none would end.
			(await repository.picture(query)) ??
			(await summing(async () => {
				for (;;) {
					signal?.throwIfAborted()
					const picture = await repository.picture(query)
					if (picture !== null) return picture
				}
			})),
		export: (query, format, signal) => exported(repository, query, format, clock.now(), signal),
		verify: async signal => {
			// First: what comes while the chain is gone over is not expected of it.
			const kept = anchors.read()
			const state = await verify(repository, () => clock.now(), signal)
			if (kept === undefined || state.broken !== null) return state
			return {...state, broken: faultByAnchor(kept, state.checked, await repository.hashAt(kept.seq))}
		},
		async beginAnew(reason, surface) {
			const kept = anchors.read()
			const message = `The log is begun anew: ${reason}`
			const entry = await append.add({kind: 'note', surface, message, data: {was: kept ?? null}})
			anchors.drop()
			return entry
		},
		holdEnd: anchor.hold,
		onAppend: announcer.listen,
		async stop() {
			announcer.stop()
			await append.settled()
			await anchor.hold()
			await repository.stop()
		}
	}
	return {log, appended}
}

const nowhere: LogAnchors = {read: () => {}, write: () => {}, drop: () => {}}

interface Waiting {
	entry: NewEntry
	resolve(added: LogEntry): void
	reject(error: unknown): void
}

/**
 * Entries that come while others are on their way to the disk wait for them, and then go together: one transaction, one
 * sync. None is answered before it is on the disk. Where they cannot go together, each goes by itself and answers for itself.
 */
function groupedAppends(repository: AsyncOf<LogRepository>, appended: (seq: number) => void) {
	let waiting: Waiting[] = []
	let running: Promise<void> | undefined
	const flush = async () => {
		while (waiting.length > 0) {
			const group = waiting
			waiting = []
			await write(repository, group, appended)
		}
		running = undefined
	}
	return {
		add(entry: NewEntry): Promise<LogEntry> {
			return new Promise((resolve, reject) => {
				waiting.push({entry, resolve, reject})
				running ??= Promise.resolve().then(flush)
			})
		},
		settled: async (): Promise<void> => await running
	}
}

async function write(repository: AsyncOf<LogRepository>, group: readonly Waiting[], appended: (seq: number) => void) {
	const fit = group.filter(({entry, reject}) => passes(() => refuseCredentials(entry), reject))
	if (fit.length === 0) return
	try {
		const added = await repository.appendAll(fit.map(({entry}) => entry))
		appended(added.at(-1)?.seq ?? 0)
		fit.forEach(({resolve}, index) => resolve(added[index] as LogEntry)) // one for each
	} catch (error) {
		if (fit.length === 1) return void fit[0]?.reject(error)
		for (const one of fit) await write(repository, [one], appended)
	}
}

function passes(check: () => void, reject: (error: unknown) => void) {
	try {
		check()
		return true
	} catch (error) {
		reject(error)
		return false
	}
}

async function verify(
	repository: Pick<AsyncOf<LogRepository>, 'verifyPart'>,
	now: () => number,
	signal: AbortSignal | undefined
): Promise<ChainState> {
	let part: VerifiedPart = {...chainStart, broken: null, ended: false}
	while (!part.ended) {
		signal?.throwIfAborted()
		part = await repository.verifyPart(part)
	}
	const {seq, hash, checked, broken} = part
	return {checked, head: checked === 0 ? null : {seq, hash}, broken, at: new Date(now()).toISOString()}
}

async function* exported(
	repository: AsyncOf<LogRepository>,
	query: LogSearch,
	format: LogFormat,
	now: number,
	signal?: AbortSignal
): AsyncIterable<string> {
	const incident = (await repository.incidents()).find(({id}) => id === query.incident) ?? null
	const head = {incident, at: new Date(now).toISOString(), pins: await repository.pins()}
	const entries = everything(repository, query, signal)
	if (format === 'csv') yield* csvOf(entries, head.pins)
	else if (format === 'jsonl') yield* jsonlOf(entries, head.pins)
	else yield* (format === 'md' ? markdownOf : htmlOf)(head, changesOf(repository, entries))
}

const slice = 1000

/** Slice by slice: no statement stays open in between, which would hinder appending, and none reads what another did. */
async function* everything(repository: AsyncOf<LogRepository>, query: LogSearch, signal?: AbortSignal): AsyncIterable<LogEntry> {
	const newest = await repository.newest()
	for (let after = 0; after < newest; after += slice) {
		signal?.throwIfAborted()
		yield* await repository.matching(query, after, slice, after + slice)
	}
}

/** Each change once, where its first matching entry stands, with all that belongs to it. */
async function* changesOf(
	repository: Pick<AsyncOf<LogRepository>, 'entry' | 'stepsOf'>,
	entries: AsyncIterable<LogEntry>
): AsyncIterable<readonly [LogEntry, ...LogEntry[]]> {
	const told = new Set<string>()
	for await (const entry of entries) {
		const isStep = entry.about !== null && !annotations.includes(entry.kind)
		const id = isStep ? (entry.about ?? '') : entry.id
		if (told.has(id)) continue
		told.add(id)
		const head = isStep ? await repository.entry(id) : entry
		yield head === undefined ? [entry] : [head, ...(await repository.stepsOf([id]))]
	}
}

/** How often the file is asked for entries of other processes, in milliseconds. */
const interval = 500

/** Tells listeners about the newest entry, whoever wrote it. Watches the file only while somebody listens. */
function createAnnouncer(clock: Clock, newest: () => Promise<number>) {
	const listeners = new Set<(seq: number) => void>()
	let told = 0
	let watching: AbortController | undefined

	const announce = (seq: number) => {
		if (seq <= told) return
		told = seq
		// Later, so that a listener can neither delay an entry nor make a committed one look failed.
		queueMicrotask(() => {
			for (const listener of listeners) listener(seq)
		})
	}
	/** A file that cannot be read now has nothing new to tell. */
	const look = async (then: (seq: number) => void) => {
		const seq = await newest().catch(() => 0)
		if (watching?.signal.aborted === false) then(seq)
	}
	const start = () => {
		watching = new AbortController()
		const {signal} = watching
		// What came between the caller's last reading and this one is told too: once too often is harmless, once too few is not.
		void look(announce).then(() => every(clock, interval, signal, () => look(announce)))
	}
	const end = () => {
		watching?.abort()
		watching = undefined
	}

	return {
		listen: (listener: (seq: number) => void) => {
			// Wrapped, so that the same function can listen twice.
			const own = (seq: number) => listener(seq)
			listeners.add(own)
			if (watching === undefined) start()
			return () => {
				listeners.delete(own)
				if (listeners.size === 0) end()
			}
		},
		/** This process appended. With no listener it is left to the first look. */
		appended: (seq: number) => (watching === undefined ? undefined : announce(seq)),
		stop: () => {
			listeners.clear()
			end()
		}
	}
}
