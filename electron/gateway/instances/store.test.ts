import {storedValue, type InstanceInput} from '#model/instance.ts'
import {exposeAll, exposeKey, exposureOf} from '#model/server-parameter.ts'

import type {LocalLog} from '#core/record/incidents/log.ts'
import {logOf} from '#core/record/incidents/testing/log-of.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {memorySecrets} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import {isFree} from './listening.ts'
import {openInstanceStore} from './store.ts'
import type {InstanceStore} from './types.ts'

let world: World
let database: Database
let log: LocalLog
let store: InstanceStore
const secrets = memorySecrets()
const opened: {stop(): void}[] = []

beforeEach(() => {
	world = createWorld()
	database = openProfileDatabase(world.folder)
	log = logOf(world, 'kim')
	store = openStore(database)
})

afterEach(() => {
	for (const one of opened.splice(0)) one.stop()
	database.close()
})

function openStore(over: Database, append: (entry: NewEntry) => unknown = log.note) {
	const {clock, random} = world
	const hashers = {password: async (plain: string) => `hash of ${plain.length}`, token: (plain: string) => `sha ${plain.length}`}
	const made = openInstanceStore({database: over, secrets, clock, random, surface: 'screen', log: entry => void append(entry), hashers, isFree})
	opened.push(made)
	return made
}

function save(definition: Partial<InstanceInput> & {name: string}, more: Partial<Parameters<InstanceStore['save']>[0]> = {}) {
	return store.save({definition: {listenPort: 9000, ...definition}, ...more})
}

async function refusal(work: () => unknown) {
	try {
		await work()
	} catch (error) {
		return error
	}
	throw new Error('It was not refused.')
}

async function expectRefused(work: () => unknown, what: object) {
	expect(await refusal(work)).toMatchObject(what)
}

const signingKey = ({id}: {id: string}) => secrets.read(`instance/${id}/signing-key`)

async function entries() {
	return (await log.query({kinds: ['forwarding.changed'], limit: 100})).entries.map(({message}) => message)
}

