import {once} from 'node:events'
import {createServer as createPlain, connect as connectPlain, type Socket} from 'node:net'
import {connect, createServer} from 'node:tls'

import {openPort} from '#base/testing/port.ts'
import {Batch} from '../batch.ts'
import {testCredentials} from '../tls/testing/credentials.ts'
import {Output} from './h1-output.ts'

/** Both ends of a connection: data written to `server` arrives at `client`. */
async function pair(overTls: boolean): Promise<{server: Socket; client: Socket; close(): void}> {
	const {certificate: cert, key, authority: ca} = await testCredentials()
	const listener = overTls ? createServer({cert, key}) : createPlain()
	const port = await openPort(listener)
	const accepted = once(listener, overTls ? 'secureConnection' : 'connection')
	const client = overTls ? connect({host: '127.0.0.1', port, ca}) : connectPlain(port, '127.0.0.1')
	const [server] = await accepted
	const close = () => {
		client.destroy()
		server.destroy()
		listener.close()
	}
	return {server, client, close}
}

test.each([true, false])('borrowed bytes arrive as they were when they were written (TLS: %s)', async overTls => {
	const {server, client, close} = await pair(overTls)
	const output = new Output(server, new Batch())
	const shared = Buffer.alloc(128 * 1024)
	const sizes = [10, 5000, 70_000, 131_072, 300]
	const expected: Buffer[] = []
	for (let round = 0; round < 120; round += 1) {
		const size = sizes[round % sizes.length] ?? 1
		shared.fill(round)
		output.text(`${String(round)};`)
		output.bytes(shared.subarray(0, size), true)
		expected.push(Buffer.from(`${String(round)};`), Buffer.alloc(size, round))
		// Overwritten in the next turn, as by the next read of a connection; reading starts when half is written.
		await new Promise(setImmediate)
		shared.fill(255)
	}
	output.flush()
	server.end()
	const received: Buffer[] = []
	for await (const chunk of client) received.push(chunk)
	expect(Buffer.concat(received).equals(Buffer.concat(expected))).toBe(true)
	close()
})

test('small pieces of one turn are one write', async () => {
	const {server, client, close} = await pair(true)
	const output = new Output(server, new Batch())
	output.text('head;')
	output.bytes(Buffer.from('body'), false)
	const [first] = await once(client, 'data')
	expect(String(first)).toBe('head;body')
	close()
})
