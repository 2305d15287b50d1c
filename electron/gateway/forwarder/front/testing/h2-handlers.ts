/** Handlers of HTTP/2 exchanges in tests. */
import type {BodyPace, ClientExchange} from '../../exchange.ts'
import {isOf, type RawHttp2} from './frames.ts'

export const noPace: BodyPace = {minRate: 0, idleMs: 0}

/** Echoes body and trailers. */
export function echo(exchange: ClientExchange) {
	const chunks: Buffer[] = []
	exchange.readBody(
		{
			data: chunk => void chunks.push(chunk),
			end: trailers => {
				exchange.sendHead(200, 'OK', ['X-Echo', 'yes'], {kind: 'chunked'})
				exchange.sendData(Buffer.concat(chunks))
				exchange.sendEnd(trailers)
			},
			failed: () => exchange.abort()
		},
		noPace
	)
}

/** Describes the end of a body in words. */
export function watchBody(exchange: ClientExchange, pace = noPace): Promise<string> {
	return new Promise(resolve => {
		let bytes = 0
		exchange.readBody(
			{
				data: chunk => (bytes += chunk.length),
				end: trailers => resolve(`ended after ${bytes} ${trailers.join(' ')}`.trim()),
				failed: refusal => resolve(`failed after ${bytes}: ${refusal?.reason ?? 'client left'}`)
			},
			pace
		)
	})
}

/** Reads a body and does nothing with it. */
export function discardBody(exchange: ClientExchange) {
	exchange.readBody({data: () => {}, end: () => {}, failed: () => {}}, noPace)
}

/** An answer without a body. */
export function sendEmpty(exchange: ClientExchange | undefined, status: number) {
	exchange?.sendHead(status, '', [], {kind: 'none'})
	exchange?.sendEnd([])
}

/** Head and first bytes of a body without a length. */
export function begin(exchange: ClientExchange, text: string) {
	exchange.sendHead(200, 'OK', [], {kind: 'chunked'})
	exchange.sendData(Buffer.from(text))
}

/** Waits for the stream's reset; returns its code. */
export async function resetOf(connection: RawHttp2, stream = 1) {
	const {payload} = await connection.frame(isOf('reset', stream))
	return payload.readUInt32BE()
}

/** Waits for GOAWAY; returns its code. */
export async function goawayOf(connection: RawHttp2) {
	const {payload} = await connection.frame(isOf('goaway'))
	return payload.readUInt32BE(4)
}
