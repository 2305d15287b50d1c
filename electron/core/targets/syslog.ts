/**
 * Syslog (RFC 5424) over TLS (RFC 5425). The protocol has no responses, so a connection's messages are confirmed only when the
 * receiver has read it to the end and the next connection, opened before, has stayed up for a while after: killing the receiver
 * breaks it, and everything since is sent again.
 */
import {isIP} from 'node:net'
import {hostname} from 'node:os'
import {addAbortSignal} from 'node:stream'
import {connect, type TLSSocket} from 'node:tls'

import {createTurns} from '#base/turns.ts'
import {verifying} from '#core/service/api/trust.ts'
import {guardedLookup} from '#base/outbound.ts'
import type {Batch, Item, SessionHost, Source, TargetSession, ToOf} from './session.ts'

const connectMs = 10_000
/** How long a receiver may read nothing. */
const patienceMs = 15_000
/** Messages per connection, and its lifetime after the first, before it is closed and confirmed. */
const mostOfOne = 2000
const longestMs = 2000
/** Time for the receiver to store what it has read. */
const settleMs = 5000

const usualTimes = {longestMs, settleMs, patienceMs}
export type SyslogTimes = Readonly<typeof usualTimes>

/** Facility local0, and severity: critical 2, high 3, medium 4, low 5, none 6. */
function priorityOf(severity: number) {
	return 16 * 8 + 6 - Math.max(0, Math.min(4, severity))
}

/** Pure: one message with its length prefix. `null`: the receiver would truncate it. */
export function frameOf(item: Item, source: Source, mostBytes: number): Buffer | null {
	const data = `[cordon@32473 id="${item.id.replace(/["\\\]]/g, '\\$&')}" source="${source}" seq="${item.position}"]`
	const name = hostname().replace(/[^\u0021-\u007e]/g, '') || '-'
	const kind = item.kind.replace(/[^\u0021-\u007e]/g, '').slice(0, 32) || '-'
	const head = `<${priorityOf(item.severity)}>1 ${item.at} ${name} cordon - ${kind} ${data} `
	const text = Buffer.from(head + item.body, 'utf8')
	return text.length > mostBytes ? null : Buffer.concat([Buffer.from(`${text.length} `), text])
}

type Sealed = Pick<Batch, 'source' | 'generation' | 'upTo'> & {count: number}

export async function openSyslog(to: ToOf<'syslog'>, host: SessionHost, times: SyslogTimes = usualTimes): Promise<TargetSession> {
	const session = new Syslog(to, host, times)
	await session.open()
	return session
}

class Syslog implements TargetSession {
	readonly #to: ToOf<'syslog'>
	readonly #host: SessionHost
	readonly #times: SyslogTimes
	readonly #turn = createTurns()
	readonly #ended = new AbortController()
	readonly #trusted: ReturnType<typeof verifying>
	#socket: TLSSocket | undefined
	#failure: Error | undefined
	#onSocket: Sealed[] = []
	/** Batches that are not confirmed. */
	#open = 0
	#first: number | undefined
	#count = 0

	constructor(to: ToOf<'syslog'>, host: SessionHost, times: SyslogTimes) {
		this.#to = to
		this.#host = host
		this.#times = times
		this.#trusted = verifying(to.ca === null ? [] : [to.ca])
	}

	async open(): Promise<void> {
		this.#socket ??= await this.#connect()
	}

	send(batch: Batch): Promise<void> {
		return this.#turn(async () => {
			const frames: Buffer[] = []
			for (const item of batch.items) {
				const frame = frameOf(item, batch.source, this.#to.mostBytes)
				if (frame === null) this.#host.refuse(batch.source, item, `It is longer than ${this.#to.mostBytes} bytes.`)
				else frames.push(frame)
			}
			await this.#write(Buffer.concat(frames))
			const {source, generation, upTo} = batch
			this.#onSocket.push({source, generation, upTo, count: frames.length})
			this.#open += 1
			this.#count += frames.length
			if (this.#first === undefined) {
				this.#first = this.#host.clock.monotonic()
				this.#later(this.#times.longestMs, () => this.#turn(() => this.#seal()))
			}
			if (this.#count >= mostOfOne) await this.#seal()
		})
	}

