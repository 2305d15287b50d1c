/** Event streams: up to five per organisation, and the publishing of events into their queues. */
import {randomBytes} from 'node:crypto'

import {stringifyExact} from '#model/exact-json.ts'

import {apiVersion, Refusal, single, type Answer} from './answer.ts'
import type {Call} from './call.ts'
import {eventRecord} from './events.ts'
import type {Route} from './router.ts'
import type {World} from './world.ts'

/** The operations of a message broker that the service needs. */
export interface StreamBroker {
	host: string
	port: number
	/** Creates a durable queue, and a user with read access to it only. */
	open(queue: string, user: string, password: string): Promise<void>
	close(queue: string, user: string): Promise<void>
	publish(queue: string, body: string): void
}

/** Maximum at the service (API reference, section 11). */
const mostStreams = 5
const firstId = 1474

interface Stream {
	id: number
	name: string
	types: readonly number[]
	groups: readonly string[]
	user: string
}

export function eventStreamRoutes(world: World, broker: StreamBroker | undefined): readonly Route[] {
	const streams = new Map<number, Stream>()
	if (broker !== undefined) publishing(world, broker, streams)
	const found = (id: string) => {
		const stream = streams.get(Number(id))
		if (stream === undefined) throw new Refusal(400, 'Event stream not found')
		return stream
	}
	return [
		['GET /v1/event_streams', call => listed(call, [...streams.values()])],
		['GET /v1/event_streams/:id', (call, id = '') => single(call.self, shown(found(id)))],
		['POST /v1/event_streams', call => create(call, broker, streams)],
		[
			'DELETE /v1/event_streams/:id',
			async (call, id = '') => {
				const {id: number, user} = found(id)
				streams.delete(number)
				await broker?.close(queueOf(number), user)
				return {status: 200, body: {version: apiVersion, metadata: {links: {self: call.self}}, data: {}}}
			}
		]
	]
}

function queueOf(id: number) {
	return `event_stream_${id}`
}

function listed(call: Call, streams: readonly Stream[]): Answer {
	const metadata = {links: {self: call.self}, results: {total: streams.length}}
	return {status: 200, body: {version: apiVersion, metadata, data: streams.map(shown)}}
}

/** Without types or groups, the key is omitted. */
function shown({id, name, types, groups}: Stream): Readonly<Record<string, unknown>> {
	return {id, name, ...(types.length > 0 && {event_types: types}), ...(groups.length > 0 && {group_guids: groups})}
}

async function create(call: Call, broker: StreamBroker | undefined, streams: Map<number, Stream>) {
	if (broker === undefined)
		throw new Refusal(404, 'This sandbox has no message broker (RabbitMQ), so it has no event streams. Everything else works.')
	const name = call.body['name'] ?? ''
	if (name === '') throw new Refusal(400, 'name is required')
	if (streams.size >= mostStreams) throw new Refusal(400, `A business may have at most ${mostStreams} event streams`)
	const id = Math.max(firstId - 1, ...streams.keys()) + 1
	const user = `${id}-${randomBytes(10).toString('hex')}`
	const types = (call.lists['event_type'] ?? []).map(Number)
	const stream = {id, name, types, groups: call.lists['group_guid'] ?? [], user}
	const password = randomBytes(20).toString('hex')
	streams.set(id, stream)
	await broker.open(queueOf(id), user, password)
	const {host, port} = broker
	const amqp_credentials = {user_name: user, queue_name: queueOf(id), password, host, port: String(port), proto: 'https'}
	return single(call.self, {...shown(stream), amqp_credentials}, 201)
}

/** One message is one event, in the form of GET /v1/events. */
function publishing(world: World, broker: StreamBroker, streams: ReadonlyMap<number, Stream>) {
	const call: Call = {
		...{method: 'GET', path: '/v1/events', segments: [], query: new URLSearchParams(), body: {}, lists: {}},
		...{origin: 'https://localhost', self: '', caller: '', now: world.start}
	}
	world.events.onAdd(event => {
		const record = eventRecord(world, call, event)
		const groups = Array.isArray(record['group_guids']) ? record['group_guids'].map(String) : []
		for (const {id, types, groups: wanted} of streams.values()) {
			const isWanted = (types.length === 0 || types.includes(event.type)) && (wanted.length === 0 || wanted.some(guid => groups.includes(guid)))
			if (isWanted) broker.publish(queueOf(id), stringifyExact(record))
		}
	})
}
