/** Reads the targets that were sent, and settles those whose end is seen. */
import type {ObservedState} from '#model/job.ts'

import {affordablePause, createPace, type Pace} from '#core/actions/isolation/pace.ts'
import {observedEntry} from '#core/actions/isolation/observation.ts'
import type {Seen, Observations} from './actions/types.ts'
import {breaths} from '#base/breaths.ts'
import {mayLinger} from '#core/record/incidents/all-entries.ts'
import {iso, type TargetChange, type TargetRow} from './rows.ts'
import type {RunState} from './run-state.ts'

/** One reading may come from a part of the service that lags behind; after so long it is the truth. */
const settledAfterMs = 10_000
/** A lost change that a reading does not show after so long needs a person. */
const unknownForMs = 60_000
/** Entries that share a commit. */
const toldAtOnce = 50

/** Observed while a job was followed. All but `lookedAt` is measured, for the clock may be set. */
export interface Observer {
	readonly pace: Pace
	readonly wasPending: Set<number>
	/** A target is back in an unwanted state; with the time of the reading that showed it first. */
	readonly unwantedSince: Map<number, {since: number; at: number}>
	readonly unknownSince: Map<number, number>
	/** The newest reading that was taken, its own or another's; Unix milliseconds. */
	lookedAt: number
	readAt: number
}

export function createObserver({services}: RunState): Observer {
	const pace = createPace(services.clock)
	pace.restart()
	return {pace, wasPending: new Set(), unwantedSince: new Map(), unknownSince: new Map(), lookedAt: 0, readAt: -Infinity}
}

/** Targets whose end is still to be seen. */
export function openTargetsOf({targets, services: {clock}}: RunState, {unknownSince}: Observer, from = 0, to = Infinity): readonly TargetRow[] {
	const now = clock.monotonic()
	return targets.with('accepted', 'unknown').filter(({position, outcome, requestedAt}) => {
		if (position < from || position >= to) return false
		if (outcome === 'accepted') return true
		const since = unknownSince.get(position) ?? now - Math.max(0, clock.now() - timeOf(requestedAt))
		unknownSince.set(position, since)
		return now - since < unknownForMs
	})
}

/** One reading of those targets, if it is due. Failures are reported and retried at the next. */
export async function look(run: RunState, observer: Observer, open: readonly TargetRow[]) {
	const {pace} = observer
	const left = await takeKnown(run, observer, open)
	if (left.length === 0 || !pace.due()) return
	const {clock} = run.services
	observer.lookedAt = clock.now()
	const ids = left.map(({id}) => id)
	const cost = run.action.cost(ids, false)
	pace.slower()
	try {
		await settleAll(run, observer, left, await run.action.read(ids, {whole: false, signal: run.context.over}))
	} catch (error) {
		if (!run.context.over.aborted) run.services.onTrouble('The targets of a job could not be read.', error)
	}
	// The pages were sent after the turn began: they are no news at the next one.
	observer.lookedAt = clock.now()
	observer.readAt = clock.monotonic()
	pace.atLeast(affordablePause(run.client.quota(), cost, clock.now()))
}

/**
 * Somebody else may read the same listing, such as the watch of the console: what the local copy has learned since is as
 * good, and where it has learned of all of them, this turn costs nothing.
 */
async function takeKnown(run: RunState, observer: Observer, open: readonly TargetRow[]) {
	const {action, inventory, plan} = run
	if (plan.action.kind !== 'isolate' && plan.action.kind !== 'release') return open
	const known = new Map<string, Seen>()
	const breath = breaths()
	for (const {id, acceptedAt, requestedAt} of open) {
		await breath()
		const row = inventory.row(id)
		if (row === undefined || row.vanishedAt !== null || row.isolation === 'unknown') continue
		const at = Date.parse(row.isolationReadAt)
		const observed = {isolation: row.isolation === 'unavailable' ? 'not_isolated' : row.isolation, available: true}
		// With an unknown outcome, readings from before the send prove nothing.
		if (at > timeOf(acceptedAt ?? requestedAt) && (at > observer.lookedAt || action.progress(observed, id) === 'reached'))
			known.set(id, {label: row.hostname, observed, at, row})
	}
	await settleAll(run, observer, open, known)
	if (known.size === open.length && observer.pace.due()) {
		observer.pace.slower()
		// Used once: without another reading this job reads at its next turn.
		observer.lookedAt = Math.max(observer.lookedAt, ...[...known.values()].map(({at}) => at))
		observer.readAt = run.services.clock.monotonic()
	}
	return open.filter(({id}) => !known.has(id))
}

