/** Reasons why a run or a step does not continue. */
import {CordonError, reportError, type ErrorCode} from '#contract/errors.ts'

import type {StepError, StepRow} from './port.ts'

/** A step failed, or its outcome is unknown. A program may catch it; otherwise the run ends as failed, and can be retried. */
export class StepFailed extends Error {
	readonly step: StepRow
	constructor(step: StepRow) {
		super(`${step.label}: ${step.error?.message ?? 'failed'}`)
		this.name = 'StepFailed'
		this.step = step
	}
}

/** The program ends the run as failed, for a reason of its own. */
export class RunFailed extends Error {
	constructor(message: string) {
		super(message)
		this.name = 'RunFailed'
	}
}

/** A run with this id or key exists already. */
export class RunTaken extends CordonError {
	readonly run: string
	constructor(run: string) {
		super('taken', `This was started already, as the run ${run}. Nothing was started.`)
		this.run = run
	}
}

/** Why an owner stops. `lost`: another process has the run. `fault`: the store could not be written. */
type OverKind = 'closing' | 'lost' | 'fault'

export class Over extends CordonError {
	readonly kind: OverKind
	constructor(kind: OverKind, cause?: unknown) {
		super('cancelled', overWords[kind], {}, cause === undefined ? undefined : {cause})
		this.kind = kind
	}
}

const overWords: Readonly<Record<OverKind, string>> = {
	closing: 'Cordon is stopping. Nothing more was sent.',
	lost: 'Another program on this profile continues this run. Nothing more was sent from here.',
	fault: 'The state of the run could not be stored. Nothing more was sent.'
}

export class Cancelled extends CordonError {
	constructor() {
		super('cancelled', 'The run was cancelled. Nothing more was sent.')
	}
}

export function stepErrorOf(error: unknown): StepError {
	const {code, message, fault: _fault, retry: _retry, ...details} = reportError(error)
	return {code, message, ...(Object.keys(details).length > 0 && {details})}
}

/** The error that made the step fail, as it was thrown. */
export function errorOfStep({error}: StepRow) {
	const {code, message, details = {}} = error ?? stepErrorOf(undefined)
	// Written by `stepErrorOf`, or by a program in its form.
	return new CordonError(code as ErrorCode, message, details)
}

/** The steps whose failure caused this error; empty for any other error. */
export function failedSteps(error: unknown): readonly StepRow[] {
	if (error instanceof StepFailed) return [error.step]
	if (error instanceof AggregateError) return error.errors.flatMap(failedSteps)
	return []
}

export function isFailure(error: unknown) {
	return error instanceof RunFailed || failedSteps(error).length > 0
}

export function becauseOfFailure(error: unknown): readonly string[] {
	if (error instanceof RunFailed) return [error.message]
	if (error instanceof AggregateError) return error.errors.flatMap(becauseOfFailure)
	return failedSteps(error).map(step => step.error?.message ?? '')
}
