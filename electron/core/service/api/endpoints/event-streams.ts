import {z} from 'zod'

import {createdStreamSchema, eventStreamSchema, type CreatedStream, type EventStream} from '#model/event-stream.ts'

import {checkGuid, checkInteger, checkText} from '../checks.ts'
import type {Answered, ApiClient, CallOptions} from '../types.ts'
import {callFor, factsOf} from './endpoint.ts'

/** GET `/v1/event_streams`; not paged, for there are few. */
export async function getEventStreams(client: ApiClient, options?: CallOptions): Promise<Answered<readonly EventStream[]>> {
	return callFor(client, {method: 'GET', path: ['event_streams']}, z.array(eventStreamSchema), options)
}

export interface NewStream {
	readonly name: string
	/** Without any: all. */
	readonly eventTypes: readonly number[]
	readonly groups: readonly string[]
}

/** POST `/v1/event_streams`: the only answer that holds the password. Names are singular here and plural in the answer. */
export async function createEventStream(
	client: ApiClient,
	{name, eventTypes, groups}: NewStream,
	options: CallOptions
): Promise<Answered<CreatedStream>> {
	const types = eventTypes.map(type => checkInteger('event_type', type, 0, 4_294_967_295))
	const guids = groups.map(guid => checkGuid('group_guid', guid))
	const body = {name: checkText('name', name), ...(types.length > 0 && {event_type: types}), ...(guids.length > 0 && {group_guid: guids})}
	return callFor(client, {method: 'POST', path: ['event_streams'], body}, createdStreamSchema, options)
}

/** DELETE `/v1/event_streams/{id}`; the answer may have no body. */
export async function deleteEventStream(client: ApiClient, id: number, options: CallOptions): Promise<Answered<null>> {
	const path = ['event_streams', String(checkInteger('id', id, 0, Number.MAX_SAFE_INTEGER))]
	return {...factsOf(await client.call({method: 'DELETE', path}, options)), data: null}
}
