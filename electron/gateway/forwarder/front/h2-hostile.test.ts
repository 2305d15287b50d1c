import {once} from 'node:events'
import {constants} from 'node:http2'

import {until} from '#base/testing/until.ts'
import {block, flag, frameBytes, frameType, isOf, requestFields, uint32, type RawHttp2} from './testing/frames.ts'
import {begin, echo, goawayOf, resetOf, watchBody} from './testing/h2-handlers.ts'
import {http2TestServer, type Http2TestServer} from './testing/h2-server.ts'

let server: Http2TestServer

afterEach(() => server.close())

async function serve(...given: Parameters<typeof http2TestServer>) {
	server = await http2TestServer(...given)
}

/** No server frame is pending that a GOAWAY would wait for. */
async function settled() {
	const connection = await server.raw()
	await connection.frame(({type, flags}) => type === frameType.settings && flags === flag.ack)
	return connection
}

/** In one piece: later data would reset the closed connection and lose the GOAWAY. */
function openThirty(connection: RawHttp2, framesOf: (stream: number) => readonly Buffer[]) {
	connection.write(...Array.from({length: 30}, (_, index) => framesOf(2 * index + 1)).flat())
}

describe('HTTP/2 and slow clients', () => {
	test('a body that comes too slowly fails with 408, which the client gets', async () => {
		await serve(exchange => {
			void watchBody(exchange, {minRate: 1000, idleMs: 0}).then(result => {
				exchange.sendHead(result.includes('slow_body') ? 408 : 500, '', [], {kind: 'length', length: 4})
				exchange.sendData(Buffer.from('slow'))
				exchange.sendEnd([])
			})
		})
		const request = server.client().request({':method': 'POST', ':path': '/'})
		request.write('a')
		const answered = once(request, 'response')
		await until('its body', () => server.handled[0]?.received === 1)
		server.ticker.pass(1000)
		const [headers] = await answered
		expect(headers[':status']).toBe(408)
		expect(Buffer.concat(await request.toArray()).toString()).toBe('slow')
	})

	test('an answer that is not read is given up', async () => {
		const left = Promise.withResolvers<void>()
		await serve(
			exchange => {
				exchange.onAbort = left.resolve
				exchange.sendHead(200, 'OK', [], {kind: 'chunked'})
				while (exchange.sendData(Buffer.alloc(16_384)));
			},
			{stallMs: 60}
		)
		const connection = await server.asking('GET', '/', {settings: Buffer.concat([Buffer.from([0, 4]), uint32(0)])})
		await server.ticker.passUntil('its end', () => connection.frames.some(isOf('reset', 1)))
		await left.promise
		expect(await resetOf(connection)).toBe(constants.NGHTTP2_CANCEL)
	})

	test('an answer that is read byte by byte is given up', async () => {
		const left = Promise.withResolvers<void>()
		await serve(
			exchange => {
				exchange.onAbort = left.resolve
				exchange.onDrain = () => exchange.sendData(Buffer.from('x'))
				begin(exchange, 'x'.repeat(16_384))
			},
			{stallMs: 400, minTakeRate: 1_000_000}
		)
		const connection = await server.asking('GET', '/', {settings: Buffer.concat([Buffer.from([0, 4]), uint32(1)])})
		// Each window update allows one more byte: the answer never stalls for the full limit.
		let updates = 1
		await until('its end', () => {
			const read = connection.frames.filter(isOf('data', 1)).length
			if (read === updates) {
				server.ticker.pass(50)
				connection.write(frameBytes(frameType.windowUpdate, 0, 1, uint32(1)))
				updates += 1
			}
			return connection.frames.some(isOf('reset', 1))
		})
		await left.promise
		expect(updates).toBeGreaterThan(2)
		expect(await resetOf(connection)).toBe(constants.NGHTTP2_CANCEL)
	})
})

