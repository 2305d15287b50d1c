import type {ApiAnswer, ApiClient, ApiRequest, CallOptions, ClientOptions} from '../types.ts'
import {issueWriteToken} from '../write-token.ts'
import {testClient} from './client.ts'
import {startProxy} from './proxy.ts'
import {alwaysGood, startServer, type Answerer} from './server.ts'

/** What a test opens; `closeAll` closes it, last first. */
export function openBench() {
	const closers: (() => Promise<void>)[] = []
	const onClose = (close: () => Promise<void>) => void closers.push(close)

	const serving = async (answer: Answerer, tls?: {cert: string; key: string}) => {
		const server = await startServer(answer, tls)
		onClose(server.close)
		return server
	}

	const servingGood = (tls?: {cert: string; key: string}) => serving(alwaysGood, tls)

	const clientOf = (url: string, change?: Partial<ClientOptions>) => {
		const client = testClient(url, change)
		onClose(client.stop)
		return client
	}

	const proxyTo = async (port: number, options: Parameters<typeof startProxy>[1] = {}) => {
		const proxy = await startProxy(port, options)
		onClose(proxy.close)
		return proxy
	}

	const closeAll = async () => {
		for (const close of closers.splice(0).toReversed()) await close()
	}

	/** A client of a server of its own. */
	const clientFor = async (answer: Answerer, change?: Partial<ClientOptions>) => clientOf((await serving(answer)).url, change)
	return {onClose, serving, servingGood, proxyTo, clientOf, clientFor, closeAll}
}

export const versionRequest: ApiRequest = {method: 'GET', path: ['version']}

export const isolateRequest: ApiRequest = {
	method: 'PUT',
	path: ['computers', 'd7fbcdb6-0a14-4e39-867e-02f5e1649497', 'isolation'],
	body: {comment: 'x'}
}

export const liveToken = () => issueWriteToken('intent-1', 'test')

export function isolate(client: ApiClient, more: CallOptions = {}): Promise<ApiAnswer> {
	return client.call(isolateRequest, {token: liveToken(), ...more})
}
