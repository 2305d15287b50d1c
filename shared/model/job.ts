/**
 * Bulk work. A job is a frozen list of targets with one action; a plan is the same before anything is sent, with what was
 * observed of each target; receipts tell what came of each (UX research, SR1 to SR9, R1 to R26).
 */
import type {Confirmation, GuardRefusal, GuardedAction, Tier} from './guard.ts'

/** How long an isolation is meant to last; `null` hours: until released. `auto`: Cordon releases it at the end while it runs. */
export interface LeaseTerm {
	readonly hours: number | null
	readonly auto: boolean
}

export type JobAction =
	| {
			readonly kind: 'isolate'
			readonly reason: string
			readonly ticket: string | null
			/** `generated`: a random code for each host, sealed here; `service`: the service makes one. */
			readonly code: 'generated' | 'service'
			readonly lease: LeaseTerm
	  }
	| {readonly kind: 'release'; readonly reason: string; readonly ticket: string | null}
	/** To a group. */
	| {readonly kind: 'move'; readonly group: string; readonly reason: string}
	/** Targets are groups; product -> policy GUID. */
	| {readonly kind: 'policies'; readonly policies: Readonly<Record<string, string>>; readonly reason: string}
	/** Targets are SHA-256 hashes. */
	| {readonly kind: 'add_hashes'; readonly list: string; readonly reason: string}
	| {readonly kind: 'remove_hashes'; readonly list: string; readonly reason: string}
	/** Targets in `removes` are taken off the list, all others are put on it. */
	| {readonly kind: 'change_hashes'; readonly list: string; readonly removes: readonly string[]; readonly reason: string}

/** What was seen of a target when the plan was made. Words of the service, without secrets. */
export type ObservedState = Readonly<Record<string, string | boolean | null>>

export interface PlanTarget {
	/** Connector GUID, group GUID (lower case) or SHA-256 (lower case hexadecimal). */
	readonly id: string
	readonly label: string
	readonly observed: ObservedState
	readonly observedAt: string
	/** For hashes: the note that goes with it. */
	readonly note: string | null
	/** What to think of first: offline, a server, a duplicate name. */
	readonly warnings: readonly string[]
}

/** Not part of the job, and why. `nothing_to_do`: it is already as wanted. */
export interface LeftOut {
	readonly id: string
	readonly label: string
	readonly kind: 'protected' | 'nothing_to_do' | 'not_possible' | 'not_found' | 'duplicate' | 'review' | 'invalid'
	readonly message: string
}

export interface JobCost {
	/** One for each target, and what polling and checking takes at most. */
	readonly writes: number
	readonly reads: number
	readonly calls: number
	/** Calls that others can still make this hour, the reserve for releases aside; `null` while the budget is unknown. */
	readonly leaves: number | null
	/** For sending, at the budget's pace; polling and the waits between waves are not counted. */
	readonly seconds: number
}

/** A file: may be saved, reviewed, handed over, and applied as long as its targets have not drifted. */
export interface JobPlan {
	readonly format: 'cordon-plan/1'
	readonly id: string
	readonly createdAt: string
	readonly createdBy: string
	readonly connection: {readonly id: string; readonly name: string; readonly url: string}
	/** Which profile it was made in; a second signature is meant for that one. */
	readonly profile?: string | undefined
	readonly action: JobAction
	readonly targets: readonly PlanTarget[]
	readonly leftOut: readonly LeftOut[]
	readonly protected: readonly GuardRefusal[]
	readonly tier: Tier
	readonly confirmation: Confirmation
	readonly because: readonly string[]
	readonly cost: JobCost
	/** Sizes of the waves; the last one is the rest. */
	readonly waves: readonly number[]
	/** The job stops after this share of failures, 0 to 1. */
	readonly stopShare: number
	/** SHA-256 over connection, action, targets and observed states (canonical JSON). */
	readonly digest: string
}

/** How long the next wave waits at most for the agents of the one before. */
export const waveWaitSeconds = 90

/** How long a plan waits at most between its waves, in seconds: only an isolation waits for what agents do. */
export function waitBetweenWaves({action, waves}: Pick<JobPlan, 'action' | 'waves'>): number {
	return action.kind === 'isolate' ? Math.max(0, waves.length - 1) * waveWaitSeconds : 0
}

export const targetOutcomes = [
	/** Not sent yet. */
	'waiting',
	/** The intent is in the log; nobody knows yet whether it was sent. */
	'sending',
	'accepted',
	/** Seen to be as wanted: the only end that counts as done. */
	'done',
	'nothing_to_do',
	'failed',
	/** It was sent without an answer; only a reading shows the outcome. */
	'unknown',
	/** The job stopped before sending this change. */
	'not_tried',
	/** Accepted, and never observed within the time given. */
	'not_confirmed',
] as const
export type TargetOutcome = (typeof targetOutcomes)[number]

/** Three facts with three times. */
export interface JobReceipt {
	readonly id: string
	readonly label: string
	readonly outcome: TargetOutcome
	readonly requestedAt: string | null
	readonly acceptedAt: string | null
	readonly observedAt: string | null
	/** The state as it was last seen, in the service's words. */
	readonly observed: string | null
	readonly message: string | null
	/** Code of the closed error table, for failures. */
	readonly error: string | null
	readonly requestId: string | null
	/** Intent in the incident log. */
	readonly entry: string | null
}

export type JobPhase = 'applying' | 'observing' | 'stopping' | 'done' | 'stopped' | 'interrupted'

export interface JobSummary {
	readonly id: string
	readonly connection: string
	readonly kind: GuardedAction
	readonly title: string
	readonly startedAt: string
	readonly endedAt: string | null
	readonly startedBy: string
	readonly phase: JobPhase
	/** Why it stopped or waits, in a sentence. */
	readonly because: string | null
	readonly counts: Readonly<Record<TargetOutcome, number>>
	readonly targets: number
	readonly wave: {readonly number: number; readonly of: number}
	/** Set while it waits for the budget. */
	readonly waitingUntil: string | null
}

/** A target that is not as the plan saw it. */
export interface Drift {
	readonly id: string
	readonly label: string
	readonly planned: ObservedState
	/** `null`: it is not there any more. */
	readonly found: ObservedState | null
}

/** An approved plan; it never changes. Its targets are in the results. */
export type AgreedPlan = Omit<JobPlan, 'targets'>

/** How a job stands: small, because a page asks for it whenever something of the job changes. */
export interface JobDetail {
	readonly summary: JobSummary
	/** Whether this program runs it, another one does, or nobody. */
	readonly runs: 'here' | 'elsewhere' | 'nowhere'
	readonly observeUntil: string | null
}

export interface ReceiptQuery {
	readonly job: string
	/** Only these; all without it. */
	readonly outcomes?: readonly TargetOutcome[] | undefined
	/** Part of the label or the id. */
	readonly search?: string | undefined
	readonly offset: number
	readonly limit: number
}

export interface ReceiptWindow {
	readonly rows: readonly JobReceipt[]
	readonly offset: number
	readonly matching: number
}

/** What the frame shows of the jobs of one connection. */
export interface JobTotals {
	readonly running: number
	/** Left by a program that ended, waiting for somebody to go on with them. */
	readonly interrupted: number
	readonly targets: number
	readonly done: number
	readonly failed: number
	/** Set while one waits for the budget. */
	readonly waitingUntil: string | null
}
