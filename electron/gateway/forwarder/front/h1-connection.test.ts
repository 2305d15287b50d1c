/** Bytes on a connection before the client is authenticated. */
import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'

import {openPort} from '#base/testing/port.ts'
import {Batch} from '../batch.ts'
import type {ClientExchange} from '../exchange.ts'
import {defaultLimits} from '../limits.ts'
import {HandTicker} from '../testing/hand-ticker.ts'
import {acceptHttp1} from './h1-connection.ts'

/** A connection whose bytes the test delivers piece by piece. */
async function accepted(): Promise<{socket: Socket; exchanges: ClientExchange[]; close(): void}> {
	const listener = createServer()
	const client = connect(await openPort(listener), '127.0.0.1')
	const [socket] = (await once(listener, 'connection')) as [Socket]
	const exchanges: ClientExchange[] = []
	const handle = (exchange: ClientExchange) => void exchanges.push(exchange)
	const peer = {address: '127.0.0.1', client: '127.0.0.1', port: 1, localPort: 443, certificate: null}
	acceptHttp1(socket, {
		ticker: new HandTicker(),
		batch: new Batch(),
		limits: defaultLimits,
		peer,
		tlsMs: null,
		handle,
		refuse: handle,
		closed: () => {}
	})
	const close = () => {
		client.destroy()
		socket.destroy()
		listener.close()
	}
	return {socket, exchanges, close}
}

test.each([
	['line by line', /(?<=\n)/],
	['byte by byte', '']
])('a head of 58 KB that comes %s costs what it costs in one piece', async (_how, cut) => {
	const {socket, exchanges, close} = await accepted()
	const lines = Array.from({length: 1900}, (_, index) => `X-${String(index)}: ${'a'.repeat(22)}\r\n`)
	const text = `GET /x HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`
	const decoded = vi.spyOn(Buffer.prototype, 'toString')
	const joined = vi.spyOn(Buffer, 'concat')
	const copied = vi.spyOn(Buffer.prototype, 'copy')
	for (const piece of text.split(cut)) socket.emit('data', Buffer.from(piece))
	const read = decoded.mock.calls.reduce((sum, [, from, to]) => sum + Number(to ?? 0) - Number(from ?? 0), 0)
	const moved = copied.mock.contexts.reduce((sum: number, from) => sum + (from as Buffer).length, 0)
	const glued = joined.mock.results.reduce((sum, {value}) => sum + (value as Buffer).length, 0)
	vi.restoreAllMocks()
	expect(exchanges).toHaveLength(1)
	expect(exchanges[0]?.head).toMatchObject({target: '/x', fields: expect.objectContaining({length: 3802})})
	expect(read).toBeLessThanOrEqual(text.length)
	expect(moved + glued).toBeLessThanOrEqual(4 * text.length)
	close()
})

test('bytes of the next request that wait behind one are not taken for known', async () => {
	const {socket, exchanges, close} = await accepted()
	socket.emit('data', Buffer.from('POST /a HTTP/1.1\r\nHost: a\r\nContent-Le'))
	socket.emit('data', Buffer.from('ngth: 3\r\n\r\nonePOST /b HTTP/1.1\r\nHo'))
	socket.emit('data', Buffer.from('st: b\r\nContent-Length: 3\r\n\r\ntwo'))
	const [first] = exchanges
	first?.readBody({data: () => {}, end: () => {}, failed: () => {}}, {minRate: 0, idleMs: 0})
	first?.sendHead(204, 'No Content', [], {kind: 'none'})
	first?.sendEnd([])
	expect(exchanges.map(({head}) => head.target)).toEqual(['/a', '/b'])
	close()
})
