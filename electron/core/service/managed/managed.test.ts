import {chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {expectRefused} from '#base/testing/code-of.ts'
import {defaultGuardRules} from '#model/guard.ts'
import {openGuards} from '#core/actions/guards/guards.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {testKey} from '../api/testing/client.ts'
import {connectionInput, openTestConnections, stubClients, type StubClients} from '../connections/testing/clients.ts'
import {memorySecrets} from '../connections/testing/secrets.ts'
import type {Connections} from '../connections/types.ts'
import {openSettings} from '../settings/settings.ts'
import {openManaged, readManagedFile, type Managed} from './managed.ts'

let world: World
let database: Database
let folder: string
let path: string
let entries: NewEntry[]
let made: StubClients
const running: Connections[] = []

beforeEach(() => {
	world = createWorld()
	database = profileDatabase(world)
	folder = join(world.folder, 'etc')
	mkdirSync(folder, {mode: 0o755})
	path = join(folder, 'managed.json')
	entries = []
	made = stubClients()
})
afterEach(async () => {
	for (const one of running.splice(0)) await one.stop()
})

let written = 0
/** Each file has a length of its own, so that its stamp differs whatever the clock of the disk says. */
function put(policy: unknown, mode = 0o644) {
	const text = typeof policy === 'string' ? policy : JSON.stringify(policy)
	written += 1
	writeFileSync(path, text + ' '.repeat(written))
	chmodSync(path, mode)
}

function open(named = false, at = path) {
	const log = (entry: NewEntry) => void entries.push(entry)
	return openManaged({file: {path: at, named}, database, log, surface: 'screen'})
}

function connectionsUnder(managed: Managed) {
	const log = (entry: NewEntry) => void entries.push(entry)
	const connections = openTestConnections(world, {database, secrets: memorySecrets(), log, managed, createClient: made.create})
	running.push(connections)
	return connections
}

const messages = () => entries.splice(0).map(({message}) => message)
const read = () => readManagedFile({path, named: false})

describe('the file', () => {
	test('a missing one is no policy, unless it was named', () => {
		expect(read()).toEqual({kind: 'none'})
		expect(open().view()).toMatchObject({state: 'none', path, settings: []})
		expect(open(true).view()).toMatchObject({state: 'broken', problem: expect.stringContaining('is not there')})
	})

	test.each([
		['{', 'is not JSON'],
		['[]', 'it must be one object'],
		[{setings: {}}, 'it knows no setings'],
		[{settings: {theme: 'sepia'}}, 'settings.theme cannot have that value'],
		[{settings: {activeConnection: 'x'}}, 'it knows no settings.activeConnection'],
		[{guards: {wide: {isolat: 3}}}, 'it knows no guards.wide.isolat'],
		[{connections: {readOnly: false}}, 'connections.readOnly cannot have that value'],
		[{connections: {servers: ['http://example.test']}}, 'connections.servers must hold addresses']
	])('%j is refused with the reason', (policy, problem) => {
		put(policy)
		const found = read()
		expect(found).toMatchObject({kind: 'broken'})
		expect(found.kind === 'broken' && found.problem).toContain(problem)
	})

	test.skipIf(process.platform === 'win32')('who else may write it, or its folder, makes it unusable', () => {
		put({}, 0o666)
		expect(read()).toMatchObject({problem: `The file ${path} can be changed by others: run chmod go-w on it.`})
		put({}, 0o644)
		expect(read()).toMatchObject({kind: 'usable'})
		chmodSync(folder, 0o777)
		expect(read()).toMatchObject({problem: expect.stringContaining('folder')})
	})

	test('a dangling link and a folder are reported, not taken for a missing file', () => {
		symlinkSync(join(folder, 'gone.json'), path)
		expect(read()).toMatchObject({problem: expect.stringContaining('ENOENT')})
		rmSync(path)
		mkdirSync(path)
		expect(read()).toMatchObject({problem: expect.stringContaining('is not a file')})
	})
})

test('a managed setting has its value at once, cannot be changed, and returns to the operator later', () => {
	const settings = openSettings(database, open())
	settings.set({theme: 'light', density: 'compact'})
	put({settings: {theme: 'dark'}})
	expect(settings.get()).toMatchObject({theme: 'dark', density: 'compact'})
	expect(() => settings.set({theme: 'light', density: 'roomy'})).toThrow(
		expect.objectContaining({
			code: 'managed',
			message: 'The setting theme is set by your administrator: nothing was changed.',
			details: expect.objectContaining({field: 'theme'})
		})
	)
	expect(settings.get().density).toBe('compact')
	expect(settings.set({theme: 'dark', density: 'roomy'})).toMatchObject({theme: 'dark', density: 'roomy'})
	rmSync(path)
	expect(settings.get()).toMatchObject({theme: 'light', density: 'roomy'})
})

describe('guard rules', () => {
	function guardsUnder(managed: Managed) {
		const connections = connectionsUnder(managed)
		const log = {query: async () => ({entries: [], more: false, matching: 0})}
		const guards = openGuards({
			database,
			clock: world.clock,
			connections: () => connections,
			log: () => log,
			toCome: async () => 0,
			note: entry => void entries.push(entry),
			roles: () => [],
			managed
		})
		return {connections, guards}
	}

	test('managed rules hold for every connection, add to the operator’s, and cannot be changed', async () => {
		put({guards: {largestJob: 50, protected: {names: ['*-DC-*']}}})
		const {connections, guards} = guardsUnder(open())
		const {id, name} = await connections.add(connectionInput())
		const own = {...defaultGuardRules.protected, names: ['*-DC-*', 'ERP-1']}
		const set = (rules: object) => guards.setRules({connection: id, confirm: name, surface: 'cli', rules: {...guards.rules(id), ...rules}})

		expect(guards.rules(id)).toMatchObject({largestJob: 50, protected: {names: ['*-DC-*']}})
		await expectRefused(() => set({largestJob: 9000}), 'managed', '', {field: 'guards.largestJob'})
		await expectRefused(() => set({protected: {...own, names: ['ERP-1']}}), 'managed')
		expect(set({protected: own, prevalentHash: 7})).toMatchObject({largestJob: 50, prevalentHash: 7})
		expect(guards.rules(id).protected.names).toEqual(['*-DC-*', 'ERP-1'])
		rmSync(path)
		expect(guards.rules(id)).toMatchObject({largestJob: 10_000, prevalentHash: 7, protected: {names: ['ERP-1']}})
	})

	test('a managed rule with its fields in another order is the same rule', async () => {
		put({guards: {rolling: {isolations: 5, hours: 2}}})
		const {connections, guards} = guardsUnder(open())
		const {id, name} = await connections.add(connectionInput())
		const rules = {...guards.rules(id), rolling: {hours: 2, isolations: 5}, prevalentHash: 7}
		expect(guards.setRules({connection: id, confirm: name, surface: 'cli', rules})).toMatchObject({
			prevalentHash: 7,
			rolling: {isolations: 5, hours: 2}
		})
	})
})

describe('connections', () => {
	test('read-only applies to existing connections, and cannot be switched off', async () => {
		const connections = connectionsUnder(open())
		const {id} = await connections.add(connectionInput({readOnly: false}))
		expect(connections.mode(id)).toEqual({kind: 'guarded'})
		put({connections: {readOnly: true}})
		expect(connections.mode(id)).toEqual({kind: 'read_only', because: 'managed', since: null, problem: ''})
		expect(connections.find(id).readOnly).toBe(true)
		await expectRefused(connections.update(id, {readOnly: false}), 'managed')
		await expectRefused(connections.add(connectionInput({name: 'B', readOnly: false})), 'managed')
		await connections.update(id, {name: 'Renamed', readOnly: true})
		rmSync(path)
		expect(connections.mode(id)).toEqual({kind: 'guarded'})
	})

	test('no key goes to a server that is not allowed: not a new one, not a stored one, not for a test', async () => {
		const connections = connectionsUnder(open())
		const {id} = await connections.add(connectionInput())
		put({connections: {servers: ['https://eu.example.test/']}})
		await expect(connections.add(connectionInput({name: 'B'}))).rejects.toMatchObject({
			code: 'managed',
			message: 'https://api.example.test is not a server that your administrator allows: nothing was sent.'
		})
		expect(() => connections.addTransient({...connectionInput(), apiKey: testKey})).toThrow('not a server')
		connections.client(id)
		await expectRefused(made.last().apiKey(), 'managed', '', {field: 'url'})
		const results = await Array.fromAsync(connections.test({id}, new AbortController().signal))
		expect(results[0]).toMatchObject({stage: 'url', verdict: 'failed'})
		expect(results.slice(1).every(({verdict}) => verdict === 'skipped')).toBe(true)
		await connections.update(id, {url: 'https://eu.example.test', apiKey: testKey})
		connections.client(id)
		await expect(made.last().apiKey()).resolves.toBe(testKey)
	})

	test('certificates are verified although the operator switched that off, and keys stay', async () => {
		const connections = connectionsUnder(open())
		const {id} = await connections.add(connectionInput({insecure: true}))
		connections.client(id)
		expect(made.last().insecure).toBe(true)
		put({connections: {insecure: false, exportKeys: false}})
		connections.client(id)
		expect(made.last().insecure).toBe(false)
		await expectRefused(connections.update(id, {insecure: true}), 'managed')
		await expectRefused(connections.exportSealed('correct horse battery', 'move'), 'managed')
	})

	test('the embedded sandbox is none of its business', async () => {
		put({connections: {readOnly: true, servers: ['https://eu.example.test']}})
		const connections = connectionsUnder(open())
		await connections.registerSandbox({url: 'http://127.0.0.1:4000', clientId: 'sand', apiKey: 'box'})
		expect(connections.mode('sandbox')).toEqual({kind: 'guarded'})
		connections.client('sandbox')
		await expect(made.last().apiKey()).resolves.toBe('box')
	})
})

describe('a file that breaks', () => {
	test('loosens nothing: the last valid settings stay, also after a restart', async () => {
		put({settings: {theme: 'dark'}, connections: {servers: ['https://api.example.test']}})
		const first = open()
		const {id} = await connectionsUnder(first).add(connectionInput({readOnly: false}))
		first.note()
		put('{ "settings":')
		for (const managed of [first, open()]) {
			managed.note()
			expect(managed.view()).toMatchObject({state: 'broken', settings: ['theme'], connections: {readOnly: true}})
			const connections = connectionsUnder(managed)
			expect(connections.mode(id)).toMatchObject({because: 'managed', problem: expect.stringContaining('managed.json')})
			await expectRefused(connections.update(id, {name: 'Other'}), 'managed', 'is not JSON')
			await expectRefused(connections.add(connectionInput({name: 'New'})), 'managed')
			expect(() => managed.connections.admit({url: 'https://other.test', insecure: false})).toThrow(
				expect.objectContaining({details: {field: 'url', fix: expect.stringContaining('not JSON')}})
			)
			expect(() => openSettings(database, managed).set({theme: 'light'})).toThrow('set by your administrator')
		}
	})
})

test('the log says once when it is applied, changed, broken and removed, whichever process saw it', () => {
	const [one, other] = [open(), open()]
	const look = () => [one, other, open()].forEach(managed => managed.note())
	look()
	expect(messages()).toEqual([])
	put({settings: {theme: 'dark'}})
	look()
	expect(messages()).toEqual([`Managed configuration applied: ${path} (settings.theme).`])
	put({connections: {readOnly: true}})
	look()
	expect(messages()).toEqual([`Managed configuration changed: ${path} (connections.readOnly).`])
	put('no')
	look()
	expect(messages()).toEqual([expect.stringContaining('Managed configuration cannot be used.')])
	rmSync(path)
	look()
	expect(messages()).toEqual([`Managed configuration taken away: ${path} sets nothing any more.`])
})

describe('processes that look at different files', () => {
	const openAt = (name: string) => open(false, join(folder, name))
	const beside = (other: string) => ` Other processes on this profile are held by ${other}.`

	test('report their own once, and which one manages the others', () => {
		const second = join(folder, 'second.json')
		put({settings: {theme: 'dark'}})
		writeFileSync(second, JSON.stringify({guards: {largestJob: 200}}), {mode: 0o644})
		for (let start = 0; start < 2; start += 1) [open(), openAt('second.json')].forEach(each => each.note())
		expect(messages()).toEqual([
			`Managed configuration applied: ${path} (settings.theme).`,
			`Managed configuration applied: ${second} (guards.largestJob).${beside(path)}`
		])
		put('no')
		expect(open().view()).toMatchObject({state: 'broken', settings: ['theme'], guards: []})
	})

	test('report when nothing manages them, once for each change', () => {
		const third = join(folder, 'third.json')
		const note = () => [open(), openAt('third.json'), openAt('third.json')].forEach(each => each.note())
		const free = `Managed configuration taken away for this process: it looks at ${third}, and there is none.${beside(path)}`
		put({settings: {theme: 'dark'}})
		note()
		note()
		expect(messages()).toEqual([expect.stringContaining('applied'), free])
		put({settings: {theme: 'light'}})
		note()
		expect(messages()).toEqual([expect.stringContaining('changed'), free])
	})
})
