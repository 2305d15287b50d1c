import {messageOf} from '#contract/errors.ts'

const problems: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: "is not valid yet, unless this computer's clock is wrong",
	CERT_REVOKED: 'has been revoked',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed: nobody else vouches for it',
	SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that this computer does not know',
	UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that this computer does not know',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that this computer does not know',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that this computer does not know, or the server does not send its whole chain'
}

const family =
	/^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO)/

/** What is wrong with a certificate or a handshake, in words; `undefined` when the code is not about TLS. */
export function tlsProblem(error: unknown, code: string, server: Pick<URL, 'hostname' | 'host'>) {
	if (!family.test(code)) return undefined
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(error, server.hostname)
	const problem = problems[code]
	if (problem !== undefined) return `The certificate of ${server.hostname} ${problem}.`
	if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(`${code} ${messageOf(error)}`.toUpperCase().replaceAll(' ', '_'))) {
		return `${server.host} does not speak TLS.`
	}
	if (/^(?:ERR_SSL_|EPROTO)/.test(code)) return `No encrypted connection with ${server.host} could be agreed on (${code}).`
	return `The certificate of ${server.hostname} cannot be trusted (${code}).`
}

function wrongName(error: unknown, hostname: string) {
	const names = namesOf(error)
	return names === '' ? `The certificate is not for ${hostname}.` : `The certificate is for ${names}, not for ${hostname}.`
}

/** Node attaches the certificate to the error: "DNS:a.example, IP Address:192.0.2.1". */
function namesOf(error: unknown) {
	const cert = error instanceof Error && 'cert' in error ? error.cert : undefined
	if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return ''
	return String(cert.subjectaltname ?? '').replaceAll(/(?:DNS|IP Address):/g, '')
}
