import type {FrameState} from '../model/frame.ts'

/** Facts pushed to every open page. They report *that* something changed; the page loads what it shows. */
export type LiveEvent =
	| {kind: 'hello'; instance: string}
	| {kind: 'frame'; frame: FrameState}
	| {kind: 'computers'; connection: string; revision: number}
	| {kind: 'computer'; connection: string; guid: string}
	/** Groups' details, policies or file lists. */
	| {kind: 'directory'; connection: string; revision: number}
	/** Stored events of a connection, or the progress of loading them. */
	| {kind: 'events'; connection: string; revision: number}
	| {kind: 'log'; seq: number}
	/** Waiting approvals, or trusted keys. */
	| {kind: 'approvals'}
	| {kind: 'connections'}
	| {kind: 'settings'}
	| {kind: 'notices'}
	/** A job or one of its targets changed. */
	| {kind: 'job'; connection: string; job: string}
	/** Instances, server parameters or the forwarding server: a state changed. Traffic alone is announced at most once a second. */
	| {kind: 'instances'}
	/** Event streams or targets: a state changed; counts alone are announced at most once a second. */
	| {kind: 'streams'}
	| {kind: 'run'; run: string; progress: RunProgress}

export type RunProgress =
	| {kind: 'pages'; read: number; total: number | null; records: number}
	| {kind: 'waiting_for_quota'; until: string}
	| {kind: 'retrying'; attempt: number; of: number; inMs: number; because: string}
	| {kind: 'polling'; state: string; until: string}
