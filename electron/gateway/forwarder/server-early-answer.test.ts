import {createServer, type Server} from 'node:net'

import {openPort} from '#base/testing/port.ts'
import {post} from './testing/talk.ts'
import {answerOf} from './testing/raw-instance.ts'
import {startTransport} from './testing/transport.ts'
import {configOf} from './testing/heads.ts'

let instance: Server | null = null

afterEach(() => void instance?.close())

const refusal = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\nno more'

/** Reads a part of each upload, refuses, and closes with the rest unread: the kernel resets the connection. */
async function startRefusing() {
	instance = createServer(socket => {
		socket.on('error', () => {})
		socket.once('data', () => {
			socket.pause()
			socket.write(refusal, () => socket.destroy())
		})
	})
	return await openPort(instance)
}

test('an answer in the middle of an upload arrives although the instance resets the connection behind it', async () => {
	const running = await startTransport(({socket}) => socket.end(answerOf('unused')))
	running.forwarder.reload(configOf([{name: 'edl', listenPort: await startRefusing()}]))
	const piece = 'x'.repeat(256 * 1024)
	for (let round = 0; round < 25; round += 1) {
		const client = await running.talk(post(`Content-Length: ${String(piece.length * 64)}`))
		for (let sent = 0; sent < 8; sent += 1) client.send(piece)
		expect(await client.until(/\r\n\r\nno more$|\}$/)).toMatch(/^HTTP\/1\.1 403 Forbidden/)
		client.socket.destroy()
	}
})
