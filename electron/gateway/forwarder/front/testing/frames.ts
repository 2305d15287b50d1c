/** Manual HTTP/2 frames, for what no regular client sends. Fields are literals without indexing and without Huffman. */
import {once} from 'node:events'
import {connect, type TLSSocket} from 'node:tls'

export const frameType = {data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8, continuation: 9} as const

export const flag = {endStream: 1, ack: 1, endHeaders: 4} as const

export interface Frame {
	type: number
	flags: number
	stream: number
	payload: Buffer
}

export function frameBytes(type: number, flags: number, stream: number, payload: Buffer): Buffer {
	const head = Buffer.alloc(9)
	head.writeUIntBE(payload.length, 0, 3)
	head[3] = type
	head[4] = flags
	head.writeUInt32BE(stream, 5)
	return Buffer.concat([head, payload])
}

export function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4)
	bytes.writeUInt32BE(value)
	return bytes
}

/** HPACK integer with a prefix of seven bits (RFC 7541, 5.1). */
function length7(value: number) {
	if (value < 127) return Buffer.of(value)
	const bytes = [127]
	let rest = value - 127
	for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
	return Buffer.from([...bytes, rest])
}

/** Names and values as an HPACK block. */
export function block(fields: readonly (readonly [string, string])[]): Buffer {
	const parts = fields.flatMap(([name, value]) => {
		const [nameBytes, valueBytes] = [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]
		return [Buffer.of(0), length7(nameBytes.length), nameBytes, length7(valueBytes.length), valueBytes]
	})
	return Buffer.concat(parts)
}

export function requestFields(method: string, path: string, more: readonly (readonly [string, string])[] = []) {
	return [[':method', method], [':scheme', 'https'], [':path', path], [':authority', 'localhost'], ...more] as const
}

/** Whether a frame has that type, on that stream if one is named. */
export function isOf(type: keyof typeof frameType, stream?: number): (frame: Frame) => boolean {
	return frame => frame.type === frameType[type] && (stream === undefined || frame.stream === stream)
}

/** Connects, and sends the preface and `settings` (payload of the frame). */
export async function rawHttp2(port: number, authority: string, settings: Buffer = Buffer.alloc(0)) {
	const socket = connect({host: '127.0.0.1', port, ca: authority, servername: 'localhost', ALPNProtocols: ['h2']})
	await once(socket, 'secureConnect')
	const connection = new RawHttp2(socket)
	connection.write(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1'), frameBytes(frameType.settings, 0, 0, settings))
	return connection
}

/** A connection on which the test writes every byte. */
export class RawHttp2 {
	socket: TLSSocket
	frames: Frame[] = []
	#rest: Buffer = Buffer.alloc(0)
	#gone = false
	readonly #waiting = new Set<() => void>()

	constructor(socket: TLSSocket) {
		this.socket = socket
		socket.on('data', (chunk: Buffer) => this.#take(chunk))
		socket.on('error', () => {})
		socket.on('close', () => {
			this.#gone = true
			for (const look of this.#waiting) look()
		})
	}

	write(...parts: readonly Buffer[]) {
		if (this.socket.writable) this.socket.write(Buffer.concat(parts))
	}

	/** A head in one HEADERS frame. */
	headers(stream: number, fields: readonly (readonly [string, string])[], flags = 5): Buffer {
		return frameBytes(frameType.headers, flags, stream, block(fields))
	}

	/** The first matching frame, past or future. Rejects when the connection closes first. */
	frame(fits: (frame: Frame) => boolean): Promise<Frame> {
		return new Promise((resolve, reject) => {
			const look = () => {
				const found = this.frames.find(fits)
				if (found === undefined && !this.#gone) return
				this.#waiting.delete(look)
				if (found === undefined) reject(new Error('The connection closed before the frame came.'))
				else resolve(found)
			}
			this.#waiting.add(look)
			look()
		})
	}

	async closed() {
		if (!this.#gone) await once(this.socket, 'close')
	}

	close() {
		this.socket.destroy()
	}

	#take(chunk: Buffer) {
		this.#rest = Buffer.concat([this.#rest, chunk])
		while (this.#rest.length >= 9) {
			const length = this.#rest.readUIntBE(0, 3)
			if (this.#rest.length < 9 + length) break
			const [type = 0, flags = 0] = this.#rest.subarray(3, 5)
			const payload = this.#rest.subarray(9, 9 + length)
			this.frames.push({type, flags, stream: this.#rest.readUInt32BE(5), payload})
			this.#rest = this.#rest.subarray(9 + length)
		}
		for (const look of this.#waiting) look()
	}
}
