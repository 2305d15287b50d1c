/** Reads an event stream until it is stopped: connect, store, acknowledge, reconnect. */
import {setImmediate} from 'node:timers/promises'

import type {Clock} from '#base/ports.ts'
import {CordonError, messageOf} from '#contract/errors.ts'
import type {StreamState} from '#model/event-stream.ts'
import {eventSchema, type ServiceEvent} from '#model/event.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'
import {type BrokerEnd, BrokerError, type BrokerSession, type Delivery} from './broker.ts'

interface FollowerOptions {
	clock: Clock
	random(bytes: number): Uint8Array
	open(onMessage: (delivery: Delivery) => void): Promise<BrokerSession>
	/** Commits events; resolves with how many were new. A failure to write is a `storage` error. */
	store(records: readonly ServiceEvent[]): Promise<number>
	/** Commits a message that is no event. */
	keepUnreadable(content: Uint8Array, reason: string): void
	/** Loads by REST the events missed while the stream was not read. */
	catchUp(signal: AbortSignal): Promise<void>
	onState(state: StreamState): void
	onTrouble(message: string, error: unknown): void
}

export type Follower = ReturnType<typeof startFollower>

/** A connection that does not answer is dropped after this long. */
const closeMs = 3000

/** Messages of one transaction. */
const mostAtOnce = 250

interface Run extends FollowerOptions {
	signal: AbortSignal
	state: StreamState
}

export function startFollower(options: FollowerOptions) {
	const stopping = new AbortController()
	const run: Run = {...options, signal: stopping.signal, state: firstState(options.clock)}
	const ended = loop(run)
	return {
		state: () => run.state,
		/** Resolves on a final end or a stop. */
		ended,
		/** Finishes the current write. */
		stop: async () => {
			stopping.abort()
			await ended
		}
	}
}

export function firstState(clock: Clock): StreamState {
	const since = new Date(clock.now()).toISOString()
	const none = {lastMessageAt: null, lagMs: null, problem: null, nextTryAt: null}
	return {phase: 'connecting', since, ...none, received: 0, added: 0, redelivered: 0, unreadable: 0, reconnects: 0}
}

function tell(run: Run, change: Partial<StreamState>) {
	const isOther = change.phase !== undefined && change.phase !== run.state.phase
	const since = isOther ? {since: new Date(run.clock.now()).toISOString()} : {}
	run.state = {...run.state, ...since, ...change}
	run.onState(run.state)
}

async function loop(run: Run) {
	for (let attempt = 0; !run.signal.aborted;) {
		const {received} = run.state
		tell(run, {phase: 'connecting', nextTryAt: null})
		const end = await oneSession(run)
		if (run.signal.aborted) break
		if (end.final) return tell(run, {phase: 'stopped', problem: end.problem})
		// A broker may accept everyone and end at once.
		const {phase, since, received: now} = run.state
		const hasLasted = phase === 'live' && run.clock.now() - Date.parse(since) >= longestWaitMs
		attempt = hasLasted || now > received ? 0 : attempt + 1
		await pause(run, end, attempt)
	}
	tell(run, {phase: 'idle', nextTryAt: null})
}

async function pause(run: Run, {problem}: BrokerEnd, attempt: number) {
	const ms = waitBefore(Math.max(0, attempt - 1), (run.random(1)[0] ?? 0) / 256)
	const nextTryAt = new Date(run.clock.now() + ms).toISOString()
	tell(run, {phase: 'waiting', problem, nextTryAt, reconnects: run.state.reconnects + 1})
	await run.clock.sleep(ms, run.signal).catch(() => {})
}

async function oneSession(run: Run) {
	const intake = makeIntake(run)
	const {promise: stopped, resolve: stop} = Promise.withResolvers<BrokerEnd>()
	const onAbort = () => stop(cancelled)
	run.signal.addEventListener('abort', onAbort, {once: true})
	const opening = run.open(intake.push)
	let session: BrokerSession | undefined
	try {
		const first = await Promise.race([opening, stopped])
		if ('final' in first) return first
		session = first
		tell(run, {phase: 'live', problem: null})
		catchUp(run)
		return await Promise.race([first.ended, intake.failed, stopped])
	} catch (error) {
		return endBy(error)
	} finally {
		run.signal.removeEventListener('abort', onAbort)
		// Only stored messages are acknowledged, so the current write ends first.
		await intake.stop()
		if (session === undefined) void opening.then(late => late.close()).catch(() => {})
		else await Promise.race([session.close(), run.clock.sleep(closeMs)])
	}
}

const cancelled: BrokerEnd = {final: true, problem: {message: 'Stopped.', fix: ''}}

function endBy(error: unknown) {
	if (error instanceof BrokerError) return error.end
	const message = messageOf(error)
	return {final: false, problem: {message, fix: 'Cordon tries again automatically.'}}
}

/** Runs beside the stream: events received both ways are stored once. */
function catchUp(run: Run) {
	run.catchUp(run.signal).catch((error: unknown) => {
		if (!run.signal.aborted) run.onTrouble('Events of the time without the stream were not read.', error)
	})
}