describe('an instance', () => {
	test('is stored with its defaults, found by id and by exact name, and logged', async () => {
		const made = await save({name: 'edl'})
		expect(store.find('edl')).toEqual(made)
		expect(store.find(made.id)).toMatchObject({name: 'edl', listenPort: 9000, enabled: true, revision: 1, aliases: []})
		await save({name: 'edl'}, {id: made.id})
		await expectRefused(() => store.find('EDL'), {code: 'unknown_instance', details: {fix: 'Instances: edl.'}})
		expect(await entries()).toEqual(['Instance added: edl (port 9000, not exposed, access none).'])
	})

	test('gets a free port of its own and keeps it', async () => {
		const made = await save({name: 'edl', listenPort: null})
		expect(made.listenPort).toBeGreaterThanOrEqual(20_000)
		const again = await save({name: 'edl', listenPort: null, websocket: false}, {id: made.id})
		expect(again).toMatchObject({listenPort: made.listenPort, websocket: false, revision: 2})
	})

	test("shows the names of its program's variables, never their values, which stay when given back", async () => {
		const withVariables = (environment: Record<string, string>) =>
			save({name: 'bot', program: {kind: 'managed', command: ['run'], environment}}, known())
		const known = () => store.list().map(({id}) => ({id}))[0] ?? {}
		const stored = () => store.snapshot().stored[0]?.instance.program
		const made = await withVariables({TOKEN: 'canary-1', MODE: 'canary-2', EMPTY: ''})
		const shown = {environment: {TOKEN: storedValue, MODE: storedValue, EMPTY: ''}}
		expect(made.program).toMatchObject(shown)
		await withVariables({TOKEN: storedValue, MODE: 'canary-3', MORE: 'canary-4'})
		expect(stored()).toMatchObject({environment: {TOKEN: 'canary-1', MODE: 'canary-3', MORE: 'canary-4'}})
		const seen = [
			store.find('bot'),
			store.setEnabled(made.id, false),
			store.setEnabled(made.id, true),
			store.setExposed(made.id, true),
			store.setOpenPort(made.id, true, 'bot'),
			store.restart(made.id),
			store.list(),
			store.snapshot().instances,
			await log.query({kinds: ['forwarding.changed'], limit: 100})
		]
		expect(JSON.stringify(seen)).not.toContain('canary')
		await expectRefused(() => withVariables({OTHER: storedValue}), {
			code: 'invalid_argument',
			message: 'The value of OTHER is not stored yet: type it.',
			details: {field: 'program.environment'}
		})
		expect(stored()).toMatchObject({environment: {TOKEN: 'canary-1'}})
	})

	test('is refused on the port of another, which is named', async () => {
		await save({name: 'first'})
		await expectRefused(() => save({name: 'second'}), {
			code: 'taken',
			message: 'Port 9000 is the listen port of the instance first.',
			details: {field: 'listenPort'}
		})
		expect(store.list()).toHaveLength(1)
	})

	test('is refused on the port of the forwarding server: the route would lead it to itself', async () => {
		store.setParameter('forward.listen', '127.0.0.1:9000')
		const problem = {code: 'taken', details: {field: 'listenPort'}}
		await expectRefused(() => save({name: 'edl'}), problem)
		const {id} = await save({name: 'edl', listenPort: 9001})
		await expectRefused(() => store.save({id, definition: {name: 'edl', listenPort: 9000}}), problem)
		expect(store.find('edl').listenPort).toBe(9001)
	})

	test('is refused under the name of another; capitals make another name', async () => {
		await save({name: 'edl'})
		await expectRefused(() => save({name: 'edl', listenPort: 9001}), {code: 'taken', details: {field: 'name'}})
		expect(await save({name: 'EDL', listenPort: 9001})).toMatchObject({name: 'EDL'})
	})

	test.each([['_health'], ['..'], ['a/b'], ['']])('may not be called %j', async name => {
		await expectRefused(() => save({name}), {code: 'invalid_argument', details: {field: 'name'}})
	})

	test('with a certificate cannot be saved as exposed, nor exposed later', async () => {
		const certificate = '-----BEGIN CERTIFICATE-----'
		const problem = {code: 'invalid_argument', message: /cannot be exposed/, details: {field: 'certificate'}}
		const told = {...problem, message: expect.stringMatching(problem.message)}
		await expectRefused(() => save({name: 'edl', certificate}, {exposed: true}), told)
		const made = await save({name: 'edl', certificate})
		await expectRefused(() => store.setExposed(made.id, true), told)
		await expectRefused(() => store.setParameter(exposeAll, 'true'), told)
		expect(store.parameters()).toEqual({})
		store.setExposed(made.id, false)
		store.setParameter(exposeAll, 'true')
		await expectRefused(() => store.setExposed(made.id, null), told)
	})

	test('that is renamed keeps its old name as an alias and its exposure', async () => {
		const made = await save({name: 'old'}, {exposed: true})
		const renamed = await save({name: 'new'}, {id: made.id})
		expect(renamed).toMatchObject({name: 'new', aliases: ['old']})
		expect(store.parameters()).toEqual({[exposeKey('new')]: 'true'})
		expect(store.find('old').id).toBe(made.id)
		await save({name: 'old', listenPort: 9001})
		expect(store.find(made.id).aliases).toEqual([])
		expect(store.find('old').id).not.toBe(made.id)
	})

	test('is not saved over what somebody else changed meanwhile', async () => {
		const {id, revision} = await save({name: 'edl'})
		store.setEnabled(id, false)
		const late = () => save({name: 'edl', websocket: false}, {id, revision})
		await expectRefused(late, {code: 'conflict'})
		expect(store.find(id)).toMatchObject({enabled: false, websocket: true})
		await save({name: 'edl', websocket: false, enabled: false}, {id, revision: revision + 1})
		expect(store.find(id)).toMatchObject({enabled: false, websocket: false})
	})

	test('that is removed takes its key and its signing key along', async () => {
		const made = await save({name: 'bot', access: {kind: 'hmac'}}, {secrets: {signingKey: 'canary-key'}, exposed: true})
		expect(await signingKey(made)).toBe('canary-key')
		await store.remove(made.id)
		expect(store.list()).toEqual([])
		expect(store.parameters()).toEqual({})
		expect(await signingKey(made)).toBeUndefined()
	})

	test('is not changed when the log cannot be written', async () => {
		const made = await save({name: 'edl'})
		const broken = openStore(database, () => {
			throw new Error('the log is full')
		})
		expect(() => broken.setEnabled(made.id, false)).toThrow('the log is full')
		expect(store.find(made.id).enabled).toBe(true)
	})

	test('of someone else cannot be restarted; a managed one counts its restarts', async () => {
		const other = await save({name: 'other'})
		await expectRefused(() => store.restart(other.id), {code: 'usage'})
		const own = await save({name: 'own', listenPort: 9001, program: {kind: 'managed', command: ['node']}})
		store.restart(own.id)
		expect(store.snapshot().stored.map(({restarts}) => restarts)).toEqual([0, 1])
	})
})

