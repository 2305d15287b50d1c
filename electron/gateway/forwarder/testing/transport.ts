import {defaultLimits} from '../limits.ts'
import {startForwarder} from '../server.ts'
import {testCredentials} from '../tls/testing/credentials.ts'
import type {RequestRecord} from '../record-types.ts'
import type {Forwarder, ForwarderConfig, ServerLimits} from '../types.ts'
import {configOf, type InstanceWish} from './heads.ts'
import {startRawInstance, type RawInstance, type RawRequest} from './raw-instance.ts'
import {talkTo, type Talk} from './talk.ts'

export interface Transport {
	readonly forwarder: Forwarder
	readonly instance: RawInstance
	readonly config: ForwarderConfig
	readonly authority: string
	readonly records: RequestRecord[]
	talk(): Promise<Talk>
	/** Fails when an internal error was reported. */
	stop(): Promise<void>
}

export interface TransportWish {
	readonly instance?: Omit<InstanceWish, 'name'>
	readonly limits?: Partial<ServerLimits>
	readonly config?: Partial<ForwarderConfig>
}

/** The real server in front of an instance, `edl`, that answers as the test says. */
export async function startTransport(
	answer: (request: RawRequest, count: number) => void,
	wish: TransportWish = {},
): Promise<Transport> {
	const instance = await startRawInstance(answer)
	const credentials = await testCredentials()
	const limits = {...defaultLimits, ...wish.limits}
	const config = configOf([{name: 'edl', listenPort: instance.port, ...wish.instance}], {limits, ...wish.config})
	const records: RequestRecord[] = []
	const troubles: string[] = []
	const forwarder = await startForwarder({
		listen: {host: '127.0.0.1', port: 0},
		config,
		credentials,
		onRequest: record => void records.push(record),
		onTrouble: (message, error) => void troubles.push(`${message} ${String(error)}`),
	})
	const place = {port: forwarder.listen.port, authority: credentials.authority}
	const talks: Talk[] = []
	return {
		forwarder,
		instance,
		config,
		authority: credentials.authority,
		records,
		talk: async () => {
			const talk = await talkTo(place)
			talks.push(talk)
			return talk
		},
		stop: async () => {
			for (const talk of talks) talk.socket.destroy()
			await forwarder.stop(0)
			await instance.stop()
			if (troubles.length > 0) throw new Error(`The server had troubles: ${troubles.join('; ')}`)
		},
	}
}
