/** Messages between the window's thread and the writing thread; all survive a structured clone. */
import type {Group} from '#model/group.ts'
import type {oddKey} from '#model/odd.ts'

import type {PageReader} from '#core/service/api/endpoints/endpoint.ts'
import type {ListingState} from './listing-state.ts'

export type WriteTask =
	| {
			/** They may lack fields; missing ones keep their stored values. */
			kind: 'records'
			texts: readonly string[]
			at: number
	  }
	| {
			/** A page of the listing that this thread has read. */
			kind: 'page'
			/** `ReadComputer.held`. */
			held: number | null
			at: number
			/** Progress of the listing including this page; stored together with its last record. */
			listing: ListingState
	  }
	/** All groups of the service; others are forgotten. */
	| {kind: 'groups'; groups: readonly Group[]; at: number}
	| {
			kind: 'end'
			listing: ListingState
			/** Set after a complete listing: computers missing from it have vanished. */
			whole: {startedAt: number; at: number} | null
	  }

export interface WriteOrder {
	id: number
	/** How far the process clock is ahead of the system clock, in milliseconds; 0 except in tests. */
	ahead: number
	task: WriteTask
}

/** Reads a page and keeps its records for a later task. */
export interface ReadOrder {
	id: number
	bytes: Uint8Array
	encoding: string
}

/** A computer of a page whose record the writing thread keeps. */
export interface ReadComputer {
	readonly connector_guid: string
	/** The page, in a task of kind `page`. */
	readonly held: number
	/** The record has it too (`shared/model/odd.ts`). */
	readonly [oddKey]?: true
}

/** Whether any row changed, or what was read. */
export type WriterAnswer = boolean | Awaited<ReturnType<PageReader<ReadComputer>>>

export type ToWriter = WriteOrder | ReadOrder | 'close'

export interface WriterData {
	readonly path: string
	readonly signals: Int32Array<SharedArrayBuffer>
}

/** Indexes in `signals`. */
export const signal = {
	/** Number of writes of the window's thread that wait for the file; the writing thread gives way to them. */
	waiting: 0,
	/** Not 0 when the writing thread must end at once, even with writes left. */
	cut: 1
} as const
