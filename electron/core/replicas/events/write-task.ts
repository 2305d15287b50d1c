/** Messages between the window's thread and the writing thread; all are structured-clone safe. */
import type {EventType} from '#model/event.ts'

import type {ReadingState} from './reading-state.ts'
import type {Batch, EventWriter} from './writer.ts'

export type EventTask =
	| {kind: 'events'; batch: Batch}
	| {kind: 'types'; types: readonly EventType[]}
	| {kind: 'reading'; state: ReadingState}
	| {kind: 'trim'; options: Parameters<EventWriter['trim']>[0]}

export interface EventOrder {
	id: number
	task: EventTask
}
