/** What a job costs in calls and time, and how it is cut into waves. Pure. */
import {waveWaitSeconds, type JobAction, type JobCost} from '#model/job.ts'

import {firstPauseMs, nextPause} from '#core/actions/isolation/pace.ts'
import type {Action} from './actions/types.ts'

/** In milliseconds. */
export const waveWaitMs = waveWaitSeconds * 1000

function pollsWithin(ms: number) {
	let polls = 0
	let pause = firstPauseMs
	for (let at = pause; at <= ms; at += pause) {
		polls += 1
		pause = nextPause(pause)
	}
	return polls
}

/** 1, then 5, then the rest; a release is never held back. */
export function wavesOf(kind: JobAction['kind'], targets: number): readonly number[] {
	if (targets === 0) return []
	if (kind === 'release' || targets === 1) return [targets]
	return targets <= 6 ? [1, targets - 1] : [1, 5, targets - 6]
}

interface CostFacts {
	action: Pick<Action, 'cost' | 'patienceMs' | 'agents'>
	ids: readonly string[]
	waves: readonly number[]
	/** Calls left for it, and when there are more; `null` while nothing is known. */
	room: {calls: number; resetAt: number} | null
	/** Calls of a whole window without the reserve. */
	window: number | null
	now: number
}

/** A write takes a quarter of a second, four at once. */
const perSecond = 16

export function costOf({action, ids, waves, room, window, now}: CostFacts): JobCost {
	const writes = ids.length
	const reads = writes === 0 ? 0 : action.cost(ids, true) + pollReads(action, ids) + waveReads(action, ids, waves)
	const calls = writes + reads
	return {
		writes,
		reads,
		calls,
		leaves: room === null ? null : Math.max(0, room.calls - calls),
		seconds: Math.ceil(secondsFor(writes, room, window, now))
	}
}

function pollReads(action: CostFacts['action'], ids: readonly string[]) {
	return pollsWithin(action.patienceMs) * action.cost(ids, false)
}

function waveReads(action: CostFacts['action'], ids: readonly string[], waves: readonly number[]) {
	if (!action.agents) return 0
	const earlier = waves.slice(0, -1)
	return earlier.reduce((sum, size) => sum + pollsWithin(waveWaitMs) * action.cost(ids.slice(0, size), false), 0)
}

function secondsFor(writes: number, room: CostFacts['room'], window: number | null, now: number) {
	const sending = writes / perSecond
	if (room === null || window === null || window <= 0 || writes <= room.calls) return sending
	const windows = Math.ceil((writes - room.calls) / window) - 1
	return sending + Math.max(0, room.resetAt - now) / 1000 + windows * 3600
}
