/** TLS for accepted connections: one server for all, and one that requests client certificates while any instance needs them. */
import {randomBytes} from 'node:crypto'
import type {Socket} from 'node:net'
import {createServer, type Server, type TLSSocket} from 'node:tls'

import type {Ticked, Ticker} from './ticker.ts'
import {tlsOptions} from './tls/options.ts'
import type {Credentials, ForwarderConfig} from './types.ts'

export type TlsDoor = ReturnType<typeof createTlsDoor>

/** Lifetime of the keys that encrypt session tickets: limits what a stolen key can read. */
const ticketKeysMs = 24 * 3_600_000
const ticketKeyBytes = 48

export function createTlsDoor(credentials: Credentials, config: ForwarderConfig, ticker: Ticker, onSecure: (socket: TLSSocket) => void) {
	let current = credentials
	let authorities = authoritiesOf(config)
	const {handshakeMs} = config.limits
	const plain = listenTo(createServer({...tlsOptions(current, {handshakeMs}), allowHalfOpen: true}), onSecure)
	let asking: Server | null = null

	function ask() {
		if (authorities.length === 0) return null
		const options = tlsOptions(current, {handshakeMs, clientAuthorities: authorities})
		if (asking === null) asking = listenTo(createServer({...options, allowHalfOpen: true}), onSecure)
		else asking.setSecureContext(options)
		return asking
	}

	let keysUntil = ticker.after(ticketKeysMs)
	const rotation: Ticked = {
		tick(now) {
			if (now < keysUntil) return
			keysUntil = ticker.after(ticketKeysMs)
			// With client certificates there are no tickets.
			plain.setTicketKeys(randomBytes(ticketKeyBytes))
		}
	}

	ask()
	ticker.add(rotation)
	return {
		/** Performs the handshake, then calls `onSecure`; destroys a socket whose handshake fails. */
		shake: (socket: Socket) => void (authorities.length > 0 && asking !== null ? asking : plain).emit('connection', socket),
		setCredentials(next: Credentials) {
			current = next
			plain.setSecureContext(tlsOptions(next, {handshakeMs}))
			ask()
		},
		configure(next: ForwarderConfig) {
			const wanted = authoritiesOf(next)
			if (wanted.join('\n') === authorities.join('\n')) return
			authorities = wanted
			ask()
		},
		stop: () => ticker.remove(rotation)
	}
}

function listenTo(server: Server, onSecure: (socket: TLSSocket) => void) {
	return server
		.on('secureConnection', onSecure)
		.on('tlsClientError', (_error, socket) => socket.destroy())
		.on('error', () => {}) // of the handshake; there is nobody to tell
}

function authoritiesOf(config: ForwarderConfig) {
	const all = config.instances.flatMap(({access}) => (access.kind === 'certificate' ? [access.authorities] : []))
	return [...new Set(all)].toSorted()
}
