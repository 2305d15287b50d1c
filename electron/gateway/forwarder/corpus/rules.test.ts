/** The rules of a gateway (route description, 4.1) over real sockets against the real server. */
import {once} from 'node:events'

import {until} from '#base/testing/until.ts'

import {pairs} from '../testing/forwarded.ts'
import {startRunning, type Running} from '../testing/running.ts'
import {dial, listen, tell, type Patience, type Told} from './testing/client.ts'

let running: Running

beforeAll(async () => {
	running = await startRunning({trailers: ['X-Sum'], limits: {body: 1000}, timeouts: {firstByteS: 5}})
})
afterAll(() => running.stop())
beforeEach(() => running.origin.reset())

const path = '/instance/execute/edl/x'

function request(method: string, target: string, ...lines: string[]) {
	return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
}

/** A `GET` of the instance. */
const plain = request('GET', path)
/** A request of HTTP/1.0. */
const old = (method: string, ...lines: string[]) => request(method, path, ...lines).replace('HTTP/1.1', 'HTTP/1.0')
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

function ask(bytes: string, patience: Patience = {}) {
	return tell(running.place, bytes, patience)
}

function first(told: Told) {
	const [answer] = told.answers
	if (answer === undefined) throw new Error(`no answer: ${told.raw}`)
	return answer
}

function arrived() {
	const [one] = running.origin.requests
	if (one === undefined) throw new Error('nothing arrived')
	return one
}

describe('G03 Max-Forwards', () => {
	it('0 on OPTIONS is answered here, else one less', async () => {
		const {head} = first(await ask(request('OPTIONS', path, 'Max-Forwards: 0')))
		expect([head.status, running.origin.requests.length]).toEqual([204, 0])
		await ask(request('OPTIONS', path, 'Max-Forwards: 3'))
		expect(pairs(arrived().fields)['max-forwards']).toBe('2')
	})
})

describe('G04 our own version', () => {
	it('towards the instance and towards the client', async () => {
		const {head} = first(await ask(old('GET')))
		expect(running.origin.raw.split('\r\n')[0]).toBe('GET /x HTTP/1.1')
		expect(head.version).toBe('1.1')
	})
})

describe('G15 trailers', () => {
	const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\nX-T: 2\r\n\r\n'
	it('pass by the list to a client that wants them', async () => {
		running.origin.answer = [chunked]
		const answer = first(await ask(request('GET', path, 'TE: trailers', 'Connection: TE')))
		expect(answer.trailers).toEqual(['X-Sum', '1'])
		expect(pairs(arrived().fields)).toMatchObject({te: 'trailers'})
	})
	it('do not pass to one that does not', async () => {
		running.origin.answer = [chunked]
		const answer = first(await ask(plain))
		expect([answer.body, answer.trailers]).toEqual(['ok', []])
	})
	it('pass by the list to the instance, never into the head', async () => {
		await ask(`${request('POST', path, 'Transfer-Encoding: chunked')}2\r\nab\r\n0\r\nX-Sum: 1\r\nHost: evil\r\n\r\n`)
		expect(arrived()).toMatchObject({body: 'ab', trailers: ['X-Sum', '1'], isWhole: true})
	})
})

describe('G16 Expect', () => {
	const wish = ['Expect: 100-continue', 'Content-Length: 2']

	async function offer(bytes: string, body: string) {
		const socket = await dial(running.place)
		try {
			socket.write(bytes)
			const [piece] = (await once(socket, 'data')) as [Buffer]
			if (!piece.toString().startsWith('HTTP/1.1 100 ')) {
				socket.unshift(piece)
				return await listen(socket)
			}
			socket.write(body)
			const told = await listen(socket)
			return {...told, interim: [100, ...told.interim]}
		} finally {
			socket.destroy()
		}
	}

	it('100 comes, once, and the body after it', async () => {
		const told = await offer(request('POST', path, ...wish), 'ab')
		expect([told.interim, first(told).head.status, arrived().body]).toEqual([[100], 200, 'ab'])
		expect(pairs(arrived().fields)).not.toHaveProperty('expect')
	})
	it.each([
		['404', request('POST', '/instance/execute/none/x', ...wish)],
		['413', request('POST', path, 'Expect: 100-continue', 'Content-Length: 1001')],
		['417', request('POST', path, 'Expect: something', 'Content-Length: 2')],
		['403', request('POST', path, ...wish, 'Origin: https://evil.example')]
	])('%s is decided from the head', async (status, bytes) => {
		const told = await offer(bytes, '')
		expect([told.interim, first(told).head.status]).toEqual([[], Number(status)])
		expect(running.origin.requests).toEqual([])
	})
	it('is ignored for a client of 1.0', async () => {
		const told = await ask(`${old('POST', ...wish)}ab`)
		expect([told.interim, first(told).head.status]).toEqual([[], 200])
	})
})

describe('G17 interim answers', () => {
	it('pass, but not to a client of 1.0', async () => {
		const answer = ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', ok]
		running.origin.answer = answer
		expect((await ask(plain)).interim).toEqual([103])
		expect((await ask(old('GET'))).interim).toEqual([])
	})
})

