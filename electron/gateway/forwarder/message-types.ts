/** Requests and answers in a form independent of the HTTP version, and decisions on them. */
import type {ForwardedInstance} from './types.ts'

/** Header fields in order, as pairs in one flat list: name, value, name, value. Text is Latin-1, byte for byte. */
export type Fields = readonly string[]

export type RequestFraming = {kind: 'none'} | {kind: 'length'; length: number} | {kind: 'chunked'}

/** A request's head that passed every rule of the parser, of any HTTP version. */
export interface RequestHead {
	readonly method: string
	/** Origin form (or `*`): path and query, byte for byte as received; absolute form is already reduced to it. */
	readonly target: string
	readonly version: '1.0' | '1.1' | '2'
	/** Valid `uri-host[:port]`: of the absolute form, else of `Host` or `:authority`. */
	readonly authority: string
	/** As received, `Host` included; no empty name, no control character. */
	readonly fields: Fields
	readonly framing: RequestFraming
	/** Lower-case tokens of `Connection`. */
	readonly connection: readonly string[]
	/** Whether the client's connection may carry another request after this one. */
	readonly keepAlive: boolean
	readonly expectContinue: boolean
	/** Lower-case protocol of `Upgrade` when `Connection` names it and the version is 1.1, else `null`. */
	readonly upgrade: string | null
	/** Whether `TE: trailers` was said. */
	readonly wantsTrailers: boolean
}

export type ResponseFraming = {kind: 'none'} | {kind: 'length'; length: number} | {kind: 'chunked'} | {kind: 'close'}

/** An instance's head that passed every rule of the strict parser. */
export interface ResponseHead {
	readonly status: number
	readonly reason: string
	readonly version: '1.0' | '1.1'
	readonly fields: Fields
	readonly framing: ResponseFraming
	readonly connection: readonly string[]
	/** Whether the instance's connection may be used again after this answer. */
	readonly keepAlive: boolean
}

/** Why the server answers itself (route description, 1.6): the log distinguishes what one status hides. */
export interface Refusal {
	readonly status: number
	/** Stable word for log and metrics, such as `unknown_instance`, `not_exposed`, `bad_host`, `head_too_large`. */
	readonly reason: string
	/** `Proxy-Status` error type (RFC 9209), where one fits. */
	readonly proxyError?: string
	/** A sentence for the client; holds neither name, path nor any value of the request. */
	readonly detail: string
	/** Further fields of the answer: `Allow`, `WWW-Authenticate`, `Retry-After`. */
	readonly fields?: Fields
	/** Whether the client's connection must close after it. */
	readonly close: boolean
}

/** The origin of the bytes. */
export interface Peer {
	/** The other end of the socket, without an IPv4-mapped prefix. */
	readonly address: string
	readonly port: number
	/** The represented client: differs from `address` only behind a trusted proxy. */
	readonly client: string
	/** Local port. */
	readonly localPort: number
	/** Local address, without an IPv4-mapped prefix; when unknown, any address is accepted in `Host`. */
	readonly localAddress?: string | undefined
	/** Subject and chain of a client certificate, if one was shown. */
	readonly certificate: ClientCertificate | null
}

export interface ClientCertificate {
	/** DER, leaf first. */
	readonly chain: readonly Uint8Array[]
	readonly commonName: string
}

/** The routing decision (route description, 1.4). */
export type Decision =
	| {
			kind: 'forward'
			instance: ForwardedInstance
			/** The target for the instance: rest and query, byte for byte. */
			target: string
			/** `/instance/execute/<encoded name>`, as the client wrote it. */
			prefix: string
			/** The older name that was used, or `null`. */
			alias: string | null
	  }
	| {kind: 'version'}
	| {kind: 'redirect'; location: string}
	/** `instance`: for the log only. */
	| {kind: 'refuse'; refusal: Refusal; instance: string | null}

/** Target of decoded bytes, similar to `RequestBodySink` and `UpstreamSink`. Called during `push`. */
export interface BodySink {
	/** A slice of the pushed piece, not a copy: keeping it keeps the whole piece in memory. */
	data(slice: Buffer): void
	/** Last. `trailers`: as received, not yet filtered. */
	end(trailers: Fields): void
	/** Last. A rule was broken; the connection cannot be used any more. */
	failed(refusal: Refusal): void
}

export interface BodyLimits {
	/** Bytes of chunk extensions, a message. */
	readonly chunkOverheadBytes: number
	/** Bytes of the trailer section. */
	readonly headBytes: number
	readonly fields: number
}

export type BodySide = 'request' | 'response'

export interface BodyReader {
	/** `done` from the start for an empty body; the sink is then not called. */
	readonly state: 'open' | 'done' | 'failed' | 'stopped'
	/** Bytes of data so far, without framing. */
	readonly received: number
	/** Decodes from `from` to the end of `chunk`; returns the index of the first unused byte: when `done`, the next message. */
	push(chunk: Buffer, from: number): number
	/** The other side closed. `true`: a proper end (calls `end` if needed); `false`: the body is truncated. */
	close(): boolean
	/** Also during a sink's call: the sink is not called again. */
	stop(): void
}