	async close(): Promise<void> {
		this.#ended.abort()
		this.#socket?.destroy()
	}

	#later(ms: number, work: () => Promise<void>) {
		const {clock} = this.#host
		const waited = clock.sleep(ms, this.#ended.signal).then(work)
		waited.catch((error: unknown) => {
			if (!this.#ended.signal.aborted) this.#fail(error)
		})
	}

	#fail(error: unknown) {
		this.#failure ??= error instanceof Error ? error : new Error(String(error))
		this.#host.fail(this.#failure)
	}

	async #write(bytes: Buffer) {
		if (this.#failure !== undefined) throw this.#failure
		await this.open()
		const {promise, resolve, reject} = Promise.withResolvers<void>()
		const socket = this.#socket
		socket?.setTimeout(this.#times.patienceMs)
		socket?.write(bytes, error => (error === null || error === undefined ? resolve() : reject(socket.errored ?? error)))
		await promise
		socket?.setTimeout(0)
	}

	/** Receivers close connections on which nothing comes: that is no failure unless another cannot be opened. */
	#lost(error: Error, openedAt: number) {
		const {settleMs: whole} = this.#times
		if (this.#open > 0 || this.#host.clock.monotonic() - openedAt < whole) return this.#fail(error)
		this.#socket = undefined
		this.#later(0, () => this.#turn(() => this.open()))
	}

	/** The next connection is open before this one is closed. */
	async #seal() {
		if (this.#count === 0 && this.#onSocket.length === 0) return
		const [before, sealed] = [this.#socket, this.#onSocket]
		const next = await this.#connect()
		this.#socket = next
		this.#onSocket = []
		this.#first = undefined
		this.#count = 0
		if (before !== undefined) await readToEnd(before, this.#times.patienceMs)
		this.#later(this.#times.settleMs, async () => {
			if (this.#failure !== undefined) return
			this.#open -= sealed.length
			for (const one of sealed) this.#host.delivered(one, one.upTo, one.count)
		})
	}

	#connect() {
		const {host, port} = this.#to
		const {promise, resolve, reject} = Promise.withResolvers<TLSSocket>()
		const name = isIP(host) === 0 ? {servername: host} : {}
		const to = {host, port, ...this.#trusted, lookup: guardedLookup(host, this.#to.private), ...name}
		const socket = addAbortSignal(this.#host.signal, connect(to))
		let slow = 'No connection within 10 seconds'
		let openedAt = 0
		let why = new Error('The receiver closed the connection')
		socket.setTimeout(connectMs)
		socket.on('timeout', () => socket.destroy(new Error(slow)))
		socket.setKeepAlive(true, 10_000)
		socket.on('error', error => (why = error))
		socket.on('close', () => {
			reject(why)
			if (socket === this.#socket) this.#lost(why, openedAt)
		})
		socket.on('secureConnect', () => {
			socket.setTimeout(0)
			slow = 'The receiver does not read'
			openedAt = this.#host.clock.monotonic()
			resolve(socket)
		})
		// The receiver never sends anything.
		socket.resume()
		return promise
	}
}

/** A receiver that closes cleanly after our end has read everything; a killed one resets. */
function readToEnd(socket: TLSSocket, patience: number) {
	const {promise, resolve, reject} = Promise.withResolvers<void>()
	socket.setTimeout(patience)
	socket.on('error', reject)
	socket.on('close', hadError => (hadError ? reject(new Error('The connection broke')) : resolve()))
	if (socket.destroyed) reject(new Error('The connection broke'))
	else socket.end()
	return promise
}
