/** Concurrent requests at an instance; further ones wait, first come first served. */
import {tooMany} from '../access/verdict.ts'
import type {Refusal} from '../message-types.ts'

export type Places = ReturnType<typeof createPlaces>

export interface Place {
	/** Whether `onTurn` is pending. */
	readonly waits: boolean
	/** Call when the request has ended, or its client left while waiting. Idempotent. */
	leave(): void
}

interface Gate {
	limit: number
	inside: number
	/** In order of arrival. */
	queue: Set<Waiter>
	letting: boolean
}

interface Waiter {
	waits: boolean
	onTurn: () => void
}

const unlimited: Place = {waits: false, leave: () => {}}

export function isPlace(entered: Place | Refusal): entered is Place {
	return 'leave' in entered
}

export function createPlaces() {
	const gates = new Map<string, Gate>()

	function enter(instanceId: string, concurrency: number, queue: number, onTurn: () => void) {
		if (concurrency <= 0) return unlimitedPlace(instanceId)
		const gate = gateOf(instanceId)
		gate.limit = concurrency
		letIn(gate)
		const waits = gate.inside >= gate.limit || gate.queue.size > 0
		if (waits && gate.queue.size >= queue) return queueFull()
		const waiter: Waiter = {waits, onTurn}
		if (waits) gate.queue.add(waiter)
		else gate.inside += 1
		return placeOf(instanceId, gate, waiter)
	}

	/** The limit was removed: waiting requests continue. */
	function unlimitedPlace(instanceId: string) {
		const gate = gates.size === 0 ? undefined : gates.get(instanceId)
		if (gate !== undefined) {
			gate.limit = Number.POSITIVE_INFINITY
			letIn(gate)
		}
		return unlimited
	}

	function placeOf(instanceId: string, gate: Gate, waiter: Waiter): Place {
		let left = false
		function leave() {
			if (left) return
			left = true
			if (!gate.queue.delete(waiter)) gate.inside -= 1
			letIn(gate)
			if (gate.inside === 0 && gate.queue.size === 0) gates.delete(instanceId)
		}
		return {
			get waits() {
				return waiter.waits && !left
			},
			leave
		}
	}

	function gateOf(instanceId: string) {
		const known = gates.get(instanceId)
		if (known !== undefined) return known
		const gate: Gate = {limit: 0, inside: 0, queue: new Set(), letting: false}
		gates.set(instanceId, gate)
		return gate
	}

	return {
		/**
		 * `concurrency` 0: no limit, and no cost. `onTurn` is called once for a place that had to wait, and never after `leave`; a
		 * refusal (429) means that the queue is full. A running request that began without a limit is not counted.
		 */
		enter,
		/** Requests that wait now. */
		waiting: (instanceId: string) => gates.get(instanceId)?.queue.size ?? 0
	}
}

/** A turn may end at once and admit the next: a loop instead of recursion. */
function letIn(gate: Gate) {
	if (gate.letting) return
	gate.letting = true
	try {
		while (gate.inside < gate.limit) {
			const [next] = gate.queue
			if (next === undefined) return
			gate.queue.delete(next)
			gate.inside += 1
			next.waits = false
			next.onTurn()
		}
	} finally {
		gate.letting = false
	}
}

function queueFull() {
	return tooMany('queue_full', 'Too many requests wait for this instance already.', 1000).refusal
}
