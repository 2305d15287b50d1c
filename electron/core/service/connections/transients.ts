import {hash} from 'node:crypto'

import type {Connection} from '#model/connection.ts'

import type {Clock} from '#base/ports.ts'
import type {CheckedInput} from './input.ts'
import type {Stored} from './rows.ts'

/** Of their ids. */
export const transientStart = 'server-'

/** Connections that live as long as this process. Their keys stay in memory. */
export type Transients = ReturnType<typeof createTransients>

export function createTransients(clock: Clock) {
	const known = new Map<string, {stored: Stored; key: string}>()
	return {
		add: ({apiKey: _apiKey, proxyLogin: _proxyLogin, ...input}: CheckedInput, apiKey: string) => {
			// The same server and client have the same id in every process: they share one quota, and the log shows them as one.
			const digest = hash('sha256', `${input.url}\n${input.clientId}`, 'hex')
			const id = `${transientStart}${digest.slice(0, 16)}`
			const createdAt = new Date(clock.now()).toISOString()
			const connection: Connection = {...input, id, hasProxyLogin: false, sandbox: false, createdAt}
			known.set(id, {stored: {connection, revision: '0'}, key: apiKey.trim()})
			return connection
		},
		list: () => [...known.values()].map(({stored}) => stored),
		get: (id: string) => known.get(id)?.stored,
		keyOf: (id: string) => known.get(id)?.key
	}
}
