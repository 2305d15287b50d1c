/** Sends to one target until stopped: reads stored entries, sends them in order, and restarts at the cursor. */
import {longestWaitMs, type TargetDefinition, type TargetState} from '#model/target.ts'
import {messageOf} from '#contract/errors.ts'

import {ownTurn} from '#base/breaths.ts'
import type {Clock} from '#base/ports.ts'
import {openFileTarget} from './file.ts'
import type {Batch, Item, SessionHost, Source, TargetSession} from './session.ts'
import {endOf, nextBatch, sourcesOf, type SourceDependencies} from './sources.ts'
import type {Cursor, StoredTarget, TargetStore} from './store.ts'
import {openSyslog, type SyslogTimes} from './syslog.ts'
import {openWebhook} from './webhook.ts'

export interface PumpDependencies extends SourceDependencies {
	clock: Clock
	store: TargetStore
	secret(id: string): Promise<string | undefined>
	random(bytes: number): Uint8Array
	onChange(id: string): void
	/** Notifies the operator. */
	tell(target: StoredTarget, what: string): void
	onTrouble(message: string, error: unknown): void
	syslogTimes?: SyslogTimes | undefined
}

export type Pump = ReturnType<typeof startPump>

const firstWaitMs = 1000
/** Polling interval without a wake: another process may store entries. */
const lookEveryMs = 5000
/** Refusals that go on are told once in a while. */
const tellAgainMs = 3_600_000

interface Run extends PumpDependencies {
	target: StoredTarget
	signal: AbortSignal
	state: TargetState
	/** Whether the target took anything in this session, or refused it for good. */
	took: boolean
	/** Since the last confirmation. */
	hasRefused: boolean
	/** The outage that the operator knows of. */
	told: string
	/** When the operator was told of a refusal, Unix ms. */
	refusalTold: number
	woken: AbortController
}

export function startPump(deps: PumpDependencies, target: StoredTarget) {
	const stopping = new AbortController()
	const {signal} = stopping
	const run: Run = {
		...deps,
		target,
		signal,
		state: target.state,
		took: false,
		hasRefused: false,
		told: '',
		refusalTold: 0,
		woken: new AbortController()
	}
	const done = loop(run)
	return {
		revision: target.revision,
		/** Entries may have been stored. */
		wake: () => run.woken.abort(),
		stop: async () => {
			stopping.abort()
			run.woken.abort()
			await done
		}
	}
}

function tell(run: Run, change: Partial<TargetState>) {
	const isOther = change.phase !== undefined && change.phase !== run.state.phase
	run.state = {...run.state, ...(isOther && {since: isoNow(run)}), ...change}
	try {
		run.store.setState(run.target.id, run.state)
	} catch (error) {
		// On a full disk too, it tries again.
		run.onTrouble('The state of a target could not be written down.', error)
	}
	run.onChange(run.target.id)
}

function isoNow({clock}: PumpDependencies) {
	return new Date(clock.now()).toISOString()
}

async function loop(run: Run) {
	for (let attempt = 0; !run.signal.aborted;) {
		run.took = false
		tell(run, {phase: 'connecting', nextTryAt: null})
		const error = await oneSession(run)
		if (run.signal.aborted) break
		attempt = run.took ? 0 : attempt + 1
		const {problem, whole, waitMs} = problemOf(error)
		if (problem !== run.told) run.tell(run.target, `is not reached. ${whole} Entries wait for it.`)
		run.told = problem
		await pause(run, whole, attempt, waitMs)
	}
	tell(run, {phase: 'off', nextTryAt: null})
}

/** `whole`: with the receiver's own words, which may differ each time. */
export function problemOf(error: unknown) {
	const problem = messageOf(error).replace(/\.?$/, '.')
	const said = error instanceof Error && typeof error.cause === 'string' ? error.cause : ''
	const waitMs = error instanceof Error && 'waitMs' in error ? Number(error.waitMs) || 0 : 0
	return {problem, whole: said === '' ? problem : `${problem} It said: “${said}”.`, waitMs}
}

/** With jitter, which spreads the reconnects of many consoles. */
async function pause(run: Run, problem: string, attempt: number, leastMs: number) {
	const chance = (run.random(1)[0] ?? 0) / 256
	const own = Math.min(firstWaitMs * 2 ** Math.min(attempt, 12), longestWaitMs)
	const ms = Math.round(Math.max(own * (0.75 + chance / 2), leastMs))
	tell(run, {phase: 'waiting', problem, nextTryAt: new Date(run.clock.now() + ms).toISOString()})
	await run.clock.sleep(ms, run.signal).catch(() => {})
}

