/** Every failure leaves the router as one error from the closed table: without stacks, without secrets. */
import {AsyncIteratorClass, ORPCError, ValidationError} from '@orpc/server'

import {CordonError, errorTable, knownError, reportError, invalidArgument} from '#contract/errors.ts'

import type {ProgramLog} from '#base/log.ts'
import {redact} from '#base/redact.ts'
import {member} from '#shared/is-record.ts'
import {isStream} from '#shared/streams.ts'

interface Next<T> {
	path: readonly string[]
	next: () => T
}

/** Also of a stream that the procedure gives. */
export function reportFailures(log: ProgramLog) {
	return async <T>({path, next}: Next<T>): Promise<Awaited<T>> => {
		const reported = async <R>(work: () => R): Promise<Awaited<R>> => {
			try {
				return await work()
			} catch (error) {
				throw wireError(error, path.join('.'), log)
			}
		}
		const result = await reported(next)
		const output = member(result, 'output')
		if (!isStream(output)) return result
		const stream = new AsyncIteratorClass(
			() => reported(() => output.next()),
			async () => void (await output.return?.())
		)
		return {...result, output: stream}
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
