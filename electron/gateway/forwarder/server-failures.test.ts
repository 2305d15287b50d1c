import {once} from 'node:events'
import {connect} from 'node:net'

import {until} from '#base/testing/until.ts'

import {answerOf, type RawRequest} from './testing/raw-instance.ts'
import {get, post} from './testing/talk.ts'
import {startTransport as start} from './testing/transport.ts'

describe('an instance that fails before its answer', () => {
	test('without a listener is 502 connection_refused, and the connection continues', async () => {
		const {talk, instance, records} = await start(() => {})
		await instance.stop()
		const client = await talk(get('/') + get('/'))
		const text = await client.until(received => received.split('HTTP/1.1 502').length === 3)
		expect(text).toMatch(/Proxy-Status: cordon; error=connection_refused/)
		expect(text).not.toMatch(/Connection: close/)
		expect(records[0]).toMatchObject({endedBy: 'instance', reason: 'connection_refused', status: 502})
	})

	test.each([
		['closes', 502, 'connection_terminated', ''],
		['closes within its head', 502, 'http_response_incomplete', 'HTTP/1.1 200 OK\r\nContent-'],
		['speaks something else', 502, 'http_protocol_error', 'SSH-2.0-OpenSSH\r\n'],
		['switches protocols unasked', 502, 'http_upgrade_failed', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
		['sends interim answers without end', 502, 'http_protocol_error', 'HTTP/1.1 103 E\r\n\r\n'.repeat(40)]
	])('because it %s is %i %s', async (_how, status, error, bytes) => {
		const {talk} = await start(({socket}) => socket.end(bytes, 'latin1'))
		const client = await talk(get('/'))
		const text = await client.until(new RegExp(`HTTP/1.1 ${status} [^]*\\}$`))
		expect(text).toContain(`error=${error}`)
	})

	test('because it says nothing in time is 504', async () => {
		const asked = Promise.withResolvers<RawRequest>()
		const {talk, instance, records, ticker} = await start(asked.resolve)
		const client = await talk(get('/'))
		await asked.promise
		await ticker.passUntil('the answer', () => /HTTP\/1\.1 504 [^]*\}$/.test(client.text), 500)
		expect(client.text).toContain('error=http_response_timeout')
		expect(records[0]?.reason).toBe('answer_timeout')
		await instance.idle()
	})
})

describe('a kept connection that died', () => {
	/** Answers the first request, closes at the second without a byte, answers on other connections. */
	async function startDying() {
		return start(({socket}, count) => (count === 2 ? socket.destroy() : socket.write(answerOf(`answer ${count}`))))
	}

	test('does not fail a GET: it is sent once more, on a new one', async () => {
		const {talk, instance} = await startDying()
		const client = await talk(get('/') + get('/'))
		await client.until(/answer 3$/)
		expect(instance.accepted).toBe(2)
	})

	test('after a wait is no slow connecting: the time counts as waiting for the answer', async () => {
		const {talk, records} = await start(({socket}, count) => {
			if (count !== 2) return void socket.write(answerOf(`answer ${count}`))
			const began = performance.now()
			vi.spyOn(performance, 'now').mockReturnValue(began + 300_000)
			socket.destroy()
		})
		onTestFinished(() => void vi.restoreAllMocks())
		const client = await talk(get('/') + get('/'))
		await client.until(/answer 3$/)
		expect(records[1]?.phases).toMatchObject({connect: 0, firstByte: expect.closeTo(300_000, -4)})
	})

	test('fails a POST, which may have done something', async () => {
		const {talk} = await startDying()
		const client = await talk(`${get('/')}${post('Content-Length: 0')}`)
		expect(await client.until(/HTTP\/1\.1 502/)).toContain('error=connection_terminated')
	})

	test('a new one that dies fails a GET too', async () => {
		const {talk, instance} = await start(({socket}) => socket.destroy())
		const client = await talk(get('/'))
		await client.until(/HTTP\/1\.1 502/)
		expect(instance.accepted).toBe(1)
	})

	test('bytes behind an answer are never taken for the next answer', async () => {
		const {talk, instance} = await start(({socket}, count) => socket.write(`${answerOf(`answer ${count}`)}HTTP/1.1 200 forged\r\n\r\n`))
		const client = await talk(get('/a'))
		await client.until(/answer 1$/)
		client.send(get('/b'))
		expect(await client.until(/answer 2$/)).not.toContain('forged')
		expect(instance.accepted).toBe(2)
	})
})

