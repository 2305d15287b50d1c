import type {RequestEntry} from '#contract/instances.ts'

import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import type {RequestRecord} from '../forwarder/record-types.ts'
import {createCollector} from './collector.ts'
import {bucketOf, merge, quantile} from './histogram.ts'
import {createTraffic, type Traffic} from './traffic.ts'

let clock: TestClock
let traffic: Traffic
let number = 0

beforeEach(() => {
	clock = testClock()
	traffic = createTraffic({clock, idOf: name => (name === 'gone' ? undefined : `id of ${name}`), nameOf: id => id.slice(6)})
})

function record(given: Partial<RequestRecord> & {firstByte?: number} = {}): RequestRecord {
	number += 1
	const {firstByte = 10, ...rest} = given
	return {
		id: `r${number}`,
		at: clock.now(),
		instance: 'edl',
		alias: null,
		protocol: 'HTTP/1.1',
		method: 'GET',
		path: '/',
		status: 200,
		client: '127.0.0.1',
		received: 0,
		sent: 0,
		endedBy: 'done',
		reason: null,
		source: 'instance',
		phases: {tls: null, access: null, queue: null, connect: null, firstByte, body: null},
		...rest
	}
}

function pass(...records: RequestRecord[]) {
	const collector = createCollector()
	for (const one of records) collector.add(one)
	const batch = collector.take()
	if (batch !== undefined) traffic.add(batch)
}

describe('traffic', () => {
	test('counts every request although only the newest are kept', () => {
		for (let round = 0; round < 6; round += 1) pass(...Array.from({length: 1000}, () => record()))
		expect(traffic.of('id of edl')).toMatchObject({total: 6000, requestsPerSecond: 600})
		expect(traffic.requests('id of edl', 1000)).toHaveLength(1000)
		expect(traffic.requests(undefined, 5000)).toHaveLength(1200)
		expect(traffic.requests(undefined, 1)[0]?.id).toBe(`r${number}`)
	})

	test('distinguishes failures from client errors', () => {
		pass(record({status: 502}), record({endedBy: 'instance'}), record({status: 404}), record({endedBy: 'client'}))
		expect(traffic.of('id of edl')).toMatchObject({total: 4, failures: 2})
	})

	test('is a series of an hour in steps of ten seconds', async () => {
		pass(record({firstByte: 10}), record({firstByte: 20}), record({firstByte: 1000, status: 500}))
		await clock.advance(25_000)
		pass(record())
		const series = traffic.series('id of edl')
		expect(series.requests.slice(-3)).toEqual([3, 0, 1])
		expect(series.failures.slice(-3)).toEqual([1, 0, 0])
		expect(series.median.at(-3)).toBeCloseTo(20, -1)
		expect(series.p99.at(-3)).toBeGreaterThan(900)
		expect(series.median.at(-2)).toBeNull()
		expect(Date.parse(series.from) + 359 * 10_000).toBe(Math.floor(clock.now() / 10_000) * 10_000)
		expect(traffic.of('id of edl').requestsPerSecond).toBe(0.1)
		await clock.advance(3_600_000)
		expect(traffic.series('id of edl').requests.every(count => count === 0)).toBe(true)
	})

	test('of the time before the clock was set back counts no more', async () => {
		pass(record())
		await clock.advance(-60_000)
		expect(traffic.of('id of edl').requestsPerSecond).toBe(0)
		pass(record())
		await clock.advance(60_000)
		expect(traffic.series('id of edl').requests.reduce((sum, count) => sum + count)).toBe(1)
	})

	test('of no instance, or of one that is gone, is in the common log only', () => {
		pass(record({instance: null, status: 404}), record({instance: 'gone'}))
		expect(traffic.requests(undefined, 10)).toHaveLength(2)
		expect(traffic.requests('id of gone', 10)).toEqual([])
	})

	test('reaches followers in batches, each its own instance', async () => {
		const seen: RequestEntry[][] = []
		const reader = (async () => {
			for await (const batch of traffic.follow('id of edl')) seen.push([...batch])
		})()
		await Promise.resolve()
		pass(record(), record({instance: 'other'}), record())
		await new Promise(setImmediate)
		expect(seen.map(batch => batch.map(({instance}) => instance))).toEqual([['edl', 'edl']])
		traffic.stop()
		await reader
	})
})

test('a quantile of a histogram is right within 6 %', () => {
	for (const ms of [0.2, 1, 7, 300, 60_000]) {
		const histogram = merge({[bucketOf(ms)]: 3}, {[bucketOf(ms * 10)]: 1})
		expect(Math.abs((quantile(histogram, 0.5) ?? 0) / ms - 1)).toBeLessThan(0.06)
		expect(Math.abs((quantile(histogram, 0.99) ?? 0) / ms / 10 - 1)).toBeLessThan(0.06)
	}
	expect(quantile({}, 0.5)).toBeNull()
})
