/** The console's side: listens for command lines of its own user, and passes on those that know the secret. */
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type Server, type Socket} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'

import {messageOf} from '#contract/errors.ts'
import {admit, type Channel} from './channel.ts'
import {closeToOthers, prepareSocket, publish, socketPath, type PlaceOptions} from './place.ts'

export interface ListenOptions extends PlaceOptions {
	version: string
	/** Answers one command line; aborted when the console stops. */
	onCommandLine: (channel: Channel, stopping: AbortSignal) => Promise<void>
	/** A refused peer, in a sentence. */
	onRefusal?: (message: string) => void
	/** For tests: time to prove the secret, in real time. */
	patienceMs?: number
}

export type ListeningConsole = Awaited<ReturnType<typeof listenForCommandLines>>

const mostAtOnce = 64
const usualPatienceMs = 5000
/** Within the shutdown limit of the application, which ends after it. */
const farewellMs = 500

/** Throws `storage` without a safe place. */
export async function listenForCommandLines(options: ListenOptions) {
	const socket = socketPath(options)
	prepareSocket(socket)
	const secret = randomBytes(32).toString('base64url')
	const stopping = new AbortController()
	const open = new Map<Socket, Promise<void>>()
	const server = createServer(connection => {
		const work = serve(connection, secret, options, stopping.signal)
		open.set(connection, work)
		void work.finally(() => open.delete(connection))
	})
	server.maxConnections = mostAtOnce
	await listening(server, socket)
	closeToOthers(socket)
	const withdraw = publish(options.profile, {socket, secret, pid: process.pid})
	let stopped: Promise<void> | undefined
	return {
		socket,
		/** Ends running commands, waits briefly for them, and removes the socket. */
		stop: () => (stopped ??= stop(server, open, stopping).finally(withdraw))
	}
}

async function listening(server: Server, path: string) {
	server.listen({path})
	await once(server, 'listening')
	// A connection that cannot be accepted, such as one too many, ends by itself.
	server.on('error', () => {})
}

async function serve(connection: Socket, secret: string, options: ListenOptions, stopping: AbortSignal) {
	const refuse = (why: string) => options.onRefusal?.(`A command line was not let in: ${why}.`)
	const late = setTimeout(() => connection.destroy(), options.patienceMs ?? usualPatienceMs)
	try {
		const channel = await admit(connection, {secret, version: options.version})
		clearTimeout(late)
		if (channel === undefined) return refuse('it did not prove the secret of this profile, or is of another version')
		await options.onCommandLine(channel, stopping)
		channel.close()
		await gone(connection)
	} catch (error) {
		refuse(messageOf(error))
	} finally {
		clearTimeout(late)
		connection.destroy()
	}
}

/** The last output is still in transit. */
async function gone(connection: Socket) {
	connection.resume()
	if (!connection.closed) await once(connection, 'close').catch(() => {})
}

async function stop(server: Server, open: ReadonlyMap<Socket, Promise<void>>, stopping: AbortController) {
	const closed = new Promise<void>(resolve => server.close(() => resolve()))
	stopping.abort()
	const patience = new AbortController()
	const late = delay(farewellMs, undefined, {signal: patience.signal}).catch(() => {})
	// The application ends commands that take longer.
	await Promise.race([Promise.all(open.values()), late])
	patience.abort()
	for (const connection of open.keys()) connection.destroy()
	await closed
}
