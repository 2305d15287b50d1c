/** Shared by tests of stored events: a temporary file, a manual clock, and a controlled service. */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import type {CordonError} from '#contract/errors.ts'
import type {EventQuery} from '#contract/events.ts'
import type {EventType, ServiceEvent} from '#model/event.ts'

import {manualClock, type ManualClock} from '../../computers/testing/world.ts'
import {eventPageSize, type EventSource} from '../source.ts'
import {openEventStore, type EventStoreOptions, type EventStore} from '../store.ts'

/** A service in memory, controlled by its fields. */
interface FakeEvents extends EventSource {
	/** How far this computer's clock is ahead; a page tells it. */
	skew: number
	/** In any order. */
	events: ServiceEvent[]
	typesNow: readonly EventType[]
	/** Called before each page, with the number of pages before. */
	beforePage: (page: number) => Promise<void> | void
	failing: CordonError | null
	/** The requests. */
	asked: {since: number; offset: number}[]
}

function fakeEvents(clock: ManualClock) {
	let told = 0
	const service: FakeEvents = {
		skew: 0,
		skewMs: () => told,
		events: [],
		typesNow: [{id: 1_090_519_054, name: 'Threat Detected', description: 'A threat was found on this system.'}],
		beforePage: () => {},
		failing: null,
		asked: [],
		types: () => Promise.resolve(service.typesNow),
		page: async ({since, offset, signal}) => {
			const at = clock.now() - service.skew
			await service.beforePage(service.asked.length)
			signal.throwIfAborted()
			service.asked.push({since, offset})
			if (service.failing !== null) throw service.failing
			told = service.skew
			const from = Math.floor(since / 1000)
			const found = service.events
				.filter(event => (event.timestamp ?? 0) >= from && (event.timestamp ?? 0) * 1000 <= at)
				.toSorted((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0))
			const records = found.slice(offset, offset + eventPageSize)
			const hasMore = offset + records.length < found.length
			return {records, count: records.length, total: found.length, hasMore, at}
		}
	}
	return service
}

let made = 0

/** An event `agoMs` before the clock's time. */
export function eventAt(clock: ManualClock, agoMs: number, change: Partial<ServiceEvent> = {}): ServiceEvent {
	const ms = clock.now() - agoMs
	made += 1
	return {
		id: BigInt('6839681950832132112') + BigInt(made),
		timestamp: Math.floor(ms / 1000),
		timestamp_nanoseconds: (ms % 1000) * 1_000_000,
		date: new Date(ms).toISOString(),
		event_type: 'Scan Started',
		event_type_id: 554_696_714,
		...change
	}
}

/** This many events, one each `everyMs`, newest first. */
export function eventsEvery(clock: ManualClock, count: number, everyMs: number): ServiceEvent[] {
	return Array.from({length: count}, (_, index) => eventAt(clock, (index + 1) * everyMs))
}

export const anything: Omit<EventQuery, 'connection'> = {filter: '', from: null, to: null, grouping: 'none'}

export interface EventWorld {
	clock: ManualClock
	service: FakeEvents
	path: string
	store: EventStore
	/** Keys of the rows of a filter, newest first. */
	keys(filter?: string, change?: Partial<EventQuery>): readonly string[]
	/** Closes and reopens the store, as a restart does. */
	restart(): Promise<void>
	/** The time so many milliseconds ago. */
	ago(ms: number): string
	close(): Promise<void>
}

export function makeEventWorld(
	options: Partial<Pick<EventStoreOptions, 'keptEvents' | 'exportRows' | 'mayGoOn' | 'unaskedPages'>> = {}
): EventWorld {
	const folder = mkdtempSync(join(tmpdir(), 'events-'))
	const path = join(folder, 'events', 'one.db')
	const clock = manualClock()
	const service = fakeEvents(clock)
	const groupNames = () => new Map([['11111111-1111-4222-8333-000000000001', 'Finance Servers']])
	const open = () => openEventStore({path, clock, source: service, groupNames, patienceMs: 10_000, ...options})
	const world: EventWorld = {
		clock,
		service,
		path,
		store: open(),
		keys: (filter = '', change = {}) => world.store.query({...anything, filter, ...change, offset: 0, limit: 500}).rows.map(({key}) => key),
		restart: async () => {
			await world.store.stop()
			world.store = open()
		},
		ago: ms => new Date(clock.now() - ms).toISOString(),
		close: async () => {
			await world.store.stop()
			rmSync(folder, {recursive: true})
		}
	}
	return world
}
