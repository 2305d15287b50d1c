import tls, {type SecureContext} from 'node:tls'

import {systemCode} from '#contract/errors.ts'

/**
 * Node brings its own list of authorities. A company's proxy that looks into TLS signs with one that only the system's
 * store knows. Reading that store takes long (70 ms with 576 certificates), so it is read when the own list is not
 * enough, and never before.
 */
export type ReadSystemCa = () => readonly string[]

export const systemCa: ReadSystemCa = () => tls.getCACertificates('system')

const unknownAuthority: ReadonlySet<string> = new Set([
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
])

/** Whether a verification that ended with this code could end well with more authorities. */
export function isUnknownAuthority(code: unknown) {
	return typeof code === 'string' && unknownAuthority.has(code)
}

/** Trusts what Node knows, what the system knows, and the given certificates. */
function contextWithSystem(read: ReadSystemCa, extraCa: readonly string[] = []) {
	return tls.createSecureContext({ca: [...tls.getCACertificates('default'), ...readable(read), ...extraCa]})
}

/** For a connection of its own. Without `rejectUnauthorized` the environment could switch checking off. */
export function verifying(extraCa: readonly string[] = [], rejectUnauthorized = true) {
	return {secureContext: contextWithSystem(systemCa, extraCa), rejectUnauthorized}
}

export type Trusted = {ca?: string[]} | {secureContext: SecureContext}

/** What one client trusts: the system's authorities from the first certificate on that needs them. */
export function createTrust(read: ReadSystemCa, extraCa: readonly string[]) {
	let context: SecureContext | undefined
	const whole = () => ({secureContext: (context ??= contextWithSystem(read, extraCa))})
	return {
		whole,
		/** Nothing may be sent before the certificates are checked: where an authority is unknown, `open` is called again. */
		async with<T>(open: (trusted: Trusted) => Promise<T>) {
			if (context !== undefined) return open(whole())
			try {
				return await open(withKnown(extraCa))
			} catch (error) {
				if (isUnknownAuthority(systemCode(error))) return open(whole())
				throw error
			}
		}
	}
}

/** Certificates given to TLS replace the known ones, so those are repeated. */
function withKnown(extraCa: readonly string[]): {ca?: string[]} {
	return extraCa.length === 0 ? {} : {ca: [...tls.getCACertificates('default'), ...extraCa]}
}

/** An unreadable store trusts nobody. */
function readable(read: ReadSystemCa) {
	try {
		return read()
	} catch {
		return []
	}
}
