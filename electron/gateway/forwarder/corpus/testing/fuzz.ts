/**
 * Nearly valid bytes against the real server, with an independent parser behind it: forwarded bytes must be read there as here,
 * request by request, and a broken answer must never reach a client as a whole answer of another shape.
 */
import {once} from 'node:events'
import {createServer, type IncomingMessage} from 'node:http'
import {request} from 'node:https'
import {setTimeout as sleep} from 'node:timers/promises'

import {openPort} from '#base/testing/port.ts'
import type {RequestRecord} from '../../record-types.ts'
import {configOf} from '../../testing/heads.ts'
import type {Running} from '../../testing/running.ts'
import {malformedAnswers, wellFormedAnswers} from './answers.ts'
import {dial, listen, tell} from './client.ts'
import {malformed} from './malformed.ts'
import {wellFormed} from './well-formed.ts'

export interface Fuzzed {
	rounds: number
	/** Requests seen by the second parser, or answers accepted by the client. */
	passed: number
	/** The fault, with the bytes; fuzzing ends at the first. */
	problem: string | null
}

/** Parses requests independently. */
export interface SecondOpinion {
	port: number
	/** Method and target of each complete request since the last call, in order of their end. */
	take(): readonly string[]
	/** Milliseconds after an answer until the request is recorded. */
	settleMs: number
	/** Parse errors since the last call. */
	complaints(): readonly string[]
	stop(): Promise<void>
}

/** Node's own server. It accepts a fixed list of methods only. */
export async function startNodeOpinion(): Promise<SecondOpinion> {
	let seen: string[] = []
	let broken: string[] = []
	const server = createServer({maxHeaderSize: 1 << 17}, (message, response) => {
		message.resume().once('end', () => {
			seen.push(`${message.method ?? ''} ${message.url ?? ''}`)
			response.end('ok')
		})
	})
	server.maxHeadersCount = 0
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
		// A connection cut within a body is no disagreement; neither is an unknown method.
		const isHarmless = /EOF_STATE|INVALID_METHOD|ECONNRESET|EPIPE/.test(error.code ?? '')
		if (!isHarmless) broken.push(error.message)
		socket.destroy()
	})
	const port = await openPort(server)
	return {
		port,
		settleMs: 0,
		take: () => [seen, (seen = [])][0] ?? [],
		complaints: () => [broken, (broken = [])][0] ?? [],
		stop: async () => {
			server.close()
			server.closeAllConnections()
			await once(server, 'close')
		}
	}
}

/** Requests recorded as forwarded: to an instance, whole, answered by it. */
function forwarded(records: readonly RequestRecord[]) {
	return records.filter(({source, endedBy, status}) => source === 'instance' && endedBy === 'done' && status === 200).map(lineOf)
}

function withoutQuery(line: string) {
	return line.split('?', 1)[0] ?? ''
}

/** Whether `all` contains every one of `some`, with multiplicity. */
function isWithin(some: readonly string[], all: readonly string[]) {
	const left = [...all]
	return some.every(one => {
		const at = left.indexOf(one)
		if (at !== -1) left.splice(at, 1)
		return at !== -1
	})
}

/** `running` is reconfigured to forward to the second parser. */
export async function fuzzRequests(running: Running, opinion: SecondOpinion, ms: number, seed: number): Promise<Fuzzed> {
	running.forwarder.reload(configOf([{name: 'edl', listenPort: opinion.port}]))
	const until = Date.now() + ms
	let rounds = 0
	let passed = 0
	// A cut request may be recorded in a later round.
	let late: readonly string[] = []
	for (; Date.now() < until; rounds++) {
		const random = randomFrom(seed + rounds)
		const text = nearlyRequests(random)
		running.records.length = 0
		const socket = await dial(running.place)
		for (const piece of inPieces(text, random)) socket.write(piece)
		const told = await listen(socket, {answers: 4, answerMs: 25})
		socket.destroy()
		await idle(running)
		const {seen, problem} = await ask(opinion, one => requestProblem(running, one, late, told.answers.length))
		passed += seen.length
		if (problem !== null) {
			return {rounds, passed, problem: `seed ${String(seed + rounds)}: ${problem}\n${JSON.stringify(text)}`}
		}
		late = [...late, ...running.records.map(lineOf)].slice(-50)
	}
	return {rounds, passed, problem: null}
}

interface Opinion {
	seen: readonly string[]
	complaints: readonly string[]
}

/** Until it agrees, or has had enough time. */
async function ask(opinion: SecondOpinion, judge: (one: Opinion) => string | null) {
	let all: Opinion = {seen: [], complaints: []}
	let problem: string | null = null
	for (let turn = 0; turn < 20; turn++) {
		await sleep(opinion.settleMs)
		const seen = [...all.seen, ...opinion.take().map(withoutQuery)]
		all = {seen, complaints: [...all.complaints, ...opinion.complaints()]}
		problem = judge(all)
		if (problem === null || opinion.settleMs === 0) break
	}
	return {seen: all.seen, problem}
}

function lineOf({method, path}: RequestRecord) {
	return `${method} ${path.replace(/^.*?\/instance\/execute\/[^/]*/, '') || '/'}`
}

function requestProblem({records, troubles}: Running, {seen, complaints}: Opinion, late: readonly string[], answers: number) {
	const ours = forwarded(records)
	if (troubles.length > 0) return troubles.join(' ')
	if (complaints.length > 0) return `the instance could not read: ${complaints.join(' ')}`
	if (!isWithin(ours, seen)) return `we forwarded ${ours.join(', ')}, the instance saw ${seen.join(', ')}`
	const all = records.map(lineOf)
	if (!isWithin(seen, [...all, ...late])) return `the instance saw ${seen.join(', ')}, we know of ${all.join(', ')}`
	return answers <= records.length ? null : `${String(answers)} answers to ${String(records.length)} requests`
}

