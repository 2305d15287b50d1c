import {onTestFinished} from 'vitest'

import {defaultLimits} from '../limits.ts'
import type {ForwarderConfig, ServerLimits} from '../types.ts'
import {HandTicker} from './hand-ticker.ts'
import {configOf, type InstanceWish} from './heads.ts'
import {recorded} from './running.ts'
import {startRawInstance, type RawRequest} from './raw-instance.ts'
import {talkTo, type Talk} from './talk.ts'

export interface TransportWish {
	instance?: Omit<InstanceWish, 'name'>
	limits?: Partial<ServerLimits>
	config?: Partial<ForwarderConfig>
}

/**
 * The real server in front of an instance, `edl`, that answers as the test says, with a clock that the test moves; both stop after
 * the test, which fails if an internal error was reported.
 */
export async function startTransport(answer: (request: RawRequest, count: number) => void, wish: TransportWish = {}) {
	const instance = await startRawInstance(answer)
	const limits = {...defaultLimits, ...wish.limits}
	const config = configOf([{name: 'edl', listenPort: instance.port, ...wish.instance}], {limits, ...wish.config})
	const ticker = new HandTicker()
	const {forwarder, place, records, troubles} = await recorded(config, ticker)
	const talks: Talk[] = []
	onTestFinished(async () => {
		for (const talk of talks) talk.socket.destroy()
		await forwarder.stop(0)
		await instance.stop()
		if (troubles.length > 0) throw new Error(`The server had troubles: ${troubles.join('; ')}`)
	})
	return {
		forwarder,
		instance,
		ticker,
		config,
		authority: place.authority,
		records,
		/** Sends this at once. */
		talk: async (first = '') => {
			const talk = await talkTo(place)
			talks.push(talk)
			talk.send(first)
			return talk
		}
	}
}
