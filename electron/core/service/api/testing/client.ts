import {observeQuota} from '../quota-record.ts'
import {createApiClient} from '../client.ts'
import type {ApiClient, QuotaLedger, QuotaRecord, ClientOptions} from '../types.ts'
import {testClock} from './clock.ts'

/** A ledger in memory. */
export function memoryLedger({reserved = 0} = {}): QuotaLedger {
	let kept: QuotaRecord | null = null
	return {read: () => kept, observe: record => void (kept = observeQuota(kept, record)), own: () => null, reserved: () => reserved}
}

export const testKey = 'canary-key-7f3a'

/** A client for a server of a test. Its clock runs by itself through pauses; sockets keep real time. */
export function testClient(url: string, change: Partial<ClientOptions> = {}): ApiClient {
	return createApiClient({
		connection: 'test',
		url,
		clientId: 'a1b2c3',
		apiKey: async () => testKey,
		insecure: false,
		clock: testClock({eager: true}),
		proxyEnvironment: {},
		ledger: memoryLedger(),
		mode: () => ({kind: 'guarded'}),
		userAgent: 'Cordon/test',
		...change
	})
}
