import {startOrigin} from '../corpus/testing/judge.ts'
import {startForwarder} from '../server.ts'
import {testCredentials} from '../tls/testing/credentials.ts'
import type {RequestRecord} from '../record-types.ts'
import type {Ticker} from '../ticker.ts'
import type {ForwarderConfig} from '../types.ts'
import {configOf, type InstanceWish} from './heads.ts'

export type Running = Awaited<ReturnType<typeof startRunning>>

/** The real server with one instance, `edl`, which records requests. */
export async function startRunning(instance: Omit<InstanceWish, 'name'> = {}, more: Partial<ForwarderConfig> = {}) {
	const origin = await startOrigin()
	const config = configOf([{name: 'edl', listenPort: origin.port, ...instance}], more)
	const {forwarder, place, records, troubles} = await recorded(config)
	const stop = async () => {
		await forwarder.stop(0)
		await origin.stop()
	}
	return {
		forwarder,
		origin,
		place,
		config,
		records,
		/** Messages to the operator. */
		troubles,
		stop
	}
}

/** The real server, with what it reports. */
export async function recorded(config: ForwarderConfig, ticker?: Ticker) {
	const credentials = await testCredentials()
	const records: RequestRecord[] = []
	const troubles: string[] = []
	const forwarder = await startForwarder({
		listen: {host: '127.0.0.1', port: 0},
		config,
		credentials,
		ticker,
		onRequest: record => void records.push(record),
		onTrouble: (message, error) => void troubles.push(`${message} ${String(error)}`)
	})
	return {forwarder, place: {port: forwarder.listen.port, authority: credentials.authority}, records, troubles}
}
