import {ORPCError} from '@orpc/client'

import {CordonError, errorCodes, errorFromReport, type ErrorReport, invalidArgument} from '#contract/errors.ts'

// The wire throws nothing else; what a caller's own step throws has at least a message.
declare module '@tanstack/react-query' {
	interface Register {
		defaultError: CordonError
	}
}

/** Turns whatever a call threw into a `CordonError`. */
export function asCordonError(error: unknown) {
	if (error instanceof CordonError) return error
	if (error instanceof ORPCError) return fromWire(error.data, error.message, error.code)
	if (error instanceof DOMException && error.name === 'AbortError') return new CordonError('cancelled')
	return new CordonError('internal', error instanceof Error ? `Something went wrong inside Cordon: ${error.message}` : undefined)
}

export function hostLost() {
	return new CordonError('reset', 'Cordon was not responding. This request was not sent.')
}

/** Of what only reads, nothing has to be checked. */
export function answerLost(reads: boolean): CordonError {
	const text = 'Connection to Cordon lost before the answer.'
	if (reads) return new CordonError('reset', `${text} Retry.`)
	return new CordonError('outcome_unknown', `${text} Check whether a requested change was applied before retrying.`)
}

function fromWire(data: unknown, message: string, code: unknown) {
	if (isReport(data)) return errorFromReport(data)
	if (code === 'BAD_REQUEST') return invalidArgument(`The host did not accept the request: ${message}`)
	return new CordonError('internal', `Something went wrong inside Cordon: ${message}`)
}

function isReport(data: unknown): data is ErrorReport {
	if (typeof data !== 'object' || data === null || !('code' in data) || !('message' in data)) return false
	return errorCodes.some(code => code === data.code) && typeof data.message === 'string'
}
