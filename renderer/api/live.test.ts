import {startLive} from './live.ts'
import type {Stale} from './stale.ts'
import type {Client, Wire} from './wire.ts'

/** A host whose streams say `hello` when told to, over a wire that can be lost. */
function host() {
	const listeners = new Set<() => void>()
	const streams: {hello(): void; lose(): void}[] = []
	let kind: 'connecting' | 'connected' | 'reconnecting' = 'connecting'
	const heard: string[] = []
	async function* stream() {
		const steps: PromiseWithResolvers<boolean>[] = [Promise.withResolvers(), Promise.withResolvers()]
		streams.push({hello: () => steps[0]?.resolve(true), lose: () => steps.forEach(({reject}) => reject(new Error('lost')))})
		for (const {promise} of steps) {
			promise.catch(() => {})
			await promise
			yield {kind: 'hello'} as const
		}
	}
	const wire = {
		state: () => ({kind}),
		subscribe: (listener: () => void) => {
			listeners.add(listener)
			return () => void listeners.delete(listener)
		}
	}
	const stale = {everything: () => heard.push('everything'), stop: () => {}}
	return {
		heard,
		streams,
		become: (next: typeof kind) => {
			kind = next
			for (const listener of listeners) listener()
		},
		// The parts that the stream uses.
		start: () =>
			startLive(wire as unknown as Wire, {app: {live: () => Promise.resolve(stream())}} as unknown as Client, stale as unknown as Stale)
	}
}

const settled = () => new Promise(resolve => setTimeout(resolve))

test('the stream is asked for before there is a wire; only a later greeting makes answers stale', async () => {
	const {heard, streams, become, start} = host()
	const live = start()
	await settled()
	become('connected')
	streams[0]?.hello()
	await settled()
	expect([streams.length, heard]).toEqual([1, []])
	become('reconnecting')
	streams[0]?.lose()
	await settled()
	become('connected')
	await settled()
	streams[1]?.hello()
	await settled()
	expect([streams.length, heard]).toEqual([2, ['everything']])
	live.stop()
})
