/** Finds a port for the forwarding server, and explains a deviation from the requested one. */
import {systemCode, messageOf} from '#contract/errors.ts'
import type {Forwarder, Listen} from '../forwarder/types.ts'
import {holderOf} from './listening.ts'

/** Used when the requested port is taken. */
const secondPort = 8443

type Started = {forwarder: Forwarder; problem: string | null} | {failure: string}

/** The requested port, else, unless it is fixed, the second port. */
export async function listenSomewhere(wanted: Listen, start: (listen: Listen) => Promise<Forwarder>, isFixed = false): Promise<Started> {
	const first = await attempt(wanted, start)
	if (!('code' in first)) return {forwarder: first, problem: null}
	const why = await reasonOf(first, wanted.port)
	if (isFixed || !isPortProblem(first) || wanted.port === secondPort || wanted.port === 0) return {failure: why}
	const second = await attempt({...wanted, port: secondPort}, start)
	if (!('code' in second)) return {forwarder: second, problem: `${why} It listens on port ${secondPort} instead.`}
	return {failure: `${why} ${await reasonOf(second, secondPort)}`}
}

interface Failure {
	code: string
	message: string
}

async function attempt(listen: Listen, start: (listen: Listen) => Promise<Forwarder>): Promise<Forwarder | Failure> {
	try {
		return await start(listen)
	} catch (error) {
		const failure = failureOf(error)
		// A computer without IPv6.
		const isOld = failure.code === 'EAFNOSUPPORT' || failure.code === 'EADDRNOTAVAIL'
		return isOld && listen.host === '::' ? attempt({...listen, host: '0.0.0.0'}, start) : failure
	}
}

function failureOf(error: unknown): Failure {
	return {code: systemCode(error) ?? '', message: messageOf(error)}
}

function isPortProblem({code}: Failure) {
	return code === 'EACCES' || code === 'EADDRINUSE'
}

async function reasonOf({code, message}: Failure, port: number) {
	if (code === 'EACCES') return `This user may not listen on port ${port}.`
	if (code !== 'EADDRINUSE') return `The forwarding server cannot listen on port ${port}: ${message}.`
	const holder = await holderOf(port).catch(() => null)
	return `Port ${port} is held by ${holder?.text ?? 'another program'}.`
}

/** Shortens the long drain of replaced ones. */
export async function endWithin(all: readonly Forwarder[], drainMs: number) {
	const late = new Promise<void>(resolve => setTimeout(resolve, drainMs + 200).unref())
	await Promise.race([Promise.all(all.map(forwarder => forwarder.stop(drainMs))), late])
}

/** Milliseconds for requests of a replaced one. */
const replacedMs = 24 * 3_600_000

/** Replaced ones. */
export class Leaving extends Set<Forwarder> {
	leave(forwarder: Forwarder) {
		this.add(forwarder)
		void forwarder.stop(replacedMs).finally(() => this.delete(forwarder))
	}
}
