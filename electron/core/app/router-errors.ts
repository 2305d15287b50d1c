/** Every failure leaves the router as one error from the closed table: without stacks, without secrets. */
import {ORPCError, ValidationError} from '@orpc/server'

import {CordonError, errorTable, knownError, reportError, invalidArgument} from '#contract/errors.ts'

import type {ProgramLog} from '#base/log.ts'
import {redact} from '#base/redact.ts'

interface Next<T> {
	readonly path: readonly string[]
	readonly next: () => T
}

export function reportFailures(log: ProgramLog) {
	return async <T>({path, next}: Next<T>): Promise<Awaited<T>> => {
		try {
			return await next()
		} catch (error) {
			throw wireError(error, path.join('.'), log)
		}
	}
}

/** The same for errors of an event stream. */
export async function* reportedStream<T>(events: AsyncIterable<T>, path: string, log: ProgramLog): AsyncGenerator<T, void> {
	try {
		yield* events
	} catch (error) {
		throw wireError(error, path, log)
	}
}

function wireError(error: unknown, path: string, log: ProgramLog) {
	const known = knownError(error) ?? ownError(error)
	if (known === undefined || known.cause === error) log.error({err: error, path}, 'A procedure failed unexpectedly.')
	const report = redact(reportError(known ?? new CordonError('internal')))
	return new ORPCError('CORDON', {status: 500, message: report.message, data: report})
}

function ownError(error: unknown) {
	if (error instanceof ORPCError && error.cause instanceof ValidationError) return invalidInput(error.cause)
	// Also the wire's reason when a page cancels a call.
	if (error instanceof Error && error.name === 'AbortError') return new CordonError('cancelled')
	return undefined
}

/** Names the field by its path, such as `sort.column`. */
function invalidInput({issues}: ValidationError) {
	const [issue] = issues
	const field = (issue?.path ?? []).map(step => String(typeof step === 'object' ? step.key : step)).join('.')
	if (issue === undefined || field === '') return invalidArgument(issue?.message ?? errorTable.invalid_argument.sentence)
	return invalidArgument(`${field}: ${issue.message}`, field)
}
