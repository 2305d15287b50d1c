import type {DetailedPeerCertificate, TLSSocket} from 'node:tls'

import type {ClientCertificate} from '../message-types.ts'

/**
 * The certificate a client sent in the handshake, unchecked; call once per connection. `null`: none. Some releases of Node 24 and
 * 26 give a server only the client's own certificate (nodejs/node#65579): there an intermediate authority must be among the
 * authorities of the instance.
 */
export function clientCertificateOf(socket: TLSSocket): ClientCertificate | null {
	const shown = socket.getPeerCertificate(true)
	// Node returns an empty object without one, whatever its type says.
	if (!Buffer.isBuffer(shown?.raw)) return null
	const chain: Buffer[] = []
	let current: DetailedPeerCertificate | undefined = shown
	while (current !== undefined && Buffer.isBuffer(current.raw) && !chain.some(raw => raw.equals(current?.raw ?? raw))) {
		chain.push(current.raw)
		current = current.issuerCertificate
	}
	const commonName: unknown = shown.subject?.CN
	return {chain, commonName: typeof commonName === 'string' ? commonName : ''}
}
