/**
 * One connection to an instance: bytes, no HTTP. All connections read into one shared buffer, so received bytes must be used or
 * copied before the call returns; connections that may switch protocols read as ordinary streams.
 */
import {Socket} from 'node:net'

import type {Batch, Flushable} from '../batch.ts'
import type {Ticker} from '../ticker.ts'
import type {UpstreamTarget} from './plan.ts'

/* A socket that still reads after a failed write. */

/**
 * An instance may answer within a request and close: `403`, and no more of this upload. The kernel then fails the next write, and
 * Node would destroy the socket with the answer unread. Here a failed write allows one more round of reading before it ends the
 * connection; a failed read or a deliberate `destroy` ends it at once.
 */
class PatientSocket extends Socket {
	#isEnding = false

	override destroy(error?: Error) {
		if (error === undefined || !isFailedWrite(error)) return super.destroy(error)
		if (this.#isEnding) return this
		this.#isEnding = true
		// The first runs before the next round of reading, the second after it.
		setImmediate(() => setImmediate(() => super.destroy(error)))
		return this
	}
}

function isFailedWrite(error: Error) {
	return 'syscall' in error && error.syscall === 'write'
}

/** The user of the connection. `closed` is last. */
export interface ConnectionUser {
	connected(): void
	/** `bytes` are valid only during the call, except on a plain connection. */
	received(bytes: Buffer): void
	/** The instance sends no more. */
	ended(): void
	drained(): void
	closed(error: Error | null): void
	tick(now: number): void
}

/** The pool as used by a call. */
export interface Connections {
	readonly ticker: Ticker
	acquire(target: UpstreamTarget, need: Need): UpstreamConnection
	/** `keepMs`: how long the instance keeps it, if known. */
	keep(connection: UpstreamConnection, keepMs: number): void
}

/**
 * `fresh`: a new connection. `young`: a kept one only if just used, because the request cannot be repeated. `plain`: a new one
 * that may switch protocols.
 */
export type Need = 'any' | 'young' | 'fresh' | 'plain'

/** Pending bytes at which the writer has to wait. */
const fullBytes = 256 * 1024

export class UpstreamConnection implements Flushable {
	readonly socket: Socket
	/** Key of its target. */
	readonly key: string
	/** Number of earlier requests. */
	uses = 0
	/** When it became idle, and until when it may be used; milliseconds of the ticker. */
	idleSince = 0
	idleUntil = 0
	isConnected = false
	#user: ConnectionUser | null = null
	#error: Error | null = null
	#isGathering = false
	/** Waits for data to write with it. */
	#head: string | null = null
	readonly #batch: Batch
	readonly #onClosed: (connection: UpstreamConnection) => void

	/** `shared`: the read buffer, `null` for a plain connection. */
	constructor(target: UpstreamTarget, shared: Buffer | null, batch: Batch, onClosed: (connection: UpstreamConnection) => void) {
		this.key = target.key
		this.#batch = batch
		this.#onClosed = onClosed
		const {host, port} = target
		const options = {noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000}
		this.socket =
			shared === null
				? new PatientSocket(options).on('data', this.#plain)
				: new PatientSocket({...options, onread: {buffer: shared, callback: this.#read}})
		this.socket.connect({host, port})
		this.socket
			.on('connect', this.#connected)
			.on('end', () => this.#user?.ended())
			.on('drain', () => this.#user?.drained())
			.on('error', error => (this.#error = error))
			.on('close', this.#closed)
	}

	readonly #connected = () => {
		this.isConnected = true
		this.#user?.connected()
	}

	readonly #read = (count: number, buffer: Uint8Array) => {
		const bytes = buffer as Buffer // the shared buffer that the constructor was given
		this.#use(bytes.subarray(0, count))
		return true
	}

	readonly #plain = (bytes: Buffer) => this.#use(bytes)

	readonly #closed = () => {
		const user = this.#user
		this.#user = null
		this.#onClosed(this)
		user?.closed(this.#error)
	}

	/** Unrequested bytes: the next request would take them for its answer (G21). */
	#use(bytes: Buffer) {
		if (this.#user === null) this.socket.destroy()
		else this.#user.received(bytes)
	}

	get isAlive() {
		return !this.socket.destroyed && this.socket.writable && this.socket.readable
	}

	get isFull() {
		return this.socket.writableLength > fullBytes
	}

	/** Starts a request; its head is sent at the end of the round, with the body available by then. Latin-1. */
	begin(head: string) {
		this.#head = head
		this.#batch.add(this)
	}

	/** Later writes are sent at the end of the round, or by `flush`: TLS delivers bodies in small pieces. */
	gather() {
		if (this.#isGathering) return
		this.#isGathering = true
		this.socket.cork()
		this.#writeHead()
		this.#batch.add(this)
	}

	flush() {
		this.#writeHead()
		if (!this.#isGathering) return
		this.#isGathering = false
		this.socket.uncork()
	}

	#writeHead() {
		const head = this.#head
		this.#head = null
		if (head !== null && !this.socket.destroyed) this.socket.write(head, 'latin1')
	}

	tick(now: number) {
		this.#user?.tick(now)
	}

	attach(user: ConnectionUser) {
		this.#user = user
	}

	detach() {
		this.#user = null
	}

	/** Switches protocols: the new owner listens to the socket. Its errors are always handled. */
	release() {
		this.#user = null
		this.socket.pause()
		this.socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain')
	}

	destroy() {
		this.socket.destroy()
	}
}
