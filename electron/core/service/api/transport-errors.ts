import {type ErrorCode, systemCode, messageOf} from '#contract/errors.ts'

import {failed, type Failure} from './failure.ts'
import {tlsProblem} from './tls-problems.ts'

/** How far a request got before it failed: no connection yet, no answer yet, or in the middle of the answer. */
export type Phase = 'connecting' | 'sent' | 'answering'

/** An error of our own that passes through Node's agent and axios. */
export class TransportError extends Error {
	readonly kind: 'connect_timeout' | 'response_timeout' | 'proxy' | 'too_large'
	readonly retry: boolean
	/** Node's, where one is behind it. */
	readonly code: string | undefined

	constructor(kind: TransportError['kind'], message: string, retry = true, code?: string) {
		super(message)
		this.kind = kind
		this.retry = retry
		this.code = code
	}
}

const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'])
const closed = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT'])

/** What Node says of a request that brought no complete answer, as an entry of the table. */
export function transportFailure(thrown: unknown, phase: Phase, server: URL): Failure {
	const error = innermost(thrown)
	const unknown = phase !== 'connecting'
	if (error instanceof TransportError) return failed(error.kind, error.message, {retry: error.retry, unknown})
	const [code, sentence, retry] = classify(error, phase, server)
	return failed(code, sentence, {retry, unknown})
}

type Class = readonly [code: ErrorCode, sentence: string | undefined, retry: boolean]

function classify(error: unknown, phase: Phase, server: URL): Class {
	const code = systemCode(error) ?? ''
	if (phase === 'answering') return ['truncated', undefined, true]
	const tls = tlsProblem(error, code, server)
	if (tls !== undefined) return ['tls', tls, false]
	if (code.startsWith('HPE_')) return ['unexpected_shape', `What ${server.host} answers is not HTTP (${code}).`, false]
	return phase === 'connecting' ? noConnection(error, code, server) : noAnswer(error, code, server)
}

function noConnection(error: unknown, code: string, {hostname, host}: URL): Class {
	if (code === 'ENOTFOUND') return ['dns', `The host name ${hostname} is not known.`, false]
	if (code.startsWith('EAI_')) return ['dns', `The host name ${hostname} cannot be resolved at the moment.`, true]
	if (code === 'ECONNREFUSED') return ['refused', `The connection was refused: no program answers at ${host}, or a firewall refuses it.`, true]
	if (code === 'ETIMEDOUT') return ['connect_timeout', `${host} did not take the connection in time.`, true]
	if (unreachable.has(code)) return ['unreachable', `${host} cannot be reached (${code}).`, true]
	if (closed.has(code)) return ['reset', `${host} closed the connection before it was ready.`, true]
	return ['unreachable', `The connection to ${host} failed (${reasonOf(error, code)}).`, true]
}

function noAnswer(error: unknown, code: string, {host}: URL): Class {
	if (closed.has(code)) return ['reset', `${host} closed the connection before the answer arrived.`, true]
	return ['reset', `The connection to ${host} broke before the answer arrived (${reasonOf(error, code)}).`, true]
}

/** The error that axios or an attempt at several addresses wraps. */
function innermost(error: unknown) {
	if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0])
	if (error instanceof Error && error.cause instanceof Error) return innermost(error.cause)
	return error
}

function reasonOf(error: unknown, code: string) {
	return code !== '' ? code : messageOf(error)
}
