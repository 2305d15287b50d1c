import {RPCLink} from '@orpc/client/websocket'
import {TANSTACK_QUERY_OPERATION_CONTEXT_SYMBOL as operation, type OperationContext} from '@orpc/tanstack-query'

import {whole} from '#shared/streams.ts'
import {createSwitch, untilClosed} from './wire.ts'

test('a reading that is given up while the socket closes ends with the socket, and throws nowhere else', async () => {
	const send = vi.fn<(data: unknown) => void>()
	const state = {readyState: WebSocket.OPEN as number, send}
	const socket = Object.assign(new EventTarget(), state) as unknown as WebSocket // what the link uses of one
	const link = new RPCLink({websocket: untilClosed(socket)})
	const stop = new AbortController()
	const call = link.call(['app', 'info'], undefined, {context: {}, signal: stop.signal})
	call.catch(() => {})
	const turn = () => new Promise(setImmediate)
	await turn()
	Object.assign(socket, {readyState: WebSocket.CLOSING})
	send.mockClear()
	stop.abort()
	await turn()
	expect(send).not.toHaveBeenCalled()
	Object.assign(socket, {readyState: WebSocket.CLOSED})
	socket.dispatchEvent(new Event('close'))
	await expect(call).rejects.toThrow(/abort/i)
	// An unhandled rejection fails the run.
	await turn()
})

test('a stream whose link is lost before its end tells that as a reading, and no half of it passes for the whole', async () => {
	const ended = Promise.withResolvers<never>()
	const stream = async function* () {
		yield 'first'
		await ended.promise
	}
	const it = createSwitch()
	it.set({kind: 'connected'}, {call: async () => stream()})
	const reading = whole((await it.link.call([], undefined, {context: {}})) as ReturnType<typeof stream> as never)
	it.set({kind: 'closed'}, null)
	ended.reject(new Error('Queue[1] was closed.'))
	await expect(reading).rejects.toMatchObject({code: 'reset'})
})

test('only what may be a change is to be checked when its answer is lost', async () => {
	const it = createSwitch()
	const call = async (): Promise<never> => {
		it.set({kind: 'closed'}, null)
		throw new Error('closed')
	}
	const lost = async (context: OperationContext) => {
		it.set({kind: 'connected'}, {call})
		await it.link
			.call([], undefined, {context: {...context}})
			.catch(({code}) => expect(code).toBe(context[operation] ? 'reset' : 'outcome_unknown'))
	}
	await lost({[operation]: {key: [[], {}], type: 'query'}})
	await lost({})
	expect.assertions(2)
})
