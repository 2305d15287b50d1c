/** A job as a run of the engine: its start and end in the log, and recovery of abandoned ones. */
import {allEnded} from '#base/turns.ts'
import {attemptsOf, type RunHead, type StepRow} from '#core/engine/port.ts'
import type {Amendment, Ending, Program, Recovery, RunContext} from '#core/engine/types.ts'
import {allEntries} from '#core/record/incidents/all-entries.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {foundConnection} from '#core/service/connections/found.ts'
import type {Connection} from '#model/connection.ts'
import type {LogEntry} from '#model/incident.ts'
import {formatCount, formatShare} from '#text/numbers.ts'
import {countsText, targetsWords} from '#text/acts.ts'
import {approveStored} from './approve.ts'
import {waveWaitMs} from './cost.ts'
import {isOver, pass, stopReason, turnsOf, type StopReason} from './gate.ts'
import {createObserver, look, type Observer, openTargetsOf} from './look.ts'
import {recheckWaiting, reconcile} from './reconcile.ts'
import {agreedIn, amendmentOf, factsOf, isFresh, iso, jobKind} from './rows.ts'
import {openRun, type RunState} from './run-state.ts'
import {sendOne} from './send.ts'
import {countsOf} from './summary.ts'
import type {JobServices} from './types.ts'

export function jobProgram(services: JobServices): Program {
	return {
		kind: jobKind,
		version: 1,
		begin: async context => {
			await approveStored(services, context)
			await tellBegin(services, context)
		},
		run: async context => {
			const run = await openRun(services, context)
			const {planner} = services
			const {connection, id, targets} = run
			try {
				planner.reserve(connection.id, id, targets.count('waiting'))
				return await runJob(run)
			} finally {
				giveBack(services, connection.id, id)
			}
		},
		recover: (run, now) => recoveryOf(services, run, now),
		abandon: (steps, because) => ({steps: steps.flatMap(step => leftAt(step, because)), phase: 'stopped'}),
		ending: (run, steps) => tellEnded(services, run, steps)
	}
}

/** Without its start in the log there is no job, and the plan can be applied again. Throws `log_unavailable`. */
async function tellBegin({log, connections}: JobServices, {run, steps, definition, resumed}: RunContext) {
	const connection = connections.find(run.subject ?? '')
	// A killed process may have told it.
	if (resumed && (await isTold(log, run, ({data}) => data?.['digest'] !== undefined))) return
	const {action, digest, tier, leftOut, undoes: again} = agreedIn(definition)
	const {undoes} = factsOf(run)
	// Of what the guard rules protect, and of what an earlier job did, it undoes nothing.
	const partial = leftOut.length > 0 || again !== undefined
	const targets = steps.all.length
	await log.append({
		...noteOf(run, connection, `Job started: ${run.title}: ${action.reason}`),
		data: {job: run.id, digest, targets, tier, ...(undoes !== null && {undoes: undoes.change, part: undoes.part, partial})}
	})
}

function giveBack({planner, onTrouble}: JobServices, connection: string, job: string) {
	try {
		planner.reserve(connection, job, 0)
	} catch (error) {
		onTrouble('Calls that a job had reserved could not be given back.', error)
	}
}

function recoveryOf(services: JobServices, run: RunHead, now: number): Recovery {
	const connection = foundConnection(services.connections, run.subject)
	if (connection === undefined) return {kind: 'leave'}
	if (services.forgets?.(connection) === true) return {kind: 'end', because: 'The sandbox was started anew, and knows nothing of it.'}
	if (run.state === 'held') return {kind: 'leave'}
	if (isFresh(run, now)) return {kind: 'go_on'}
	return {kind: 'hold', because: 'The program ended in the middle of it, a while ago: go on with it, or stop it.'}
}

const ends = {waiting: 'not_tried', sending: 'unknown', accepted: 'not_confirmed'} as const

/** An abandoned job ends where it is: sent changes keep their last known state. */
function leftAt(step: StepRow, because: string): readonly Amendment[] {
	const {tag} = step
	if (tag !== 'waiting' && tag !== 'sending' && tag !== 'accepted') return []
	const error = tag === 'sending' ? 'outcome_unknown' : null
	return [amendmentOf(step, {outcome: ends[tag], message: because, error})]
}

