/** Runs a case against a forwarder and names its outcome. */
import {once} from 'node:events'
import {createServer, type Server, type Socket} from 'node:net'
import {setTimeout as sleep} from 'node:timers/promises'

import {openPort} from '#base/testing/port.ts'
import {createBodyReader} from '../../http1/body.ts'
import {combined} from '../../headers/lookup.ts'
import {parseRequestHead} from '../../http1/request-head.ts'
import {defaultLimits} from '../../limits.ts'
import type {BodyReader, Fields, RequestHead} from '../../message-types.ts'
import {malformedAnswers, wellFormedAnswers} from './answers.ts'
import type {MalformedCase, WellFormedCase} from './case.ts'
import {type Place, tell, type Told} from './client.ts'

export interface Verdict {
	isRight: boolean
	/** For the matrix: a status, `→` for forwarded, `cut`, `no answer`. */
	outcome: string
	/** The fault; empty without one. */
	problem: string
}

export interface Subject {
	place: Place
	origin: RecordingOrigin
	/** Whether the route prefix is removed. */
	strips: boolean
	/** Time limit of an answer in milliseconds. */
	patienceMs: number
}

function right(outcome: string): Verdict {
	return {isRight: true, outcome, problem: ''}
}

function wrong(outcome: string, problem: string): Verdict {
	return {isRight: false, outcome, problem}
}

function statusOf(told: Told) {
	return told.answers[0]?.head.status ?? null
}

function describe(told: Told) {
	const [answer] = told.answers
	if (answer === undefined) return told.rest === '' ? (told.isClosed ? 'closed' : 'no answer') : 'no HTTP'
	return answer.isWhole ? String(answer.head.status) : `${String(answer.head.status)} cut`
}

/** A malformed request: refused with a right status, the connection closed, nothing complete at the instance. */
export async function judgeMalformed({bytes, status, where}: MalformedCase, subject: Subject): Promise<Verdict> {
	const {origin, place} = subject
	origin.reset()
	// A second request follows: a server that answers it miscounted the bytes.
	const probe = 'GET /instance/execute/edl/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
	const [text, closeMs] = where === 'rules' ? [bytes, 250] : [bytes + probe, Math.min(subject.patienceMs, 5000)]
	const told = await tell(place, text, {answers: 1, answerMs: subject.patienceMs, closeMs})
	const got = statusOf(told)
	const forwarded = origin.requests.filter(({isWhole}) => isWhole)
	const arrived = origin.raw !== ''
	const outcome = forwarded.length > 0 || (arrived && where !== 'body') ? `→ ${describe(told)}` : describe(told)
	if (forwarded.length > 0) return wrong(outcome, `forwarded: ${forwarded.map(({method, target}) => `${method} ${target}`).join(', ')}`)
	if (arrived && where !== 'body') return wrong(outcome, 'bytes of it arrived at the instance')
	if (got === null || !status.includes(got)) return wrong(outcome, `instead of ${status.join(' or ')}`)
	if (where !== 'rules' && told.answers.length > 1) return wrong(outcome, 'the request behind it was answered')
	if (where !== 'rules' && !told.isClosed) return wrong(outcome, 'the connection stayed open')
	return right(outcome)
}

/** `null`: the instance saw the expected request. */
function unlike(one: WellFormedCase, seen: Recorded, strips: boolean) {
	if (seen.method !== one.method) return `method ${seen.method}`
	if (strips && seen.target !== one.target) return `target ${seen.target.slice(0, 60)}`
	if (!seen.isWhole || seen.body !== one.body) return `body ${JSON.stringify(seen.body)}`
	for (const [name, value] of Object.entries(one.fields ?? {})) {
		const given = combined(seen.fields, name)
		if (given !== value) return `${name}: ${given === null ? 'missing' : given.slice(0, 40)}`
	}
	return null
}

/** A well-formed request: the instance sees it as meant, and the client gets the answer. */
export async function judgeWellFormed(one: WellFormedCase, subject: Subject): Promise<Verdict> {
	const {origin, place} = subject
	origin.reset()
	const told = await tell(place, one.bytes, {methods: [one.method], answerMs: subject.patienceMs})
	const outcome = describe(told)
	const [seen, ...others] = origin.requests
	if (statusOf(told) !== 200) return wrong(outcome, 'not answered')
	if (seen === undefined || others.length > 0) return wrong(outcome, `${String(origin.requests.length)} requests arrived`)
	const difference = unlike(one, seen, subject.strips)
	return difference === null ? right('→') : wrong('→', difference)
}