/** Resolves with why it ended. */
async function oneSession(run: Run): Promise<unknown> {
	const cursors = new Map<Source, Cursor>()
	const ended = new AbortController()
	const signal = AbortSignal.any([run.signal, ended.signal])
	let session: TargetSession | undefined
	let sent = false
	try {
		session = await open(run, {signal, fail: error => ended.abort(error)})
		for (const source of sourcesOf(run.target.definition)) {
			const cursor = await cursorOf(run, source)
			if (cursor !== null) cursors.set(source, cursor)
		}
		// After a failure only what it takes shows that it is back.
		if (run.state.problem === null) tell(run, {phase: 'live'})
		while (!signal.aborted) {
			const {woken} = run
			sent = (await sendAll(run, session, cursors)) || sent
			if (!sent && run.state.phase !== 'live') tell(run, {phase: 'live', problem: null})
			if (run.took) run.told = ''
			await idle(run, woken, signal)
		}
		return signal.reason
	} catch (error) {
		return error
	} finally {
		ended.abort()
		await session?.close()
	}
}

/** Resolves when entries may have been stored. */
async function idle(run: Run, woken: AbortController, ended: AbortSignal) {
	await run.clock.sleep(lookEveryMs, AbortSignal.any([woken.signal, ended])).catch(() => {})
	if (run.woken.signal.aborted) run.woken = new AbortController()
}

/** A batch of each source in turn: none waits for the backlog of another. Resolves with whether there was anything. */
async function sendAll(run: Run, session: TargetSession, cursors: Map<Source, Cursor>) {
	let sent = false
	const open = new Set(cursors.keys())
	for (const source of open) {
		if (run.signal.aborted) break
		open.delete(source)
		// A batch of which nothing is to be sent waits for nothing else.
		await ownTurn()
		const cursor = cursors.get(source)
		const batch = cursor && (await nextBatch(run, run.target.definition, source, cursor))
		if (batch === undefined || batch === null) continue
		if (batch.generation !== cursor?.generation && cursor !== undefined) beganAnew(run, cursors, batch)
		cursors.set(source, {generation: batch.generation, position: batch.upTo})
		await session.send(batch)
		sent ||= batch.items.length > 0
		// Its next turn comes after the others'.
		open.add(source)
	}
	return sent
}

/** From now on confirmations count in the new file. */
function beganAnew(run: Run, cursors: Map<Source, Cursor>, {source, generation}: Batch) {
	cursors.set(source, {generation, position: 0})
	run.store.setCursor(run.target.id, source, {generation, position: 0})
	run.tell(run.target, 'gets stored events once more: the local data was made anew.')
}

async function cursorOf(run: Run, source: Source) {
	const known = run.store.cursor(run.target.id, source)
	if (known !== undefined) return known
	const end = await endOf(run, run.target.definition, source)
	if (end !== null) run.store.setCursor(run.target.id, source, end)
	return end
}

type Ending = Pick<SessionHost, 'signal' | 'fail'>

async function open(run: Run, ending: Ending) {
	const {target, store, clock, syslogTimes} = run
	const {to} = target.definition
	const host: SessionHost = {
		...ending,
		clock,
		secret: to.kind === 'webhook' ? await run.secret(target.id) : undefined,
		delivered: ({source, generation}, position, count) => {
			// That file may have been made anew, or the target read another connection by now.
			if (store.cursor(target.id, source)?.generation !== generation) return
			store.setCursor(target.id, source, {generation, position}, count)
			const isBack = count > 0 || run.hasRefused
			run.hasRefused = false
			run.took ||= isBack
			tell(run, {...(isBack && {phase: 'live', problem: null}), ...(count > 0 && {sent: run.state.sent + count, lastSentAt: isoNow(run)})})
		},
		refuse: (source, item, reason) => refuse(run, source, item, reason)
	}
	return openSession(to, host, syslogTimes)
}

export function openSession(to: TargetDefinition['to'], host: SessionHost, times?: SyslogTimes): Promise<TargetSession> {
	if (to.kind === 'file') return openFileTarget(to, host)
	return to.kind === 'webhook' ? openWebhook(to, host) : openSyslog(to, host, times)
}

function refuse(run: Run, source: Source, item: Item, reason: string) {
	run.store.refuse(run.target.id, source, item, reason, isoNow(run))
	run.state = {...run.state, refused: run.state.refused + 1}
	run.hasRefused = true
	const now = run.clock.now()
	if (Math.abs(now - run.refusalTold) < tellAgainMs) return
	run.refusalTold = now
	const what = source === 'events' ? `the event ${item.id}` : `the entry ${item.id}`
	run.tell(run.target, `refused ${what}; it is set aside, and sending goes on. ${reason}`)
}