async function tellEnded({log, connections, onTrouble}: JobServices, run: RunHead, steps: readonly StepRow[]) {
	const connection = foundConnection(connections, run.subject)
	if (connection === undefined) return
	const [counts, attempts] = [countsOf(run.tally ?? {}), attemptsOf(steps)]
	const message = `Job ended: ${run.title}: ${countsText(counts)}.`
	const isSame = (note: LogEntry) => note.message === message && note.data?.['attempts'] === attempts
	try {
		// Before the end is stored: after a kill in between it is there. A retry has an end of its own.
		if (run.epoch > 1 && (await isTold(log, run, isSame))) return
		await log.append({...noteOf(run, connection, message), data: {job: run.id, counts, attempts}})
	} catch (error) {
		onTrouble('The end of a job could not be written to the incident log.', error)
	}
}

function noteOf(run: RunHead, {id, name, url}: Connection, message: string): NewEntry {
	const {surface, incident} = factsOf(run)
	return {kind: 'note', surface, incident, connection: {id, name, url}, message}
}

async function isTold(log: JobServices['log'], run: RunHead, is: (note: LogEntry) => boolean) {
	const {id, subject} = run
	// Earlier versions kept the number of the note itself.
	const after = Math.max(0, factsOf(run).logSeq - 1)
	const notes = await allEntries(log, {kinds: ['note'], connection: subject ?? undefined}, after)
	return notes.some(note => note.data?.['job'] === id && is(note))
}

/** A job from its first target to its end: waves, then watching until the states are seen. */
const atOnce = 4
/** More are checked, logged and recorded meanwhile: the disk takes none of the service's time. */
const prepared = 6
const reserveEvery = 10
const fewest = 20
/** The longest that a pause goes on without a look at who asked to stop. */
const sliceMs = 2000
/** After so long without a reading, waiting targets are read again before anything is sent to them. */
const recheckAfterMs = 300_000
/** A reading shows the end: while the API limit allows none, the deadline does not count. */
const recentMs = 60_000
const longestQuotaWaitMs = 2 * 3_600_000

/** Rejects only when the job cannot be stored, when its targets cannot be read, or when the process ends. */
async function runJob(run: RunState): Promise<Ending> {
	if (run.context.resumed) await reconcile(run)
	if (isOver(run)) return {}
	const observer = createObserver(run)
	const reason = await sendWaves(run, observer)
	if (reason?.kind === 'closing') return {}
	if (reason !== null) await leaveRest(run, reason.because)
	await observe(run, observer)
	return isOver(run) ? {} : await finish(run)
}

async function sendWaves(run: RunState, observer: Observer) {
	let from = 0
	for (const [index, size] of run.plan.waves.entries()) {
		const to = from + size
		const reason = await sendWave(run, from, to)
		if (reason !== null) return reason
		const isLast = index === run.plan.waves.length - 1
		if (!isLast && run.action.agents) await waitForWave(run, observer, from, to)
		const failures = tooManyFailures(run, to)
		if (failures !== null && !isLast) return failures
		from = to
	}
	return null
}

async function sendWave(run: RunState, from: number, to: number) {
	const queue = run.targets.with('waiting').filter(({position}) => position >= from && position < to)
	if (queue.length === 0) return null
	await run.context.note({phase: 'applying'})
	let ended: StopReason | null = null
	const check = onceAtATime(() => recheckOld(run))
	const turn = turnsOf(atOnce, () => ended ?? stopReason(run))
	const one = async (refusal: StopReason | null) => {
		await check()
		const next = queue.shift()
		if (next === undefined) return false
		ended ??= refusal
		if (ended !== null) return false
		if (run.targets.get(next.position).outcome !== 'waiting') return true
		const refused = await sendOne(run, next.position, turn)
		if (queue.length % reserveEvery === 0) reserveRest(run)
		// It came back unsent: the gate knows why, and it has its turn again.
		if (refused === null && run.targets.get(next.position).outcome === 'waiting') queue.unshift(next)
		ended ??= refused ?? tooManyFailures(run, to)
		return ended === null
	}
	const work = async () => {
		try {
			while (await pass(run, () => ended, one));
		} catch (error) {
			ended ??= {kind: 'closing'}
			throw error
		}
	}
	// The job is let go then.
	await allEnded(Array.from({length: Math.min(prepared, queue.length)}, work))
	return ended
}

