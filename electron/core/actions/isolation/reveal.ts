/** The one audited way to see an unlock code. */
import type {RevealedCode} from '#contract/contract.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {Surface} from '#model/incident.ts'
import type {SealedCode} from '#model/lease.ts'

import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {UnlockCodes} from './codes.ts'
import type {Presence} from './presence.ts'

interface RevealRequest {
	connection: Pick<Connection, 'id' | 'name'> & {url?: string | undefined}
	guid: string
	label: string
	reason: string
	surface: Surface
	incident: string | null
	passphrase?: string | undefined
	/** This code of the vault, without asking the service. */
	sealed?: string | undefined
	signal?: AbortSignal | undefined
}

interface RevealServices {
	/** `undefined` where the service is out of reach: then only the vault can tell. */
	client: () => ApiClient | undefined
	log: Pick<IncidentLog, 'append'>
	codes: Pick<UnlockCodes, 'list' | 'newest' | 'open'>
	clock: {now(): number}
	/** Left out where this very command began with the passphrase. */
	presence?: Presence | undefined
}

/**
 * Checks who asks, logs who wants the code and why, then reads it. `null` when the computer has none or is not isolated: the
 * service keeps showing the code of an isolation that is over. When the service cannot be reached, the sealed code is shown.
 * Rejects with `confirmation_needed` or `log_unavailable` before anything is read.
 */
export async function revealUnlockCode(services: RevealServices, request: RevealRequest): Promise<RevealedCode & {entry: string}> {
	const reason = request.reason.trim()
	if (reason === '') throw usageError('Revealing an unlock code needs a reason.', 'reason')
	await services.presence?.check({passphrase: request.passphrase, why: `show the unlock code of ${request.label}`})
	const entry = await services.log.append({
		kind: 'secret.revealed',
		surface: request.surface,
		incident: request.incident,
		command: 'svc_get_computers_isolation',
		args: {connector_guid: request.guid},
		target: {guid: request.guid, label: request.label},
		connection: {id: request.connection.id, name: request.connection.name, url: request.connection.url ?? ''},
		message: `Unlock code of ${request.label} revealed: ${reason}`,
		data: {reason, source: request.sealed === undefined ? 'service' : 'vault'}
	})
	const found = request.sealed === undefined ? await readCode(services, request) : await openNamed(services, request)
	return {...found, entry: entry.id}
}

/** The service knows the current code, whoever isolated the computer. */
async function readCode(services: RevealServices, request: RevealRequest): Promise<RevealedCode> {
	const {codes, clock} = services
	try {
		const client = services.client()
		if (client === undefined) throw new CordonError('unknown_connection')
		const options = {signal: request.signal, purpose: 'release', deadlineMs: 20_000} as const
		const {data} = await getIsolation(client, {connector_guid: request.guid}, options)
		const code = data.status === 'not_isolated' || data.unlock_code === '' ? null : (data.unlock_code ?? null)
		return {code, source: 'service', at: new Date(clock.now()).toISOString()}
	} catch (error) {
		const sealed = codes.newest(request.connection.id, request.guid)
		if (sealed === undefined || request.signal?.aborted === true) throw error
		return await open(codes, sealed)
	}
}

/** Only for the named computer: the log says whose code was shown. */
async function openNamed({codes}: RevealServices, {connection, guid, sealed}: RevealRequest) {
	const found = codes.list(connection.id).find(each => each.id === sealed && each.guid.toLowerCase() === guid.toLowerCase())
	if (found === undefined) throw new CordonError('not_found', 'There is no such unlock code on this computer.')
	return await open(codes, found)
}

async function open(codes: Pick<UnlockCodes, 'open'>, {id, at, label}: SealedCode): Promise<RevealedCode> {
	const code = await codes.open(id)
	if (code !== undefined) return {code, source: 'vault', at}
	throw new CordonError('secret_unavailable', `The unlock code of ${label} is not in the secret store any more.`)
}
