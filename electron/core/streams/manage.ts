/** Creates and deletes event streams at the service: with an entry in the incident log before and after, as for every change. */
import {CordonError, reportError} from '#contract/errors.ts'
import {mostStreams, type CreatedStream, type EventStream} from '#model/event-stream.ts'
import type {Connection} from '#model/connection.ts'
import type {Surface} from '#model/incident.ts'

import {actingSurface} from '#base/acting.ts'
import type {Clock, SecretStore} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {createEventStream, deleteEventStream, getEventStreams, type NewStream} from '#core/service/api/endpoints/event-streams.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {issueWriteToken, revokeWriteToken, type WriteToken} from '#core/service/api/write-token.ts'
import {streamSecret} from '#core/service/connections/keys.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {OwnStream, StoredStreams} from './stored.ts'

export interface ManageDependencies {
	connections: Pick<Connections, 'find' | 'client' | 'mode'>
	secrets: SecretStore
	stored: StoredStreams
	log: Pick<IncidentLog, 'append'>
	clock: Clock
	surface: Surface
	onTrouble(message: string, error: unknown): void
}

export interface ListedStream extends EventStream {
	/** Whether this profile reads it. */
	readonly own: boolean
}

export async function listStreams(deps: ManageDependencies, connection: string, signal: AbortSignal): Promise<readonly ListedStream[]> {
	const {data} = await getEventStreams(deps.connections.client(connection), {signal})
	const own = deps.stored.of(connection)?.id
	return data.map(stream => ({...stream, own: stream.id === own}))
}

/** The password is stored in the same step; if that fails, the stream is deleted again. */
export async function createStream(deps: ManageDependencies, connection: Connection, wanted: NewStream, signal: AbortSignal) {
	await refuseEarly(deps, connection, signal)
	return changing(deps, connection, `Create the event stream ${wanted.name}`, async (client, token) => {
		const {data} = await createEventStream(client, wanted, {token, signal})
		try {
			return await keepStream(deps, connection.id, data)
		} catch (error) {
			throw await takenBack(error, client, data, token)
		}
	})
}

async function refuseEarly({connections, secrets, stored}: ManageDependencies, connection: Connection, signal: AbortSignal) {
	const known = stored.of(connection.id)
	if (known !== undefined)
		throw new CordonError('taken', `${connection.name} reads the event stream ${known.name} already. Nothing was sent.`, {
			fix: 'Use that one, or run "cordon stream delete" first.'
		})
	if (connections.mode(connection.id).kind === 'read_only') throw new CordonError('read_only')
	const problem = await secrets.unavailable()
	if (problem !== null)
		throw new CordonError('secret_unavailable', `${problem} The password of an event stream is shown once, so none was created.`)
	const {data} = await getEventStreams(connections.client(connection.id), {signal})
	if (data.length < mostStreams) return
	const names = data.map(({id, name}) => `${name} (${id})`).join(', ')
	throw new CordonError(
		'taken',
		`The service has ${data.length} event streams, and allows ${mostStreams} for an organisation: ${names}. Nothing was created.`,
		{fix: 'Delete one that nobody reads any more: cordon stream delete ID.'}
	)
}

async function keepStream({secrets, stored, clock}: ManageDependencies, connection: string, created: CreatedStream) {
	const {user_name: user, password, queue_name: queue, host, port} = created.amqp_credentials
	const createdAt = new Date(clock.now()).toISOString()
	const stream: OwnStream = {connection, id: created.id, name: created.name, host, port, user, queue, createdAt}
	await secrets.write(streamSecret(connection), password)
	stored.put(stream)
	return stream
}

/** A stream whose password is lost would only use up one of five places. */
async function takenBack(error: unknown, client: ApiClient, {id, name}: CreatedStream, token: WriteToken) {
	const {code, message} = reportError(error)
	try {
		await deleteEventStream(client, id, {token})
		return new CordonError(code, `${message} The event stream ${name} was deleted again.`, {}, {cause: error})
	} catch (second) {
		const text = `${message} The event stream ${name} (${id}) could not be deleted again: ${reportError(second).message}`
		const fix = `Delete it: cordon stream delete ${id}. Its password is unknown.`
		return new CordonError(code, text, {fix}, {cause: error})
	}
}

/** Default `id`: the one that this profile reads. A stream unknown to the service is removed here too. */
export async function deleteStream(deps: ManageDependencies, connection: Connection, id: number | undefined, signal: AbortSignal) {
	const own = deps.stored.of(connection.id)
	const target = id ?? own?.id
	if (target === undefined)
		throw new CordonError('usage', `${connection.name} reads no event stream.`, {fix: 'Name the ID of one: cordon stream list shows them.'})
	if (deps.connections.mode(connection.id).kind === 'read_only') throw new CordonError('read_only')
	const name = own?.id === target ? `${own.name} (${target})` : String(target)
	return changing(deps, connection, `Delete the event stream ${name}`, async (client, token) => {
		const wasThere = await deleted(client, target, token, signal)
		if (own?.id === target) {
			deps.stored.remove(connection.id)
			await deps.secrets.remove(streamSecret(connection.id))
		}
		return {id: target, wasThere}
	})
}

/** This endpoint returns 400 for an unknown one (API reference, section 1.7). */
async function deleted(client: ApiClient, id: number, token: WriteToken, signal: AbortSignal) {
	try {
		await deleteEventStream(client, id, {token, signal})
		return true
	} catch (error) {
		const isKnown = error instanceof CordonError
		if (isKnown && (error.code === 'not_found' || /event stream not found/i.test(error.details.service ?? error.message))) return false
		throw error
	}
}

/** The log gets the intent before anything is sent, then its outcome. */
async function changing<T>(
	{connections, log, surface, onTrouble}: ManageDependencies,
	connection: Connection,
	what: string,
	work: (client: ApiClient, token: WriteToken) => Promise<T>
) {
	const {id, name, url} = connection
	const common = {kind: 'connection.changed', surface: actingSurface(surface), connection: {id, name, url}} as const
	const intent = await log.append({...common, message: `${what}: requested.`})
	// The outcome is valid even if it cannot be logged.
	const ended = (message: string, data: {code: string} | null): Promise<unknown> =>
		log
			.append({...common, about: intent.id, message: `${what}: ${message}`, data})
			.catch((error: unknown) => onTrouble('The outcome could not be written to the incident log.', error))
	const token = issueWriteToken(intent.id, id)
	try {
		const result = await work(connections.client(id), token)
		await ended('done.', null)
		return result
	} catch (error) {
		const {code, message} = reportError(error)
		await ended(message, {code})
		throw error
	} finally {
		revokeWriteToken(token)
	}
}
