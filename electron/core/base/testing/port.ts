import {once} from 'node:events'
import {createServer, type AddressInfo, type Server} from 'node:net'

/** Lets the server listen on any free port of this computer; returns the port. */
export async function openPort(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has an address of this form.
	return (server.address() as AddressInfo).port
}

/** Nobody listens there at present. */
export async function freePort(): Promise<number> {
	const server = createServer()
	const port = await openPort(server)
	server.close()
	await once(server, 'close')
	return port
}
