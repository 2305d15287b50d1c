/** The last requests of each instance, and an hour of counts in steps of ten seconds. */
import type {RequestEntry, TrafficSeries} from '#contract/instances.ts'

import type {ForwarderCounters, RequestRecord} from '../forwarder/record-types.ts'
import type {Clock} from '#base/ports.ts'
import type {Tally, TrafficBatch} from './collector.ts'
import {createFollowers, type Told} from './followers.ts'
import {merge, quantile, type Histogram} from './histogram.ts'

const stepMs = 10_000
const steps = 360
const mostOfOne = 1000
const mostOfAll = 2000

export type Traffic = ReturnType<typeof createTraffic>

interface Step {
	requests: number
	failures: number
	firstByte: Histogram
}

interface Book {
	total: number
	failures: number
	lastRequest: number | null
	steps: Map<number, Step>
	/** Requests by Unix second, of the last ten. */
	seconds: Map<number, number>
	records: RequestEntry[]
}

interface TrafficOptions {
	clock: Clock
	/** Of the instance with that name now. */
	idOf: (name: string) => string | undefined
	nameOf: (id: string) => string | undefined
}

export function createTraffic({clock, idOf, nameOf}: TrafficOptions) {
	const books = new Map<string, Book>()
	const followers = createFollowers()
	let all: RequestEntry[] = []
	let counters: ForwarderCounters | undefined
	const bookOf = (id: string): Book => {
		const known = books.get(id)
		if (known !== undefined) return known
		const made = emptyBook()
		books.set(id, made)
		return made
	}
	const running = (id: string) => (counters?.instances[id] ?? counters?.instances[nameOf(id) ?? ''])?.running ?? 0
	return {
		/** Names of instances become ids at once: a later rename does not matter. Returns the added requests. */
		add({records, tallies}: TrafficBatch) {
			const now = clock.now()
			const byInstance = Map.groupBy(records, ({instance}) => (instance === null ? undefined : idOf(instance)))
			const entries = records.map(entryOf)
			all = [...all, ...entries].slice(-mostOfAll)
			for (const tally of tallies) {
				const id = tally.instance === null ? undefined : idOf(tally.instance)
				if (id !== undefined) count(bookOf(id), tally, now)
			}
			for (const [id, own] of byInstance) if (id !== undefined) keep(bookOf(id), own)
			const told = records.map((record, index): Told => [recordId(record, idOf), entries[index] ?? entryOf(record)])
			followers.tell(told)
			return told
		},
		/** Returns whether the number of running requests changed. */
		setCounters: (given: ForwarderCounters | undefined) => {
			const before = counters?.requests.running ?? 0
			counters = given
			return before !== (given?.requests.running ?? 0)
		},
		of(id: string) {
			const book = books.get(id)
			if (book === undefined) return {requestsPerSecond: 0, running: running(id), total: 0, failures: 0, lastRequest: null}
			const {total, failures, lastRequest} = book
			return {
				requestsPerSecond: rate(book, clock.now()),
				running: running(id),
				total,
				failures,
				lastRequest: lastRequest === null ? null : new Date(lastRequest).toISOString()
			}
		},
		series: (id: string) => seriesOf(books.get(id), clock.now()),
		/** Newest first; without `id` of all instances, and of none. */
		requests: (id: string | undefined, limit: number) => (id === undefined ? all : (books.get(id)?.records ?? [])).slice(-limit).toReversed(),
		follow: followers.follow,
		/** Drops deleted instances. */
		keepOnly: (ids: ReadonlySet<string>) => {
			for (const id of books.keys()) if (!ids.has(id)) books.delete(id)
		},
		stop: followers.stop
	}
}

export function emptySeries(now: number): TrafficSeries {
	return seriesOf(undefined, now)
}

function emptyBook(): Book {
	return {total: 0, failures: 0, lastRequest: null, steps: new Map(), seconds: new Map(), records: []}
}

function count(book: Book, tally: Tally, now: number) {
	book.total += tally.requests
	book.failures += tally.failures
	const number = Math.floor(now / stepMs)
	const step = book.steps.get(number) ?? {requests: 0, failures: 0, firstByte: {}}
	step.requests += tally.requests
	step.failures += tally.failures
	step.firstByte = merge(step.firstByte, tally.firstByte)
	book.steps.set(number, step)
	keepLast(book.steps, steps, number)
	const second = Math.floor(now / 1000)
	book.seconds.set(second, (book.seconds.get(second) ?? 0) + tally.requests)
	keepLast(book.seconds, 11, second)
}

function keep(book: Book, records: readonly RequestRecord[]) {
	book.records = [...book.records, ...records.map(entryOf)].slice(-mostOfOne)
	book.lastRequest = records.reduce((last, {at}) => Math.max(last, at), book.lastRequest ?? 0)
}

/** Nor those ahead: the clock may have been set back. */
function keepLast(map: Map<number, unknown>, count: number, last: number) {
	for (const key of map.keys()) if (key > last || key <= last - count) map.delete(key)
}

function rate({seconds}: Book, now: number) {
	const second = Math.floor(now / 1000)
	let sum = 0
	for (const [key, count] of seconds) if (key > second - 10 && key <= second) sum += count
	return sum / 10
}

function seriesOf(book: Book | undefined, now: number): TrafficSeries {
	const first = Math.floor(now / stepMs) - steps + 1
	const found = Array.from({length: steps}, (_, index) => book?.steps.get(first + index))
	return {
		stepS: 10,
		from: new Date(first * stepMs).toISOString(),
		requests: found.map(step => step?.requests ?? 0),
		failures: found.map(step => step?.failures ?? 0),
		median: found.map(step => quantile(step?.firstByte ?? {}, 0.5)),
		p99: found.map(step => quantile(step?.firstByte ?? {}, 0.99))
	}
}

function recordId({instance}: RequestRecord, idOf: (name: string) => string | undefined) {
	return instance === null ? undefined : idOf(instance)
}

function entryOf({at, ...record}: RequestRecord): RequestEntry {
	return {...record, at: new Date(at).toISOString()}
}
