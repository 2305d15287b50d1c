import {once} from 'node:events'
import {connect as connectPlain, createServer, type Server} from 'node:net'
import {connect} from 'node:tls'

import {openPort} from '#base/testing/port.ts'
import {createTlsDoor} from './server-tls.ts'
import {HandTicker} from './testing/hand-ticker.ts'
import {configOf} from './testing/heads.ts'
import {testCredentials} from './tls/testing/credentials.ts'

const hourMs = 3_600_000

let listener: Server | null = null

afterEach(() => void listener?.close())

/** Connects with or without a session; returns whether it was resumed, else the session offered by the server. */
async function visit(port: number, ca: string, session?: Buffer) {
	const raw = connectPlain(port, '127.0.0.1')
	const socket = connect({socket: raw, ca, servername: 'localhost', ...(session && {session})})
	socket.resume()
	const offered = new Promise<Buffer>(resolve => socket.once('session', resolve))
	await once(socket, 'secureConnect')
	const reused = socket.isSessionReused()
	const next = reused && session !== undefined ? session : await offered
	socket.destroy()
	return {reused, session: next}
}

test('sessions are resumed for a day at most: then the keys of their tickets are new', async () => {
	const credentials = await testCredentials()
	const ticker = new HandTicker()
	const door = createTlsDoor(credentials, configOf([]), ticker, socket => socket.on('error', () => {}).resume())
	listener = createServer(socket => door.shake(socket.on('error', () => {})))
	const port = await openPort(listener)
	const ca = credentials.authority

	const first = await visit(port, ca)
	expect(first.reused).toBe(false)
	ticker.pass(23 * hourMs)
	expect((await visit(port, ca, first.session)).reused).toBe(true)
	ticker.pass(2 * hourMs)
	const later = await visit(port, ca, first.session)
	expect(later.reused).toBe(false)
	expect((await visit(port, ca, later.session)).reused).toBe(true)
	// Every further day, too.
	ticker.pass(24 * hourMs + 10)
	expect((await visit(port, ca, later.session)).reused).toBe(false)
	door.stop()
	expect(ticker.all.size).toBe(0)
})
