import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {networkInterfaces} from 'node:os'
import {connect as connectTls} from 'node:tls'

import {until} from '#base/testing/until.ts'

import {defaultLimits} from './limits.ts'
import {startForwarder} from './server.ts'
import {configOf} from './testing/heads.ts'
import {answering, answerOf} from './testing/raw-instance.ts'
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
		const {talk, records} = await start(() => {}, {limits: {headMs: 100}})
		const client = await talk('GET /instance/execute/edl/ HTTP/1.1\r\nHost: loc')
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close/)
		expect(records[0]?.reason).toBe('slow_head')
	})

	test('a head that comes byte by byte has no more time than any other', async () => {
		const {talk} = await start(() => {}, {limits: {headMs: 150}})
		const client = await talk()
		const drip = setInterval(() => client.send('x'), 20)
		client.send('GET /instance/execute/edl/ HTTP/1.1\r\nX: ')
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 /)
		clearInterval(drip)
	})

	test('a silent client is disconnected without an answer', async () => {
		const {talk} = await start(() => {}, {limits: {headMs: 100}})
		expect(await (await talk()).closed()).toBe('')
	})

	test('a kept connection closes when nothing more comes', async () => {
		const {talk} = await start(answering('ok'), {limits: {keepAliveMs: 100}})
		const client = await talk(get('/'))
		expect(await client.closed()).toMatch(/ok$/)
	})

	test('a handshake that does not end in time is cut off', async () => {
		const {forwarder} = await start(() => {}, {limits: {handshakeMs: 100}})
		const raw = connect(forwarder.listen.port, '127.0.0.1')
		raw.on('error', () => {})
		await once(raw, 'close')
		expect(forwarder.counters().connections.accepted).toBe(1)
	})

	test('a body slower than allowed is 408, and the instance is let go', async () => {
		const {talk, instance, records} = await start(() => {}, {limits: {bodyGraceMs: 100}, instance: {timeouts: {minRate: 1000}}})
		const client = await talk(post('Content-Length: 10000'))
		const drip = setInterval(() => client.send('x'), 20)
		expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 /)
		clearInterval(drip)
		expect(records[0]).toMatchObject({reason: 'slow_body', endedBy: 'client'})
		await instance.idle()
	})

	test('a body that is fast enough may take longer than the grace', async () => {
		const {talk} = await start(
			async request => {
				await request.until(body => body.length === 400)
				request.socket.write(answerOf('ok'))
			},
			{limits: {bodyGraceMs: 50}, instance: {timeouts: {minRate: 100}}}
		)
		const client = await talk(post('Content-Length: 400'))
		let sent = 0
		const drip = setInterval(() => {
			if ((sent += 20) <= 400) client.send('x'.repeat(20))
		}, 20)
		expect(await client.until(/ok$/)).toMatch(/^HTTP\/1\.1 200 /)
		clearInterval(drip)
	})

	test('a client that takes nothing of its answer is cut off, and the instance is let go', async () => {
		const {talk, instance, records} = await start(({socket}) => pour(socket), {limits: {stallMs: 200}})
		const client = await talk(get('/'))
		client.socket.pause()
		await instance.idle()
		await until('the record', () => records.length > 0)
		expect(records[0]).toMatchObject({status: 200, endedBy: 'client'})
	}, 10_000)

	test('a client that takes a little again and again is cut off below the rate', async () => {
		const limits = {stallMs: 1000, minTakeRate: 1e9}
		const {talk, instance, records} = await start(({socket}) => pour(socket), {limits})
		const client = await talk(get('/'))
		let taken = 0
		client.socket.pause()
		const sip = setInterval(() => (taken += Buffer.byteLength((client.socket.read() as Buffer | null) ?? '')), 20)
		await instance.idle()
		await until('the record', () => records.length > 0)
		clearInterval(sip)
		expect(records[0]).toMatchObject({status: 200, endedBy: 'client'})
		expect(taken).toBeGreaterThan(100_000)
	}, 10_000)
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
		const {talk, forwarder} = await start(({socket}) => void setTimeout(() => socket.write(answerOf('done')), 300))
		const [idle, busy] = [await talk(), await talk()]
		busy.send(get('/'))
		await until('the request', () => forwarder.counters().requests.running > 0)
		const stopping = forwarder.stop(5000)
		await idle.closed()
		await expect(talk()).rejects.toThrow()
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