describe('an instance that fails within its answer', () => {
	test.each([
		['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome'],
		['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n'],
		['in broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n', 'zz\r\n']
	])('%s cuts the client off', async (_how, bytes, more = '') => {
		const asked = Promise.withResolvers<RawRequest>()
		const {talk, records} = await start(asked.resolve)
		const client = await talk(get('/'))
		const {socket} = await asked.promise
		socket.write(bytes)
		await client.until(/some/)
		socket.end(more)
		const text = await client.closed()
		expect(text).toMatch(/some(\r\n)?$/)
		expect(records[0]).toMatchObject({status: 200, endedBy: 'instance'})
	})

	test('by silence cuts the client off in time', async () => {
		const {talk, records, instance, ticker} = await start(({socket}) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome'))
		const client = await talk(get('/'))
		await client.until(/some$/)
		await ticker.passUntil('the cut', () => client.isClosed || client.hasEnded, 500)
		expect(records[0]?.reason).toBe('answer_stalled')
		await instance.idle()
	})
})

describe('a client that leaves', () => {
	test.each([
		['while it waits for the answer', '', get('/')],
		['within the answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome', get('/')],
		['within a silent stream', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n', get('/')],
		['within its own body', '', `${post('Content-Length: 100')}some`]
	])('%s ends the request at the instance', async (_when, answer, request) => {
		let asked: (() => void) | null = null
		const isAsked = new Promise<void>(resolve => (asked = resolve))
		const {talk, instance, records} = await start(({socket}) => {
			socket.write(answer)
			asked?.()
		})
		const client = await talk(request)
		await isAsked
		if (answer !== '') await client.until(/some/)
		client.socket.destroy()
		await instance.idle()
		expect(records[0]).toMatchObject({endedBy: 'client', reason: 'client_left'})
	})

	test('only with its sending half still gets its answer, however late', async () => {
		const {talk} = await start(({socket}) => void setTimeout(() => socket.write(answerOf('late')), 900))
		const client = await talk()
		client.socket.end(get('/'), 'latin1')
		const text = await client.closed()
		expect(text).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)*HTTP\/1\.1 200 OK\r\n[^]*late$/)
	})
})

describe('hundreds of connections that break off', () => {
	test('leave nothing open and the server in order', async () => {
		const {talk, instance, forwarder} = await start(({socket, head}) => {
			if (head.includes('/ok')) socket.write(answerOf('ok'))
			else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nsome')
		})
		const rounds = Array.from({length: 500}, (_, round) => round)
		for (let at = 0; at < rounds.length; at += 25) {
			await Promise.all(rounds.slice(at, at + 25).map(round => breakOff(round)))
		}
		await instance.idle()
		const client = await talk(get('/ok'))
		await client.until(/ok$/)
		await until('the end of the others', () => forwarder.counters().connections.open === 1)
		expect(forwarder.counters().requests.running).toBe(0)

		async function breakOff(round: number) {
			if (round % 5 === 0) {
				const raw = connect(forwarder.listen.port, '127.0.0.1')
				await once(raw, 'connect')
				raw.write('\x16\x03\x01')
				raw.resetAndDestroy()
				return
			}
			const one = await talk()
			if (round % 5 === 1) one.send('GET /instance/exe')
			if (round % 5 === 2) one.send(`${post('Content-Length: 100')}some`)
			if (round % 5 > 2) one.send(get('/'))
			if (round % 5 === 4) await one.until(/some/)
			one.socket.destroy()
		}
	})
})