/** While one batch is written the next one collects; the queue's prefetch limits its size. */
function makeIntake(run: Run) {
	const {promise: failed, resolve: fail} = Promise.withResolvers<BrokerEnd>()
	let waiting: Taken[] = []
	let working: Promise<void> | undefined
	let over = false
	const work = async () => {
		await setImmediate()
		while (waiting.length > 0 && !over) {
			const batch = waiting.slice(0, mostAtOnce)
			waiting = waiting.slice(mostAtOnce)
			try {
				await commit(run, batch)
				batch.at(-1)?.delivery.acknowledge()
			} catch (error) {
				over = true
				fail(endBy(error))
			}
		}
		working = undefined
	}
	return {
		push: (delivery: Delivery) => {
			if (over) return
			// Decoded here, while the batch before is written.
			waiting.push({delivery, decoded: decodeEvent(delivery.content)})
			working ??= work()
		},
		/** Resolves on a write failure: then nothing more is acknowledged. */
		failed,
		stop: async () => {
			over = true
			await working
		}
	}
}

interface Taken {
	delivery: Delivery
	decoded: Decoded
}

interface Readable {
	record: ServiceEvent
	content: Uint8Array
}

async function commit(run: Run, batch: readonly Taken[]) {
	const readable: Readable[] = []
	let unreadable = 0
	let at: number | null = null
	for (const {delivery, decoded} of batch) {
		const {content} = delivery
		if ('record' in decoded) {
			readable.push({record: decoded.record, content})
			at = decoded.at ?? at
		} else {
			run.keepUnreadable(content, decoded.reason)
			unreadable += 1
		}
	}
	const stored = await store(run, readable)
	const now = run.clock.now()
	tell(run, {
		received: run.state.received + batch.length,
		added: run.state.added + stored.added,
		redelivered: run.state.redelivered + batch.filter(({delivery}) => delivery.redelivered).length,
		unreadable: run.state.unreadable + unreadable + stored.refused,
		lastMessageAt: new Date(now).toISOString(),
		...(at !== null && {lagMs: Math.max(0, now - at)})
	})
}

async function store(run: Run, batch: readonly Readable[]) {
	if (batch.length === 0) return {added: 0, refused: 0}
	try {
		return {added: await run.store(batch.map(({record}) => record)), refused: 0}
	} catch (error) {
		if (!isOfTheEvents(error)) throw error
	}
	// One of them can never be stored: only that one is set aside.
	let [added, refused] = [0, 0]
	for (const {record, content} of batch) {
		try {
			added += await run.store([record])
		} catch (error) {
			if (!isOfTheEvents(error)) throw error
			run.keepUnreadable(content, `It cannot be stored: ${messageOf(error)}`)
			refused += 1
		}
	}
	return {added, refused}
}

/** A full disk or the program's end is no fault of an event. */
function isOfTheEvents(error: unknown) {
	return !(error instanceof CordonError) || error.code === 'internal'
}

/* The content of a message of the service's queue. Pure: no queue, no file. */

type Decoded = {record: ServiceEvent; /** When it happened, Unix ms. */ at: number | null} | {reason: string}

/** A message is one event as bare JSON; the service's have a few kilobytes. */
const mostBytes = 1_048_576

export function decodeEvent(content: Uint8Array): Decoded {
	if (content.byteLength > mostBytes) return {reason: `It has ${content.byteLength} bytes, more than an event can.`}
	try {
		const text = new TextDecoder('utf-8', {fatal: true}).decode(content)
		const parsed = eventSchema.safeParse(parseExact(text))
		if (!parsed.success) return {reason: `It is not an event: ${firstIssue(parsed.error.issues)}.`}
		const {id, timestamp, date} = parsed.data
		if (id === undefined && timestamp === undefined && date === undefined) return {reason: 'It is not an event: it has neither an ID nor a time.'}
		refuseDepth(text, parsed.data)
		const at = timestamp === undefined ? Date.parse(date ?? '') : timestamp * 1000
		return {record: parsed.data, at: Number.isFinite(at) ? at : null}
	} catch (error) {
		return {reason: `It is not readable: ${messageOf(error)}.`}
	}
}

/** Very deep nesting can be parsed but not written. Throws `RangeError`. */
function refuseDepth(text: string, record: ServiceEvent) {
	const brackets = text.matchAll(/[[{]/g)
	for (let count = 0; count < 1000; count += 1) if (brackets.next().done === true) return
	stringifyExact(record)
}

function firstIssue(issues: readonly {path: readonly PropertyKey[]; message: string}[]) {
	const [issue] = issues
	return issue === undefined ? 'unknown' : [issue.path.map(String).join('.'), issue.message].filter(Boolean).join(': ')
}

/** The service's own consumers wait 3 s ± 2 (API reference, section 11); each further attempt waits twice as long. */
const firstWaitMs = 3000
const longestWaitMs = 60_000

/** `chance`: 0 (inclusive) to 1 (exclusive). Spreads the reconnects of many consoles. */
export function waitBefore(attempt: number, chance: number) {
	const wait = Math.min(firstWaitMs * 2 ** Math.min(attempt, 10), longestWaitMs)
	return Math.round((wait * (1 + 4 * chance)) / 3)
}
