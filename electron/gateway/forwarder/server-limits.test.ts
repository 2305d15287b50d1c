import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {networkInterfaces} from 'node:os'
import {connect as connectTls} from 'node:tls'

import {until} from '#base/testing/until.ts'

import {defaultLimits} from './limits.ts'
import {startForwarder} from './server.ts'
import {configOf} from './testing/heads.ts'
import {answering, answerOf, type RawRequest} from './testing/raw-instance.ts'
import {get, post} from './testing/talk.ts'
import {startTransport as start} from './testing/transport.ts'
import {testCredentials} from './tls/testing/credentials.ts'

/** Writes a gigabyte as fast as it is read. */
function pour(socket: Socket) {
	socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n')
	const piece = Buffer.alloc(1 << 20)
	const more = () => {
		while (!socket.destroyed && socket.write(piece));
	}
	socket.on('drain', more)
	more()
}

describe('time', () => {
	test('a head that does not end in time is 408', async () => {
		const {talk, records, ticker} = await start(() => {})
		const client = await talk('GET /instance/execute/edl/ HTTP/1.1\r\nHost: loc')
		await ticker.passUntil('the end', () => client.hasEnded)
		expect(client.text).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close/)
		expect(records[0]?.reason).toBe('slow_head')
	})

	test('a head that comes byte by byte has no more time than any other', async () => {
		const {talk, ticker} = await start(() => {})
		const client = await talk('GET /instance/execute/edl/ HTTP/1.1\r\nX: ')
		await ticker.passUntil('the end', () => {
			client.send('x')
			return client.hasEnded
		})
		expect(client.text).toMatch(/^HTTP\/1\.1 408 /)
	})

	test('a silent client is disconnected without an answer', async () => {
		const {talk, ticker} = await start(() => {})
		const client = await talk()
		await ticker.passUntil('the end', () => client.hasEnded)
		expect(client.text).toBe('')
	})

	test('a kept connection closes when nothing more comes', async () => {
		const {talk, ticker} = await start(answering('ok'))
		const client = await talk(get('/'))
		await client.until(/ok$/)
		await ticker.passUntil('the end', () => client.hasEnded)
		expect(client.text).toMatch(/ok$/)
	})

	test('a handshake that does not end in time is cut off', async () => {
		const {forwarder} = await start(() => {}, {limits: {handshakeMs: 100}})
		const raw = connect(forwarder.listen.port, '127.0.0.1')
		raw.on('error', () => {})
		await once(raw, 'close')
		expect(forwarder.counters().connections.accepted).toBe(1)
	})

	test('a body slower than allowed is 408, and the instance is let go', async () => {
		const asked = Promise.withResolvers<RawRequest>()
		const {talk, instance, records, ticker} = await start(asked.resolve, {instance: {timeouts: {minRate: 1000}}})
		const client = await talk(post('Content-Length: 10000'))
		await asked.promise
		await ticker.passUntil('the end', () => {
			client.send('x')
			return client.hasEnded
		})
		expect(client.text).toMatch(/^HTTP\/1\.1 408 /)
		expect(records[0]).toMatchObject({reason: 'slow_body', endedBy: 'client'})
		await instance.idle()
	})

	test('a body that is fast enough may take longer than the grace', async () => {
		const asked = Promise.withResolvers<RawRequest>()
		const {talk, ticker} = await start(asked.resolve, {limits: {bodyGraceMs: 50}, instance: {timeouts: {minRate: 100}}})
		const client = await talk(post('Content-Length: 400'))
		const request = await asked.promise
		for (let sent = 20; sent <= 400; sent += 20) {
			client.send('x'.repeat(20))
			await request.until(body => body.length === sent)
			ticker.pass(40)
		}
		request.socket.write(answerOf('ok'))
		expect(await client.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /)
	})

	test('a client that takes nothing of its answer is cut off, and the instance is let go', async () => {
		const {talk, instance, records, ticker} = await start(({socket}) => pour(socket))
		const client = await talk(get('/'))
		await client.until(/^HTTP\/1\.1 200 /)
		client.socket.pause()
		await ticker.passUntil('the record', () => records.length > 0)
		expect(records[0]).toMatchObject({status: 200, endedBy: 'client'})
		await instance.idle()
	})

	test('a client that takes a little again and again is cut off below the rate', async () => {
		const {talk, instance, records, ticker} = await start(({socket}) => pour(socket), {limits: {stallMs: 1000, minTakeRate: 1e9}})
		const client = await talk(get('/'))
		const sip = 16_384
		let taken = 0
		client.socket.pause()
		// Time passes only when it has taken something.
		await until(
			'the record',
			() => {
				if (client.socket.read(sip) !== null) {
					ticker.pass(20)
					taken += sip
				}
				return records.length > 0
			},
			Infinity
		)
		expect(records[0]).toMatchObject({status: 200, endedBy: 'client'})
		expect(taken).toBeGreaterThan(100_000)
		await instance.idle()
	})
})

