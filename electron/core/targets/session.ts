/** The common interface of targets: open, send batches in order, report deliveries. */
import type {TargetDefinition} from '#model/target.ts'

import type {Clock} from '#base/ports.ts'

export interface Item {
	/** Its position in its source. */
	readonly position: number
	/** The service's id of the event, or the entry's id: the same on every retry. */
	readonly id: string
	/** `event`, or the kind of entry. */
	readonly kind: string
	readonly at: string
	/** 0 for none to 4 for critical. */
	readonly severity: number
	/** One JSON object. */
	readonly body: string
}

export type Source = 'events' | 'log'

export interface Batch {
	readonly source: Source
	/** Of the file that the positions are of. */
	readonly generation: string
	readonly items: readonly Item[]
	/** Everything up to here is covered with this batch. */
	readonly upTo: number
}

export interface SessionHost {
	clock: Clock
	/** The target has everything of a source up to there. */
	delivered(of: Pick<Batch, 'source' | 'generation'>, upTo: number, count: number): void
	/** Sets one item aside and continues after it. */
	refuse(source: Source, item: Item, reason: string): void
	/** From the secret store. */
	secret: string | undefined
	signal: AbortSignal
	/** By another process: what is half written there is not left by a killed one. */
	isWritten?: boolean
	/** A failure between two batches; sending rejects from then on. */
	fail(error: Error): void
}

export interface TargetSession {
	/** Sends in order; rejects when the target is unreachable. Some targets confirm later. */
	send(batch: Batch): Promise<void>
	/** Waits briefly for outstanding confirmations. */
	close(): Promise<void>
}

export type ToOf<Kind extends TargetDefinition['to']['kind']> = Extract<TargetDefinition['to'], {kind: Kind}>
