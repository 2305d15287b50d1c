import type {Fields, Refusal} from '../message-types.ts'

export type AccessVerdict = Granted | Refused | NeedsBody

export interface Granted {
	readonly kind: 'granted'
	/** The user, where the rule knows: a user's name, a certificate's common name. */
	readonly user: string | null
	/** Fields for the instance: `X-Console-User`, `X-Client-Cert-*`. The client's copies must have been removed. */
	readonly fields: Fields
}

export interface Refused {
	readonly kind: 'refused'
	readonly refusal: Refusal
}

/** The body is signed: read it whole (above the limit answer 413), then call `verify` once, with its bytes as received. */
export interface NeedsBody {
	readonly kind: 'needs_body'
	readonly limitBytes: number
	verify(body: Buffer): Granted | Refused
}

const proxyError = 'http_request_denied'

export const open: Granted = {kind: 'granted', user: null, fields: []}

/** `challenge`: the value of `WWW-Authenticate`. Details never repeat received data. */
export function unauthorized(reason: string, detail: string, challenge: string): Refused {
	const fields = ['WWW-Authenticate', challenge]
	return {kind: 'refused', refusal: {status: 401, reason, proxyError, detail, fields, close: false}}
}

export function forbidden(reason: string, detail: string): Refused {
	return {kind: 'refused', refusal: {status: 403, reason, proxyError, detail, close: false}}
}

/** `waitMs` until a retry makes sense. */
export function tooMany(reason: string, detail: string, waitMs: number): Refused {
	return {kind: 'refused', refusal: {status: 429, reason, proxyError, detail, fields: retryAfter(waitMs), close: false}}
}

/** The server's fault: an overload must not look like a wrong password, because firewalls then stop enforcing their lists. */
export function overloaded(reason: string, detail: string): Refused {
	return {kind: 'refused', refusal: {status: 503, reason, detail, fields: retryAfter(1000), close: false}}
}

function retryAfter(waitMs: number): Fields {
	return ['Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000)))]
}