async function idle({forwarder}: Running) {
	const until = Date.now() + 30_000
	while (forwarder.counters().requests.running > 0 && Date.now() < until) await sleep(2)
}

interface Got {
	status: number
	body: string
}

/** By an independent client; `null`: it saw a truncated answer. `misread`: it could not parse the answer. */
async function nodeClient({place}: Running): Promise<Got | 'misread' | null> {
	const call = request({
		port: place.port,
		host: '127.0.0.1',
		servername: 'localhost',
		ca: place.authority ?? '',
		path: '/instance/execute/edl/x',
		headers: {host: 'localhost'},
		agent: false,
		maxHeaderSize: 1 << 17,
		timeout: 1000
	})
	call.on('error', () => {}).on('timeout', () => call.destroy())
	call.end()
	try {
		// `response` gives the message alone.
		const [message] = (await once(call, 'response')) as [IncomingMessage]
		let body = ''
		message.setEncoding('latin1')
		for await (const piece of message) body += String(piece)
		return {status: message.statusCode ?? 0, body}
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : ''
		return code.startsWith('HPE_') && !code.includes('EOF') ? 'misread' : null
	} finally {
		call.destroy()
	}
}

const get = 'GET /instance/execute/edl/x HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** The instance answers nearly validly; the next request must get the right answer anyway. */
export async function fuzzAnswers(running: Running, ms: number, seed: number): Promise<Fuzzed> {
	const {origin, place, forwarder} = running
	forwarder.reload(configOf([{name: 'edl', listenPort: origin.port, timeouts: {firstByteS: 2, idleS: 2}}]))
	const until = Date.now() + ms
	let rounds = 0
	let passed = 0
	for (; Date.now() < until; rounds++) {
		const random = randomFrom(seed + rounds)
		const text = nearlyAnswer(random)
		origin.reset()
		origin.answer = [...inPieces(text, random).map(piece => piece.toString('latin1')), 'close']
		const got = await nodeClient(running)
		if (got !== null && got !== 'misread') passed++
		origin.reset()
		const next = await tell(place, get)
		const body = next.answers[0]?.body
		const isHarmed = body !== 'ok' || next.answers.length !== 1
		const problem =
			running.troubles.length > 0
				? running.troubles.join(' ')
				: got === 'misread'
					? 'the client could not read it'
					: isHarmed
						? `the next request got ${JSON.stringify(next.raw)}`
						: null
		if (problem !== null) return {rounds, passed, problem: `seed ${String(seed + rounds)}: ${problem}\n${JSON.stringify(text)}`}
	}
	return {rounds, passed, problem: null}
}

/* Bytes that are nearly HTTP, deterministic by seed. */

/** Numbers from 0 (inclusive) to `below` (exclusive). */
type Random = (below: number) => number

/** mulberry32: short, and good enough to pick bytes. */
function randomFrom(seed: number): Random {
	let state = seed >>> 0
	return below => {
		state = (state + 0x6d2b79f5) >>> 0
		let mixed = Math.imul(state ^ (state >>> 15), state | 1)
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below
	}
}

function pick<T>(random: Random, list: readonly T[]) {
	const one = list[random(list.length)]
	if (one === undefined) throw new Error('nothing to pick from')
	return one
}

/** Places where HTTP parsers are known to differ. */
const telling = [
	'\r\n',
	'\n',
	'\r',
	'\0',
	' ',
	'\t',
	'\x0b',
	'\x7f',
	'\xa0',
	':',
	';',
	',',
	'_',
	'0',
	'\r\n\r\n',
	'0\r\n\r\n',
	'\r\n ',
	'Content-Length: 5\r\n',
	'Content-Length: 0\r\n',
	'Transfer-Encoding: chunked\r\n',
	'Transfer-Encoding: identity\r\n',
	'Connection: close\r\n',
	'Connection: Content-Length\r\n',
	'Host: localhost\r\n',
	'Expect: 100-continue\r\n',
	'Upgrade: h2c\r\n',
	'GET /instance/execute/edl/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
] as const

function changed(text: string, random: Random) {
	const at = random(text.length + 1)
	switch (random(5)) {
		case 0:
			return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1)
		case 1:
			return text.slice(0, at) + text.slice(at + 1 + random(4))
		case 2:
			return text.slice(0, at) + text.slice(at, at + random(40)) + text.slice(at)
		default:
			return text.slice(0, at) + pick(random, telling) + text.slice(at)
	}
}

function mutate(text: string, random: Random) {
	let result = text
	for (let left = random(3); left > 0; left--) result = changed(result, random)
	return result
}

const short = 1500
const requests = [...wellFormed, ...wellFormed, ...malformed].map(({bytes}) => bytes).filter(text => text.length < short)
const answers = [...wellFormedAnswers, ...malformedAnswers].map(({bytes}) => bytes).filter(text => text.length < short)

/** One to three pipelined requests, usually changed somewhere. */
function nearlyRequests(random: Random) {
	return Array.from({length: 1 + random(3)}, () => mutate(pick(random, requests), random)).join('')
}

function nearlyAnswer(random: Random) {
	return mutate(pick(random, answers), random)
}

/** The same bytes in up to five pieces. */
function inPieces(text: string, random: Random) {
	const bytes = Buffer.from(text, 'latin1')
	const ends = Array.from({length: random(5)}, () => random(bytes.length + 1)).toSorted((a, b) => a - b)
	return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}
