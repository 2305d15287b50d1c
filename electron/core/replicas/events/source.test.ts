import {join} from 'node:path'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {fileFolder} from '#base/testing/folder.ts'
import {testClient} from '#core/service/api/testing/client.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {systemClock} from '#base/system.ts'
import {eventSource} from './source.ts'
import {openEventStore, type EventStore} from './store.ts'

const everything = {filter: '', from: null, to: null, grouping: 'none'} as const

let sandbox: Sandbox
let client: ApiClient
let store: EventStore
const folder = fileFolder()

// The second test reads on from the first.
beforeAll(async () => {
	sandbox = await startSandbox({port: 0, computers: 1200})
	const {url, clientId, apiKey} = sandbox
	const clock = {...systemClock, sleep: async () => {}}
	client = testClient(url, {clientId, apiKey: () => Promise.resolve(apiKey), clock})
	store = openEventStore({path: join(folder, 'one.db'), clock: systemClock, source: eventSource(client), groupNames: () => new Map()})
})
afterAll(async () => {
	await store.stop()
	await client.stop()
	await sandbox.stop()
})

function eventCalls() {
	return sandbox.requests.filter(({path}) => path.startsWith('/v1/events')).length
}

test('the events of thirty days are read once, and only what is new after that', async () => {
	expect(store.state()).toMatchObject({phase: 'empty', stored: 0, refreshCalls: 41})
	const first = await store.refresh({days: 30})
	expect(first).toMatchObject({phase: 'complete', error: null, gaps: [], unknownFields: []})
	expect(first.stored).toBe(first.total)
	const calls = eventCalls()
	expect(calls).toBeLessThanOrEqual(Math.ceil(first.stored / 490) + 1)

	const again = await store.refresh()
	expect(eventCalls()).toBe(calls + 1)
	expect(again.stored).toBe(first.stored)
	expect(again.refreshCalls).toBe(1)
})

test('rows are newest first, with ids of all their digits and the outcome of their detection', async () => {
	await store.refresh({days: 30})
	const {rows, matching, all} = store.query({...everything, offset: 0, limit: 500})
	expect(matching).toEqual({count: all, exact: true})
	const times = rows.map(({at}) => at)
	expect(times).toEqual(times.toSorted().toReversed())
	expect(rows.some(({id}) => id?.length === 19)).toBe(true)
	const detail = store.detail(rows[0]?.key ?? '')
	expect(detail?.json).toContain(`"id":${rows[0]?.id}`)

	const detected = store.query({...everything, filter: 'type=1090519054', offset: 0, limit: 500})
	expect(detected.rows.length).toBeGreaterThan(5)
	expect(new Set(detected.rows.map(({outcome}) => outcome)).size).toBeGreaterThan(1)
	for (const row of detected.rows) {
		const chain = store.detail(row.key)?.chain ?? []
		const quarantined = chain.some(({typeId}) => typeId === 553_648_143)
		expect(row.outcome === 'quarantined').toBe(quarantined)
	}
	expect(store.types().find(({id}) => id === 1_090_519_054)).toMatchObject({name: 'Threat Detected', count: detected.matching.count})
})