/** The states are settled together, before the reached ones are logged. */
async function settleAll(run: RunState, observer: Observer, open: readonly TargetRow[], observations: Observations) {
	const settled: (Settling & {position: number})[] = []
	for (const target of open) {
		const seen = observations.get(target.id)
		const change = seen === undefined ? null : await settledBy(run, observer, target, seen)
		if (change !== null) settled.push({...change, position: target.position})
	}
	await run.targets.changeAll(settled)
	const reached = settled.flatMap(({position, reached: seen, answered = true}) => (seen ? [{position, seen, answered}] : []))
	for (let from = 0; from < reached.length; from += toldAtOnce)
		await Promise.all(reached.slice(from, from + toldAtOnce).map(({position, seen, answered}) => tellLog(run, position, seen, answered)))
}

export const gone: TargetChange = {...{outcome: 'failed', error: 'not_found', message: 'The service has no such object any more.'}}

interface Settling {
	change: TargetChange
	/** It was known to be accepted. */
	answered?: boolean
	/** It is where it was to be. */
	reached?: Seen
}

async function settledBy(run: RunState, observer: Observer, target: TargetRow, seen: Seen | null): Promise<Settling | null> {
	const {action} = run
	if (seen === null) return {change: gone}
	const observed = action.words(seen.observed)
	switch (action.progress(seen.observed, target.id)) {
		case 'reached':
			return (await isUntold(run, target)) ? null : reachedBy(target, seen, observed)
		case 'under_way':
			return underWay(observer, target, seen, observed)
		case 'not_yet':
			return notYet(run, observer, target, seen, observed)
	}
}

/** An isolation whose answer was lost: that it is isolated may tell of one that was released from here right before. */
export async function isUntold({plan, services, connection}: RunState, {outcome, acceptedAt, requestedAt, id}: TargetRow) {
	if (plan.action.kind !== 'isolate' || outcome !== 'unknown' || acceptedAt !== null) return false
	return await mayLinger(services.log, connection.id, id, requestedAt ?? iso(services.clock.now()))
}

function reachedBy(before: TargetRow, seen: Seen, observed: string): Settling {
	const at = iso(seen.at)
	const acceptedAt = before.acceptedAt ?? at
	return {change: {outcome: 'done', observed, observedAt: at, acceptedAt, error: null}, answered: before.acceptedAt !== null, reached: seen}
}

/** The log's own third fact, unless the watch of this console was first. Where no agent is asked, an answer says as much. */
export async function tellLog({services, plan, targets}: RunState, position: number, {row, at}: Seen, isAnswered: boolean) {
	const {entry} = targets.get(position)
	const isIsolation = plan.action.kind === 'isolate' || plan.action.kind === 'release'
	if (entry === null || (isIsolation ? row === null : isAnswered)) return
	try {
		const intent = await services.log.entry(entry)
		if (intent !== undefined) await services.log.appendOnce(observedEntry(intent, isIsolation ? row : null, at), ['command.observed'])
	} catch (error) {
		services.onTrouble('What was observed could not be written to the incident log.', error)
	}
}

function underWay(observer: Observer, target: TargetRow, seen: Seen, observed: string): Settling | null {
	observer.wasPending.add(target.position)
	observer.unwantedSince.delete(target.position)
	if (target.outcome === 'accepted' && target.observed === observed) return null
	const acceptedAt = target.acceptedAt ?? iso(seen.at)
	return {change: {outcome: 'accepted', observed, acceptedAt, error: null}}
}

function notYet(run: RunState, observer: Observer, target: TargetRow, seen: Seen, observed: string): Settling | null {
	const {position} = target
	if (wasUnderWay(run, observer, target)) {
		const now = run.services.clock.monotonic()
		const first = observer.unwantedSince.get(position) ?? {since: now, at: seen.at}
		observer.unwantedSince.set(position, first)
		// The local copy tells one reading again at each turn.
		if (seen.at !== first.at && now - first.since >= settledAfterMs) {
			const message = `It did not happen: the state is ${run.action.words(seen.observed)} again.`
			return {change: {outcome: 'failed', observed, error: 'conflict', message}}
		}
	}
	return target.observed !== observed && target.outcome === 'unknown' ? {change: {observed}} : null
}

/** From an earlier reading or the answer itself. */
function wasUnderWay({action}: RunState, {wasPending}: Observer, {position, id, observed}: TargetRow) {
	if (wasPending.has(position)) return true
	const state: ObservedState = {isolation: observed}
	if (observed === null || action.progress(state, id) !== 'under_way') return false
	wasPending.add(position)
	return true
}

export function timeOf(text: string | null) {
	return text === null ? 0 : Date.parse(text)
}
