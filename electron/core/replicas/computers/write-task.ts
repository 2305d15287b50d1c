/** Messages between the window's thread and the writing thread; all survive a structured clone. */
import type {Group} from '#shared/model/group.ts'

import type {ListingState} from './listing-state.ts'

export type WriteTask =
	| {
			readonly kind: 'records'
			readonly texts: readonly string[]
			readonly at: number
			/** Records may lack fields; missing ones keep their stored values. */
			readonly merged: boolean
			/** Progress of the listing including these records; stored together with the last of them. */
			readonly listing: ListingState | null
	  }
	/** All groups of the service; others are forgotten. */
	| {readonly kind: 'groups'; readonly groups: readonly Group[]; readonly at: number}
	| {
			readonly kind: 'end'
			readonly listing: ListingState
			/** Set after a complete listing: computers missing from it have vanished. */
			readonly whole: {readonly startedAt: number; readonly at: number} | null
	  }

export interface WriteOrder {
	readonly id: number
	/** How far the process clock is ahead of the system clock, in milliseconds; 0 except in tests. */
	readonly ahead: number
	readonly task: WriteTask
}

export type ToWriter = WriteOrder | 'close'

export interface WriterData {
	readonly path: string
	readonly signals: Int32Array<SharedArrayBuffer>
}

/** Indexes in `signals`. */
export const signal = {
	/** Number of writes of the window's thread that wait for the file; the writing thread gives way to them. */
	waiting: 0,
	/** Not 0 when the writing thread must end at once, even with writes left. */
	cut: 1,
} as const
