/** A client that sends exact bytes and records the exact response. */
import {once} from 'node:events'
import {connect as connectPlain, type Socket} from 'node:net'
import {connect as connectTls} from 'node:tls'

import {createBodyReader} from '../../http1/body.ts'
import {parseResponseHead} from '../../http1/response-head.ts'
import {defaultLimits} from '../../limits.ts'
import type {Fields, ResponseHead} from '../../message-types.ts'

export interface Place {
	port: number
	/** PEM of the authority behind the certificate; `null`: no TLS. */
	authority: string | null
}

export interface Answer {
	head: ResponseHead
	body: string
	trailers: Fields
	/** Whether it ended as its framing says. */
	isWhole: boolean
}

export interface Told {
	/** Statuses of interim answers. */
	interim: readonly number[]
	answers: readonly Answer[]
	/** The other side closed the connection. */
	isClosed: boolean
	/** Bytes that are no answer. */
	rest: string
	raw: string
}

export interface Patience {
	/** Method of each request; the last one counts for further ones. */
	methods?: readonly string[]
	/** Number of answers to wait for. */
	answers?: number
	/** Time limit of an answer in milliseconds. */
	answerMs?: number
	/** Milliseconds to wait for the close after it; 0: none. */
	closeMs?: number
}

/** An open connection, to be destroyed by the caller. */
export async function dial({port, authority}: Place): Promise<Socket> {
	const socket =
		authority === null
			? connectPlain({port, host: '127.0.0.1'})
			: connectTls({port, host: '127.0.0.1', servername: 'localhost', ca: authority, ALPNProtocols: ['http/1.1']})
	await once(socket, authority === null ? 'connect' : 'secureConnect')
	socket.on('error', () => {}) // `close` follows
	return socket
}

/** Parses all received bytes as answers. */
function readAnswers(raw: Buffer, isClosed: boolean, methods: readonly string[]): Told {
	const answers: Answer[] = []
	const interim: number[] = []
	let at = 0
	while (at < raw.length) {
		const method = methods[Math.min(answers.length, methods.length - 1)] ?? 'GET'
		const parsed = parseResponseHead(raw, at, raw.length, {method, headBytes: 1 << 20})
		if (parsed.kind !== 'head') break
		at = parsed.next
		if (parsed.head.status < 200 && parsed.head.status !== 101) {
			interim.push(parsed.head.status)
			continue
		}
		const read = readBody(raw, at, parsed.head, isClosed)
		answers.push(read.answer)
		at = read.next
		if (!read.answer.isWhole || parsed.head.status === 101) break
	}
	return {interim, answers, isClosed, rest: raw.toString('latin1', at), raw: raw.toString('latin1')}
}

function readBody(raw: Buffer, from: number, head: ResponseHead, isClosed: boolean) {
	let body = ''
	let trailers: Fields = []
	const reader = createBodyReader(head.framing, defaultLimits, 'response', {
		data: slice => (body += slice.toString('latin1')),
		end: fields => (trailers = fields),
		failed: () => {}
	})
	const next = reader.push(raw, from)
	const isWhole = reader.state === 'done' || (isClosed && reader.close())
	return {answer: {head, body, trailers, isWhole} satisfies Answer, next}
}

/** Sends the bytes on a new connection and waits for the response. */
export async function tell(place: Place, bytes: string | Buffer, patience: Patience = {}): Promise<Told> {
	const socket = await dial(place)
	try {
		socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
		return await listen(socket, patience)
	} finally {
		socket.destroy()
	}
}

/** Reads from an open connection. */
export async function listen(socket: Socket, patience: Patience = {}): Promise<Told> {
	const {methods = ['GET'], answers = 1, answerMs = 30_000, closeMs = 0} = patience
	const chunks: Buffer[] = []
	return new Promise(resolve => {
		let isClosed = false
		const told = (): Told => readAnswers(Buffer.concat(chunks), isClosed, methods)
		const finish = () => {
			clearTimeout(timer)
			socket.off('data', take).off('end', close).off('close', close)
			resolve(told())
		}
		const take = (chunk: Buffer) => {
			chunks.push(chunk)
			if (told().answers.filter(({isWhole}) => isWhole).length < answers) return
			clearTimeout(timer)
			if (closeMs === 0) finish()
			else timer = setTimeout(finish, closeMs)
		}
		const close = () => {
			isClosed = true
			finish()
		}
		let timer = setTimeout(finish, answerMs)
		socket.on('data', take).once('end', close).once('close', close)
	})
}
