import {randomInt} from 'node:crypto'
import {once} from 'node:events'
import {createServer, type AddressInfo, type Server} from 'node:net'

/** Lets the server listen on any free port of this computer; returns the port. */
export async function openPort(server: Server) {
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has an address of this form.
	return (server.address() as AddressInfo).port
}

/** Nobody listens there; systems give away higher ports only. */
export async function freePort() {
	const port = randomInt(10_000, 20_000)
	const server = createServer().listen(port, '127.0.0.1')
	const isFree = await once(server, 'listening').then(
		() => true,
		() => false
	)
	if (!isFree) return await freePort()
	server.close()
	await once(server, 'close')
	return port
}
