import {HandTicker} from '../testing/hand-ticker.ts'
import type {Fields, Refusal, RequestHead} from '../message-types.ts'
import {createAnswers, type AnswerRequest, type Answers} from './answers.ts'
import {answer, Instance, Listener, refusedConnection, request, settled} from './testing/fakes.ts'

let now = 0
let instance: Instance
let answers: Answers

beforeEach(() => {
	now = 1_000_000
	instance = new Instance()
	answers = createAnswers(new HandTicker(), () => now)
})

interface Asking extends Partial<AnswerRequest['instance']> {
	head?: RequestHead
	target?: string
	prefix?: string
	pseudonym?: string
	identity?: Fields
	unavailable?: Refusal
}

function ask(asking: Asking = {}) {
	const {
		head = request(),
		target = '/list',
		prefix = '/instance/execute/edl',
		identity = [],
		unavailable = null,
		pseudonym = 'console',
		...rest
	} = asking
	const listener = new Listener()
	const about = {origin: 'edl', serveStaleS: 600, singleFlight: false, state: 'healthy' as const, ...rest}
	const asked = {head, instance: about, target, prefix, identity, pseudonym, unavailable}
	listener.upstream = answers.send(asked, listener, instance.start)
	return listener
}

const newest = () => instance.requests.length - 1

/** A good answer, stored. */
function succeed(asking: Asking = {}, fields: Fields = ['ETag', '"1"', 'Content-Type', 'text/plain'], ...body: string[]) {
	ask(asking)
	instance.answers(newest(), answer(fields), ...(body.length > 0 ? body : ['good ', 'list']))
}

function fail() {
	instance.at(newest()).sink.failed(refusedConnection)
}

/** The instance fails. */
async function askInVain(asking: Asking = {}) {
	const client = ask(asking)
	fail()
	await settled()
	return client
}

function expectGood(client: Listener) {
	expect(client.heard).toContain('data good list')
}

function expectNothing(asking: Asking = {}) {
	const client = ask(asking)
	fail()
	expect(client.heard).toEqual(['connected', 'failed connection_refused'])
}

const stopped: Refusal = {status: 503, reason: 'stopped', proxyError: 'destination_unavailable', detail: 'x', close: false}

