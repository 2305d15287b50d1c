import type {FrameState} from '../model/frame.ts'

/** Facts pushed to every open page. They report *that* something changed; the page loads what it shows. */
export type LiveEvent =
	| {readonly kind: 'hello'; readonly instance: string}
	| {readonly kind: 'frame'; readonly frame: FrameState}
	| {readonly kind: 'computers'; readonly connection: string; readonly revision: number}
	| {readonly kind: 'computer'; readonly connection: string; readonly guid: string}
	/** Groups' details, policies or file lists. */
	| {readonly kind: 'directory'; readonly connection: string; readonly revision: number}
	/** Stored events of a connection, or the progress of loading them. */
	| {readonly kind: 'events'; readonly connection: string; readonly revision: number}
	| {readonly kind: 'log'; readonly seq: number}
	/** Waiting approvals, or trusted keys. */
	| {readonly kind: 'approvals'}
	| {readonly kind: 'connections'}
	| {readonly kind: 'settings'}
	| {readonly kind: 'notices'}
	/** A job or one of its targets changed. */
	| {readonly kind: 'job'; readonly connection: string; readonly job: string}
	/** Instances, server parameters or the forwarding server: a state changed. Traffic alone is announced at most once a second. */
	| {readonly kind: 'instances'}
	/** Event streams or targets: a state changed; counts alone are announced at most once a second. */
	| {readonly kind: 'streams'}
	| {readonly kind: 'run'; readonly run: string; readonly progress: RunProgress}

export type RunProgress =
	| {readonly kind: 'pages'; readonly read: number; readonly total: number | null; readonly records: number}
	| {readonly kind: 'waiting_for_quota'; readonly until: string}
	| {readonly kind: 'retrying'; readonly attempt: number; readonly of: number; readonly inMs: number; readonly because: string}
	| {readonly kind: 'polling'; readonly state: string; readonly until: string}
