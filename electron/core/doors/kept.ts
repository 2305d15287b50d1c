/**
 * Cached answers from local data. One is valid while its local copy, labels included, is unchanged
 * and its token means the same connection. Each request is still authenticated, counted and rate limited.
 */
import type {IncomingMessage} from 'node:http'

import type {AccessToken} from '#model/door.ts'

import type {Inventories} from '#core/replicas/computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Answer} from './answers.ts'
import {connectionOf, type CommandDependencies} from './commands.ts'
import {readyOf, type Ready} from './server.ts'

/** What an answer was read from. */
export interface Source {
	/** As it was asked for. */
	readonly wanted: string | undefined
	/** Id. */
	readonly connection: string
	readonly copy: Inventory
	/** Of the copy, before it was read. */
	readonly version: string
}

export type KeptAnswers = ReturnType<typeof keepAnswers>

interface Kept {
	source: Source
	answer: Answer
	ready: Ready
	/** Revision of the profile at which `source` was last valid. */
	profile: string
}

const mostBytes = 8_000_000

interface KeptDependencies extends Pick<CommandDependencies, 'connections'> {
	inventories: Pick<Inventories, 'opened'>
	/** Changes with every write to the profile. */
	version: () => string
}

export function keepAnswers(deps: KeptDependencies) {
	const {inventories, version} = deps
	const all = new Map<string, Kept>()
	let bytes = 0
	const drop = (key: string) => {
		bytes -= all.get(key)?.ready.bytes ?? 0
		all.delete(key)
	}
	const isGood = (token: AccessToken, kept: Kept) => {
		const {wanted, connection, copy, version: read} = kept.source
		if (inventories.opened(connection) !== copy || copy.version() !== read) return false
		const profile = version()
		if (kept.profile === profile) return true
		kept.profile = profile
		try {
			return connectionOf(deps, token, wanted) === connection
		} catch {
			// Its token no longer reaches the connection.
			return false
		}
	}
	return {
		find: (token: AccessToken, request: IncomingMessage) => {
			const key = keyOf(token, request)
			const kept = all.get(key)
			if (kept === undefined || request.method !== 'GET' || hasBody(request)) return undefined
			if (isGood(token, kept)) return conditional(request, kept)
			drop(key)
			return undefined
		},
		keep: (token: AccessToken, request: IncomingMessage, source: Source, answer: Answer) => {
			if (request.method !== 'GET') return
			const ready = readyOf(answer)
			const key = keyOf(token, request)
			drop(key)
			all.set(key, {source, answer: {...answer, body: ''}, ready, profile: version()})
			bytes += ready.bytes
			for (const oldest of all.keys()) {
				if (bytes <= mostBytes) break
				drop(oldest)
			}
		}
	}
}

/** The request text as received: another spelling is another key. */
function keyOf({id}: AccessToken, {url}: IncomingMessage) {
	return `${id} ${url}`
}

/** It may hold arguments. */
function hasBody({headers}: IncomingMessage) {
	return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function conditional(request: IncomingMessage, {answer, ready}: Kept) {
	const same = unchanged(request, answer)
	return same === answer ? ready : readyOf(same)
}

/** 304 if the client has it already. */
export function unchanged({headers}: Pick<IncomingMessage, 'headers'>, answer: Answer) {
	const {etag} = answer.headers
	const wanted = headers['if-none-match']?.split(',').map(one => one.trim().replace(/^W\//, ''))
	return etag !== undefined && wanted?.includes(etag) === true ? {...answer, status: 304} : answer
}
