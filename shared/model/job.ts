/**
 * Bulk work. A job is a frozen list of targets with one action; a plan is the same before anything is sent, with the observed
 * state of each target; results have the outcome of each (UX research, SR1 to SR9, R1 to R26).
 */
import type {GuardJudgement, GuardedAction, Price} from './guard.ts'

/** The lease of an isolation; `null` hours: until released. `auto`: Cordon releases it at expiry while running. */
export interface LeaseTerm {
	readonly hours: number | null
	readonly auto: boolean
}

/** Why, where the service takes no comment: both are in the log alone. Plans of earlier versions have no ticket. */
interface Why {
	reason: string
	ticket?: string | null | undefined
}

export type JobAction =
	| {
			kind: 'isolate'
			reason: string
			ticket: string | null
			/** `generated`: a random code for each host, stored encrypted; `service`: the service makes one. */
			code: 'generated' | 'service'
			lease: LeaseTerm
	  }
	| {kind: 'release'; reason: string; ticket: string | null}
	| (Why & {kind: 'move'; group: string})
	/** Targets are groups; product -> policy GUID. */
	| (Why & {kind: 'policies'; policies: Readonly<Record<string, string>>})
	/** Targets are SHA-256 hashes. */
	| (Why & {kind: 'add_hashes' | 'remove_hashes'; list: string})
	/** Targets in `removes` are removed from the list, all others added. */
	| (Why & {kind: 'change_hashes'; list: string; removes: readonly string[]})

/** A target's observed state when the plan was made, in the service's words, without secrets. */
export type ObservedState = Readonly<Record<string, string | boolean | null>>

export type PlanTarget = Readonly<{
	/** Connector GUID, group GUID (lower case) or SHA-256 (lower case hexadecimal). */
	id: string
	label: string
	observed: ObservedState
	observedAt: string
	/** For hashes: the note. */
	note: string | null
	/** Warnings: offline, a server, a duplicate name. */
	warnings: readonly string[]
}>

/** A skipped target, with the reason. `nothing_to_do`: already in the wanted state. */
export type LeftOut = Readonly<{
	id: string
	label: string
	kind: 'protected' | 'nothing_to_do' | 'not_possible' | 'not_found' | 'duplicate' | 'review' | 'invalid'
	message: string
}>

/** Calls left are those for others this hour; seconds are without polls and waits between waves. */
export type JobCost = Omit<Price, 'resetAt' | 'sentence'>

/** A file: may be saved, reviewed, handed over, and applied while its targets are unchanged. */
export interface JobPlan extends Pick<GuardJudgement, 'protected' | 'tier' | 'confirmation' | 'because'> {
	readonly format: 'cordon-plan/1'
	readonly id: string
	readonly createdAt: string
	readonly createdBy: string
	readonly connection: {id: string; name: string; url: string}
	/** The profile that made it; a second signature is bound to it. */
	readonly profile?: string | undefined
	readonly action: JobAction
	readonly undoes?: {change: string; part: string} | undefined
	readonly targets: readonly PlanTarget[]
	readonly leftOut: readonly LeftOut[]
	readonly cost: JobCost
	/** Sizes of the waves; the last one has the rest. */
	readonly waves: readonly number[]
	/** Share of failures at which the job stops, 0 to 1. */
	readonly stopShare: number
	/** SHA-256 over connection, action, targets and observed states (canonical JSON). */
	readonly digest: string
}

/** Maximum wait of a wave for the agents of the wave before. */
export const waveWaitSeconds = 90

/** Maximum wait between a plan's waves, in seconds: only an isolation waits for agents. */
export function waitBetweenWaves({action, waves}: Pick<JobPlan, 'action' | 'waves'>): number {
	return action.kind === 'isolate' ? Math.max(0, waves.length - 1) * waveWaitSeconds : 0
}

export const targetOutcomes = [
	/** Not sent yet. */
	'waiting',
	/** The intent is in the log; whether it was sent is not known yet. */
	'sending',
	'accepted',
	/** Confirmed: the only end that counts as done. */
	'done',
	'nothing_to_do',
	'failed',
	/** Sent without an answer; only a reading shows the outcome. */
	'unknown',
	/** The job stopped before sending this change. */
	'not_tried',
	/** Accepted, but not confirmed in time. */
	'not_confirmed'
] as const
export type TargetOutcome = (typeof targetOutcomes)[number]

/** Targets whose change left Cordon, or is about to. */
export function sentOf(counts: JobSummary['counts']): number {
	const {done, accepted, failed, unknown, not_confirmed: unconfirmed, sending} = counts
	return done + accepted + failed + unknown + unconfirmed + sending
}

/** Three facts with three times. */
export type JobReceipt = Readonly<{
	id: string
	label: string
	outcome: TargetOutcome
	requestedAt: string | null
	acceptedAt: string | null
	observedAt: string | null
	/** The last observed state, in the service's words. */
	observed: string | null
	message: string | null
	/** Code of the closed error table, for failures. */
	error: string | null
	requestId: string | null
	/** Intent in the incident log. */
	entry: string | null
}>

export type JobPhase = 'applying' | 'observing' | 'stopping' | 'done' | 'stopped' | 'interrupted'

export type JobSummary = Readonly<{
	id: string
	connection: string
	kind: GuardedAction
	title: string
	startedAt: string
	endedAt: string | null
	startedBy: string
	phase: JobPhase
	/** Why it stopped or waits, in a sentence. */
	because: string | null
	counts: Readonly<Record<TargetOutcome, number>>
	targets: number
	wave: {number: number; of: number}
	/** Set while it waits for the API limit. */
	waitingUntil: string | null
}>

export type JobWindow = Readonly<{
	rows: readonly JobSummary[]
	offset: number
	matching: number
	/** Of all, not only of the window. */
	running: number
}>

/** A target that changed since planning. */
export type Drift = Readonly<{
	id: string
	label: string
	planned: ObservedState
	/** `null`: it no longer exists. */
	found: ObservedState | null
}>

/** An approved plan; it never changes. Its targets are in the results. */
export type AgreedPlan = Omit<JobPlan, 'targets'>

/** The state of a job: small, because a page loads it on every change. */
export interface JobDetail {
	readonly summary: JobSummary
	/** Whether this program runs it, another one, or none. */
	readonly runs: 'here' | 'elsewhere' | 'nowhere'
	readonly observeUntil: string | null
}

export interface ReceiptQuery {
	job: string
	/** Only these; default: all. */
	outcomes?: readonly TargetOutcome[] | undefined
	/** Part of the label or the id. */
	search?: string | undefined
	offset: number
	limit: number
}

export interface ReceiptWindow extends Omit<JobWindow, 'running' | 'rows'> {
	readonly rows: readonly JobReceipt[]
}

/** The frame's summary of a connection's jobs. */
export type JobTotals = Readonly<{
	running: number
	/** Left by an ended program, waiting to be resumed. */
	interrupted: number
	targets: number
	done: number
	failed: number
	/** Set while one waits for the API limit. */
	waitingUntil: string | null
}>
