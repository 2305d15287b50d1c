/** The console's end: listens for command lines of its own user, and hands over those that know the secret. */
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type Server, type Socket} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'

import {admit, type Channel} from './channel.ts'
import {closeToOthers, prepareSocket, publish, socketPath, type PlaceOptions} from './place.ts'

export interface ListenOptions extends PlaceOptions {
	readonly version: string
	/** Answers one command line; aborted when the console stops. */
	readonly onCommandLine: (channel: Channel, stopping: AbortSignal) => Promise<void>
	/** Somebody who was not let in, in a sentence. */
	readonly onRefusal?: (message: string) => void
	/** For tests: how long somebody may take to prove the secret, in real time. */
	readonly patienceMs?: number
}

export interface ListeningConsole {
	readonly socket: string
	/** Ends what runs, waits a moment for it, and takes the socket away. */
	stop(): Promise<void>
}

const mostAtOnce = 64
const usualPatienceMs = 5000
/** Within the patience of the application, which ends after it. */
const farewellMs = 500

/** Throws `storage` where no safe place can be had. */
export async function listenForCommandLines(options: ListenOptions): Promise<ListeningConsole> {
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
	return {socket, stop: () => (stopped ??= stop(server, open, stopping).finally(withdraw))}
}

async function listening(server: Server, path: string): Promise<void> {
	server.listen({path})
	await once(server, 'listening')
	// One that cannot be accepted, such as one too many, ends by itself.
	server.on('error', () => undefined)
}

async function serve(connection: Socket, secret: string, options: ListenOptions, stopping: AbortSignal): Promise<void> {
	const refuse = (why: string): void => options.onRefusal?.(`A command line was not let in: ${why}.`)
	const late = setTimeout(() => connection.destroy(), options.patienceMs ?? usualPatienceMs)
	try {
		const channel = await admit(connection, {secret, version: options.version})
		clearTimeout(late)
		if (channel === undefined) return refuse('it did not prove the secret of this profile, or is of another version')
		await options.onCommandLine(channel, stopping)
		channel.close()
		await gone(connection)
	} catch (error) {
		refuse(error instanceof Error ? error.message : String(error))
	} finally {
		clearTimeout(late)
		connection.destroy()
	}
}

/** What was written last is still on its way. */
async function gone(connection: Socket): Promise<void> {
	connection.resume()
	if (!connection.closed) await once(connection, 'close').catch(() => undefined)
}

async function stop(server: Server, open: ReadonlyMap<Socket, Promise<void>>, stopping: AbortController): Promise<void> {
	const closed = new Promise<void>(resolve => server.close(() => resolve()))
	stopping.abort()
	const patience = new AbortController()
	const late = delay(farewellMs, undefined, {signal: patience.signal}).catch(() => undefined)
	// Commands that take longer are the affair of the application, which ends next.
	await Promise.race([Promise.all(open.values()), late])
	patience.abort()
	for (const connection of open.keys()) connection.destroy()
	await closed
}
