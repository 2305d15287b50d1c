/** Events of the forwarding server about requests and itself. */

import type {RequestEntry} from '#contract/instances.ts'

export type EndedBy = RequestEntry['endedBy']

/** One finished request, for the live log and the counters. */
export interface RequestRecord extends Omit<RequestEntry, 'at'> {
	/** Unix milliseconds of the first byte of its head. */
	readonly at: number
}

/** The server's own statistics; counts grow from its start. */
export interface ForwarderCounters {
	readonly startedAt: number
	readonly connections: {open: number; accepted: number; refused: number}
	readonly requests: {running: number; total: number}
	readonly instances: Readonly<Record<string, InstanceCounters>>
}

export interface InstanceCounters {
	readonly running: number
	readonly total: number
	/** Answers by class of status: `2xx`, …; failures of the instance count as our `5xx`. */
	readonly statuses: Readonly<Record<string, number>>
	readonly failures: number
	readonly received: number
	readonly sent: number
	/** Open connections to the instance. */
	readonly upstream: number
	/** Unix milliseconds, `null` before the first. */
	readonly lastRequest: number | null
}
