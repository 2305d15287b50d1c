import {CordonError, errorTable, type ErrorCode, type ErrorDetails} from '#contract/errors.ts'

import type {ApiRequest} from './types.ts'

/** One attempt that failed: its error, and what may be concluded from it. */
export interface Failure {
	readonly error: CordonError
	/** The same reading may succeed in a moment. */
	readonly retry: boolean
	/** A change may have taken effect anyway. */
	readonly unknown: boolean
}

export type Outcome<T> = {ok: true; value: T} | {ok: false; failure: Failure}

export function failed(code: ErrorCode, message: string | undefined, how: {retry?: boolean; unknown?: boolean; details?: ErrorDetails}): Failure {
	const {retry = false, unknown = false, details = {}} = how
	return {error: new CordonError(code, message, details), retry, unknown}
}

/** What a caller sees of a failed reading: with what was asked, where the service or the way to it is at fault. */
export function readError({error}: Failure, {method}: Pick<ApiRequest, 'method'>, url: URL) {
	const {code, message, details} = error
	if (method !== 'GET' && method !== 'OPTIONS') return error
	if (!['service', 'network'].includes(errorTable[code].fault) || code === 'rate_limited') return error
	return new CordonError(code, message, {...details, asked: {method, url: url.href}}, {cause: error.cause})
}

/** What a caller sees of a failed change: an unknown outcome comes before the cause. */
export function writeError(failure: Failure) {
	if (!failure.unknown) return failure.error
	const {error} = failure
	const message = `Outcome unknown. The change may have been applied. Check the current state before retrying. ${error.message}`
	return new CordonError('outcome_unknown', message, error.details, {cause: error})
}

/** The caller's own reason when it is of the table, else `cancelled`. */
export function abortError(signal: AbortSignal | undefined) {
	const reason: unknown = signal?.reason
	return reason instanceof CordonError ? reason : new CordonError('cancelled')
}