describe('secrets', () => {
	test('are stored as verifiers, and kept when they are not given again', async () => {
		const made = await save(
			{name: 'edl', access: {kind: 'basic'}},
			{secrets: {users: [{name: 'fw', password: 'pass:word'}], tokens: ['canary-token-of-many']}}
		)
		expect(made.secrets).toEqual({users: ['fw'], tokens: 1, signingKey: false})
		await save({name: 'edl', access: {kind: 'bearer'}}, {id: made.id})
		expect(store.snapshot().stored[0]?.verifiers).toEqual({users: [{name: 'fw', verifier: 'hash of 9'}], tokens: ['sha 20']})
	})

	test.each([
		['basic', 'users'],
		['bearer', 'tokens'],
		['hmac', 'signingKey']
	] as const)('are needed for access by %s', async (kind, field) => {
		await expectRefused(() => save({name: 'edl', access: {kind}}), {code: 'invalid_argument', details: {field}})
		expect(store.list()).toEqual([])
	})

	test.each([{kind: 'none'}, {kind: 'hmac', preset: 'github'}] as const)(
		'and their time are needed by a webhook, which %j has not',
		async access => {
			const program = {kind: 'builtin', builtin: {service: 'webhook', connection: 'lab'}} as const
			const refused = () => save({name: 'bot', access, program}, {secrets: {signingKey: 'a signing key'}})
			await expectRefused(refused, {code: 'invalid_argument', details: {field: 'access'}})
		}
	)

	test('reach neither the log nor the database', async () => {
		const program = {kind: 'managed' as const, command: ['node', '--token=canary-1'], environment: {TOKEN: 'canary-2'}}
		const made = await save(
			{name: 'bot', access: {kind: 'hmac'}, program},
			{secrets: {signingKey: 'canary-3', users: [{name: 'fw', password: 'canary-4'}], tokens: ['canary-5-canary-5']}}
		)
		await save({name: 'bot', access: {kind: 'hmac'}, program: {...program, environment: {TOKEN: 'canary-6'}}}, {id: made.id})
		expect(await signingKey(made)).toBe('canary-3')
		const logged = JSON.stringify((await log.query({limit: 100})).entries)
		expect(logged).not.toContain('canary')
		expect(logged).toContain('Instance changed: bot (program).')
		expect(JSON.stringify(database.all('SELECT * FROM instance'))).not.toMatch(/canary-[345]/)
	})

	test('that could not be stored leave the old key', async () => {
		await save({name: 'first', listenPort: 9001})
		const made = await save({name: 'bot', access: {kind: 'hmac'}}, {secrets: {signingKey: 'old-key'}})
		database.exec("CREATE TRIGGER full BEFORE UPDATE ON instance BEGIN SELECT RAISE(ABORT, 'no'); END")
		await refusal(() => save({name: 'bot', access: {kind: 'hmac'}}, {id: made.id, secrets: {signingKey: 'new-key'}}))
		expect(await signingKey(made)).toBe('old-key')
	})
})

