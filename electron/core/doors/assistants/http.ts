/** MCP over the listener of the local API, for authenticated requests. */
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'

import {createMcpHandler} from '@modelcontextprotocol/server'

import {CordonError} from '#contract/errors.ts'

import type {Answer} from '../answers.ts'
import type {Visit} from '../server.ts'
import {createReasons} from './reasons.ts'
import {assistantServer, type AssistantDependencies} from './server.ts'

export function mcpOverHttp(deps: Omit<AssistantDependencies, 'admit' | 'isAdmitted' | 'onUse' | 'reasons'>) {
	const reasons = createReasons()
	const handler = createMcpHandler(({authInfo}) => {
		const visit = authInfo?.extra?.['visit'] as Visit | undefined // put there below
		if (visit === undefined) throw new CordonError('token_refused')
		const {token, isAdmitted} = visit
		return assistantServer({...deps, reasons, isAdmitted, admit: () => token}, token)
	})
	return async (visit: Visit): Promise<Answer | undefined> => {
		const {token} = visit
		const authInfo = {token: token.id, clientId: token.name, scopes: [token.scope], extra: {visit}}
		const answer = await handler.fetch(await requestOf(visit), {authInfo})
		const type = answer.headers.get('content-type') ?? 'application/json'
		const allow = answer.status === 405 && {allow: 'POST'}
		if (!type.startsWith('text/event-stream'))
			return {status: answer.status, headers: {'content-type': type, ...allow}, body: await answer.text()}
		visit.response.writeHead(answer.status, {'content-type': type, 'cache-control': 'no-store'})
		const body = answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body)
		await pipeline(body, visit.response, {signal: visit.signal}).catch(() => {})
		return undefined
	}
}

async function requestOf({request, signal, body}: Visit) {
	// It takes POST alone, and a Request cannot be made of every method.
	const isPost = request.method === 'POST'
	const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
		typeof value === 'string' && name !== 'authorization' ? [[name, value]] : []
	)
	return new Request('http://127.0.0.1/mcp', {headers, signal, ...(isPost && {method: 'POST', body: await body()})})
}
