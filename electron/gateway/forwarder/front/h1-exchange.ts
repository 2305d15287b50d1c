/** One request on an HTTP/1 connection and its answer. */
import type {BodyPace, ClientExchange, RequestBodySink, TakenOver} from '../exchange.ts'
import {chunkEnd, chunkStart, lastChunk, safe, writeFields, writeResponseHead} from '../http1/write.ts'
import type {Fields, ResponseFraming} from '../message-types.ts'
import type {Output} from './h1-output.ts'
import {StartedExchange, type ExchangeStart} from './serving.ts'

/** The connection as used by an exchange. */
export interface ExchangeHost {
	output: Output
	received: number
	/** Whether the connection may continue after this exchange, as known at the start of its answer. */
	mayGoOn(): boolean
	readBody(sink: RequestBodySink, pace: BodyPace): void
	pauseBody(): void
	resumeBody(): void
	/** The answer is written. */
	ended(goesOn: boolean): void
	destroy(): void
	takeOver(): TakenOver
}

const continueLine = 'HTTP/1.1 100 Continue\r\n\r\n'

type AnswerPhase = 'none' | 'head' | 'ended'

export class H1Exchange extends StartedExchange implements ClientExchange {
	readonly #host: ExchangeHost
	#phase: AnswerPhase = 'none'
	#framing: ResponseFraming = {kind: 'none'}
	#goesOn = false
	#isContinued = false
	#isLast = false

	constructor(host: ExchangeHost, start: ExchangeStart) {
		super(start)
		this.#host = host
	}

	get received() {
		return this.#host.received
	}

	get isAnswering() {
		return this.#phase === 'head'
	}

	/** Whether the client still waits for `100 Continue`, and so has sent no body. */
	get isAwaitingContinue() {
		return this.head.expectContinue && !this.#isContinued
	}

	readBody(sink: RequestBodySink, pace: BodyPace) {
		this.#host.readBody(sink, pace)
	}

	pauseBody() {
		this.#host.pauseBody()
	}

	resumeBody() {
		this.#host.resumeBody()
	}

	sendContinue() {
		if (!this.isAwaitingContinue || this.#phase !== 'none') return
		this.#isContinued = true
		this.#host.output.text(continueLine)
	}

	/** Sends something without effect to learn whether the client is there. */
	probe() {
		if (this.head.version === '1.1' && this.#phase === 'none') this.#host.output.text(continueLine)
	}

	sendInformation(status: number, reason: string, fields: Fields) {
		if (this.head.version === '1.0' || this.#phase !== 'none') return
		this.#host.output.text(writeResponseHead(status, reason, fields))
	}

	closeAfter() {
		this.#isLast = true
	}

	sendHead(status: number, reason: string, fields: Fields, framing: ResponseFraming) {
		if (this.#phase !== 'none') return
		const isOld = this.head.version === '1.0'
		// For 1.0 a body of unknown length ends with the connection (G25); for 1.1 it is chunked.
		const isOpen = framing.kind === 'chunked' || framing.kind === 'close'
		this.#framing = isOpen ? {kind: isOld ? 'close' : 'chunked'} : framing
		this.#goesOn = this.head.keepAlive && !this.#isLast && this.#framing.kind !== 'close' && this.#host.mayGoOn()
		const text = `HTTP/1.1 ${String(status)} ${safe(reason)}\r\n${writeFields(fields)}`
		this.#phase = 'head'
		this.#host.output.text(`${text}${framingLine(this.#framing)}${connectionLine(this.#goesOn, isOld)}\r\n`)
	}

	sendData(chunk: Buffer) {
		return this.#send(chunk, false)
	}

	sendBorrowed(bytes: Buffer) {
		return this.#send(bytes, true)
	}

	#send(bytes: Buffer, isBorrowed: boolean) {
		if (this.#phase !== 'head' || bytes.length === 0) return true
		const {output} = this.#host
		this.sent += bytes.length
		if (this.#framing.kind === 'length' && this.sent > this.#framing.length) {
			this.abort()
			return true
		}
		if (this.#framing.kind === 'chunked') {
			output.text(chunkStart(bytes.length))
			output.bytes(bytes, isBorrowed)
			output.text(chunkEnd)
		} else output.bytes(bytes, isBorrowed)
		return !output.isFull
	}

	sendEnd(trailers: Fields) {
		if (this.#phase !== 'head') return
		if (this.#framing.kind === 'length' && this.sent !== this.#framing.length) return this.abort()
		this.#phase = 'ended'
		if (this.#framing.kind === 'chunked') {
			this.#host.output.text(lastChunk(this.head.wantsTrailers ? trailers : []))
		}
		this.#host.output.gather()
		this.#host.ended(this.#goesOn)
	}

	abort() {
		if (this.#phase === 'ended') return
		this.#phase = 'ended'
		this.#host.destroy()
	}

	takeOver() {
		this.#phase = 'ended'
		return this.#host.takeOver()
	}

	/** The client has left. */
	left() {
		if (this.#phase === 'ended') return
		this.#phase = 'ended'
		this.onAbort?.()
	}
}

function framingLine(framing: ResponseFraming) {
	if (framing.kind === 'length') return `Content-Length: ${String(framing.length)}\r\n`
	return framing.kind === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : ''
}

function connectionLine(goesOn: boolean, isOld: boolean) {
	if (!goesOn) return 'Connection: close\r\n'
	return isOld ? 'Connection: keep-alive\r\n' : ''
}