/** An instance's answer: as expected, and the next request of another client unaffected. */
export async function judgeUpstream(one: UpstreamCase, subject: Subject): Promise<Verdict> {
	const {origin, place} = subject
	const {method = 'GET'} = one
	origin.reset()
	origin.answer = one.answer
	const request = `${method} /instance/execute/edl/x HTTP/1.1\r\nHost: localhost\r\n\r\n`
	const told = await tell(place, request, {methods: [method], answerMs: subject.patienceMs})
	const outcome = describe(told)
	const problem = upstreamProblem(one, told)
	if (problem !== null) return wrong(outcome, problem)
	origin.reset()
	const next = await tell(place, request.replace(method, 'GET'), {answerMs: subject.patienceMs})
	const isUnharmed = next.answers[0]?.head.status === 200 && next.answers[0].body === 'ok'
	return isUnharmed ? right(outcome) : wrong(outcome, `the next request got ${describe(next)}`)
}

function upstreamProblem(one: UpstreamCase, told: Told) {
	const [answer] = told.answers
	// Closing before any byte of a broken answer tells the client enough.
	if (!one.isWhole && answer === undefined && told.isClosed) return null
	if (answer === undefined) return told.rest === '' ? 'no answer' : 'passed on'
	if (!one.isWhole && answer.head.status === 502) return null
	if (answer.head.status !== one.status) return `instead of ${String(one.status)}`
	if (!one.isWhole) return answer.isWhole ? 'looks whole' : told.isClosed ? null : 'the client is left hanging'
	if (!answer.isWhole) return 'is cut short'
	if (one.body !== undefined && answer.body !== one.body) return `body ${JSON.stringify(answer.body)}`
	if (one.interim !== undefined && told.interim.join() !== one.interim.join()) return `interim ${told.interim.join()}`
	const names = new Set(answer.head.fields.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase()))
	const leaked = one.absent?.filter(name => names.has(name)) ?? []
	return leaked.length === 0 ? null : `leaks ${leaked.join(', ')}`
}

/** Behaviour of instances (route description, 4.3): what they send, and what the client must get. */
interface UpstreamCase {
	name: string
	method?: string
	answer: readonly Step[]
	/** With `isWhole: false` a truncated answer. */
	status: number
	isWhole: boolean
	body?: string
	interim?: readonly number[]
	/** Lower-case names that must not arrive. */
	absent?: readonly string[]
}

const fields = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'
const ok = `${fields}\r\nok`

function good(name: string, answer: readonly Step[], more: Partial<UpstreamCase> = {}): UpstreamCase {
	return {name, answer, status: 200, isWhole: true, body: 'ok', ...more}
}

function gateway(name: string, answer: readonly Step[], status = 502): UpstreamCase {
	return {name, answer, status, isWhole: true}
}

function cut(name: string, answer: readonly Step[], body: string): UpstreamCase {
	return {name, answer, status: 200, isWhole: false, body}
}