describe('a typed confirmation', () => {
	const needs = (text: string) => ({code: 'confirmation_needed', details: {field: text}})

	test('is asked for when an instance without access control is exposed on the network', async () => {
		store.setParameter('forward.lan', 'true')
		const made = await save({name: 'edl'})
		await expectRefused(() => store.setExposed(made.id, true), needs('edl'))
		await expectRefused(() => store.setExposed(made.id, true, 'EDL'), needs('edl'))
		await expectRefused(() => store.setParameter(exposeAll, 'true'), needs('edl'))
		expect(exposureOf(store.parameters(), 'edl').exposed).toBe(false)
		store.setExposed(made.id, true, 'edl')
		expect(exposureOf(store.parameters(), 'edl').exposed).toBe(true)
		expect((await entries())[0]).toBe(`Server parameter set: ${exposeKey('edl')} = true (was not set), confirmed.`)
	})

	test('is not asked for with access control, an allow list, or on loopback', async () => {
		await save({name: 'local'}, {exposed: true})
		await store.remove('local')
		store.setParameter('forward.lan', 'true')
		await save({name: 'allowed', allow: ['10.0.0.0/8']}, {exposed: true})
		const secret = {secrets: {tokens: ['a token of 20 letters']}}
		await save({name: 'guarded', listenPort: 9001, access: {kind: 'bearer'}}, {exposed: true, ...secret})
		expect(store.list()).toHaveLength(2)
	})

	test('is asked for when access control is taken away', async () => {
		store.setParameter('forward.lan', 'true')
		const made = await save({name: 'edl', allow: ['10.0.0.1']}, {exposed: true})
		await expectRefused(() => save({name: 'edl'}, {id: made.id}), needs('edl'))
	})

	test('is the word LAN when the network is let in', async () => {
		await save({name: 'edl'}, {exposed: true})
		await expectRefused(() => store.setParameter('forward.lan', 'true'), needs('LAN'))
		store.setParameter('forward.lan', 'true', 'LAN')
		expect(store.settings().settings.lan).toBe(true)
		store.setParameter('forward.lan', 'false')
	})

	test("is asked for when a port is opened, which only Cordon's own instances have", async () => {
		const own = await save({name: 'own', program: {kind: 'managed', command: ['node']}})
		await expectRefused(() => store.setOpenPort(own.id, true), needs('own'))
		expect(store.setOpenPort(own.id, true, 'own').openPort).toBe(true)
		expect(store.setOpenPort(own.id, false).openPort).toBe(false)
		expect((await entries()).slice(0, 2)).toEqual(['Instance changed: own (open port).', 'Instance changed: own (open port), confirmed.'])
		const other = await save({name: 'other', listenPort: 9001})
		await expectRefused(() => store.setOpenPort(other.id, true, 'other'), {code: 'usage'})
		const open = {name: 'other', listenPort: 9001, openPort: true}
		await save(open, {id: other.id})
		const run = {...open, program: own.program}
		await expectRefused(() => save(run, {id: other.id}), needs('other'))
	})
})

describe('server parameters', () => {
	test('are set, explained, removed and logged', async () => {
		expect(store.setParameter('forward.listen', '127.0.0.1:8443')).toEqual([
			{key: 'forward.listen', value: '127.0.0.1:8443', meaning: expect.stringContaining('Address and port')}
		])
		store.setParameter('forward.listen', '127.0.0.1:8443')
		expect(store.setParameter('forward.listen', null)).toEqual([])
		expect(() => store.setParameter('forward.lann', null)).toThrow('Did you mean forward.lan?')
		expect(await entries()).toEqual([
			'Server parameter removed: forward.listen (was 127.0.0.1:8443).',
			'Server parameter set: forward.listen = 127.0.0.1:8443 (was not set).'
		])
	})

	test('that do not exist or cannot have the value are refused', async () => {
		await expectRefused(() => store.setParameter('forward.lann', 'true'), {
			code: 'invalid_argument',
			message: expect.stringContaining('forward.lan?'),
			details: {field: 'key'}
		})
		await expectRefused(() => store.setParameter('forward.lan', 'yes'), {code: 'invalid_argument', details: {field: 'value'}})
	})

	test('may be for an instance that is not there yet', () => {
		const [row] = store.setParameter(exposeKey('later'), 'true')
		expect(row?.meaning).toContain('No instance has the name later')
		expect(store.settings().problems).toHaveLength(1)
	})
})

test('a change by another process arrives within a second', async () => {
	let told = 0
	const off = store.onChange(() => (told += 1))
	const elsewhere = openProfileDatabase(world.folder)
	openStore(elsewhere).setParameter('forward.lan', 'true')
	expect(told).toBe(0)
	await world.clock.advance(1000)
	await until('the news', () => told === 1)
	off()
	elsewhere.close()
})