describe('connections', () => {
	test('above the number for all are closed at once', async () => {
		const {talk, forwarder} = await start(answering('ok'), {limits: {connections: 2}})
		const [one] = [await talk(), await talk()]
		await expect(talk()).rejects.toThrow()
		expect(forwarder.counters().connections).toMatchObject({open: 2, refused: 1})
		one.socket.destroy()
		await until('the end of the others', () => forwarder.counters().connections.open <= 1)
		await talk()
	})

	test('of this computer are not held to the number for one address', async () => {
		const {talk, forwarder} = await start(() => {}, {limits: {connectionsPerAddress: 1}})
		await talk()
		await talk()
		expect(forwarder.counters().connections).toMatchObject({open: 2, refused: 0})
	})

	const own = Object.values(networkInterfaces()).flatMap(all => all?.find(({internal, family}) => !internal && family === 'IPv4') ?? [])[0]
	test.skipIf(own === undefined)('nor those of a trusted proxy, which come from one address for all clients', async () => {
		const limits = {...defaultLimits, connectionsPerAddress: 1}
		const credentials = await testCredentials()
		const accepted = async (...trustedProxies: string[]) => {
			const forwarder = await startForwarder({listen: {host: '0.0.0.0', port: 0}, credentials, config: configOf([], {limits, trustedProxies})})
			const sockets = [1, 2].map(() => connect(forwarder.listen.port, own?.address).on('error', () => {}))
			const counted = () => forwarder.counters().connections
			await until('both', () => counted().accepted + counted().refused === 2)
			const count = counted().accepted
			for (const socket of sockets) socket.destroy()
			await forwarder.stop(0)
			return count
		}
		expect(await accepted()).toBe(1)
		expect(await accepted(`${own?.address}`)).toBe(2)
	})
})

describe('what changes while it runs', () => {
	test('a parameter takes effect for new requests, and those that run go on', async () => {
		const asked = Promise.withResolvers<() => void>()
		const {talk, forwarder, config} = await start(({socket}) => asked.resolve(() => void socket.write(answerOf('begun before'))))
		const [early, late] = [await talk(), await talk()]
		early.send(get('/'))
		const answer = await asked.promise
		forwarder.reload({...config, parameters: {}})
		late.send(get('/'))
		await late.until(/404/)
		answer()
		expect(await early.until(/begun before$/)).toMatch(/^HTTP\/1\.1 200 /)
	})

	test('new credentials are shown to new connections; the old ones go on', async () => {
		const {talk, forwarder} = await start(answering('ok'))
		const before = await talk()
		const credentials = await testCredentials()
		forwarder.setCredentials(credentials)
		const after = connectTls({host: '127.0.0.1', port: forwarder.listen.port, ca: credentials.authority})
		await once(after, 'secureConnect')
		after.destroy()
		before.send(get('/'))
		expect(await before.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /)
	})
})

describe('the end', () => {
	test('closes idle connections at once, lets running requests end, and takes no new connections', async () => {
		const asked = Promise.withResolvers<RawRequest>()
		const {talk, forwarder} = await start(asked.resolve)
		const [idle, busy] = [await talk(), await talk()]
		busy.send(get('/'))
		const {socket} = await asked.promise
		const stopping = forwarder.stop(600_000)
		await idle.closed()
		await expect(talk()).rejects.toThrow()
		socket.write(answerOf('done'))
		expect(await busy.closed()).toMatch(/Connection: close\r\n\r\ndone$/)
		busy.socket.end()
		idle.socket.end()
		await stopping
		expect(forwarder.counters().requests.running).toBe(0)
	})

	test('waits no longer than it was told to', async () => {
		const {talk, forwarder, records} = await start(() => {})
		const busy = await talk(get('/'))
		await until('the request', () => forwarder.counters().requests.running > 0)
		await forwarder.stop(50)
		await busy.closed()
		expect(records).toHaveLength(1)
	})
})
