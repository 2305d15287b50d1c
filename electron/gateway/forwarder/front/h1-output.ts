/** Collects the writes of one turn, so that a small answer, head and body, is one write and one TLS record. */
import type {Socket} from 'node:net'
import {TLSSocket} from 'node:tls'

import type {Batch, Flushable} from '../batch.ts'

/** Pieces up to this size are joined; larger ones are not worth a copy. */
const joinBytes = 64 * 1024
/** Joined data up to this size may wait for the end of the round; more keeps the client busy anyway. */
const waitBytes = 16 * 1024

export class Output implements Flushable {
	readonly #socket: Socket
	readonly #batch: Batch
	/** TLS encrypts data before `write` returns, unless another write waits; plain sockets may keep it. */
	readonly #usesUp: boolean
	#pieces: (string | Buffer)[] = []
	#size = 0
	/** A piece is overwritten after this turn. */
	#hasBorrowed = false
	#isScheduled = false
	/** Written first at the end of the round. */
	#ready: string | Buffer | null = null
	/** All bytes given to the socket, or ready for it. */
	#written = 0

	constructor(socket: Socket, batch: Batch) {
		this.#socket = socket
		this.#batch = batch
		this.#usesUp = socket instanceof TLSSocket
	}

	/** Latin-1. */
	text(text: string) {
		this.#add(text)
	}

	/** `isBorrowed`: overwritten after this turn. */
	bytes(bytes: Buffer, isBorrowed: boolean) {
		if (isBorrowed) this.#hasBorrowed = true
		this.#add(bytes)
	}

	/** Callers should wait for `drain`. */
	get isFull() {
		return this.#socket.writableNeedDrain && this.#socket.writableLength > 0
	}

	/** Approximate bytes accepted by the kernel. */
	get flushed() {
		return this.#written - this.#socket.writableLength
	}

	get isWaiting() {
		return this.#socket.writableLength > 0
	}

	/** The message is complete, or the turn over: no borrowed bytes are held after this. */
	gather() {
		const pieces = this.#pieces
		if (pieces.length === 0) return
		const size = this.#size
		const hasBorrowed = this.#hasBorrowed
		this.#pieces = []
		this.#size = 0
		this.#hasBorrowed = false
		if (!this.#socket.writable) return
		this.#written += size
		if (size <= waitBytes) this.#wait(pieces.length > 1 || hasBorrowed ? join(pieces, size) : (pieces[0] ?? ''))
		else this.#writeNow(pieces, size, hasBorrowed)
	}

	/** Immediately. */
	flush() {
		this.gather()
		this.#writeReady()
	}

	#add(piece: string | Buffer) {
		this.#pieces.push(piece)
		this.#size += piece.length
		if (this.#size > joinBytes / 2) this.gather()
		else if (!this.#isScheduled) {
			this.#isScheduled = true
			process.nextTick(this.#gatherLater)
		}
	}

	readonly #gatherLater = () => {
		this.#isScheduled = false
		this.gather()
	}

	#wait(ready: string | Buffer) {
		this.#writeReady()
		this.#ready = ready
		this.#batch.add(this)
	}

	#writeReady() {
		const ready = this.#ready
		this.#ready = null
		if (ready !== null && this.#socket.writable) this.#write(ready)
	}

	#writeNow(pieces: readonly (string | Buffer)[], size: number, hasBorrowed: boolean) {
		this.#writeReady()
		const mustCopy = hasBorrowed && (!this.#usesUp || this.isWaiting)
		const [first] = pieces
		if (mustCopy || (pieces.length > 1 && size <= joinBytes)) this.#socket.write(join(pieces, size))
		else if (pieces.length > 1) this.#writeAll(pieces)
		else if (first !== undefined) this.#write(first)
	}

	#write(piece: string | Buffer) {
		if (typeof piece === 'string') this.#socket.write(piece, 'latin1')
		else this.#socket.write(piece)
	}

	#writeAll(pieces: readonly (string | Buffer)[]) {
		this.#socket.cork()
		for (const piece of pieces) this.#write(piece)
		this.#socket.uncork()
	}
}

function join(pieces: readonly (string | Buffer)[], size: number) {
	const all = Buffer.allocUnsafe(size)
	let at = 0
	for (const piece of pieces) {
		at += typeof piece === 'string' ? all.write(piece, at, 'latin1') : piece.copy(all, at)
	}
	return all
}
