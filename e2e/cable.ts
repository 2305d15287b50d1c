/** The network between Cordon and the service, which a test can unplug and plug in again. */
import {once} from 'node:events'
import {connect, createServer, type AddressInfo, type Socket} from 'node:net'

export type Cable = Awaited<ReturnType<typeof openCable>>

/** A fixture: the cable to the service of the test. */
export async function cableTo({service}: {service: {url: string}}, use: (cable: Cable) => Promise<void>) {
	const cable = await openCable(service.url)
	await use(cable)
	await cable.pull()
}

async function openCable(target: string) {
	const far = new URL(target)
	const sockets = new Set<Socket>()
	const keep = (socket: Socket) => {
		sockets.add(socket)
		socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
	}
	const join = (near: Socket) => {
		const away = connect(Number(far.port), far.hostname)
		keep(near)
		keep(away)
		near.once('close', () => away.destroy())
		away.once('close', () => near.destroy())
		near.pipe(away).pipe(near)
	}
	const listen = async (port: number) => {
		const server = createServer(join).listen(port, '127.0.0.1')
		await once(server, 'listening')
		return server
	}
	let server = await listen(0)
	const {port} = server.address() as AddressInfo // a TCP server that listens has one
	return {
		/** The service's address over this cable. */
		url: `http://127.0.0.1:${port}`,
		/** Nothing listens any more, and open connections break. */
		async pull() {
			if (!server.listening) return
			const closed = once(server, 'close')
			server.close()
			for (const socket of sockets) socket.destroy()
			await closed
		},
		async plug() {
			if (!server.listening) server = await listen(port)
		}
	}
}
