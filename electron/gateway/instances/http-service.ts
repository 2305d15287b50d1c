/** The socket of a built-in instance. */
import type {IncomingHttpHeaders, Server} from 'node:http'
import type {AddressInfo} from 'node:net'

import type {Clock} from '#base/ports.ts'
import {CordonError} from '#contract/errors.ts'

export interface ServiceOptions<Definition> {
	definition: Definition
	instance: {id: string; name: string}
	/** The service's own; holds the last good state beyond the process. Created when missing. */
	folder: string
	/** Its address; port 0: any free one. */
	host: string
	port: number
	clock: Clock
	/** Full sentences for the operator: a failed rebuild, a held list. */
	onTrouble: (message: string, error?: unknown) => void
}

/** Whether a page whose name leads here (DNS rebinding) cannot have sent it. */
export function isLocalName(host = '') {
	return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)
}

/** The same for a service behind the forwarding server, which adds `Via`. No page can set that, or leave out its host. */
export function isLocal({host, via}: IncomingHttpHeaders) {
	return via !== undefined || host === undefined || isLocalName(host)
}

/** Rejects with `taken` when the port is in use. `what` names it in errors. */
export async function listenOn(server: Server, {host, port}: {host: string; port: number}, what: string) {
	await new Promise<void>((resolve, reject) => {
		server.on('error', (error: NodeJS.ErrnoException) => {
			const taken = error.code === 'EADDRINUSE'
			const message = taken ? `The port ${port} is in use.` : `${what} cannot listen: ${error.message}.`
			reject(new CordonError(taken ? 'taken' : 'internal', message, {field: 'listenPort'}, {cause: error}))
		})
		server.listen({host, port}, resolve)
	})
	// A TCP server has an address of this form.
	const {port: bound} = server.address() as AddressInfo
	const stop = async () => {
		const closed = new Promise(resolve => server.close(resolve))
		server.closeAllConnections()
		await closed
	}
	return {
		/** As bound. */
		port: bound,
		stop
	}
}
