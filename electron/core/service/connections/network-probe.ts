import {lookup} from 'node:dns/promises'
import net from 'node:net'
import tls, {type DetailedPeerCertificate, type PeerCertificate, type TLSSocket} from 'node:tls'

import {CordonError} from '#contract/errors.ts'
import type {CertificateFacts} from '#model/connection.ts'

import {ready} from '../api/agents.ts'
import {tlsProblem} from '../api/tls-problems.ts'
import {TransportError, transportFailure} from '../api/transport-errors.ts'
import {createTrust, isUnknownAuthority, systemCa, type Trusted} from '../api/trust.ts'
import {openTunnel} from '../api/tunnel.ts'
import {bareHost} from '../api/url.ts'
import type {Handshake, Probe, Way} from './probe.ts'

/** Real time, because sockets live in it; the same as a client's patience. */
const timeoutMs = 10_000

/** The real network. */
export const networkProbe: Probe = {
	resolve: (host, signal) =>
		looking(new URL(`https://${net.isIPv6(host) ? `[${host}]` : host}`), signal, async within => {
			const found = await Promise.race([lookup(host, {all: true}), aborted(within)])
			return found.map(({address}) => address)
		}),
	connect: (way, signal) =>
		looking(way.server, signal, async within => {
			const socket = await createTrust(systemCa, way.extraCa).with(trusted => open(way, within, trusted))
			socket.destroy()
		}),
	handshake: (way, signal) =>
		looking(way.server, signal, async within => {
			const socket = await openTls(way, within)
			try {
				return describe(socket, way.server)
			} finally {
				socket.destroy()
			}
		})
}

/** Limits the time and turns what Node throws into an entry of the table. */
async function looking<T>(server: URL, signal: AbortSignal, work: (within: AbortSignal) => Promise<T>) {
	const late = AbortSignal.timeout(timeoutMs)
	try {
		return await work(AbortSignal.any([signal, late]))
	} catch (error) {
		if (signal.aborted || error instanceof CordonError) throw error
		const slow = new TransportError('connect_timeout', `${server.host} did not answer within ${timeoutMs / 1000} seconds.`)
		throw transportFailure(late.aborted ? slow : error, 'connecting', server).error
	}
}

/** Like a client: the system's store is asked when the authorities that Node knows are not enough. */
async function openTls(way: Way, signal: AbortSignal) {
	const trust = createTrust(systemCa, way.extraCa)
	const first = await trust.with(trusted => shakeHands(way, signal, trusted))
	if (first.authorized || !isUnknownAuthority(String(first.authorizationError))) return first
	first.destroy()
	return shakeHands(way, signal, trust.whole())
}

async function open({server, proxy}: Way, signal: AbortSignal, trusted: Trusted) {
	if (proxy !== null) return openTunnel(proxy, server, signal, trusted)
	const socket = net.connect({host: bareHost(server.hostname), port: portOf(server)})
	return (await ready(socket, 'connect', signal)).on('error', () => {})
}

/** Judges nothing: what is wrong with the certificate is read from the socket afterwards. */
async function shakeHands(way: Way, signal: AbortSignal, trusted: Trusted) {
	const host = bareHost(way.server.hostname)
	const socket = tls.connect({
		socket: await open(way, signal, trusted),
		...(net.isIP(host) === 0 ? {servername: host} : {}),
		rejectUnauthorized: false,
		...trusted
	})
	return (await ready(socket, 'secureConnect', signal)).on('error', () => {})
}

function describe(socket: TLSSocket, server: URL): Handshake {
	const found = socket.getPeerCertificate(true)
	return {certificate: {...factsOf(found), chain: chainOf(found)}, problem: problemOf(socket, found, server)}
}

function factsOf(found: PeerCertificate) {
	return {
		subject: nameOf(found.subject),
		issuer: nameOf(found.issuer),
		validFrom: isoTime(found.valid_from),
		validTo: isoTime(found.valid_to),
		fingerprint256: found.fingerprint256
	}
}

/** A server may send anything; Node links what fits together, and the last one to itself. */
const longestChain = 10

function chainOf(found: DetailedPeerCertificate) {
	const chain: CertificateFacts[] = []
	let at: DetailedPeerCertificate | undefined = found.issuerCertificate
	let last = found
	while (at?.fingerprint256 !== undefined && at.fingerprint256 !== last.fingerprint256 && chain.length < longestChain) {
		chain.push(factsOf(at))
		;[last, at] = [at, at.issuerCertificate]
	}
	return chain
}

function problemOf(socket: TLSSocket, found: PeerCertificate, server: URL) {
	if (socket.authorized) return null
	// Node keeps the code alone; the error with the names in it is made again.
	const wrongName = tls.checkServerIdentity(bareHost(server.hostname), found)
	const code = String(socket.authorizationError)
	return tlsProblem(wrongName, code, server) ?? `The certificate of ${server.hostname} cannot be trusted (${code}).`
}

function nameOf(name: PeerCertificate['subject'] | undefined) {
	const text = name?.CN ?? name?.O ?? ''
	return Array.isArray(text) ? text.join(', ') : text === '' ? '(no name)' : text
}

/** "Mar  1 12:00:00 2026 GMT" as ISO 8601. */
function isoTime(text: string) {
	const time = new Date(text)
	return Number.isNaN(time.getTime()) ? text : time.toISOString()
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason)
		signal.addEventListener('abort', () => reject(signal.reason), {once: true})
	})
}

function portOf({port, protocol}: URL) {
	if (port !== '') return Number(port)
	return protocol === 'https:' ? 443 : 80
}
