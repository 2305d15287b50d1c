/**
 * The link from the page to its host: a MessagePort from the preload, else a same-origin WebSocket.
 * Callers see one link that outlives reconnections.
 */
import type {Client as Call, ClientContext, ClientLink, ClientOptions} from '@orpc/client'
import {RPCLink as PortLink} from '@orpc/client/message-port'
import {RPCLink as SocketLink} from '@orpc/client/websocket'
import type {ContractRouterClient} from '@orpc/contract'
import {TANSTACK_QUERY_OPERATION_CONTEXT_SYMBOL as operation, type OperationContext, type RouterUtils} from '@orpc/tanstack-query'

import type {Contract} from '#contract/contract.ts'
import type {CordonError} from '#contract/errors.ts'
import {isStream} from '#shared/streams.ts'

import {answerLost, asCordonError, hostLost} from './errors.ts'
import {backOff, type WireState} from './wire-state.ts'

export type Client = Thrown<ContractRouterClient<Contract>>

/** Whatever a call threw, the wire makes a `CordonError` of it. */
type Thrown<T> =
	T extends Call<infer Context, infer Input, infer Output, infer _Error>
		? Call<Context, Input, Output, CordonError>
		: {[Name in keyof T]: Thrown<T[Name]>}

export type Queries = RouterUtils<Client>

export interface Wire {
	link: ClientLink<ClientContext>
	state(): WireState
	subscribe(listener: () => void): () => void
	retryNow(): void
	close(): void
}

/** Pages of the application's own scheme ask the preload for a port; pages of a web server open a WebSocket. */
export function openWire(): Wire {
	return location.protocol === 'http:' || location.protocol === 'https:' ? openSocketWire(socketUrl()) : openPortWire()
}

function socketUrl() {
	return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/wire`
}

/** What both kinds of wire share: the present link, callers waiting for one, and listeners. */
export function createSwitch() {
	const listeners = new Set<() => void>()
	let state: WireState = {kind: 'connecting'}
	let link: ClientLink<ClientContext> | null = null
	let waiting: PromiseWithResolvers<ClientLink<ClientContext>> = newWaiting()
	const set = (next: WireState, nextLink: ClientLink<ClientContext> | null) => {
		state = next
		link = nextLink
		if (link !== null) waiting.resolve(link)
		else if (next.kind !== 'connecting') waiting.reject(hostLost())
		if (link === null) waiting = next.kind === 'connecting' ? newWaiting() : waiting
		for (const listener of listeners) listener()
	}
	const present = () => {
		if (link !== null) return Promise.resolve(link)
		return state.kind === 'connecting' ? waiting.promise : Promise.reject(hostLost())
	}
	return {
		set,
		state: () => state,
		subscribe(listener: () => void) {
			listeners.add(listener)
			return () => void listeners.delete(listener)
		},
		link: {
			async call(path: readonly string[], input: unknown, options: ClientOptions<ClientContext>) {
				const used = await present()
				const failure = (error: unknown, reads: boolean) => (used === link ? asCordonError(error) : answerLost(reads))
				try {
					const output = await used.call(path, input, options)
					// No change answers in pieces.
					return isStream(output) ? reported(output, error => failure(error, true)) : output
				} catch (error) {
					throw failure(error, (options.context as OperationContext)[operation]?.type === 'query')
				}
			}
		} satisfies ClientLink<ClientContext>
	}
}

async function* reported(stream: AsyncIterableIterator<unknown, unknown>, failure: (error: unknown) => CordonError) {
	try {
		return yield* stream
	} catch (error) {
		throw failure(error)
	}
}

function newWaiting() {
	const waiting = Promise.withResolvers<ClientLink<ClientContext>>()
	// The first attempt may fail before anything waits for it.
	waiting.promise.catch(() => {})
	return waiting
}

/** Exported for tests; pages use {@link openWire}. */
function openSocketWire(url: string): Wire {
	const it = createSwitch()
	const stop = new AbortController()
	let socket: WebSocket | null = null
	let timer: ReturnType<typeof setTimeout> | undefined
	let lostAt: number | null = null
	let attempt = 0

	const connect = () => {
		clearTimeout(timer)
		const opened = new WebSocket(url)
		socket = opened
		opened.binaryType = 'arraybuffer'
		opened.addEventListener('open', () => {
			lostAt = null
			attempt = 0
			it.set({kind: 'connected'}, new SocketLink({websocket: untilClosed(opened)}))
		})
		opened.addEventListener('close', () => void closed(opened))
	}
	const closed = async (which: WebSocket) => {
		if (which !== socket || stop.signal.aborted) return
		socket = null
		lostAt ??= Date.now()
		attempt += 1
		const wait = backOff(attempt, Math.random())
		timer = setTimeout(connect, wait)
		// Stays refused until an attempt succeeds: the operator may open the entry URL in another tab.
		if (it.state().kind !== 'refused') it.set({kind: 'reconnecting', since: lostAt, nextAt: Date.now() + wait, attempt}, null)
		// A browser does not say why an upgrade failed; a plain request does.
		if (await isRefused(stop.signal)) it.set({kind: 'refused'}, null)
	}
	const retryNow = () => {
		if (socket === null && !stop.signal.aborted) connect()
	}
	window.addEventListener('online', retryNow, {signal: stop.signal})
	connect()
	return {
		link: it.link,
		state: it.state,
		subscribe: it.subscribe,
		retryNow,
		close() {
			stop.abort()
			clearTimeout(timer)
			socket?.close()
			it.set({kind: 'closed'}, null)
		}
	}
}

/**
 * oRPC throws outside any call when a reading is given up while the socket closes. Browsers drop what is sent then, and
 * complain; closing the socket rejects every pending call.
 */
export function untilClosed(socket: WebSocket): Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'> {
	return {
		addEventListener: socket.addEventListener.bind(socket),
		removeEventListener: socket.removeEventListener.bind(socket),
		send: data => {
			if (socket.readyState === WebSocket.OPEN) socket.send(data)
		},
		get readyState() {
			return socket.readyState === WebSocket.CLOSING ? WebSocket.OPEN : socket.readyState
		}
	}
}

async function isRefused(signal: AbortSignal) {
	try {
		const answer = await fetch('/', {method: 'HEAD', cache: 'no-store', signal})
		return answer.status === 401 || answer.status === 403
	} catch {
		return false
	}
}

function openPortWire(): Wire {
	const it = createSwitch()
	const stop = new AbortController()
	let port: MessagePort | null = null
	const receive = (event: MessageEvent<unknown>) => {
		if (event.source !== window || !isPortMessage(event.data)) return
		const [given] = event.ports
		if (given === undefined) return
		port?.close()
		port = given
		given.addEventListener('close', () => {
			if (port === given) it.set({kind: 'closed'}, null)
		})
		// After ours: what it rejects then knows that the link is lost.
		const link = new PortLink({port: given})
		given.start()
		it.set({kind: 'connected'}, link)
	}
	window.addEventListener('message', receive, {signal: stop.signal})
	const ask = () => window.postMessage({type: 'cordon:ready'}, location.origin === 'null' ? '*' : location.origin)
	ask()
	return {
		link: it.link,
		state: it.state,
		subscribe: it.subscribe,
		retryNow: ask,
		close() {
			stop.abort()
			port?.close()
			it.set({kind: 'closed'}, null)
		}
	}
}

function isPortMessage(data: unknown) {
	return typeof data === 'object' && data !== null && 'type' in data && data.type === 'cordon:port'
}
