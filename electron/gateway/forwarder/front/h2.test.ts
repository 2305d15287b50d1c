import {once} from 'node:events'
import {constants} from 'node:http2'

import type {ClientExchange} from '../exchange.ts'
import {flag, frameBytes, frameType, isOf, requestFields, uint32, type RawHttp2} from './testing/frames.ts'
import {begin, discardBody, echo, goawayOf, noPace, resetOf, sendEmpty, watchBody} from './testing/h2-handlers.ts'
import {http2Credentials, http2TestServer, type Http2TestServer} from './testing/h2-server.ts'

let server: Http2TestServer

afterEach(() => server.close())

async function serve(...given: Parameters<typeof http2TestServer>) {
	server = await http2TestServer(...given)
}

describe('HTTP/2 with a well-behaved client', () => {
	test('carries a body and trailers both ways', async () => {
		await serve(echo)
		const request = server.client().request({':method': 'POST', ':path': '/', te: 'trailers'}, {waitForTrailers: true})
		request.on('wantTrailers', () => request.sendTrailers({'x-sum': '42'}))
		request.end('hello')
		const trailers = once(request, 'trailers')
		const chunks: Buffer[] = await request.toArray()
		expect(Buffer.concat(chunks).toString()).toBe('hello')
		expect((await trailers)[0]).toMatchObject({'x-sum': '42'})
	})

	test('keeps trailers back from a client that did not ask for them', async () => {
		await serve(exchange => {
			begin(exchange, 'x')
			exchange.sendEnd(['x-sum', '42'])
		})
		const request = server.client().request({':path': '/'})
		let told = false
		request.on('trailers', () => (told = true))
		await request.toArray()
		expect(told).toBe(false)
	})

	test('leaves out what HTTP/2 forbids, and passes repeated and Latin-1 fields as they are', async () => {
		await serve(exchange => {
			const fields = ['Connection', 'close', 'Keep-Alive', 'x', 'Upgrade', 'h2c', 'Transfer-Encoding', 'chunked']
			const kept = ['X-Text', '\u00e4\u00ff', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Length', '99']
			exchange.sendHead(200, 'OK', [...fields, ...kept], {kind: 'length', length: 2})
			exchange.sendData(Buffer.from('ok'))
			exchange.sendEnd([])
		})
		const request = server.client().request({':path': '/'})
		const [headers] = await once(request, 'response')
		expect(headers).toMatchObject({':status': 200, 'x-text': '\u00e4\u00ff', 'set-cookie': ['a=1', 'b=2'], 'content-length': '2'})
		for (const name of ['connection', 'keep-alive', 'upgrade', 'transfer-encoding']) expect(headers).not.toHaveProperty(name)
		request.resume()
		await once(request, 'end')
	})

	test('sends hints before the answer, and 100 once when it is waited for', async () => {
		await serve(exchange => {
			exchange.sendContinue()
			exchange.sendContinue()
			exchange.sendInformation(103, 'Early Hints', ['Link', '</a>; rel=preload', 'Link', '</b>; rel=preload'])
			exchange.sendInformation(101, '', [])
			echo(exchange)
		})
		const request = server.client().request({':method': 'POST', ':path': '/', expect: '100-continue'})
		const interim: unknown[] = []
		request.on('headers', headers => interim.push([headers[':status'], headers['link']]))
		request.on('continue', () => request.end('now'))
		const body: Buffer[] = await request.toArray()
		expect(Buffer.concat(body).toString()).toBe('now')
		expect(interim).toEqual([
			[100, undefined],
			[103, '</a>; rel=preload, </b>; rel=preload']
		])
	})

	test('tells the length of a body that HEAD does not get', async () => {
		await serve(exchange => {
			exchange.sendHead(200, 'OK', ['Content-Length', '1234'], {kind: 'none'})
			exchange.sendEnd([])
		})
		const request = server.client().request({':method': 'HEAD', ':path': '/'})
		const [headers] = await once(request, 'response')
		expect(headers['content-length']).toBe('1234')
	})

	test('shows an answer that was cut short as a reset, not as an end', async () => {
		await serve(exchange => {
			begin(exchange, 'half')
			exchange.abort()
		})
		const connection = await server.asking('GET', '/')
		expect(await resetOf(connection)).toBe(constants.NGHTTP2_INTERNAL_ERROR)
		const ended = connection.frames.some(frame => frame.type === frameType.data && (frame.flags & flag.endStream) !== 0)
		expect(ended).toBe(false)
	})

	test('an answer with a status that HTTP/2 cannot carry resets the stream and nothing else', async () => {
		await serve(exchange => {
			if (exchange.head.target === '/odd') exchange.sendHead(999, '', [], {kind: 'none'})
			else echo(exchange)
		})
		const session = server.client()
		const odd = session.request({':path': '/odd'})
		const [error] = await once(odd, 'error')
		expect(error).toMatchObject({code: 'ERR_HTTP2_STREAM_ERROR'})
		expect(await session.request({':path': '/'}).toArray()).toEqual([])
	})
})

describe('HTTP/2 and answers that differ from their length', () => {
	test.each([
		['shorter', 'ab'],
		['longer', 'abcdef']
	])('a %s one is reset', async (_what, body) => {
		await serve(exchange => {
			exchange.sendHead(200, 'OK', [], {kind: 'length', length: 4})
			exchange.sendData(Buffer.from(body))
			exchange.sendEnd([])
		})
		const connection = await server.asking('GET', '/')
		await resetOf(connection)
		expect(connection.frames.some(frame => (frame.flags & flag.endStream) !== 0 && frame.stream === 1)).toBe(false)
	})
})

describe('HTTP/2 and clients that leave', () => {
	test.each([8, 0])('a reset with code %i in the middle of the body is no end of it', async code => {
		const left = Promise.withResolvers<void>()
		const body = Promise.withResolvers<string>()
		await serve(exchange => {
			exchange.onAbort = left.resolve
			void watchBody(exchange).then(body.resolve)
		})
		const connection = await server.raw()
		connection.write(connection.headers(1, requestFields('POST', '/'), flag.endHeaders), frameBytes(frameType.data, 0, 1, Buffer.from('123')))
		await expect.poll(() => server.handled[0]?.received).toBe(3)
		connection.write(frameBytes(frameType.reset, 0, 1, uint32(code)))
		expect(await body.promise).toBe('failed after 3: client left')
		await left.promise
	})

	test('the end of the connection ends each of its streams', async () => {
		const seen = new Set<ClientExchange>()
		let leave = () => {}
		const all = new Promise<void>(resolve => (leave = resolve))
		await serve(exchange => {
			exchange.onAbort = () => {
				seen.add(exchange)
				if (seen.size === 3) leave()
			}
			if (server.handled.length === 3) session.destroy()
		})
		const session = server.client()
		for (const path of ['/a', '/b', '/c']) session.request({':path': path}).on('error', () => {})
		await all
		expect(seen.size).toBe(3)
	})

	test('an answer that came before the end of the body stops the upload without an error', async () => {
		await serve(exchange => {
			void watchBody(exchange)
			sendEmpty(exchange, 413)
		})
		const connection = await server.asking('POST', '/', {flags: flag.endHeaders})
		expect(await resetOf(connection)).toBe(constants.NGHTTP2_NO_ERROR)
	})
})

describe('HTTP/2 and back-pressure', () => {
	const noWindow = Buffer.concat([Buffer.from([0, 4]), uint32(0)])

	test('a client without a window stops the answer until it opens one', async () => {
		let full = false
		const drained = new Promise<void>(resolve => {
			void serve(exchange => {
				exchange.onDrain = resolve
				exchange.sendHead(200, 'OK', [], {kind: 'chunked'})
				while (exchange.sendData(Buffer.alloc(16_384)));
				full = true
			}).then(async () => {
				const connection = await server.raw(noWindow)
				connection.write(connection.headers(1, requestFields('GET', '/')))
				await connection.frame(isOf('headers'))
				expect(connection.frames.some(isOf('data'))).toBe(false)
				connection.write(frameBytes(frameType.windowUpdate, 0, 1, uint32(1_000_000)))
				connection.write(frameBytes(frameType.windowUpdate, 0, 0, uint32(1_000_000)))
			})
		})
		await drained
		expect(full).toBe(true)
	})

	test('an unread body is taken up to a few windows, and no further', async () => {
		await serve(exchange => exchange.readBody({data: () => exchange.pauseBody(), end: () => {}, failed: () => {}}, noPace))
		const connection = await server.asking('POST', '/', {flags: flag.endHeaders})
		let sent = 0
		for (let pings = 1; window(connection) > sent; pings += 1) {
			const rest = window(connection) - sent
			for (let left = rest; left > 0; left -= 16_384) {
				connection.write(frameBytes(frameType.data, 0, 1, Buffer.alloc(Math.min(left, 16_384))))
			}
			sent += rest
			connection.write(frameBytes(frameType.ping, 0, 0, Buffer.alloc(8, pings)))
			await connection.frame(frame => frame.type === frameType.ping && frame.payload[0] === pings)
		}
		expect(sent).toBeLessThan(300_000)
	})

	test('a large body that is read widens the window, and many streams make it what it was', async () => {
		await serve(exchange => {
			if (exchange.head.framing.kind !== 'none') discardBody(exchange)
		})
		const session = server.client()
		const told: unknown[][] = []
		session.on('remoteSettings', now => told.push([now.initialWindowSize, now.maxConcurrentStreams]))
		const upload = session.request({':method': 'POST', ':path': '/'})
		upload.write(Buffer.alloc(1 << 20))
		await expect.poll(() => told.length).toBe(2)
		expect(told).toEqual([
			[65_535, 100],
			[2 << 20, 8]
		])
		const others = Array.from({length: 20}, () => session.request({':path': '/'}))
		await expect.poll(() => told.length).toBe(3)
		expect(told.at(-1)).toEqual([65_535, 100])
		await expect.poll(() => server.handled.length).toBe(21)
		for (const exchange of server.handled) sendEmpty(exchange, 204)
		expect(await Promise.all(others.map(other => other.toArray()))).toEqual(others.map(() => []))
	})

	test('a client that leaves the settings unanswered gets no more than eight streams while a large body is read', async () => {
		await serve(exchange => {
			if (exchange.head.framing.kind !== 'none') discardBody(exchange)
		})
		const connection = await server.asking('POST', '/', {flags: flag.endHeaders})
		for (let sent = 0; sent < 300_000; sent += 16_384) {
			await expect.poll(() => window(connection)).toBeGreaterThanOrEqual(sent + 16_384)
			connection.write(frameBytes(frameType.data, 0, 1, Buffer.alloc(16_384)))
		}
		await connection.frame(frame => frame.type === frameType.settings && frame.payload.includes(uint32(2 << 20)))
		for (let stream = 3; stream <= 61; stream += 2) connection.write(connection.headers(stream, requestFields('POST', '/'), flag.endHeaders))
		expect(await resetOf(connection, 61)).toBe(constants.NGHTTP2_REFUSED_STREAM)
		expect(connection.frames.filter(isOf('reset'))).toHaveLength(30 - 7)
		await expect.poll(() => server.handled.length).toBe(8)
	})

	test('a window does not widen beside many streams: they would keep the client from opening others', async () => {
		await serve(exchange => {
			if (exchange.head.framing.kind !== 'none') echo(exchange)
		})
		const session = server.client()
		Array.from({length: 20}, () => session.request({':path': '/'}))
		const told: unknown[] = []
		session.on('remoteSettings', now => told.push(now.maxConcurrentStreams))
		const upload = session.request({':method': 'POST', ':path': '/'})
		upload.end(Buffer.alloc(1 << 20))
		expect(Buffer.concat(await upload.toArray())).toHaveLength(1 << 20)
		expect(told).toEqual([100])
	})

	/** Bytes that the server has allowed this client on stream 1 so far. */
	function window(connection: RawHttp2) {
		const updates = connection.frames.filter(isOf('windowUpdate', 1))
		return updates.reduce((sum, frame) => sum + frame.payload.readUInt32BE(), 65_535)
	}
})

describe('the life of an HTTP/2 connection', () => {
	test('draining lets streams end that run, and takes no new ones', async () => {
		await serve(exchange => {
			if (exchange.head.target === '/long') {
				begin(exchange, 'a')
			}
		})
		const connection = await server.asking('GET', '/long')
		await connection.frame(isOf('data'))
		server.connections[0]?.drain()
		expect(await goawayOf(connection)).toBe(constants.NGHTTP2_NO_ERROR)
		connection.write(connection.headers(3, requestFields('GET', '/new')))
		server.handled[0]?.sendData(Buffer.from('b'))
		server.handled[0]?.sendEnd([])
		await connection.closed()
		const sent = connection.frames.filter(isOf('data', 1))
		expect(Buffer.concat(sent.map(frame => frame.payload)).toString()).toBe('ab')
		expect(sent.at(-1)?.flags).toBe(flag.endStream)
		expect(server.handled.length).toBe(1)
	})

	test('a connection without streams closes after a while, pings or not', async () => {
		await serve(echo, {keepAliveMs: 60})
		const connection = await server.raw()
		await server.ticker.passUntil('its end', () => {
			connection.write(frameBytes(frameType.ping, 0, 0, Buffer.alloc(8)))
			return connection.frames.some(isOf('goaway'))
		})
		expect(await goawayOf(connection)).toBe(constants.NGHTTP2_NO_ERROR)
		await connection.closed()
	})

	test('a stream keeps its connection however long it is silent', async () => {
		await serve(() => {}, {keepAliveMs: 20})
		const connection = await server.asking('GET', '/')
		await connection.frame(frame => frame.type === frameType.settings && frame.flags === flag.ack)
		await expect.poll(() => server.handled.length).toBe(1)
		server.ticker.pass(600_000)
		expect(server.connections[0]?.running).toBe(1)
		sendEmpty(server.handled[0], 204)
		await connection.frame(isOf('headers', 1))
		expect(connection.frames.some(isOf('goaway'))).toBe(false)
		await server.ticker.passUntil('its end', () => connection.frames.some(isOf('goaway')))
		await connection.closed()
	})

	test('a connection that never speaks HTTP/2 closes after the time for a head', async () => {
		await serve(() => {}, {headMs: 40})
		const {connect: connectTls} = await import('node:tls')
		const socket = connectTls({
			host: '127.0.0.1',
			port: server.port,
			ca: (await http2Credentials()).authority,
			servername: 'localhost',
			ALPNProtocols: ['h2']
		})
		socket.on('error', () => {})
		socket.resume()
		await server.ticker.passUntil('its end', () => socket.closed)
		expect(server.handled).toEqual([])
	})

	test('after so many requests the client is sent away, and the last one is still answered', async () => {
		await serve(echo, {requestsPerConnection: 3})
		const session = server.client()
		const goaway = once(session, 'goaway')
		const bodies = await Promise.all(['/1', '/2', '/3'].map(path => session.request({':path': path}).toArray()))
		expect(bodies).toEqual([[], [], []])
		await goaway
	})
})
