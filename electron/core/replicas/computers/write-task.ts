/** What the window's thread and the writing thread say to each other; everything survives a structured clone. */
import type {ErrorReport} from '#shared/contract/errors.ts'
import type {Group} from '#shared/model/group.ts'

import type {ListingState} from './listing-state.ts'

/** Times are Unix milliseconds. */
export type WriteTask =
	| {
			readonly kind: 'records'
			/** Each record as its text. */
			readonly texts: readonly string[]
			readonly at: number
			/** The records may lack fields: what they do not say stays as it was. */
			readonly merged: boolean
			/** How far the listing is with these records; it is kept together with the last of them. */
			readonly listing: ListingState | null
	  }
	/** All groups of the service: others are forgotten. */
	| {readonly kind: 'groups'; readonly groups: readonly Group[]; readonly at: number}
	| {
			readonly kind: 'end'
			readonly listing: ListingState
			/** After a complete listing: what it lacked has vanished. */
			readonly whole: {readonly startedAt: number; readonly at: number} | null
	  }

export interface WriteOrder {
	readonly id: number
	/** How far the clock that the process goes by is ahead of the computer's own, in milliseconds; 0 but in tests. */
	readonly ahead: number
	readonly task: WriteTask
}

export type ToWriter = WriteOrder | 'close'

/** `changed`: whether any row changed. */
export type WriteAnswer = {readonly id: number; readonly changed: boolean} | {readonly id: number; readonly error: ErrorReport}

export interface WriterData {
	readonly path: string
	readonly signals: Int32Array<SharedArrayBuffer>
}

/** Places in `signals`. */
export const signal = {
	/** How many writes of the window's thread wait for the file; the writing thread makes way for them. */
	waiting: 0,
	/** Not 0 when the writing thread has to end at once, whatever it still has to write. */
	cut: 1,
} as const
