import type {BodyLimits, BodyReader, BodySide, BodySink, Refusal, RequestFraming, ResponseFraming} from '../message-types.ts'
import {badAnswer, badRequest} from '../refusals.ts'
import {carriageReturn, lineFeed, requestNameBytes, tokenBytes, valueBytes} from './characters.ts'
import {readFields, wholeLines} from './fields.ts'

abstract class Reader implements BodyReader {
	state: BodyReader['state'] = 'open'
	received = 0
	protected readonly sink: BodySink

	constructor(sink: BodySink) {
		this.sink = sink
	}

	abstract push(chunk: Buffer, from: number): number

	close() {
		return this.state === 'done'
	}

	stop() {
		if (this.state === 'open') this.state = 'stopped'
	}
}

class CountedReader extends Reader {
	readonly #length: number

	constructor(length: number, sink: BodySink) {
		super(sink)
		this.#length = length
		if (length === 0) this.state = 'done'
	}

	push(chunk: Buffer, from: number) {
		if (this.state !== 'open' || from >= chunk.length) return from
		const to = Math.min(chunk.length, from + this.#length - this.received)
		this.received += to - from
		const isLast = this.received === this.#length
		this.sink.data(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to))
		if (isLast && this.state === 'open') {
			this.state = 'done'
			this.sink.end([])
		}
		return to
	}
}

/** Reads until the other side closes. */
class ClosingReader extends Reader {
	push(chunk: Buffer, from: number) {
		if (this.state !== 'open' || from >= chunk.length) return from
		this.received += chunk.length - from
		this.sink.data(from === 0 ? chunk : chunk.subarray(from))
		return chunk.length
	}

	override close() {
		if (this.state === 'open') {
			this.state = 'done'
			this.sink.end([])
		}
		return this.state === 'done'
	}
}

/** Decodes one message's body from pieces of any size, without copies. */
export function createBodyReader(framing: RequestFraming | ResponseFraming, limits: BodyLimits, side: BodySide, sink: BodySink): BodyReader {
	switch (framing.kind) {
		case 'none':
			return new CountedReader(0, sink)
		case 'length':
			return new CountedReader(framing.length, sink)
		case 'close':
			return new ClosingReader(sink)
		case 'chunked':
			return new ChunkedReader(limits, side, sink)
	}
}

/**
 * The chunked coding (RFC 9112, 7.1), strictly: hexadecimal digits only, CRLF exactly, no blanks around the size (G14).
 * Extensions are dropped; their total per message is limited. Sizes do not count, because a long stream of small chunks would
 * reach the limit; a size has at most 16 digits.
 */
const semicolon = 0x3b
const longestSize = 16

/** Value of a hexadecimal digit, 255 for every other byte. */
const digits = Uint8Array.from({length: 256}, (_, byte) => {
	const text = String.fromCharCode(byte)
	return /[0-9A-Fa-f]/.test(text) ? Number.parseInt(text, 16) : 255
})

type Phase = 'size' | 'extension' | 'size LF' | 'data' | 'data CR' | 'data LF' | 'trailers'

class ChunkedReader extends Reader {
	#phase: Phase = 'size'
	/** Of the chunk: its size while its line is read, then its remaining bytes. */
	#left = 0
	#digits = 0
	#extensions = 0
	#trailers = ''
	readonly #limits: BodyLimits
	readonly #side: BodySide

	constructor(limits: BodyLimits, side: BodySide, sink: BodySink) {
		super(sink)
		this.#limits = limits
		this.#side = side
	}

	push(chunk: Buffer, from: number) {
		let at = from
		while (at < chunk.length && this.state === 'open') {
			if (this.#phase === 'data') at = this.#data(chunk, at)
			else if (this.#phase === 'trailers') at = this.#readTrailers(chunk, at)
			else at = this.#frame(chunk, at)
		}
		return at
	}

	#fail(fault: 'chunk' | 'chunkOverhead' | 'trailers' | 'trailersTooLarge') {
		this.state = 'failed'
		const refusal: Refusal = (this.#side === 'request' ? badRequest : badAnswer)[fault]
		this.sink.failed(refusal)
	}

	#data(chunk: Buffer, at: number) {
		const to = Math.min(chunk.length, at + this.#left)
		this.#left -= to - at
		this.received += to - at
		if (this.#left === 0) this.#phase = 'data CR'
		this.sink.data(chunk.subarray(at, to))
		return to
	}

	/** Everything between two chunks' data, until it ends or the piece does. */
	#frame(chunk: Buffer, from: number) {
		let at = from
		while (at < chunk.length && this.state === 'open' && this.#phase !== 'data' && this.#phase !== 'trailers') {
			this.#byte(chunk[at++] ?? 0)
		}
		return at
	}

	#byte(byte: number) {
		switch (this.#phase) {
			case 'size':
				return this.#sizeByte(byte)
			case 'extension':
				return this.#extensionByte(byte)
			case 'size LF':
				if (byte !== lineFeed) return this.#fail('chunk')
				this.#phase = this.#left === 0 ? 'trailers' : 'data'
				return
			case 'data CR':
				if (byte !== carriageReturn) return this.#fail('chunk')
				this.#phase = 'data LF'
				return
			default:
				if (byte !== lineFeed) return this.#fail('chunk')
				this.#phase = 'size'
				this.#digits = 0
		}
	}

	#sizeByte(byte: number) {
		const digit = digits[byte] ?? 255
		if (digit !== 255) {
			this.#left = this.#left * 16 + digit
			if (++this.#digits > longestSize || !Number.isSafeInteger(this.#left)) this.#fail('chunk')
		} else if (this.#digits > 0 && byte === carriageReturn) this.#phase = 'size LF'
		else if (this.#digits > 0 && byte === semicolon) this.#extensionByte(byte)
		else this.#fail('chunk')
	}

	#extensionByte(byte: number) {
		this.#phase = 'extension'
		if (byte === carriageReturn) this.#phase = 'size LF'
		else if (valueBytes[byte] !== 1) this.#fail('chunk')
		else if (++this.#extensions > this.#limits.chunkOverheadBytes) this.#fail('chunkOverhead')
	}

	#readTrailers(chunk: Buffer, from: number) {
		const before = this.#trailers.length
		const room = Math.min(chunk.length, from + this.#limits.headBytes - before)
		this.#trailers += chunk.toString('latin1', from, room)
		if (this.#trailers.startsWith('\r\n')) return this.#end(from + 2 - before, '')
		const end = this.#trailers.indexOf('\r\n\r\n', Math.max(0, before - 3))
		if (end !== -1) return this.#end(from + end + 4 - before, this.#trailers.slice(0, end + 2))
		// Only a newly completed line can be faulty.
		const hasLine = this.#trailers.indexOf('\n', before) !== -1
		const fault = hasLine ? this.#faultIn(wholeLines(this.#trailers, 0), []) : null
		if (fault === null && this.#trailers.length >= this.#limits.headBytes) this.#fail('trailersTooLarge')
		return room
	}

	/** `null`: none. */
	#faultIn(lines: string, fields: string[]) {
		const names = this.#side === 'request' ? requestNameBytes : tokenBytes
		const fault = readFields(lines, 0, names, this.#limits.fields, fields)
		if (fault === 'headTooLarge') this.#fail('trailersTooLarge')
		else if (fault !== null) this.#fail('trailers')
		return fault
	}

	#end(next: number, lines: string) {
		const fields: string[] = []
		if (this.#faultIn(lines, fields) === null) {
			this.state = 'done'
			this.sink.end(fields)
		}
		return next
	}
}
