/** What every kind of target does: open, take batches in order, say what has arrived. */
import type {TargetDefinition} from '#shared/model/target.ts'

import type {Clock} from '#core/base/ports.ts'

export interface Item {
	/** Its place in its source. */
	readonly position: number
	/** The service's id of the event, or that of the entry: the same whenever it is sent again. */
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
	readonly items: readonly Item[]
	/** With this batch everything up to here was looked at. */
	readonly upTo: number
}

export interface SessionHost {
	readonly clock: Clock
	/** The target has all of a source up to there. */
	delivered(source: Source, upTo: number, count: number): void
	/** Set aside: sending goes on behind it. */
	refuse(source: Source, item: Item, reason: string): void
	/** Of the secret store. */
	readonly secret: string | undefined
	readonly signal: AbortSignal
}

export interface TargetSession {
	/** Sends them in order; rejects when the target is away. Some targets confirm later. */
	send(batch: Batch): Promise<void>
	/** Rejects when it breaks between two batches. */
	readonly broken: Promise<never>
	/** Lets what was sent be confirmed as far as that is quick. */
	close(): Promise<void>
}

export type ToOf<Kind extends TargetDefinition['to']['kind']> = Extract<TargetDefinition['to'], {readonly kind: Kind}>

export const neverBroken = new Promise<never>(() => undefined)