describe('HTTP/2 and hostile clients', () => {
	test('opening and resetting again and again ends the connection with ENHANCE_YOUR_CALM', async () => {
		await serve(() => {}, {resetsPer10s: 20})
		const connection = await settled()
		openThirty(connection, stream => [connection.headers(stream, requestFields('GET', '/')), frameBytes(frameType.reset, 0, stream, uint32(8))])
		expect(await goawayOf(connection)).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
		await connection.closed()
		expect(server.handled.length).toBeLessThanOrEqual(21)
	})

	test('making us reset counts like resetting (CVE-2025-8671)', async () => {
		await serve(() => {}, {resetsPer10s: 20})
		const connection = await settled()
		openThirty(connection, stream => [
			connection.headers(stream, requestFields('POST', '/'), flag.endHeaders),
			frameBytes(frameType.windowUpdate, 0, stream, uint32(0))
		])
		await connection.closed()
		expect(connection.frames.some(isOf('goaway'))).toBe(true)
	})

	test('a body shorter than its Content-Length fails, and never ends', async () => {
		let body = Promise.resolve('')
		await serve(exchange => (body = watchBody(exchange)))
		const connection = await server.raw()
		connection.write(
			connection.headers(1, requestFields('POST', '/', [['content-length', '10']]), flag.endHeaders),
			frameBytes(frameType.data, flag.endStream, 1, Buffer.from('short'))
		)
		expect(await resetOf(connection)).toBe(constants.NGHTTP2_PROTOCOL_ERROR)
		expect(await body).toContain('client left')
	})

	test('a body longer than its Content-Length fails, and never ends', async () => {
		const body = Promise.withResolvers<string>()
		await serve(exchange => void watchBody(exchange).then(body.resolve))
		const connection = await server.raw()
		connection.write(
			connection.headers(1, requestFields('POST', '/', [['content-length', '2']]), flag.endHeaders),
			frameBytes(frameType.data, flag.endStream, 1, Buffer.from('too long'))
		)
		expect(await body.promise).toContain('client left')
	})

	test.each([
		['Connection', [['connection', 'close']]],
		['Transfer-Encoding', [['transfer-encoding', 'chunked']]],
		['TE of more than trailers', [['te', 'gzip']]],
		['a name in upper case', [['X-Big', '1']]],
		['a pseudo-field of an answer', [[':status', '200']]],
		['extended CONNECT', [[':protocol', 'websocket']]]
	] as const)('%s never reaches an instance', async (_what, more) => {
		await serve(() => {})
		const connection = await server.asking('POST', '/', {more})
		await resetOf(connection)
		expect(server.handled).toEqual([])
	})

	test('a value with a line break or NUL is dropped by nghttp2 before anybody sees it', async () => {
		await serve(echo)
		const bad = [
			['x', 'a\r\nb: c'],
			['y', 'a\0b']
		] as const
		const connection = await server.asking('GET', '/', {more: bad})
		await connection.frame(isOf('headers'))
		expect(server.handled[0]?.head.fields).toEqual(['host', 'localhost'])
	})

	test('a head above the limit never reaches an instance', async () => {
		await serve(() => {}, {headBytes: 8192})
		const connection = await server.asking('GET', '/', {more: [['x', 'y'.repeat(12_000)]]})
		await connection.frame(frame => isOf('reset', 1)(frame) || isOf('headers')(frame))
		expect(server.handled).toEqual([])
	})

	test('a flood of CONTINUATION ends the connection', async () => {
		await serve(() => {})
		const connection = await server.raw()
		connection.write(frameBytes(frameType.headers, 0, 1, block(requestFields('GET', '/'))))
		const more = frameBytes(frameType.continuation, 0, 1, block([['x', 'y'.repeat(1000)]]))
		for (let count = 0; count < 200; count += 1) connection.write(more)
		await connection.closed()
		expect(server.handled).toEqual([])
	})

	test('more streams than the limit are refused, not queued', async () => {
		await serve(() => {}, {streams: 5})
		const connection = await server.raw()
		for (let stream = 1; stream <= 13; stream += 2) connection.write(connection.headers(stream, requestFields('GET', '/')))
		expect(await resetOf(connection, 11)).toBe(constants.NGHTTP2_REFUSED_STREAM)
		expect(server.handled.length).toBe(5)
	})

	test('a window that overflows ends the connection', async () => {
		await serve(() => {})
		const connection = await settled()
		connection.write(frameBytes(frameType.windowUpdate, 0, 0, uint32(0x7fffffff)))
		await connection.closed()
		expect(connection.frames.some(isOf('goaway'))).toBe(true)
	})

	test('bytes that are no HTTP/2 end the connection', async () => {
		await serve(() => {})
		const connection = await server.raw()
		connection.write(Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
		await connection.closed()
		expect(server.handled).toEqual([])
	})

	test('CONNECT and a differing Host get an answer of ours', async () => {
		await serve(() => {})
		const connection = await server.raw()
		connection.write(
			connection.headers(
				1,
				[
					[':method', 'CONNECT'],
					[':authority', 'localhost:22']
				],
				flag.endHeaders
			),
			connection.headers(3, requestFields('GET', '/', [['host', 'other']]))
		)
		await connection.frame(isOf('headers', 3))
		expect(server.refused).toEqual(['connect', 'bad_host'])
	})
})
