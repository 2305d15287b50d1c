import {z} from 'zod'

import {eventSchema, eventTypeSchema, type EventType, type ServiceEvent} from '#model/event.ts'

import {checkGuid, checkInteger, checkIso8601, checkSha256} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {Answered, ApiClient, CallOptions} from '../types.ts'
import {callFor, list, many, one, type Range} from './endpoint.ts'

interface EventsArgs extends Range {
	connector_guid?: readonly string[] | undefined
	group_guid?: readonly string[] | undefined
	detection_sha256?: string | undefined
	application_sha256?: string | undefined
	event_type?: readonly number[] | readonly string[] | undefined
	start_date?: string | undefined
}

/** GET `/v1/events`. Ids of up to 19 digits are `bigint`. */
export async function getEvents(client: ApiClient, args: EventsArgs, walk?: WalkOptions<ServiceEvent>): Promise<Listing<ServiceEvent>> {
	const query = [
		...many(args, 'connector_guid', checkGuid),
		...many(args, 'group_guid', checkGuid),
		...one(args, 'detection_sha256', checkSha256),
		...one(args, 'application_sha256', checkSha256),
		...many({event_type: args.event_type?.map(Number)}, 'event_type', (name, value) => checkInteger(name, value, 0, 4_294_967_295)),
		...one(args, 'start_date', checkIso8601)
	]
	return list<ServiceEvent>(client, {path: ['events'], query, shape: eventSchema, key: eventKey}, args, walk)
}

/** GET `/v1/event_types`; not paged. */
export async function getEventTypes(client: ApiClient, options?: CallOptions): Promise<Answered<readonly EventType[]>> {
	return callFor(client, {method: 'GET', path: ['event_types']}, z.array(eventTypeSchema), options)
}

/** Ids alone do not tell events apart: some kinds have none (API reference, "Traps", 1). */
export function eventKey(event: ServiceEvent) {
	const {id, timestamp, timestamp_nanoseconds: fraction, event_type_id: type, connector_guid: computer} = event
	return [id ?? event['threat_hunting'] ?? '', timestamp, fraction, type, computer, event.detection_id].map(textOf).join('|')
}

function textOf(value: unknown) {
	return typeof value === 'object'
		? JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
		: String(value)
}
