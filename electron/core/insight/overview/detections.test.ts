import type {EventRow} from '#contract/events.ts'

import {logOf} from '#core/record/incidents/testing/log-of.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {groupsOf} from '#core/replicas/events/groups.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {caseOf, casesOf, decide, type KnownCases, windowOf} from './detections.ts'

const connection = {id: 'c', name: 'Corp', url: 'https://c'}
const hash = 'ab'.repeat(32)

let world: World
let log: IncidentLog
let rows: EventRow[]

function row(key: string, minutes: number, change: Partial<EventRow> = {}): EventRow {
	const at = new Date(world.clock.now() + minutes * 60_000).toISOString()
	return {
		...{key, id: key, at, typeId: 1, type: 'Threat Detected', severity: 'high', detection: 'W32.Bad', about: null},
		...{detectionId: null, outcome: 'failed', guid: 'pc-1', hostname: 'PC-1', user: null, groupGuids: [], sha256: hash},
		...{parent: null, fileName: null, filePath: null, disposition: null, remote: null, url: null, odd: false, ...change}
	}
}

const store = {groups: async () => groupsOf(rows), groupWith: async (key: string) => ({title: '', events: rows.filter(each => each.key === key)})}
const cases = () => casesOf(store, log, connection.id)
const told = async () => (await cases()).map(({key, status, owner}) => [key, status, owner])
const one = (key = 'b') => caseOf(store, log, connection.id, key)
const set = (status: 'investigating' | 'closed', key = 'a', owner = 'kim') =>
	decide(store, log, {connection, key, status, owner, note: 'Seen before'})

beforeEach(() => {
	world = createWorld()
	log = logOf(world, 'kim')
	rows = [row('a', -10), row('b', -5), row('z', -9, {guid: 'pc-2', sha256: null, severity: 'low', hostname: 'PC-2'})]
})

test('a decision about any event of a group counts for all of it, the newest one, and closed groups come last', async () => {
	expect(await told()).toEqual([
		['a', 'new', ''],
		['z', 'new', '']
	])
	await set('investigating')
	await set('closed', 'b', 'ana')
	expect(await told()).toEqual([
		['z', 'new', ''],
		['a', 'closed', 'ana']
	])
	expect(await set('closed')).toMatchObject({kind: 'detection.changed', operator: 'kim', data: {reason: 'Seen before'}})
})

test('the cases are sorted again only after an event or a decision', async () => {
	const known: KnownCases = new WeakMap()
	const groups = await groupsOf(rows)
	const first = async () => (await casesOf({groups: async () => groups}, log, connection.id, known))[0]
	const before = await first()
	await log.append({kind: 'note', surface: 'screen', message: 'Noted', connection})
	expect(await first()).toBe(before)
	await set('investigating')
	expect(await first()).toMatchObject({key: 'a', status: 'investigating'})
})

test('a window has its rows without their keys, and counts of all', async () => {
	await set('closed')
	const counts = {matching: 2, open: 1, owned: true}
	const {rows: shown, ...rest} = windowOf(await cases(), {offset: 1, limit: 1})
	expect(rest).toEqual({...counts, offset: 1})
	expect(shown).toMatchObject([{key: 'a', newest: 'b', events: 2, computers: 1, status: 'closed'}])
	expect(shown[0]).not.toHaveProperty('keys')
})

test('a thousand later decisions hide none', async () => {
	await set('closed')
	await Promise.all(Array.from({length: 1000}, () => set('investigating', 'z')))
	expect((await cases()).map(({status}) => status)).toEqual(['investigating', 'closed'])
	expect((await one())?.entries).toHaveLength(1)
})

test('a closed group is new again with its next detection, and keeps its owner', async () => {
	await set('closed')
	rows.push(row('c', 30))
	expect((await cases())[0]).toMatchObject({key: 'a', status: 'new', owner: 'kim', keys: ['a', 'b', 'c']})
})

test.each([-60, -7, -1])('also when it happened %i minutes before the decision, and was read later', async minutes => {
	await set('closed')
	rows.push(row('c', minutes))
	expect((await cases())[0]).toMatchObject({status: 'new', keys: expect.arrayContaining(['c'])})
})

test('a closed group of many events is new again with one more, but not with fewer', async () => {
	rows = Array.from({length: 80}, (_, at) => row(`e${at}`, at - 90))
	await set('closed', 'e0')
	rows = rows.slice(5)
	expect((await cases())[0]).toMatchObject({status: 'closed'})
	rows.push(row('c', -8))
	expect((await cases())[0]).toMatchObject({status: 'new'})
})

test('a decision of an older Cordon, which names no events, counts until a later one', async () => {
	const data = {key: 'a', status: 'closed'}
	await log.append({kind: 'detection.changed', surface: 'screen', message: 'Closed', connection, data})
	expect((await cases())[1]?.status).toBe('closed')
	rows.push(row('c', 30))
	expect((await cases())[0]?.status).toBe('new')
})

test('a decision stays when its event is gone', async () => {
	await set('closed')
	rows.shift()
	expect((await cases())[1]).toMatchObject({keys: ['b'], status: 'closed', owner: 'kim'})
	expect((await one())?.entries).toHaveLength(1)
})

test('a decision about an event of no group is refused', async () => {
	await expect(set('closed', 'gone')).rejects.toMatchObject({code: 'not_found'})
	expect(await one('gone')).toBeNull()
})

test('what was done about its computers and hashes is listed with jobs and runs; reads of the service are not', async () => {
	const target = {guid: 'pc-1', label: 'PC-1'}
	const said = {surface: 'screen', connection} as const
	await log.append({...said, kind: 'command.requested', command: 'svc_get_computer', message: 'Read', target})
	const isolation = {...said, command: 'svc_put_computers_isolation', target, data: {job: 'j1'}}
	await log.append({...isolation, kind: 'command.requested', message: 'Isolate'})
	await log.append({...isolation, kind: 'command.succeeded', message: 'Isolated'})
	await log.append({...said, kind: 'note', message: `Block ${hash}`, data: {run: 'r1', sha256: hash}})
	await log.append({...said, kind: 'note', message: 'Elsewhere', target: {guid: 'pc-9', label: 'PC-9'}})
	await set('investigating')
	const found = await one()
	expect(found?.entries.map(({message}) => message)).toEqual([
		'W32.Bad on PC-1: investigating, owner kim. Seen before',
		`Block ${hash}`,
		'Isolated',
		'Isolate'
	])
	expect(found?.jobs).toEqual([{id: 'j1', title: 'Isolate'}])
	expect(found?.runs).toEqual([{id: 'r1', title: `Block ${hash}`}])
	expect(found?.events.map(({key}) => key)).toEqual(['b'])
})