const own: readonly UpstreamCase[] = [
	gateway('accept and close', ['close']),
	gateway('accept and reset', ['reset']),
	gateway('half a head, then close', ['HTTP/1.1 200 OK\r\nContent-', 'close']),
	gateway('no answer', [], 504),
	gateway('half a head and no more', ['HTTP/1.1 200 OK\r\n'], 504),
	gateway('101 that nobody asked for', ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n']),
	good(
		'byte by byte',
		ok.split('').flatMap(byte => [byte, 1])
	),
	good('103, then 200', ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 20, ok], {interim: [103]}),
	good('100 that nobody asked for', ['HTTP/1.1 100 Continue\r\n\r\n', ok], {interim: []}),
	good('102, then 200 in one piece', [`HTTP/1.1 102 Processing\r\n\r\n${ok}`], {interim: [102]}),
	good('204 with a body', ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'], {status: 204, body: ''}),
	good('HEAD with a body', [ok], {method: 'HEAD', body: ''}),
	good('extra bytes behind the answer', [`${ok}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`]),
	good(
		'fields of the connection',
		[`${fields}Connection: X-Secret, keep-alive\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nUpgrade: x\r\nTrailer: y\r\n\r\nok`],
		{absent: ['x-secret', 'keep-alive', 'upgrade', 'trailer']}
	),
	good('head of 64 kB less a little', [`${fields}X: ${'a'.repeat(65_000)}\r\n\r\nok`]),
	good('trailers that nobody wants', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n']),
	cut('reset in the body', [`HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok`, 30, 'reset'], 'ok')
]

export const upstreamCases: readonly UpstreamCase[] = [
	...own,
	...malformedAnswers.map(({name, bytes, where}) =>
		where === 'head' ? gateway(name, [bytes, 'close']) : cut(`body: ${name}`, [bytes, 20, 'close'], 'ab')
	),
	...wellFormedAnswers.map(({name, bytes, method, status, body, framing}) =>
		good(name, framing.kind === 'close' ? [bytes, 'close'] : [bytes], {method, status, body})
	)
]

/* An instance that records every byte it gets and answers with exactly the given bytes. */

/** Latin-1 to send, milliseconds to wait, or an end of the connection. */
export type Step = string | number | 'close' | 'reset'

export interface Recorded {
	method: string
	target: string
	fields: Fields
	body: string
	trailers: Fields
	isWhole: boolean
}

export const plainAnswer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

export class RecordingOrigin {
	port = 0
	/** Parsed requests; unreadable ones are missing. */
	requests: Recorded[] = []
	/** Every byte since `reset`. */
	raw = ''
	/** The answer to each request. */
	answer: readonly Step[] = [plainAnswer]
	readonly #sockets = new Set<Socket>()
	readonly #server: Server

	constructor() {
		this.#server = createServer({noDelay: true, allowHalfOpen: true}, socket => this.#serve(socket))
	}

	async listen() {
		this.port = await openPort(this.#server)
	}

	reset() {
		this.requests = []
		this.raw = ''
		this.answer = [plainAnswer]
	}

	/** Waits until no connection is open; `false` after a long time. */
	async isIdle() {
		// Below `bodyGraceMs`, which would end an upload anyway.
		const until = Date.now() + 15_000
		while (this.#sockets.size > 0 && Date.now() < until) await sleep(5)
		return this.#sockets.size === 0
	}

	async stop() {
		this.#server.close()
		for (const socket of this.#sockets) socket.destroy()
		await once(this.#server, 'close')
	}

	#serve(socket: Socket) {
		this.#sockets.add(socket)
		let waiting = Buffer.alloc(0)
		let current: {record: Recorded; reader: BodyReader} | null = null
		const begin = (head: RequestHead) => {
			const {method, target, fields, framing} = head
			const record: Recorded = {method, target, fields, body: '', trailers: [], isWhole: false}
			this.requests.push(record)
			const reader = createBodyReader(framing, defaultLimits, 'request', {
				data: slice => (record.body += slice.toString('latin1')),
				end: trailers => (record.trailers = trailers),
				failed: () => {}
			})
			current = {record, reader}
		}
		/** Whether the buffer may hold more. */
		const step = () => {
			if (current === null) {
				const parsed = parseRequestHead(waiting, 0, waiting.length, defaultLimits)
				// Another forwarder may send what this parser refuses: it is answered to expose the case.
				if (parsed.kind === 'refused') void this.#reply(socket, true)
				if (parsed.kind !== 'head') return false
				waiting = waiting.subarray(parsed.next)
				begin(parsed.head)
				return true
			}
			waiting = waiting.subarray(current.reader.push(waiting, 0))
			if (current.reader.state !== 'done') return false
			current.record.isWhole = true
			current = null
			void this.#reply(socket)
			return waiting.length > 0
		}
		socket.on('data', chunk => {
			this.raw += chunk.toString('latin1')
			waiting = Buffer.concat([waiting, chunk])
			while (step());
		})
		socket.on('error', () => {}) // `close` follows
		socket.on('end', () => socket.end())
		socket.on('close', () => this.#sockets.delete(socket))
	}

	async #reply(socket: Socket, isLast = false) {
		for (const step of isLast ? [plainAnswer, 'close'] : this.answer) {
			if (socket.destroyed) return
			if (typeof step === 'number') await sleep(step)
			else if (step === 'close') socket.end()
			else if (step === 'reset') socket.resetAndDestroy()
			else socket.write(Buffer.from(step, 'latin1'))
		}
	}
}

/** To be stopped by the caller. */
export async function startOrigin() {
	const origin = new RecordingOrigin()
	await origin.listen()
	return origin
}
