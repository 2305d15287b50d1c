/**
 * Announces what happened. Made before every service, so that none depends on a later one: services emit, and live stream,
 * frame, notifications and refreshers listen.
 */
import type {CopyKind} from '#model/choices.ts'

/** Facts about what changed, as plain values; listeners read the new state. Ids are those of connections. */
export type CoreEvent =
	| {kind: 'connections.changed'}
	/** A connection was deleted or points elsewhere: its data goes. */
	| {kind: 'connection.forgotten'; connection: string}
	/** API limit, link or clock difference of a connection. */
	| {kind: 'link.changed'; connection: string}
	| {kind: 'settings.changed'}
	| {kind: 'managed.changed'}
	| {kind: 'notices.changed'}
	| {kind: 'log.appended'; seq: number}
	/** One row with `guid`, else any of them. */
	| {kind: 'replica.changed'; replica: CopyKind; connection: string; guid?: string}
	| {kind: 'commands.changed'; connection: string}
	/** A command about one computer ended, however it did. */
	| {kind: 'command.ended'; connection: string; command: string; guid: string}
	| {kind: 'job.changed'; connection: string; job: string}
	| {kind: 'jobs.counted'; connection: string}
	| {kind: 'approvals.changed'}
	| {kind: 'instances.changed'}
	/** State of an event stream; at most once a second for numbers alone. */
	| {kind: 'stream.changed'; connection: string}
	/** Targets, or the state of sending to one; likewise. */
	| {kind: 'targets.changed'}

type CoreEventKind = CoreEvent['kind']
type EventOf<Kind extends CoreEventKind> = Extract<CoreEvent, {kind: Kind}>

export interface Bus {
	/** Calls the listeners of its kind in their order before it returns. */
	emit(event: CoreEvent): void
	/** Returns the unsubscriber. */
	on<Kind extends CoreEventKind>(kind: Kind, listener: (event: EventOf<Kind>) => void): () => void
}

/** A listener that throws is reported to `onTrouble` and does not affect the others. */
export function createBus(onTrouble: (message: string, error: unknown) => void): Bus {
	const listeners = new Map<CoreEventKind, Set<(event: never) => void>>()
	return {
		emit(event) {
			for (const listener of [...(listeners.get(event.kind) ?? [])]) {
				try {
					// Only listeners of this kind are in this set.
					;(listener as (event: CoreEvent) => void)(event)
				} catch (error) {
					onTrouble(`A listener failed on ${event.kind}.`, error)
				}
			}
		},
		on(kind, listener) {
			const own = listeners.get(kind) ?? new Set()
			listeners.set(kind, own)
			own.add(listener)
			return () => void own.delete(listener)
		}
	}
}
