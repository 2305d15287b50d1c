/**
 * Tells what happened to whoever listens. Made before every service, so that none needs a way to one that does not
 * exist yet: services emit, and live stream, frame, notices and refreshers listen.
 */
import type {CopyKind} from '#shared/contract/local.ts'

/** Facts about what changed, as plain values; whoever needs the new state reads it. Ids are those of connections. */
export type CoreEvent =
	| {readonly kind: 'connections.changed'}
	/** A connection was removed, or leads elsewhere now: what is kept of it goes. */
	| {readonly kind: 'connection.forgotten'; readonly connection: string}
	/** API limit, link or clock difference of a connection. */
	| {readonly kind: 'link.changed'; readonly connection: string}
	| {readonly kind: 'settings.changed'}
	| {readonly kind: 'managed.changed'}
	| {readonly kind: 'notices.changed'}
	| {readonly kind: 'log.appended'; readonly seq: number}
	/** One row where `guid` names it, else any of them. */
	| {readonly kind: 'replica.changed'; readonly replica: CopyKind; readonly connection: string; readonly guid?: string}
	| {readonly kind: 'commands.changed'; readonly connection: string}
	/** A command about one computer ended, however it did. */
	| {readonly kind: 'command.ended'; readonly connection: string; readonly command: string; readonly guid: string}
	| {readonly kind: 'job.changed'; readonly connection: string; readonly job: string}
	/** What is known of how many jobs run on it changed. */
	| {readonly kind: 'jobs.counted'; readonly connection: string}
	| {readonly kind: 'approvals.changed'}
	| {readonly kind: 'instances.changed'}
	/** How an event stream stands; at most once a second for numbers alone. */
	| {readonly kind: 'stream.changed'; readonly connection: string}
	/** Targets, or how sending to one stands; likewise. */
	| {readonly kind: 'targets.changed'}

export type CoreEventKind = CoreEvent['kind']
type EventOf<Kind extends CoreEventKind> = Extract<CoreEvent, {readonly kind: Kind}>

export interface Bus {
	/** Calls every listener of its kind, in the order in which they came, before it returns. */
	emit(event: CoreEvent): void
	/** Returns the way to stop listening. */
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
		},
	}
}
