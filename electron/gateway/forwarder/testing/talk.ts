/** A client for exact bytes over real TLS. */
import {once} from 'node:events'
import {connect as connectPlain} from 'node:net'
import {connect, type TLSSocket} from 'node:tls'

export class Talk {
	socket: TLSSocket
	text = ''
	isClosed = false
	/** The other side sent its FIN. */
	hasEnded = false
	#look: () => void = () => {}

	constructor(socket: TLSSocket) {
		this.socket = socket
		socket.on('data', (chunk: Buffer) => {
			this.text += chunk.toString('latin1')
			this.#look()
		})
		socket.on('end', () => {
			this.hasEnded = true
			this.#look()
		})
		socket.on('error', () => {})
		socket.on('close', () => {
			this.isClosed = true
			this.#look()
		})
	}

	send(text: string) {
		this.socket.write(text, 'latin1')
	}

	/** Everything received, once it satisfies `test`; fails when the connection ends first. */
	async until(test: RegExp | ((text: string) => boolean)) {
		const fits = () => (test instanceof RegExp ? test.test(this.text) : test(this.text))
		await this.#wait(() => fits() || this.hasEnded || this.isClosed)
		if (!fits()) throw new Error(`The connection ended after: ${JSON.stringify(this.text.slice(0, 400))}`)
		return this.text
	}

	/** Everything received until the other side closed. */
	async closed() {
		await this.#wait(() => this.hasEnded || this.isClosed)
		return this.text
	}

	#wait(test: () => boolean): Promise<void> {
		return new Promise(resolve => {
			this.#look = () => {
				if (test()) resolve()
			}
			this.#look()
		})
	}
}

export async function talkTo(place: {port: number; authority: string}) {
	const raw = connectPlain({host: '127.0.0.1', port: place.port, allowHalfOpen: true})
	const socket = connect({socket: raw, ca: place.authority, servername: 'localhost', ALPNProtocols: ['http/1.1']})
	await once(socket, 'secureConnect')
	return new Talk(socket)
}

/** `GET` of `rest` at the instance `edl`. */
export function get(rest: string, more = '') {
	return `GET /instance/execute/edl${rest} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
}

/** `POST` to the instance `edl`, without its body. */
export function post(framing: string) {
	return `POST /instance/execute/edl/ HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`
}