/** What is still to be sent is set aside; others may have the rest. */
function reserveRest({services, connection, id, targets}: RunState) {
	services.planner.reserve(connection.id, id, targets.count('waiting'))
}

/** Whoever comes while it runs waits for that run. */
function onceAtATime(work: () => Promise<void>) {
	let running: Promise<void> | null = null
	return () =>
		(running ??= work().finally(() => {
			running = null
		}))
}

/** Waiting for the quota may take an hour, and others work meanwhile; what they changed is read at once. */
async function recheckOld(run: RunState) {
	const now = run.services.clock.now()
	const isOld = Math.abs(now - run.checkedAt) >= recheckAfterMs
	if (!isOld && run.stale.size === 0) return
	const only = isOld ? undefined : new Set(run.stale)
	run.stale.clear()
	if (isOld) run.checkedAt = now
	await recheckWaiting(run, only)
}

const tried = ['accepted', 'done', 'nothing_to_do', 'failed', 'unknown', 'not_confirmed'] as const

/** A share says something of a whole wave, and of a long one after some have been tried. */
function tooManyFailures({targets, plan}: RunState, end: number): StopReason | null {
	const of = Math.max(targets.count(...tried), Math.min(end, fewest))
	const [failed, unknown] = [targets.count('failed'), targets.count('unknown')]
	const failures = failed + unknown
	if (failures === 0 || failures / of <= plan.stopShare) return null
	const words = [failed > 0 ? ['failed'] : [], unknown > 0 ? ['ended with an unknown outcome'] : []].flat().join(' or ')
	const because = `Stopped: ${failures} of the first ${targetsWords(plan.action.kind, of)} ${words}, more than ${formatShare(plan.stopShare)}.`
	return {kind: 'stopped', because}
}

/** Until every computer of the wave is seen isolated, or for a set time: one that is offline may answer tomorrow. */
async function waitForWave(run: RunState, observer: Observer, from: number, to: number) {
	const {clock} = run.services
	const until = clock.monotonic() + waveWaitMs
	observer.pace.restart()
	while (clock.monotonic() < until && stopReason(run) === null && (await lookAgain(run, observer, from, to)));
}

/** A look at what is open, and a rest; `false` once nothing is. */
async function lookAgain(run: RunState, observer: Observer, from?: number, to?: number) {
	const open = openTargetsOf(run, observer, from, to)
	if (open.length === 0) return false
	await look(run, observer, open)
	if (openTargetsOf(run, observer, from, to).length === 0) return false
	await run.context.rest(Math.min(sliceMs, observer.pace.left()))
	return true
}

async function leaveRest(run: RunState, because: string) {
	const rest = run.targets.with('waiting')
	await run.targets.changeAll(rest.map(({position}) => ({position, change: {outcome: 'not_tried' as const, message: because}})))
	const sent = run.targets.all.filter(({sent: times}) => times > 0).length
	await run.context.note({because: `${because} ${formatCount(sent)} sent, ${formatCount(rest.length)} not.`})
}

/** Watches what was accepted until its end is seen, as long as that can be expected. */
async function observe(run: RunState, observer: Observer) {
	const {services, context, action} = run
	const {clock} = services
	// Measured: the clock may be set.
	const until = clock.monotonic() + action.patienceMs
	await context.note({phase: 'observing', facts: {observeUntil: iso(clock.now() + action.patienceMs), waitingUntil: null}})
	// What no agent has to carry out may be seen at once.
	if (action.agents) observer.pace.restart()
	const isLate = (now: number) => now >= until && (observer.readAt >= until - recentMs || now >= until + longestQuotaWaitMs)
	while (!isOver(run) && !isLate(clock.monotonic()) && context.cancels !== 2 && (await lookAgain(run, observer)));
}

async function finish({targets, context}: RunState): Promise<Ending> {
	const message = 'The service accepted it, but it was not confirmed in time.'
	await targets.changeAll(targets.with('accepted').map(({position}) => ({position, change: {outcome: 'not_confirmed' as const, message}})))
	const {because} = context.run
	return because === null ? {phase: 'done'} : {phase: 'stopped', state: 'cancelled', because}
}
