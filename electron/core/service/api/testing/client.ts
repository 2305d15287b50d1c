import {observeBudget} from '../budget-record.ts'
import {createApiClient} from '../client.ts'
import type {ApiClient, BudgetLedger, BudgetRecord, ClientOptions} from '../types.ts'
import {testClock} from './clock.ts'

/** A ledger in memory. */
export function memoryLedger({reserved = 0} = {}): BudgetLedger {
	let kept: BudgetRecord | null = null
	return {
		read: () => kept,
		observe: record => void (kept = observeBudget(kept, record)),
		own: () => null,
		reserved: () => reserved,
	}
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
		...change,
	})
}
