import {once} from 'node:events'
import {connect, createServer, type Server, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'
import {HandTicker} from './testing/hand-ticker.ts'
import {Tunnel, type TunnelEnd} from './tunnel.ts'

const opened: {destroy(): void}[] = []
const servers: Server[] = []
let ticker: HandTicker

afterEach(async () => {
	for (const socket of opened.splice(0)) socket.destroy()
	for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve))
})

/** Two ends of a TCP connection; both may be half open. */
async function pair(): Promise<[Socket, Socket]> {
	const server = createServer({allowHalfOpen: true})
	servers.push(server)
	const port = await openPort(server)
	const accepted = once(server, 'connection')
	const near = connect({port, host: '127.0.0.1', allowHalfOpen: true})
	const [far] = await accepted
	for (const socket of [near, far]) socket.on('error', () => {})
	opened.push(near, far)
	return [near, far]
}

async function splice(idleMs = 0, first: {client?: string; instance?: string} = {}) {
	const [client, clientEnd] = await pair()
	const [instanceEnd, instance] = await pair()
	ticker = new HandTicker()
	const ended = Promise.withResolvers<TunnelEnd>()
	const tunnel = new Tunnel({
		client: {socket: clientEnd, first: Buffer.from(first.client ?? '')},
		instance: {socket: instanceEnd, first: Buffer.from(first.instance ?? '')},
		head: 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
		idleMs,
		ticker,
		onEnd: ended.resolve
	})
	return {client, instance, tunnel, ended: ended.promise}
}

async function readAll(socket: Socket) {
	const chunks: Buffer[] = await socket.toArray()
	return Buffer.concat(chunks)
}

test('the head comes first, then what each side had already said', async () => {
	const {client, instance} = await splice(0, {client: 'from client', instance: 'from instance'})
	const [toClient] = await once(client, 'data')
	expect(String(toClient)).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\nfrom instance')
	const [toInstance] = await once(instance, 'data')
	expect(String(toInstance)).toBe('from client')
})

test('a half that ended may still hear the rest of the other', async () => {
	const {client, instance, tunnel, ended} = await splice()
	client.end('the last word')
	expect((await readAll(instance)).toString()).toBe('the last word')
	instance.end('not quite')
	expect((await readAll(client)).toString()).toMatch(/not quite$/)
	expect(await ended).toEqual({endedBy: 'client', reason: null})
	expect([tunnel.received, tunnel.sent]).toEqual([13, 9])
})

test('a side that breaks takes the other with it', async () => {
	const {client, instance, ended} = await splice()
	await once(client, 'data')
	client.resume()
	const closed = once(client, 'end')
	instance.resetAndDestroy()
	await closed
	expect(await ended).toEqual({endedBy: 'instance', reason: 'connection_lost'})
})

test('a client that resets is not kept alive by an instance that goes on talking', async () => {
	const {client, instance, ended} = await splice()
	const talk = setInterval(() => instance.write('more'), 5)
	opened.push({destroy: () => clearInterval(talk)})
	await once(client, 'data')
	client.resetAndDestroy()
	await new Promise(resolve => instance.once('close', resolve))
	expect((await ended).endedBy).toBe('client')
})

test('silence ends it after the idle time, and any byte starts the time anew', async () => {
	const {client, instance, tunnel, ended} = await splice(60)
	client.resume()
	for (let word = 0; word < 10; word += 1) {
		client.write('.')
		await once(instance, 'data')
		ticker.pass(50)
	}
	expect([tunnel.received, instance.readableEnded]).toEqual([10, false])
	ticker.pass(11)
	expect(await ended).toEqual({endedBy: 'cordon', reason: 'idle'})
})

test('a slow reader stops the writer on the other side', async () => {
	const {client, instance, tunnel, ended} = await splice()
	client.pause()
	let accepted = 0
	const piece = Buffer.alloc(1 << 20)
	while (instance.write(piece) || accepted < 64) {
		accepted += 1
		if (accepted === 64) break
	}
	// Nobody reads: the passed bytes are limited by the buffers of four sockets, not by what was offered.
	await expect.poll(() => instance.writableLength).toBeGreaterThan(0)
	let before = -1
	await expect
		.poll(
			() => {
				const same = before === tunnel.sent
				before = tunnel.sent
				return same
			},
			{interval: 50}
		)
		.toBe(true)
	expect(tunnel.sent).toBeLessThan(32 << 20)
	instance.end()
	const all = await readAll(client)
	client.end()
	expect(all.length).toBe(64 * (1 << 20) + 'HTTP/1.1 101 Switching Protocols\r\n\r\n'.length)
	expect((await ended).endedBy).toBe('instance')
})

test('it can be ended from outside', async () => {
	const {client, instance, tunnel, ended} = await splice()
	client.resume()
	instance.resume()
	tunnel.destroy('drained')
	tunnel.destroy('again')
	await Promise.all([once(client, 'end'), once(instance, 'end')])
	expect(await ended).toEqual({endedBy: 'cordon', reason: 'drained'})
})
