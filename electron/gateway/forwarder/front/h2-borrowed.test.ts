import {setImmediate as turn} from 'node:timers/promises'

import type {ClientExchange} from '../exchange.ts'
import {http2TestServer} from './testing/h2-server.ts'

const sizes = [10, 15_000, 16_384, 128 * 1024, 40_000, 128 * 1024, 1]

/** Sends every piece from one buffer, which is overwritten after each call; waits when told. */
async function answer(exchange: ClientExchange, pieces: number) {
	const shared = Buffer.alloc(128 * 1024)
	exchange.sendHead(200, 'OK', [], {kind: 'chunked'})
	for (let piece = 0; piece < pieces; piece += 1) {
		const size = sizes[piece % sizes.length] ?? 1
		shared.fill(piece)
		const goesOn = exchange.sendBorrowed?.(shared.subarray(0, size)) ?? false
		shared.fill(255)
		// Several pieces may come before the wait, as from one read of an instance.
		if (!goesOn && piece % 3 === 0) await new Promise<void>(resolve => (exchange.onDrain = resolve))
		else await turn()
	}
	exchange.sendEnd([])
}

test('borrowed bytes arrive over HTTP/2 as they were, to a client that reads late', async () => {
	const pieces = 120
	// The streams are read sequentially: waiting ones must not be aborted.
	const handle = (exchange: ClientExchange) => void answer(exchange, pieces)
	const server = await http2TestServer(handle)
	const streams = [1, 2, 3].map(() => server.client().request({':path': '/'}))
	const expected = Buffer.concat(Array.from({length: pieces}, (_, at) => Buffer.alloc(sizes[at % 7] ?? 1, at)))
	for (const stream of streams) {
		const chunks: Buffer[] = await stream.toArray()
		expect(Buffer.concat(chunks).equals(expected)).toBe(true)
	}
	await server.close()
})
