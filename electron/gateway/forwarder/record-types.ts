/** Events of the forwarding server about requests and itself. */

export type EndedBy = 'done' | 'client' | 'instance' | 'cordon'

/** One finished request, for the live log and the counters. Queries are removed: they may contain secrets. */
export interface RequestRecord {
	readonly id: string
	/** Unix milliseconds of the first byte of its head. */
	readonly at: number
	/** Name of the instance, `null` when none was found. */
	readonly instance: string | null
	readonly alias: string | null
	readonly protocol: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2' | 'WebSocket'
	readonly method: string
	/** Path without query. */
	readonly path: string
	readonly status: number
	readonly client: string
	/** Body bytes. */
	readonly received: number
	readonly sent: number
	readonly endedBy: EndedBy
	/** Reason of the refusal or failure, `null` on success. */
	readonly reason: string | null
	/** The source of the answer: the instance, the last good answer, another client's equal request, or this server. */
	readonly source: 'instance' | 'stale' | 'shared' | 'cordon'
	readonly phases: Phases
}

/** Duration of each phase in milliseconds; `null` for an omitted one. */
interface Phases {
	/** Of the connection's handshake, recorded with its first request. */
	readonly tls: number | null
	readonly access: number | null
	readonly queue: number | null
	/** `0` on a kept connection. */
	readonly connect: number | null
	/** From the request's last byte of head to the answer's first. */
	readonly firstByte: number | null
	readonly body: number | null
}

/** The server's own statistics; counts grow from its start. */
export interface ForwarderCounters {
	readonly startedAt: number
	readonly connections: {readonly open: number; readonly accepted: number; readonly refused: number}
	readonly requests: {readonly running: number; readonly total: number}
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