describe('when the instance fails', () => {
	test('the last good answer goes out, with its age and why', async () => {
		succeed()
		now += 65_500
		const client = await askInVain()
		expect(client.heard).toEqual(['connected', 'stale', 'head 200', 'data good list', 'end'])
		expect(client.headHeard).toMatchObject({
			framing: {kind: 'length', length: 9},
			fields: [
				'ETag',
				'"1"',
				'Content-Type',
				'text/plain',
				'Age',
				'65',
				'Proxy-Status',
				'console; error=connection_refused; details="the last good answer"'
			]
		})
	})

	test('a server name that is no token breaks nothing', async () => {
		succeed()
		const client = await askInVain({pseudonym: '1 box"\r\n'})
		expect(client.headHeard?.fields.at(-1)).toMatch(/^"1-box---"; error=/)
	})

	test('an answer of 500 and above is a failure, and the instance is let go', async () => {
		succeed()
		const client = ask()
		instance.begins(1, answer([], {status: 503}))
		await settled()
		expect(instance.at(1).isAborted).toBe(true)
		expectGood(client)
		expect(client.headHeard?.fields).toContain('console; received-status=503; details="the last good answer"')
	})

	test('an answer that breaks before its first byte is replaced, one that breaks later is cut', async () => {
		succeed()
		const early = ask()
		instance.begins(1).failed(refusedConnection)
		await settled()
		expect(early.heard).toEqual(['connected', 'stale', 'head 200', 'data good list', 'end'])
		const late = ask()
		instance.begins(2, answer(), 'half').failed(refusedConnection)
		await settled()
		expect(late.heard).toEqual(['connected', 'head 200', 'data half', 'failed connection_refused'])
	})

	test('without a good answer the failure goes out', () => {
		expectNothing()
	})

	test('401, 404 and an empty list are answers, not failures', () => {
		succeed()
		for (const status of [401, 404]) {
			const client = ask()
			instance.answers(newest(), answer([], {status}), 'no')
			expect(client.heard).toEqual(['connected', `head ${status}`, 'data no', 'end'])
		}
	})

	test('the answer is served no longer than the instance allows', () => {
		succeed()
		now += 600_001
		expectNothing()
		expectNothing({serveStaleS: 0})
	})

	test('HEAD gets the head of it, other methods never do', async () => {
		succeed()
		const head = await askInVain({head: request([], {method: 'HEAD'})})
		expect(head.heard).toEqual(['connected', 'stale', 'head 200', 'end'])
		expect(head.headHeard?.fields).toContain('Content-Length')
		for (const method of ['POST', 'DELETE', 'OPTIONS', 'PUT']) {
			expectNothing({head: request([], {method})})
		}
	})

	test('a client that has the answer gets 304', async () => {
		succeed()
		for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
			const client = await askInVain({head: request(['If-None-Match', tag])})
			expect(client.heard).toEqual(['connected', 'stale', 'head 304', 'end'])
			expect(client.headHeard?.fields).toContain('ETag')
		}
		const client = await askInVain({head: request(['If-None-Match', '"2"'])})
		expectGood(client)
	})

	test('304 of the instance makes the kept answer young again, if it speaks of the same', async () => {
		succeed()
		now += 500_000
		ask({head: request(['If-None-Match', '"1"'])})
		instance.answers(1, answer(['ETag', '"1"'], {status: 304, framing: {kind: 'none'}}))
		now += 500_000
		const client = await askInVain()
		expect(client.headHeard?.fields).toContain('500')
	})
})

describe('who gets which kept answer', () => {
	test.each([
		['another target', {target: '/other'}],
		['another instance', {origin: 'other'}],
		['another Accept', {head: request(['Accept', 'application/json'])}],
		['another Accept-Encoding', {head: request(['Accept-Encoding', 'gzip'])}],
		['another Authorization', {head: request(['Authorization', 'Basic YTpi'])}],
		['another Cookie', {head: request(['Cookie', 'a=1'])}],
		['another Range', {head: request(['Range', 'items 0-9'])}],
		['another way to the same instance', {prefix: '/xsoar/instance/execute/edl'}],
		['another name of this server', {head: request([], {authority: 'b'})}],
		['another person', {identity: ['X-Console-User', 'eve']}]
	])('not a request with %s', (_what, asking) => {
		succeed()
		expectNothing(asking)
	})

	test('not a request that differs in what the answer varies by', async () => {
		succeed({head: request(['X-Format', 'a'])}, ['Vary', 'X-Format'])
		const other = ask({head: request(['X-Format', 'b'])})
		fail()
		const same = await askInVain({head: request(['X-Format', 'a'])})
		expect(other.heard).toContain('failed connection_refused')
		expectGood(same)
	})

	test.each([
		['Set-Cookie', ['Set-Cookie', 'a=1'], {}],
		['no-store', ['Cache-Control', 'no-store'], {}],
		['private', ['Cache-Control', 'private'], {}],
		['Vary: *', ['Vary', '*'], {}],
		['events', ['Content-Type', 'text/event-stream'], {}],
		['a status other than 200', [], {status: 203}],
		['a length that is not known', [], {framing: {kind: 'close'} as const}],
		['a length above the bound', [], {framing: {kind: 'length', length: 1e9} as const}]
	])('an answer with %s is not kept', (_what, fields, changes) => {
		ask()
		instance.answers(0, answer(fields, changes), 'x')
		expectNothing()
	})

	test('an answer that was cut is not kept, and does not replace the good one', async () => {
		succeed()
		ask()
		instance.begins(1, answer(), 'half').failed(refusedConnection)
		expectGood(await askInVain())
	})

	test('an answer that its client left in the middle makes room for the next', async () => {
		const leaving = ask()
		instance.begins(0, answer(), 'half')
		leaving.upstream?.abort()
		succeed()
		expectGood(await askInVain())
	})

	test('deleted instances leave nothing', () => {
		succeed()
		answers.retain(new Set(['another']))
		expectNothing()
	})
})

