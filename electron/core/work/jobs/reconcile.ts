/** After a process ended in the middle: what the log says of each target, then what the service says, and only then anything else. */
import type {Seen} from './actions/types.ts'
import {isOthers} from '#core/actions/isolation/receipt.ts'
import {canonicalJson} from '#base/canonical.ts'
import {mayLinger} from '#core/record/incidents/all-entries.ts'
import {iso, type TargetChange, type TargetRow} from './rows.ts'
import type {RunState} from './run-state.ts'
import {gone, isUntold, tellLog} from './look.ts'
import {nothingSent} from './send.ts'
import {readTraces, wasOpposed, type Trace, type Traces} from './traces.ts'

/** The reading must not fail for a moment of bad weather; in between the pauses grow. */
const tries = 6

/** Rejects when the states cannot be read: then nothing may be sent. */
export async function reconcile(run: RunState) {
	const {targets, services} = run
	await fromLog(run, (await readTraces(run)).own)
	const open = targets.with('waiting', 'unknown', 'accepted')
	if (open.length === 0) return
	const observations = await readSurely(run, open)
	run.checkedAt = services.clock.now()
	// Once more: the reading may have taken a while.
	const traces = await readTraces(run)
	const changes: {position: number; change: TargetChange}[] = []
	for (const target of open) {
		const change = await afterReading(run, target, observations.get(target.id), wasOpposed(traces, target.id))
		if (change !== null) changes.push({position: target.position, change})
	}
	await targets.changeAll(changes)
	for (const {position, outcome, id} of open) {
		const {acceptedAt, outcome: found} = targets.get(position)
		const seen = observations.get(id)
		if (outcome === 'unknown' && acceptedAt !== null && found === 'done' && seen) await tellLog(run, position, seen, false)
	}
}

/** Targets that others changed since the plan are not sent. `only` these positions, all that wait without. */
export async function recheckWaiting(run: RunState, only?: ReadonlySet<number>) {
	const waiting = run.targets.with('waiting').filter(({position}) => only?.has(position) ?? true)
	if (waiting.length === 0) return
	const observations = await readSurely(run, waiting)
	const traces = await readTraces(run)
	await run.targets.changeAll(
		waiting.flatMap(({position, id}) => {
			// A worker may have sent it while this was read.
			const target = run.targets.get(position)
			const change =
				target.outcome === 'waiting' && !run.sending.has(position)
					? beforeSending(run, target, observations.get(id), wasOpposed(traces, id))
					: null
			return change === null ? [] : [{position, change}]
		})
	)
}

async function fromLog(run: RunState, traces: Traces['own']) {
	const {targets} = run
	// The power may have failed before a mark was on the disk: an intent in the log counts anyway.
	const open = targets.with('sending', 'waiting').filter(({outcome, id}) => outcome === 'sending' || traces.has(id))
	const changed = async (target: TargetRow) => ({position: target.position, change: await asLogged(run, target, traces.get(target.id))})
	await targets.changeAll(await Promise.all(open.map(changed)))
}

/** What was written down as sent without an intent of that time in the log never left this computer. */
async function asLogged(run: RunState, target: TargetRow, trace: Trace | undefined): Promise<TargetChange> {
	const marked = target.outcome === 'sending'
	if (trace === undefined || (marked && trace.intent.at < (target.requestedAt ?? '')))
		return {outcome: 'waiting', sent: Math.max(0, target.sent - 1)}
	const {intent, outcome} = trace
	const facts = {entry: intent.id, requestedAt: intent.at, requestId: outcome?.requestId ?? null, sent: Math.max(1, target.sent)}
	if (outcome?.kind === 'command.succeeded' && outcome.status !== 409)
		return {...facts, outcome: 'accepted', acceptedAt: outcome.at, message: outcome.message}
	const code = outcome?.data?.['code']
	if (outcome?.kind === 'command.failed' && code !== 'conflict') {
		if (nothingSent.has(code)) return {outcome: 'waiting', sent: Math.max(0, target.sent - Number(marked))}
		return {...facts, outcome: 'failed', error: String(code), message: outcome.message}
	}
	const unknown = {...facts, outcome: 'unknown', error: 'outcome_unknown'} as const
	if (outcome === undefined || !isOthers(intent, [outcome])) return unknown
	const mayBeOld = code === 'outcome_unknown' && outcome.data?.['state'] === 'isolated'
	if (mayBeOld && (await mayLinger(run.services.log, run.connection.id, target.id, outcome.at))) return {...unknown, observed: 'isolated'}
	return {...facts, outcome: 'nothing_to_do', message: outcome.message}
}

async function readSurely(run: RunState, targets: readonly TargetRow[]) {
	const seq = await run.services.log.newest()
	for (const {position} of targets) run.readSeqs.set(position, seq)
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await run.action.read(
				targets.map(({id}) => id),
				{whole: true, signal: run.context.over}
			)
		} catch (error) {
			run.context.over.throwIfAborted()
			if (attempt === tries) throw error
			run.services.onTrouble('The targets of a job could not be read before sending; tried again.', error)
			await run.context.rest(2000 * 2 ** attempt)
		}
	}
}

async function afterReading(run: RunState, target: TargetRow, seen: Seen | null | undefined, opposed: boolean): Promise<TargetChange | null> {
	if (target.outcome === 'waiting') return beforeSending(run, target, seen, opposed)
	if (seen === undefined) return null
	if (seen === null) return gone
	const observed = run.action.words(seen.observed)
	const at = iso(seen.at)
	const acceptedAt = target.acceptedAt ?? at
	const progress = run.action.progress(seen.observed, target.id)
	if (progress === 'reached') return (await isUntold(run, target)) ? null : {outcome: 'done', observed, observedAt: at, acceptedAt, error: null}
	if (progress === 'under_way') return {outcome: 'accepted', observed, acceptedAt, error: null}
	if (target.outcome === 'accepted') return {observed}
	return opposed || !isAsPlanned(target, seen) ? leftAlone(observed) : notArrived(observed)
}

/**
 * Its process ended before an answer, the state is as the plan saw it, and nobody wanted otherwise: it did not arrive, and
 * is sent again. Should the first one arrive after all, the service refuses the second, or both say the same.
 */
function notArrived(observed: string): TargetChange {
	const message = 'The program ended before an answer came. It was read since: nothing had changed.'
	return {outcome: 'waiting', observed, message, error: null}
}

/**
 * Whether it arrived, nobody knows. It may have, and been undone: to send it again would undo what somebody did after it. And
 * it may have, without showing its effect yet: that it was not tried would be untrue.
 */
function leftAlone(observed: string): TargetChange {
	const message = `The program ended before an answer came, and it changed since, now: ${observed}. Nothing was sent again.`
	return {outcome: 'unknown', observed, message}
}

function beforeSending({action}: RunState, target: TargetRow, seen: Seen | null | undefined, opposed: boolean): TargetChange | null {
	if (seen === undefined) return null
	if (seen === null) return gone
	const observed = action.words(seen.observed)
	if (isAsPlanned(target, seen)) return opposed ? changedElsewhere(observed) : null
	if (action.progress(seen.observed, target.id) === 'not_yet') return changedElsewhere(observed)
	return {outcome: 'nothing_to_do', observed, message: 'Someone else made this change after planning.'}
}

function isAsPlanned({planned}: TargetRow, {observed}: Seen) {
	return canonicalJson(planned) === canonicalJson(observed)
}

function changedElsewhere(observed: string): TargetChange {
	const message = `Someone has changed this since planning. Now: ${observed}. Nothing was sent to it.`
	return {outcome: 'not_tried', observed, error: 'plan_drifted', message}
}
