import type {ErrorReport} from '../contract/errors.ts'
import type {Connection} from './connection.ts'
import type {StreamState} from './event-stream.ts'
import type {JobTotals} from './job.ts'

/** What the last answers told about the request budget (API reference, "Rate limit"). Times are ISO 8601 UTC. */
export interface BudgetState {
	readonly limit: number
	readonly remaining: number
	readonly resetAt: string
	readonly observedAt: string
	/** Calls kept back for releases and stops. */
	readonly reserve: number
	/** Set while calls wait for the window to end. */
	readonly waitingUntil: string | null
	/** How many calls wait. */
	readonly waiting: number
	/** Calls that running jobs have set aside, over all processes. */
	readonly reserved: number
	/** Calls of this window that nobody on this profile made: another tool uses the same key. `null`: none noticed. */
	readonly others: {readonly calls: number; readonly since: string} | null
}

export type InventoryPhase = 'empty' | 'loading' | 'complete' | 'partial' | 'failed'

/** The state of the local copy of computers. */
export interface InventoryState {
	readonly phase: InventoryPhase
	/** Grows with every change of a row. */
	readonly revision: number
	readonly rows: number
	/** As the service reported on page 1; `null` before the first answer. */
	readonly total: number | null
	readonly pagesRead: number
	readonly pages: number | null
	/** When the last complete listing ended. */
	readonly completeAt: string | null
	/** When anything was last read. */
	readonly readAt: string | null
	/** Offsets of pages that the last listing could not read. */
	readonly missing: readonly number[]
	readonly error: ErrorReport | null
}

export interface InventoryCounts {
	readonly computers: number
	readonly compromised: number
	readonly isolated: number
	readonly pendingStart: number
	readonly pendingStop: number
	/** Requests that wait for their agent for more than ten minutes. */
	readonly pendingTooLong: number
}

/** Why writing is off, if it is. */
export type WriteMode =
	| {readonly kind: 'guarded'}
	| {readonly kind: 'read_only'; readonly because: 'connection' | 'locked' | 'managed'; readonly since: string | null}

/** How the last call to the service went. */
export type LinkState =
	| {readonly kind: 'untried'}
	| {readonly kind: 'ok'; readonly at: string}
	| {readonly kind: 'failing'; readonly since: string; readonly error: ErrorReport}

/** Isolations that a person has to look after. */
export interface IsolationAlarms {
	/** Isolated, and not seen for more than an hour. */
	readonly silent: number
	/** Leases that are about to end, and leases whose end has passed. */
	readonly ending: number
	readonly over: number
}

/** All that the frame shows of one connection. Server data: the page never edits it. */
export interface FrameState {
	readonly connection: Connection
	readonly mode: WriteMode
	readonly budget: BudgetState | null
	readonly link: LinkState
	readonly inventory: InventoryState
	readonly counts: InventoryCounts
	readonly runningCommands: number
	readonly alarms: IsolationAlarms
	readonly jobs: JobTotals
	/** The event stream that the connection reads; `null` for none. */
	readonly stream: Pick<StreamState, 'phase' | 'since' | 'lastMessageAt' | 'lagMs' | 'problem'> | null
	/** Positive when this computer's clock is ahead of the service's, in milliseconds. */
	readonly clockSkewMs: number | null
}
