/** The command line's side: finds the console of a profile, and verifies it. */
import {once} from 'node:events'
import {connect} from 'node:net'

import {CordonError, systemCode} from '#contract/errors.ts'

import {introduce} from './channel.ts'
import {checkSocket, readPlace, type Place} from './place.ts'

interface ReachOptions {
	profile: string
	version: string
	signal: AbortSignal
	/** For tests: response time of a console, in real time. */
	patienceMs?: number
}

const usualPatienceMs = 10_000

/** `undefined` without a console. Throws when one runs but cannot be used, with what to do. */
export async function reachConsole(options: ReachOptions) {
	const place = readPlace(options.profile)
	if (place === undefined) return undefined
	try {
		return await reachAt(place, options)
	} catch (error) {
		// A restart in between changed the secret.
		const now = readPlace(options.profile)
		if (now === undefined) return undefined
		if (now.secret === place.secret) throw error
		return await reachAt(now, options)
	}
}

async function reachAt(place: Place, options: ReachOptions) {
	checkSocket(place.socket)
	const socket = await connected(place.socket, options.signal)
	if (socket === undefined) return undefined
	const late = new AbortController()
	const timer = setTimeout(() => late.abort(), options.patienceMs ?? usualPatienceMs)
	const leave = () => void socket.destroy()
	for (const signal of [late.signal, options.signal]) signal.addEventListener('abort', leave, {once: true})
	try {
		return await introduce(socket, {secret: place.secret, version: options.version})
	} catch (error) {
		socket.destroy()
		options.signal.throwIfAborted()
		throw late.signal.aborted ? silent(place) : error
	} finally {
		clearTimeout(timer)
		options.signal.removeEventListener('abort', leave)
	}
}

/** Leftovers of a killed console do not count. */
async function connected(path: string, signal: AbortSignal) {
	signal.throwIfAborted()
	const socket = connect({path})
	try {
		await once(socket, 'connect', {signal})
		return socket
	} catch (error) {
		socket.destroy()
		signal.throwIfAborted()
		const code = systemCode(error) ?? ''
		if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined
		throw new CordonError('busy', `The console on this profile cannot be reached (${code}).`, {}, {cause: error})
	}
}

function silent({pid}: Place) {
	return new CordonError(
		'busy',
		`The console on this profile (process ${pid}) does not answer. Nothing was done. End that process, and run the command again.`
	)
}
