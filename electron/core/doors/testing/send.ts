import {request, type IncomingHttpHeaders} from 'node:http'
import {text as textOf} from 'node:stream/consumers'

export interface Ask {
	/** The token; empty: none. */
	as?: string
	headers?: Readonly<Record<string, string>>
	body?: unknown
	/** URL, or path of a socket. */
	at?: string
	signal?: AbortSignal
}

export interface Said {
	status: number
	headers: IncomingHttpHeaders
	/** Parsed, where it is JSON. */
	body: unknown
	text: string
}

/** A body that is a text is sent as it is. */
export function send(method: string, path: string, {as, headers = {}, body, at, signal}: Ask & {as: string; at: string}) {
	return new Promise<Said>((resolve, reject) => {
		const where = at.startsWith('http') ? {host: '127.0.0.1', port: new URL(at).port} : {socketPath: at}
		const auth = as === '' ? {} : {authorization: `Bearer ${as}`}
		const sent = request({...where, path, method, agent: false, signal, headers: {...auth, ...headers}}, async answer => {
			const text = await textOf(answer)
			const isJson = /json/.test(answer.headers['content-type'] ?? '') && text !== ''
			resolve({status: answer.statusCode ?? 0, headers: answer.headers, body: isJson ? JSON.parse(text) : text, text})
		})
		sent.on('error', reject)
		sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
	})
}
