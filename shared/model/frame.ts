import type {ErrorReport} from '../contract/errors.ts'
import type {Connection} from './connection.ts'
import type {StreamState} from './event-stream.ts'
import type {JobTotals} from './job.ts'

/** The API limit by the last responses (API reference, "Rate limit"). Times are ISO 8601 UTC. */
export type QuotaState = Readonly<{
	limit: number
	remaining: number
	resetAt: string
	observedAt: string
	/** The release reserve: calls kept for releases and stops. */
	reserve: number
	/** Set while calls wait for the window to end. */
	waitingUntil: string | null
	/** Number of waiting calls. */
	waiting: number
	/** Calls reserved by running jobs, over all processes. */
	reserved: number
	/** Calls of this window from outside this profile: another tool uses the same key. `null`: none noticed. */
	others: {calls: number; since: string} | null
}>

/** Whose calls wait, if any do: programs leave a part of the limit to people, and background reading leaves calls to jobs. */
export function whoWaits({remaining, reserve, reserved}: QuotaState) {
	if (remaining <= reserve) return 'everyone'
	return remaining <= reserve + reserved ? 'background' : 'programs'
}

export type InventoryPhase = 'empty' | 'loading' | 'complete' | 'partial' | 'failed'

/** The state of the local copy of computers. */
export type InventoryState = Readonly<{
	phase: InventoryPhase
	/** Increases with every change of a row. */
	revision: number
	rows: number
	/** By the service's first page; `null` before the first response. */
	total: number | null
	pagesRead: number
	pages: number | null
	/** When the last complete listing ended. */
	completeAt: string | null
	/** When anything was last read. */
	readAt: string | null
	/** Offsets of pages that the last listing could not load. */
	missing: readonly number[]
	error: ErrorReport | null
}>

export type InventoryCounts = Readonly<{
	computers: number
	compromised: number
	isolated: number
	pendingStart: number
	pendingStop: number
	/** Requests waiting for their agents for more than ten minutes. */
	pendingTooLong: number
}>

/** Why changes are locked, if so. */
export type WriteMode =
	| {kind: 'guarded'}
	| {kind: 'read_only'; because: 'connection' | 'locked' | 'managed'; since: string | null; problem?: string}

/** The result of the last call to the service. */
export type LinkState = {kind: 'untried'} | {kind: 'ok'; at: string} | {kind: 'failing'; since: string; error: ErrorReport}

/** Isolations that need attention. */
export interface IsolationAlarms {
	/** Isolated, and not seen for more than an hour. */
	readonly silent: number
	/** Leases about to expire, and expired ones. */
	readonly ending: number
	readonly over: number
}

/** The frame's content for one connection. Server data: the page never edits it. */
export type FrameState = Readonly<{
	connection: Connection
	mode: WriteMode
	quota: QuotaState | null
	link: LinkState
	inventory: InventoryState
	counts: InventoryCounts
	runningCommands: number
	alarms: IsolationAlarms
	jobs: JobTotals
	/** The event stream of the connection; `null` for none. */
	stream: Pick<StreamState, 'phase' | 'since' | 'lastMessageAt' | 'lagMs' | 'problem'> | null
	/** Positive when this computer's clock is ahead of the service's, in milliseconds. */
	clockSkewMs: number | null
}>
