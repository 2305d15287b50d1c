/**
 * One connection to an instance: bytes, no HTTP. Every connection reads into one buffer that all share, so what is received
 * must be used or copied before the call returns; connections that may leave HTTP read as ordinary streams.
 */
import {Socket} from 'node:net'

import type {Batch, Flushable} from '../batch.ts'
import type {Ticker} from '../ticker.ts'
import type {UpstreamTarget} from './plan.ts'

/* A socket that still hears what was said to it when what it says is no longer taken. */

/**
 * An instance may answer in the middle of a request and close: `403`, and no more of this upload. The kernel then fails our
 * next write, and Node would destroy the socket with the answer still unread. Here a failed write lets one more round of
 * reading pass before it ends the connection; what ends it by itself (a failed read, a deliberate `destroy`) does so at once.
 */
class PatientSocket extends Socket {
	#isEnding = false

	override destroy(error?: Error): this {
		if (error === undefined || !isFailedWrite(error)) return super.destroy(error)
		if (this.#isEnding) return this
		this.#isEnding = true
		// The first comes before the next round of reading, the second behind it.
		setImmediate(() => setImmediate(() => super.destroy(error)))
		return this
	}
}

function isFailedWrite(error: Error): boolean {
	return 'syscall' in error && error.syscall === 'write'
}

/** Who uses the connection. `closed` is last. */
export interface ConnectionUser {
	connected(): void
	/** `bytes` are valid only during the call, unless the connection is a plain one. */
	received(bytes: Buffer): void
	/** The instance sends no more. */
	ended(): void
	drained(): void
	closed(error: Error | null): void
	tick(now: number): void
}

/** What a call needs of the pool. */
export interface Connections {
	readonly ticker: Ticker
	acquire(target: UpstreamTarget, need: Need): UpstreamConnection
	/** `keepMs`: how long the instance keeps it, as far as is known. */
	keep(connection: UpstreamConnection, keepMs: number): void
}

/**
 * `fresh`: a new connection. `young`: a kept one only when it was just used, because the request cannot be repeated.
 * `plain`: a new one that may leave HTTP.
 */
export type Need = 'any' | 'young' | 'fresh' | 'plain'

/** More than this waiting to be written: the writer has to wait. */
const fullBytes = 256 * 1024

export class UpstreamConnection implements Flushable {
	readonly socket: Socket
	/** Of the target it leads to. */
	readonly key: string
	/** Requests that it carried before the present one. */
	uses = 0
	/** When it was laid aside, and until when it may be used; milliseconds of the ticker. */
	idleSince = 0
	idleUntil = 0
	isConnected = false
	#user: ConnectionUser | null = null
	#error: Error | null = null
	#isGathering = false
	/** Waits for what is written with it. */
	#head: string | null = null
	readonly #batch: Batch
	readonly #onClosed: (connection: UpstreamConnection) => void

	/** `shared`: the buffer to read into, `null` for a plain connection. */
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

	readonly #connected = (): void => {
		this.isConnected = true
		this.#user?.connected()
	}

	readonly #read = (count: number, buffer: Uint8Array): boolean => {
		const bytes = buffer as Buffer // the shared buffer that the constructor was given
		this.#use(bytes.subarray(0, count))
		return true
	}

	readonly #plain = (bytes: Buffer): void => this.#use(bytes)

	readonly #closed = (): void => {
		const user = this.#user
		this.#user = null
		this.#onClosed(this)
		user?.closed(this.#error)
	}

	/** Unrequested bytes: the next request would take them for its answer (G21). */
	#use(bytes: Buffer): void {
		if (this.#user === null) this.socket.destroy()
		else this.#user.received(bytes)
	}

	get isAlive(): boolean {
		return !this.socket.destroyed && this.socket.writable && this.socket.readable
	}

	get isFull(): boolean {
		return this.socket.writableLength > fullBytes
	}

	/** A request begins; its head goes out at the end of the round, with what there is of its body by then. Latin-1. */
	begin(head: string): void {
		this.#head = head
		this.#batch.add(this)
	}

	/** What is written from now on goes out at the end of the round, or with `flush`: TLS hands bodies over in small pieces. */
	gather(): void {
		if (this.#isGathering) return
		this.#isGathering = true
		this.socket.cork()
		this.#writeHead()
		this.#batch.add(this)
	}

	flush(): void {
		this.#writeHead()
		if (!this.#isGathering) return
		this.#isGathering = false
		this.socket.uncork()
	}

	#writeHead(): void {
		const head = this.#head
		this.#head = null
		if (head !== null && !this.socket.destroyed) this.socket.write(head, 'latin1')
	}

	tick(now: number): void {
		this.#user?.tick(now)
	}

	attach(user: ConnectionUser): void {
		this.#user = user
	}

	detach(): void {
		this.#user = null
	}

	/** Leaves HTTP: the new owner of the socket listens to it. Its errors are always handled. */
	release(): void {
		this.#user = null
		this.socket.pause()
		this.socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain')
	}

	destroy(): void {
		this.socket.destroy()
	}
}
