/** Messages between the window's thread and the forwarding server's thread; all are structured-clone safe. */
import type {ForwarderCounters} from '../forwarder/record-types.ts'
import type {Credentials, ForwarderConfig, Listen} from '../forwarder/types.ts'
import type {TrafficBatch} from './collector.ts'

export type ToForwarder =
	/** Listens at that address; running requests of a replaced listener may end in their own time. */
	| {kind: 'serve'; listen: Listen; config: ForwarderConfig; credentials: Credentials}
	| {kind: 'config'; config: ForwarderConfig}
	| {kind: 'credentials'; credentials: Credentials}
	/** Running requests get this many milliseconds. */
	| {kind: 'close'; drainMs: number}

export type FromForwarder =
	/** `problem`: the deviation from the request. */
	| {kind: 'listening'; listen: Listen; problem: string | null}
	| {kind: 'failed'; problem: string}
	| {kind: 'traffic'; batch: TrafficBatch}
	| {kind: 'counters'; counters: ForwarderCounters}
	| {kind: 'trouble'; message: string; error: string | null}
	| {kind: 'closed'}
