/** A service of a newer version, with other words in its answers. */
import {once} from 'node:events'
import {createServer, request, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'

import {test} from './fixtures.ts'

/** `alter` gets every answer's body, as text. */
export function altering(alter: (body: string) => string) {
	return test.extend({
		serviceUrl: async ({service}, use) => {
			const server = createServer((asked, answer) => {
				forward(service.url, alter, asked, answer).catch(() => answer.destroy())
			})
			server.listen(0, '127.0.0.1')
			await once(server, 'listening')
			const {port} = server.address() as AddressInfo // a server that listens has one
			await use(`http://127.0.0.1:${port}`)
			const closed = once(server, 'close')
			server.close()
			server.closeAllConnections()
			await closed
		}
	})
}

async function forward(target: string, alter: (body: string) => string, asked: IncomingMessage, answer: ServerResponse) {
	const {host: _host, 'accept-encoding': _encoding, ...headers} = asked.headers
	const onward = request(new URL(asked.url ?? '/', target), {method: asked.method, headers})
	asked.pipe(onward)
	const [far] = (await once(onward, 'response')) as [IncomingMessage] // the one argument of this event
	const body = Buffer.from(alter(await text(far)))
	const {'transfer-encoding': _transfer, 'content-length': _length, ...told} = far.headers
	answer.writeHead(far.statusCode ?? 502, {...told, 'content-length': body.length}).end(body)
}