describe('G20 a kept connection that died', () => {
	/** The instance keeps the connection, accepts the next request, and closes without an answer. */
	async function second(method: string) {
		await ask(plain)
		running.origin.reset()
		running.origin.answer = ['close']
		const told = await ask(request(method, path, ...(method === 'POST' ? ['Content-Length: 0'] : [])))
		return {status: first(told).head.status, arrived: running.origin.requests.length}
	}
	it('is tried once more for GET, and never for POST', async () => {
		expect(await second('GET')).toEqual({status: 502, arrived: 2})
		expect(await second('POST')).toMatchObject({status: 502, arrived: 1})
	})
})

describe('G25 a client of HTTP/1.0', () => {
	it('gets no chunks: the close is the end', async () => {
		running.origin.answer = ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n']
		const told = await ask(old('GET', 'Connection: keep-alive'))
		expect(told.isClosed).toBe(true)
		expect(first(told)).toMatchObject({body: 'ok', head: {framing: {kind: 'close'}}})
	})
})

describe('G29 requests one behind the other', () => {
	it('are answered in order', async () => {
		const all = [1, 2, 3].map(at => request(at === 2 ? 'HEAD' : 'GET', `${path}${String(at)}`)).join('')
		const told = await ask(all, {answers: 3, methods: ['GET', 'HEAD', 'GET']})
		expect(told.answers.map(({body}) => body)).toEqual(['ok', '', 'ok'])
		expect(running.origin.requests.map(({target}) => target)).toEqual(['/x1', '/x2', '/x3'])
	})
	it('end at the first that is broken', async () => {
		const all = request('GET', `${path}1`) + request('GET', path, 'X : y') + request('GET', `${path}3`)
		const told = await ask(all, {answers: 3})
		expect(told.answers.map(({head}) => head.status)).toEqual([200, 400])
		expect([told.isClosed, running.origin.requests.length]).toEqual([true, 1])
	})
	it('go on after an answer of our own', async () => {
		const told = await ask(request('GET', '/none') + plain, {answers: 2})
		expect(told.answers.map(({head}) => head.status)).toEqual([404, 200])
	})
})

describe('G30 a client that has said all it will', () => {
	it('still gets its answer', async () => {
		running.origin.answer = [100, ok]
		const socket = await dial(running.place)
		socket.end(plain)
		expect(first(await listen(socket)).body).toBe('ok')
		socket.destroy()
	})
})

describe('answers of our own', () => {
	it('are the same for the unknown and the unexposed, but for date and id', async () => {
		const {config, forwarder} = running
		forwarder.reload({...config, parameters: {}})
		const [unknown, hidden] = [await ask(request('GET', '/instance/execute/none')), await ask(plain)]
		forwarder.reload(config)
		const same = ({raw}: Told) => raw.replaceAll(/^(Date|X-Request-Id): .*\r\n/gim, '')
		expect(same(hidden)).toBe(same(unknown))
		expect(first(hidden).head.status).toBe(404)
	})
	it('have no body for HEAD', async () => {
		const told = await ask(request('HEAD', '/none') + plain, {answers: 2, methods: ['HEAD', 'GET']})
		expect(told.answers.map(({head, body}) => [head.status, body])).toEqual([
			[404, ''],
			[200, 'ok']
		])
	})
	it('say what failed, and when to come back', async () => {
		const {config, forwarder} = running
		const stopped = config.instances.map(one => ({...one, state: 'stopped' as const}))
		forwarder.reload({...config, instances: stopped})
		const {head} = first(await ask(plain))
		forwarder.reload(config)
		expect(head.status).toBe(503)
		expect(pairs(head.fields)).toMatchObject({'proxy-status': 'cordon; error=destination_unavailable', 'retry-after': '30'})
	})
	it('echo the id that the client gave', async () => {
		const {head} = first(await ask(request('GET', path, 'X-Request-Id: mine-1')))
		expect([pairs(head.fields)['x-request-id'], pairs(arrived().fields)['x-request-id']]).toEqual(['mine-1', 'mine-1'])
	})
	it('tell the version of the platform', async () => {
		expect(first(await ask(request('GET', '/instance/version'))).body).toBe('{"version":"6.12"}')
	})
})

describe('a change of the configuration', () => {
	it('counts for new requests at once, and running ones finish', async () => {
		const {config, forwarder, origin, place} = running
		origin.answer = [150, ok]
		const all = Array.from({length: 100}, () => tell(place, plain))
		await until('all of them', () => origin.requests.length >= 100)
		forwarder.reload({...config, parameters: {'instance.execute.external.edl': 'false'}})
		expect(first(await ask(plain)).head.status).toBe(404)
		const statuses = (await Promise.all(all)).map(told => told.answers[0]?.head.status)
		forwarder.reload(config)
		expect(statuses).toEqual(statuses.map(() => 200))
		expect(first(await ask(plain)).head.status).toBe(200)
	})
})
