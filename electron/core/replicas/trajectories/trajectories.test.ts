import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import type {Connection} from '#model/connection.ts'

import {testFolder} from '#base/testing/folder.ts'
import {testClient} from '#core/service/api/testing/client.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {openTrajectoryStore, type StoredReading} from './store.ts'
import {systemClock} from '#base/system.ts'
import {testHost} from '../kit/testing/host.ts'
import {trajectoriesReplica, type Trajectories} from './trajectories.ts'

let folder: string
let sandbox: Sandbox
let client: ApiClient
let trajectories: Trajectories
let guid: string

function openAll(worthless = false) {
	const find = (id: string | undefined) => ({id}) as Connection // nothing else of it is used
	const connections = {find, client: () => client}
	return trajectoriesReplica(testHost({profile: folder, clock: systemClock, connections, worthless: () => worthless}))
}

beforeEach(async () => {
	folder = testFolder()
	sandbox = await startSandbox({port: 0, computers: 300, seed: 'trajectory'})
	const {url, clientId, apiKey} = sandbox
	client = testClient(url, {clientId, apiKey: async () => apiKey})
	trajectories = openAll()
	guid = sandbox.world.tenant.hosts.find(({compromised}) => compromised)?.guid ?? ''
})

afterEach(async () => {
	await trajectories.stop()
	await client.stop()
	await sandbox.stop()
})

const request = (query = '') => ({connection: 'one', guid, query})

test('a reading is one call, and its drawing is there when the service is not', async () => {
	expect(trajectories.stored(request())).toBeNull()
	sandbox.clearRequests()
	const {trajectory, computer} = await trajectories.read(request())
	expect(sandbox.requests).toHaveLength(1)
	expect(computer.connector_guid).toBe(guid)
	expect(trajectory.points.length).toBeGreaterThan(500)
	expect(trajectory.cut).toBe(false)
	await sandbox.stop()
	await expect(trajectories.read(request())).rejects.toMatchObject({code: 'refused'})
	expect(trajectories.stored({...request(), guid: guid.toUpperCase()})).toEqual(trajectory)
	await trajectories.stop()
	trajectories = openAll()
	expect(trajectories.stored(request())).toEqual(trajectory)
})

test('a query is passed on, and has a drawing of its own', async () => {
	const all = (await trajectories.read(request())).trajectory
	const sha256 = all.points.find(point => point.disposition === 'malicious')?.sha256 ?? all.points[0]?.sha256 ?? ''
	const {trajectory} = await trajectories.read(request(sha256))
	expect(sandbox.requests.at(-1)?.path).toContain(`q=${sha256}`)
	expect(trajectory.query).toBe(sha256)
	expect(trajectory.points.length).toBeLessThan(all.points.length)
	expect(trajectories.stored(request())?.points).toHaveLength(all.points.length)
})

test('the record of a point is the record of that event, with every digit', async () => {
	const {trajectory} = await trajectories.read(request())
	const point = trajectory.points.find(({id}) => id !== null)
	const record = trajectories.record({...request(), index: point?.index ?? -1})
	expect(record?.json).toContain(`"id": "${point?.id}"`)
	expect(trajectories.record({...request(), index: trajectory.points.length})).toBeNull()
})

test('a computer unknown to the service is reported as such', async () => {
	const unknown = {...request(), guid: '00000000-0000-4000-8000-000000000000'}
	await expect(trajectories.read(unknown)).rejects.toMatchObject({code: 'not_found'})
})

test('data of an earlier sandbox is deleted, and a removed connection leaves nothing', async () => {
	await trajectories.read(request())
	await trajectories.stop()
	trajectories = openAll(true)
	expect(trajectories.stored(request())).toBeNull()
	await trajectories.read(request())
	await trajectories.forget('one')
	expect(openAll().stored(request())).toBeNull()
})

function reading(change: Partial<StoredReading>): StoredReading {
	return {guid: 'g', query: '', hostname: 'H', readAt: 1, cut: false, events: [], ...change}
}

test('the store is bounded, keeps every digit, and survives a damaged file', () => {
	const path = join(folder, 'small.db')
	let store = openTrajectoryStore(path, {readings: 2, bytes: 1 << 20})
	for (const [at, name] of ['a', 'b', 'c'].entries()) store.keep(reading({guid: name, readAt: at}))
	expect(['a', 'b', 'c'].map(name => store.find(name, '') !== undefined)).toEqual([false, true, true])
	store.keep(reading({guid: 'b', readAt: 9, cut: true, events: [{id: 6419145890424881174n}]}))
	expect(store.find('b', '')).toEqual(reading({guid: 'b', readAt: 9, cut: true, events: [{id: 6419145890424881174n}]}))
	store.stop()
	writeFileSync(path, 'this is no database, and longer than a header of one: '.repeat(40))
	store = openTrajectoryStore(path)
	expect(store.find('b', '')).toBeUndefined()
	store.stop()
})

test('a reading that is larger than the store is kept alone', () => {
	const store = openTrajectoryStore(join(folder, 'tiny.db'), {readings: 9, bytes: 10})
	store.keep(reading({guid: 'a', readAt: 1}))
	store.keep(reading({guid: 'b', readAt: 2, events: [{event_type: 'Something long enough to be too large'}]}))
	expect(store.find('a', '')).toBeUndefined()
	expect(store.find('b', '')?.events).toHaveLength(1)
	store.stop()
})