describe('an instance that is known to be down', () => {
	test('unhealthy: it is not even asked when there is a good answer', async () => {
		succeed()
		const client = ask({state: 'unhealthy'})
		await settled()
		expect(instance.requests.length).toBe(1)
		expect(client.heard).toEqual(['stale', 'head 200', 'data good list', 'end'])
		expect(client.headHeard?.fields.at(-1)).toContain('error=destination_unavailable')
	})

	test('unhealthy without a good answer: it is asked', () => {
		ask({state: 'unhealthy'})
		expect(instance.requests.length).toBe(1)
	})

	test('disabled: a person did that, and nothing is served', async () => {
		succeed()
		const client = ask({state: 'disabled', unavailable: stopped})
		await settled()
		expect(client.heard).toEqual(['failed stopped'])
	})

	test('stopped: the good answer, else the refusal', async () => {
		const before = ask({state: 'stopped', unavailable: stopped})
		await settled()
		expect(before.heard).toEqual(['failed stopped'])
		succeed()
		const after = ask({state: 'stopped', unavailable: stopped})
		await settled()
		expectGood(after)
		expect(instance.requests.length).toBe(1)
	})
})

describe('together', () => {
	test('a failing instance costs one request, and all get the last good answer', async () => {
		succeed({singleFlight: true})
		const all = Array.from({length: 50}, () => ask({singleFlight: true}))
		fail()
		await settled()
		expect(instance.requests.length).toBe(2)
		for (const client of all) expect(client.heard.slice(-4)).toEqual(['stale', 'head 200', 'data good list', 'end'])
	})

	test('a shared answer is kept once, even when everybody but one has left', async () => {
		const all = Array.from({length: 3}, () => ask({singleFlight: true}))
		for (const client of all.slice(0, 2)) client.upstream?.abort()
		instance.answers(0, answer(), 'kept')
		const client = await askInVain()
		expect(client.heard).toContain('data kept')
	})

	test('a slow client of a kept answer gets it piece by piece', async () => {
		succeed({}, [], ...['a', 'b', 'c'].map(letter => letter.repeat(40_000)))
		const client = ask()
		client.isSlow = true
		fail()
		await settled()
		expect(client.bytes).toBe(40_000)
		for (let count = 0; count < 3; count += 1) client.upstream?.resume()
		expect(client.bytes).toBe(120_000)
		expect(client.heard.at(-1)).toBe('end')
		const leaving = ask()
		leaving.isSlow = true
		fail()
		await settled()
		leaving.upstream?.abort()
		leaving.upstream?.resume()
		expect(leaving.bytes).toBe(40_000)
	})

	test.each([
		['POST', request([], {method: 'POST'})],
		['HEAD', request([], {method: 'HEAD'})],
		['a body', request([], {framing: {kind: 'length', length: 3}})],
		['Range', request(['Range', 'bytes=0-1'])],
		['no-store', request(['Cache-Control', 'no-store'])],
		['Upgrade', request([], {upgrade: 'websocket'})]
	])('a request with %s is never shared', (_what, head) => {
		ask({singleFlight: true, head})
		ask({singleFlight: true, head})
		expect(instance.requests.length).toBe(2)
	})

	test('equal conditions are shared, different ones are not', () => {
		for (const tag of ['"1"', '"1"', '"2"']) ask({singleFlight: true, head: request(['If-None-Match', tag])})
		expect(instance.requests.length).toBe(2)
	})
})
