import {existsSync} from 'node:fs'
import {join} from 'node:path'

import type {LiveEvent} from '#contract/live.ts'

import {type AppWorld, firstListing, startApp, startWorld} from '#gateway/instances/testing/app.ts'
import {testHost} from '../kit/testing/host.ts'
import {directoryReplica} from './replica.ts'
import {named} from './testing/world.ts'
import {until} from '#base/testing/until.ts'

const connection = 'sandbox'

let {ports, sandbox, app} = {} as AppWorld

beforeEach(async () => {
	const world = await startWorld({computers: 120, seed: 'directories'})
	;({ports, sandbox, app} = world)
	await firstListing(app)
	return async () => {
		await app.stop()
		await world.stop()
	}
})

function directory() {
	return app.directory(connection)
}

function file() {
	return join(ports.profile, 'directory', `${connection}.db`)
}

function list(name: string) {
	return named(directory().fileLists().lists, name)
}

function run(name: string, args: Record<string, string>) {
	return app.runner.run({name, args, connection, surface: 'screen', agreement: {reason: 'Under attack', confirm: 'Wards'}})
}

test('a screen gets known data at once, and the rest loads in the background', async () => {
	const events: LiveEvent[] = []
	const stop = new AbortController()
	const following = (async () => {
		for await (const event of app.live.subscribe(stop.signal)) events.push(event)
	})()
	directory().look()
	expect(directory().state().phase).toBe('loading')
	expect(directory().fileLists().lists).toEqual([])
	await until('everything', () => directory().state().details.read === 75 && directory().state().phase === 'complete')
	await ports.clock.advance(1000)
	stop.abort()
	await following
	expect(events).toContainEqual({kind: 'directory', connection, revision: expect.any(Number)})
})

test('a hash that is added and removed here is on the list and off it at once', async () => {
	await directory().refresh({details: true})
	const {guid} = list('Incident 2024-117')
	await directory().refreshItems(guid)
	const sha256 = 'ab'.repeat(32)
	const query = {search: sha256, sort: 'sha256', descending: false, offset: 0, limit: 10} as const
	await run('svc_set_file_list_files_by_sha', {file_list_guid: guid, sha256, description: 'From a test'})
	expect(directory().items(guid, query)).toMatchObject({rows: [{sha256, description: 'From a test'}], list: {items: 10}})
	expect(directory().items(guid, query).rows[0]?.firstSeen).not.toBeNull()
	await run('svc_delete_file_list_files_by_sha', {file_list_guid: guid, sha256})
	expect(directory().items(guid, query)).toMatchObject({rows: [], list: {items: 9}})
})

test('policies that are set here are shown at once, and what inherits them is read again', async () => {
	await directory().refresh({details: true})
	const wards = () => named(directory().tree().groups, 'Wards')
	const {guid} = wards()
	const windows = () =>
		directory()
			.policies()
			.policies.filter(({product}) => product === 'windows')
	const triage = named(windows(), 'Triage')
	await run('svc_set_group_policy', {group_guid: guid, windows_policy_guid: triage.guid})
	expect(wards().policies).toContainEqual({guid: triage.guid, name: 'Triage', product: 'windows', inherited: false})
	// Missing: three groups below, and both policies.
	expect(directory().state().details).toEqual({read: 70, of: 75})
	expect(named(windows(), 'Triage').groups?.map(({name}) => name)).toContain('Wards')
})

function ownDirectories() {
	const {profile, clock} = ports
	const host = testHost({profile, clock, connections: app.connections})
	return directoryReplica({...host, inventories: {open: app.inventory}, eventStores: {opened: () => {}}})
}

test('a connection with a new address keeps no local data', async () => {
	const directories = ownDirectories()
	await directories.open(connection).refresh({details: false})
	expect(existsSync(file())).toBe(true)
	const reading = directories.open(connection).refresh({details: true})
	await Promise.all([directories.forget(connection), expect(reading).rejects.toMatchObject({code: 'cancelled'})])
	expect(existsSync(file())).toBe(false)
	expect(directories.opened(connection)).toBeUndefined()
	await directories.stop()
})

test('data requested while it is deleted is whole afterwards', async () => {
	const directories = ownDirectories()
	directories.open(connection)
	const forgetting = directories.forget(connection)
	directories.open(connection)
	await forgetting
	expect(existsSync(file())).toBe(false)
	await directories.open(connection).refresh({details: false})
	expect(existsSync(file())).toBe(true)
	expect(directories.open(connection).tree().groups.length).toBeGreaterThan(1)
	await directories.stop()
})

test('data of an earlier sandbox is deleted with its tenant', async () => {
	await directory().refresh({details: false})
	await app.stop()
	expect(existsSync(file())).toBe(true)
	app = await startApp(ports, {sandbox})
	await firstListing(app)
	expect(directory().state().phase).toBe('empty')
})
