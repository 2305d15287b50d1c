/** Messages between the window's thread and the forwarding server's thread; all are structured-clone safe. */
import type {ForwarderCounters} from '../forwarder/record-types.ts'
import type {Credentials, ForwarderConfig, Listen} from '../forwarder/types.ts'
import type {TrafficBatch} from './collector.ts'

export type ToForwarder =
	/** Listens at that address; running requests of a replaced listener may end in their own time. */
	| {readonly kind: 'serve'; readonly listen: Listen; readonly config: ForwarderConfig; readonly credentials: Credentials}
	| {readonly kind: 'config'; readonly config: ForwarderConfig}
	| {readonly kind: 'credentials'; readonly credentials: Credentials}
	/** Running requests get this many milliseconds. */
	| {readonly kind: 'close'; readonly drainMs: number}

export type FromForwarder =
	/** `problem`: the deviation from the request. */
	| {readonly kind: 'listening'; readonly listen: Listen; readonly problem: string | null}
	| {readonly kind: 'failed'; readonly problem: string}
	| {readonly kind: 'traffic'; readonly batch: TrafficBatch}
	| {readonly kind: 'counters'; readonly counters: ForwarderCounters}
	| {readonly kind: 'trouble'; readonly message: string; readonly error: string | null}
	| {readonly kind: 'closed'}
