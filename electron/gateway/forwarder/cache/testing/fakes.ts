/** An instance and its clients, controlled by the test. */
import type {TakenOver, UpstreamFailure, UpstreamRequest, UpstreamSink} from '../../exchange.ts'
import type {Fields, RequestHead, ResponseHead} from '../../message-types.ts'
import {answerHeadOf, headOf} from '../../testing/heads.ts'
import type {Start} from '../call.ts'

export function request(fields: Fields = [], changes: Partial<RequestHead> = {}): RequestHead {
	return headOf('/list', {authority: 'a', fields: ['Host', 'a', ...fields], ...changes})
}

export function answer(fields: Fields = [], changes: Partial<ResponseHead> = {}): ResponseHead {
	return answerHeadOf({fields, ...changes})
}

export async function settled() {
	await new Promise<void>(setImmediate)
}

/** A client that records its callbacks in words. */
export class Listener implements UpstreamSink {
	heard: string[] = []
	headHeard: ResponseHead | null = null
	upstream: UpstreamRequest | null = null
	bytes = 0
	/** Pauses at every piece. */
	isSlow = false

	source(source: 'stale' | 'shared') {
		this.heard.push(source)
	}
	connected() {
		this.heard.push('connected')
	}
	information(status: number) {
		this.heard.push(`information ${status}`)
	}
	head(head: ResponseHead) {
		this.headHeard = head
		this.heard.push(`head ${head.status}`)
	}
	data(chunk: Buffer) {
		this.bytes += chunk.length
		if (chunk.length < 100) this.heard.push(`data ${chunk.toString()}`)
		if (this.isSlow) this.upstream?.pause()
	}
	end() {
		this.heard.push('end')
	}
	failed(failure: UpstreamFailure) {
		this.heard.push(`failed ${failure.refusal.reason}`)
	}
	switched(_head: ResponseHead, _taken: TakenOver) {
		this.heard.push('switched')
	}
	drain() {}
}

/** One request as seen by the instance. */
export interface Played {
	sink: UpstreamSink
	isPaused: boolean
	isAborted: boolean
}

/** An instance that answers on the test's command. */
export class Instance {
	requests: Played[] = []

	start: Start = sink => {
		const played: Played = {sink, isPaused: false, isAborted: false}
		this.requests.push(played)
		sink.connected(1)
		return {
			write: () => true,
			end: () => {},
			pause: () => (played.isPaused = true),
			resume: () => (played.isPaused = false),
			abort: () => (played.isAborted = true)
		}
	}

	at(index: number) {
		const played = this.requests[index]
		if (played === undefined) throw new Error(`The instance got no request ${index}.`)
		return played
	}

	begins(index: number, head = answer(), ...body: string[]) {
		const {sink} = this.at(index)
		sink.head(head)
		for (const part of body) sink.data(Buffer.from(part))
		return sink
	}

	answers(index: number, head: ResponseHead, ...body: string[]) {
		this.begins(index, head, ...body).end([])
	}
}

export const refusedConnection: UpstreamFailure = {
	refusal: {status: 502, reason: 'connection_refused', proxyError: 'connection_refused', detail: 'The instance does not listen.', close: false},
	stale: false
}
