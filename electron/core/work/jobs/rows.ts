/** A job as a run of the engine: what its rows hold, and how they are read and changed. */
import type {Surface} from '#model/incident.ts'
import type {AgreedPlan, JobPlan, JobReceipt, JobSummary, ObservedState, TargetOutcome} from '#model/job.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {allRows} from '#base/all-rows.ts'
import type {NewStep, RunHead, RunStore, StepPhase, StepRow} from '#core/engine/port.ts'
import type {Amendment, RunContext} from '#core/engine/types.ts'

export const jobKind = 'job'

/** What readers of the run need of a job, beside its plan. */
export interface JobFacts {
	action: JobSummary['kind']
	waves: readonly number[]
	surface: Surface
	incident: string | null
	/** Its entries in the incident log come after this one. */
	logSeq: number
	/** The part of an earlier change that it undoes. */
	undoes: {change: string; part: string} | null
	confirm?: string | undefined
	waitingUntil: string | null
	observeUntil: string | null
}

export function factsOf({facts}: Pick<RunHead, 'facts'>) {
	// Written by `apply`, and by `takeOverFormer`.
	return facts as unknown as JobFacts
}

const goesOnForMs = 30 * 60_000

/** A job that was alive so short a time ago continues automatically; an older one waits for a person. */
export function isFresh({aliveAt}: Pick<RunHead, 'aliveAt'>, now: number) {
	return now - aliveAt <= goesOnForMs
}

/** What running jobs have yet to send counts for the rolling limit. */
export async function isolationsToCome(store: Pick<RunStore, 'runs' | 'tally'>, subject: string, now: number) {
	const open = await allRows(window => store.runs({kind: jobKind, subject, states: ['open'], ...window}))
	const ids = open.filter(run => isFresh(run, now) && factsOf(run).action === 'isolate').map(({id}) => id)
	return Object.values(await store.tally(ids)).reduce((sum, {waiting = 0}) => sum + waiting, 0)
}

export function agreedIn(definition: unknown) {
	// The definition of every job is its plan without the targets.
	return definition as AgreedPlan
}

/** There is one job of each: the first, second, … undo of a part has a key of its own. */
export function keyOf(connection: string, undoes: JobFacts['undoes'], count = 1) {
	return undoes === null ? null : `job ${connection} undoes ${undoes.change} ${undoes.part}${count > 1 ? ` ${count}` : ''}`
}

/** As the plan saw it. */
interface TargetInput {
	planned: ObservedState
	plannedAt: string
	note: string | null
}

/** What is learned of a target. */
type TargetOutput = Pick<JobReceipt, 'acceptedAt' | 'observedAt' | 'observed' | 'message' | 'requestId' | 'entry'>

const nothingYet: TargetOutput = {acceptedAt: null, observedAt: null, observed: null, message: null, requestId: null, entry: null}

export interface TargetRow extends TargetInput, JobReceipt {
	readonly position: number
	/** How often it was sent. */
	readonly sent: number
}

export type TargetChange = Partial<Omit<TargetRow, 'position' | 'id' | 'label' | keyof TargetInput>>

export function stepOf({id, label, observed: planned, observedAt: plannedAt, note}: JobPlan['targets'][number]): NewStep {
	const input: TargetInput = {planned, plannedAt, note: note ?? null}
	return {id, label, input, tag: 'waiting'}
}

export function targetOf({position, id, label, tag, attempt: sent, begunAt, error, input, output}: StepRow): TargetRow {
	return {
		// Written by `stepOf` and `outputWith`.
		...(input as TargetInput),
		...nothingYet,
		...(output as TargetOutput | null),
		...{position, id, label, sent, error: error?.code ?? null},
		// Every step of a job is a target, and its tag an outcome.
		outcome: tag as TargetOutcome,
		requestedAt: begunAt === null ? null : iso(begunAt)
	}
}

/** How the engine knows an outcome. A target that is being sent is written by `perform` alone. */
const phases = {
	waiting: 'planned',
	sending: 'intent',
	accepted: 'done',
	done: 'done',
	nothing_to_do: 'done',
	failed: 'failed',
	unknown: 'unknown',
	not_tried: 'skipped',
	not_confirmed: 'failed'
} as const satisfies Readonly<Record<TargetOutcome, StepPhase>>

export type SettledOutcome = Exclude<TargetOutcome, 'waiting' | 'sending'>

export function phaseOf<O extends TargetOutcome>(outcome: O): (typeof phases)[O] {
	return phases[outcome]
}

export function outputWith(step: StepRow, {acceptedAt, observedAt, observed, message, requestId, entry}: TargetChange): TargetOutput {
	// As in `targetOf`.
	const before = step.output as TargetOutput | null
	return {...nothingYet, ...before, ...omitUndefined({acceptedAt, observedAt, observed, message, requestId, entry})}
}

/** The outcome stays unless a change says otherwise. */
export function amendmentOf(step: StepRow, change: TargetChange): Amendment {
	const {outcome, sent: attempt, requestedAt, error: code} = change
	const output = outputWith(step, change)
	const begunAt = requestedAt === null ? null : requestedAt === undefined ? undefined : Date.parse(requestedAt)
	const phase = outcome === undefined || outcome === 'sending' ? undefined : phases[outcome]
	const error = code === undefined || code === null ? code : {code, message: output.message ?? ''}
	return {id: step.id, output, ...omitUndefined({phase, tag: outcome, attempt, begunAt, error})}
}

export interface Change {
	readonly position: number
	readonly change: TargetChange
}

/** The targets of a job that this process has: every change is in the store before it is here. */
export function openTargets({run, steps, amend}: Pick<RunContext, 'run' | 'steps' | 'amend'>) {
	const step = (position: number) => {
		const row = steps.all[position]
		if (row === undefined) throw new Error(`job ${run.id} has no target ${position}`)
		return row
	}
	const changeAll = async (changes: readonly Change[]) => {
		if (changes.length > 0) await amend(changes.map(({position, change}) => amendmentOf(step(position), change)))
	}
	return {
		get all() {
			return steps.all.map(targetOf)
		},
		with: (...outcomes: readonly TargetOutcome[]) => steps.with(...outcomes).map(targetOf),
		/** How many those are, without looking at each. */
		count: (...outcomes: readonly TargetOutcome[]) => steps.count(...outcomes),
		get: (position: number) => targetOf(step(position)),
		step,
		change: (position: number, change: TargetChange) => changeAll([{position, change}]),
		changeAll
	}
}

export function iso(ms: number) {
	return new Date(ms).toISOString()
}
