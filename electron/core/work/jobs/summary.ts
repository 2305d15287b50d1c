/** Runs of jobs as everybody else sees them. */
import {targetOutcomes, type JobReceipt, type JobSummary, type JobTotals, type TargetOutcome} from '#model/job.ts'

import type {RunHead, StepRow, Tally} from '#core/engine/port.ts'
import type {RunsWhere} from '#core/engine/types.ts'
import {factsOf, iso, targetOf} from './rows.ts'

/** Every outcome has its number, also 0. */
export function countsOf(tally: Tally): JobSummary['counts'] {
	return Object.fromEntries(targetOutcomes.map(outcome => [outcome, tally[outcome] ?? 0])) as Record<TargetOutcome, number>
}

export function summaryOf(run: RunHead, tally: Tally, where: RunsWhere): JobSummary {
	const {action, waves, waitingUntil} = factsOf(run)
	const counts = countsOf(tally)
	const targets = Object.values(counts).reduce((sum, count) => sum + count, 0)
	const left = counts.waiting + counts.not_tried
	const phase = phaseOf(run, where)
	return {
		id: run.id,
		connection: run.subject ?? '',
		kind: action,
		title: run.title,
		startedAt: iso(run.startedAt),
		endedAt: run.endedAt === null ? null : iso(run.endedAt),
		startedBy: run.startedBy,
		phase,
		because: run.because,
		counts,
		targets,
		wave: {number: waveAt(waves, targets - left), of: waves.length},
		waitingUntil: run.endedAt === null && phase !== 'interrupted' ? waitingUntil : null
	}
}

/** A process that was killed could not write that it ended. */
export function phaseOf({phase, endedAt, state, cancels}: RunHead, where: RunsWhere): JobSummary['phase'] {
	// Written by the program of jobs alone.
	const own = phase as JobSummary['phase']
	if (endedAt !== null) return own
	if (state === 'held' || where === 'nowhere') return 'interrupted'
	return cancels > 0 && own === 'applying' ? 'stopping' : own
}

/** The wave that the target at this position belongs to, from 1. */
function waveAt(waves: readonly number[], position: number) {
	let end = 0
	for (const [index, size] of waves.entries()) {
		end += size
		if (position <= end) return index + 1
	}
	return waves.length
}

export function receiptOf(step: StepRow): JobReceipt {
	const {id, label, outcome, sent, requestedAt, acceptedAt, observedAt, observed, message, error, requestId, entry} = targetOf(step)
	return {
		...{id, label, outcome, requestedAt: sent > 0 ? requestedAt : null, acceptedAt, observedAt, observed, message},
		...{error, requestId, entry}
	}
}

/** Over the jobs of a connection that have not come to their end. */
export function totalsOf(open: readonly JobSummary[]): JobTotals {
	const running = open.filter(({phase}) => phase !== 'interrupted')
	const sums = {targets: 0, done: 0, failed: 0}
	for (const {counts, targets} of running) {
		sums.targets += targets
		sums.done += counts.done + counts.nothing_to_do
		sums.failed += counts.failed + counts.unknown + counts.not_confirmed
	}
	const waits = running.flatMap(({waitingUntil: until}) => until ?? []).toSorted()
	return {running: running.length, interrupted: open.length - running.length, ...sums, waitingUntil: waits[0] ?? null}
}
