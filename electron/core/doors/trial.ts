/** Sends a request as a program or an assistant would. */
import {request} from 'node:http'
import {urlToHttpOptions} from 'node:url'

import {messageOf} from '#contract/errors.ts'
import type {AccessToken, DoorSubject, DoorTest} from '#model/door.ts'
import type {Surface} from '#model/incident.ts'

import type {Connections} from '#core/service/connections/types.ts'
import type {Tokens} from './tokens.ts'

interface TrialDependencies {
	tokens: Pick<Tokens, 'create' | 'revoke' | 'find' | 'lend'>
	connections: Pick<Connections, 'list'>
	/** `null`: it does not listen. */
	address: string | null
}

export async function tryDoor(deps: TrialDependencies, subject: DoorSubject, surface: Surface): Promise<DoorTest> {
	const began = performance.now()
	const told = await ('token' in subject ? tryToken(deps, subject.token) : tryOnce(deps, subject.connection, surface))
	return {...told, durationMs: Math.round(performance.now() - began)}
}

type Told = Omit<DoorTest, 'durationMs'>

const closed: Told = {ok: false, status: null, message: 'The local API does not listen.'}

/** With a token valid for this one request. */
async function tryOnce({tokens, address}: TrialDependencies, connection: string, surface: Surface) {
	if (address === null) return closed
	const name = `Test ${new Date().toISOString()}`
	const made = tokens.create({name, connections: [connection], days: 1, perMinute: 1}, surface)
	try {
		const status = await statusFrom(address, made.token, {path: '/api/v1/openapi.json'})
		return {ok: status === 200, status, message: status === 200 ? 'It answered.' : `It answered with ${status}.`}
	} catch (error) {
		return unreached(error)
	} finally {
		tokens.revoke(made.id, surface, true)
	}
}

function unreached(error: unknown): Told {
	return {ok: false, status: null, message: messageOf(error)}
}

/** In place of an existing token, whose text is not stored. */
async function tryToken({tokens, connections, address}: TrialDependencies, idOrName: string) {
	const names: string[] = []
	const token = tokens.find(idOrName)
	const stands = `${token.name} is ${token.state}.`
	if (address === null) return {...closed, message: `${stands} ${closed.message}`}
	const all = connections.list()
	for (const id of token.connections) {
		const lent = tokens.lend(token.id)
		const name = all.find(one => one.id === id)?.name ?? id
		try {
			const status = await statusFrom(address, lent.text, trialOf(token, id))
			if (status !== 200) return {ok: false, status, message: `${stands} For ${name} it is answered with ${status}.`}
		} catch (error) {
			return unreached(error)
		} finally {
			lent.end()
		}
		names.push(name)
	}
	return {ok: true, status: 200, message: `${stands} It reaches ${names.join(', ')}.`}
}

interface Trial {
	path: string
	/** JSON. */
	body?: string
}

/** Requests that cost no API call. */
function trialOf({kind}: AccessToken, connection: string): Trial {
	if (kind === 'program') return {path: `/api/v1/local/computers?limit=1&connection=${encodeURIComponent(connection)}`}
	const params = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'Cordon', version: '0'}}
	return {path: '/mcp', body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params})}
}

function statusFrom(address: string, token: string, {path, body}: Trial): Promise<number> {
	const at = address.startsWith('http') ? urlToHttpOptions(new URL(address)) : {socketPath: address}
	const headers = {
		authorization: `Bearer ${token}`,
		...(body !== undefined && {'content-type': 'application/json', accept: 'application/json, text/event-stream'})
	}
	return new Promise((resolve, reject) => {
		const call = request({...at, path, agent: false, method: body === undefined ? 'GET' : 'POST', headers}, answer => {
			answer.resume()
			answer.on('end', () => resolve(answer.statusCode ?? 0))
		})
		call.setTimeout(5000, () => call.destroy(new Error('It did not answer within 5 seconds.')))
		call.on('error', reject)
		call.end(body)
	})
}
