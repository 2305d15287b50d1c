/** TLS options of the forwarding server. */
import {omitUndefined} from '#shared/omit-undefined.ts'
import {constants} from 'node:crypto'
import {createSecureContext, type TlsOptions} from 'node:tls'

import type {Credentials} from '../types.ts'

/** Forward secrecy and authenticated encryption only; the first three are TLS 1.3. */
const ciphers = [
	'TLS_AES_128_GCM_SHA256',
	'TLS_AES_256_GCM_SHA384',
	'TLS_CHACHA20_POLY1305_SHA256',
	'ECDHE-ECDSA-AES128-GCM-SHA256',
	'ECDHE-RSA-AES128-GCM-SHA256',
	'ECDHE-ECDSA-AES256-GCM-SHA384',
	'ECDHE-RSA-AES256-GCM-SHA384',
	'ECDHE-ECDSA-CHACHA20-POLY1305',
	'ECDHE-RSA-CHACHA20-POLY1305'
].join(':')

const sessionSeconds = 3600

interface TlsFront {
	/** In order of preference. */
	protocols?: readonly string[]
	handshakeMs?: number
	/**
	 * Request an optional client certificate; the instance decides which is valid. PEM of all authorities named by instances;
	 * browsers offer only certificates of these. Empty: none is requested.
	 */
	clientAuthorities?: readonly string[]
}

/** For `tls.createServer`, and for `server.setSecureContext` to replace the certificate while connections run. */
export function tlsOptions(credentials: Credentials, front: TlsFront = {}): TlsOptions {
	const authorities = front.clientAuthorities ?? []
	return {
		cert: credentials.certificate,
		key: credentials.key,
		minVersion: 'TLSv1.2',
		maxVersion: 'TLSv1.3',
		ciphers,
		honorCipherOrder: true,
		ecdhCurve: curves(),
		secureOptions: secureOptions(authorities.length > 0),
		sessionTimeout: sessionSeconds,
		ALPNProtocols: [...(front.protocols ?? ['h2', 'http/1.1', 'http/1.0'])],
		...omitUndefined({handshakeTimeout: front.handshakeMs}),
		...(authorities.length === 0 ? {} : {ca: [...authorities], requestCert: true, rejectUnauthorized: false})
	}
}

/**
 * A resumed session remembers a client's certificate but no intermediate ones, so with client certificates every connection
 * starts anew. Constants missing in a TLS library stand for unsupported features.
 */
function secureOptions(asksClients: boolean) {
	const known: Readonly<Record<string, number | undefined>> = constants as unknown as Record<string, number> // numbers by name, fewer in Electron
	const names = ['SSL_OP_NO_RENEGOTIATION', 'SSL_OP_CIPHER_SERVER_PREFERENCE', 'SSL_OP_NO_COMPRESSION']
	if (asksClients) names.push('SSL_OP_NO_TICKET')
	return names.reduce((all, name) => all | (known[name] ?? 0), 0)
}

/** The post-quantum exchange first, if this TLS library has it. */
function curves() {
	const classic = 'X25519:P-256'
	const hybrid = `X25519MLKEM768:${classic}`
	try {
		createSecureContext({ecdhCurve: hybrid})
		return hybrid
	} catch {
		return classic
	}
}
