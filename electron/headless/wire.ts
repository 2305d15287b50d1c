import {setImmediate as nextTurn} from 'node:timers/promises'

import {RPCHandler} from '@orpc/server/ws'
import type {MessageEvent, WebSocket} from 'ws'
import {z} from 'zod'

import type {Clock} from '#base/ports.ts'
import type {AppRouter} from '#core/app/router.ts'

/**
 * Connects accepted pages to the application. A closed page ends its streams and cancels its calls. For a page that does not
 * read, streams pause and calls wait; the live stream then restarts with a greeting.
 */
export function createWire(router: AppRouter, clock: Clock): (socket: WebSocket, session: string) => void {
	return (socket, session) => {
		const pace = new Pace(socket, clock)
		const handler = new RPCHandler(router, {interceptors: [({next}) => pace.call(next)]})
		void handler.upgrade({addEventListener: readable(socket), send: pace.send}, {context: {session}})
	}
}

const message = z.object({i: z.string(), t: z.number().optional(), p: z.unknown().optional()})
const call = z.object({u: z.string().startsWith('/')})
const callKind = 1

/** Whether the RPC server can read it: otherwise it would only log it. */
function isMessage(data: unknown) {
	try {
		const {t, p} = message.parse(JSON.parse(String(data)))
		return t !== undefined && t !== callKind ? true : URL.canParse(call.parse(p).u, 'http://page')
	} catch {
		return false
	}
}

/** Pages send neither bytes nor anything but calls. A violation closes the socket; the page may reconnect. */
function readable(socket: WebSocket): WebSocket['addEventListener'] {
	return (kind, listener, options) => {
		if (kind !== 'message') return socket.addEventListener(kind, listener, options)
		const hear = listener as (event: MessageEvent) => void
		socket.addEventListener('message', event => {
			if (typeof event.data !== 'string') socket.close(1003, 'Cordon takes text messages only.')
			else if (isMessage(event.data)) hear(event)
			else socket.close(1007, 'The message is malformed.')
		})
	}
}

/** Unsent bytes at which nothing more is taken for the page. */
const fullBytes = 1 << 20
/** Concurrent calls; more begin as these are answered, or after a while, since some wait long for the service. */
const mostCalls = 16
const patienceMs = 100
/** Pending calls at which no more are read. */
const mostWaiting = 256

type Message = Parameters<WebSocket['send']>[0]

class Pace {
	readonly #socket: WebSocket
	readonly #clock: Clock
	readonly #unsent: {message: Message; sent: () => void}[] = []
	readonly #waiting: PromiseWithResolvers<void>[] = []
	readonly #closed = new AbortController()
	/** Calls that count against `mostCalls`. */
	#running = 0
	#isPatient = false

	constructor(socket: WebSocket, clock: Clock) {
		this.#socket = socket
		this.#clock = clock
		socket.on('close', () => this.#close())
	}

	/** Resolves when the socket has accepted it: streams await that. */
	readonly send = (message: Message): Promise<void> => {
		if (!this.#isFull()) {
			this.#write(message)
			return Promise.resolve()
		}
		return new Promise(sent => void this.#unsent.push({message, sent}))
	}

	/** Runs the call once the page reads its messages. */
	async call<T>(work: () => Promise<T>): Promise<T> {
		await this.#turn()
		try {
			// While it closes it may still send.
			if (this.#socket.readyState !== this.#socket.OPEN) throw left()
			return await work()
		} finally {
			// Its response is sent in this turn.
			void nextTurn().then(() => this.#answered())
		}
	}

	#isFull() {
		return this.#unsent.length > 0 || this.#socket.bufferedAmount >= fullBytes
	}

	#write(message: Message) {
		this.#socket.send(message, () => this.#drained())
	}

	#drained() {
		while (this.#socket.bufferedAmount < fullBytes) {
			const next = this.#unsent.shift()
			if (next === undefined) break
			this.#write(next.message)
			next.sent()
		}
		this.#begin()
	}

	#turn() {
		if (this.#waiting.length === 0 && this.#running < mostCalls && !this.#isFull()) {
			this.#running += 1
			return Promise.resolve()
		}
		const turn = Promise.withResolvers<void>()
		this.#waiting.push(turn)
		if (this.#waiting.length >= mostWaiting) this.#socket.pause()
		if (!this.#isPatient) void this.#wait()
		return turn.promise
	}

	#begin() {
		while (this.#running < mostCalls && !this.#isFull()) {
			const next = this.#waiting.shift()
			if (next === undefined) break
			this.#running += 1
			next.resolve()
		}
		if (this.#waiting.length < mostWaiting) this.#socket.resume()
	}

	#answered() {
		this.#running = Math.max(0, this.#running - 1)
		this.#begin()
	}

	/** After a while unanswered calls no longer count. */
	async #wait() {
		this.#isPatient = true
		while (this.#waiting.length > 0 && !this.#closed.signal.aborted) {
			await this.#clock.sleep(patienceMs, this.#closed.signal).catch(() => {})
			this.#running = 0
			this.#begin()
		}
		this.#isPatient = false
	}

	#close() {
		this.#closed.abort()
		for (const {sent} of this.#unsent.splice(0)) sent()
		for (const {reject} of this.#waiting.splice(0)) reject(left())
	}
}

function left() {
	return new Error('The page left before the call began.')
}
