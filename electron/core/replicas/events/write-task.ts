/** Messages between the window's thread and the writing thread; all are structured-clone safe. */
import type {EventType} from '#model/event.ts'

import type {ReadingState} from './reading-state.ts'
import type {Batch, EventWriter} from './writer.ts'

export type EventTask =
	| {readonly kind: 'events'; readonly batch: Batch}
	| {readonly kind: 'types'; readonly types: readonly EventType[]}
	| {readonly kind: 'reading'; readonly state: ReadingState}
	| {readonly kind: 'trim'; readonly options: Parameters<EventWriter['trim']>[0]}

export interface EventOrder {
	readonly id: number
	readonly task: EventTask
}
