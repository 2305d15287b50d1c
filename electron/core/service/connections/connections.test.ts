import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {DatabaseSync} from 'node:sqlite'

import {expectRefused} from '#base/testing/code-of.ts'
import type {ConnectionInput} from '#model/connection.ts'

import {makeAuthority} from '../api/testing/certificates.ts'
import {testKey} from '../api/testing/client.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {connectionInput, openTestConnections, stubClients, type StubClients} from './testing/clients.ts'
import {memorySecrets, type MemorySecrets} from './testing/secrets.ts'
import type {Connections} from './types.ts'

let world: World
let database: Database
let secrets: MemorySecrets
let entries: NewEntry[]
let logWorks: boolean
let made: StubClients
let connections: Connections
const others: Connections[] = []

beforeEach(() => {
	world = createWorld()
	database = profileDatabase(world)
	secrets = memorySecrets()
	entries = []
	logWorks = true
	made = stubClients()
	connections = open(database)
})
afterEach(async () => {
	await Promise.all([connections, ...others.splice(0)].map(one => one.stop()))
})

function open(on: Database, surface: 'screen' | 'cli' = 'screen') {
	return openTestConnections(world, {
		...{database: on, secrets, surface, createClient: made.create},
		log: entry => {
			if (!logWorks) throw new Error('the log is full')
			entries.push(entry)
		}
	})
}

/** As another process sees them. */
function elsewhere(surface?: 'cli') {
	const other = open(profileDatabase(world), surface)
	others.push(other)
	return other
}

const apiKeyOf = (id: string | undefined) => secrets.read(`connection/${id}/api-key`)

/** The key with which a new client of it calls. */
function clientKey(id: string, by = connections) {
	by.client(id)
	return made.last().apiKey()
}

const sandbox = {url: 'http://127.0.0.1:4000', clientId: 'sand', apiKey: 'box'}

const update: Connections['update'] = (...how) => connections.update(...how)
const addOne = (...how: Parameters<typeof connectionInput>) => connections.add(connectionInput(...how))

const expectNothing = () => expect([connections.list(), secrets.names()]).toEqual([[], []])

describe('connections in a sealed file', () => {
	const seal = 'correct horse battery'
	const proxied = {proxy: 'http://proxy.example:3128', proxyLogin: {user: 'me', password: 'pw:canary'}}

	test('open with the passphrase alone; the log says who exported them and why', async () => {
		await addOne({...proxied, readOnly: false})
		const text = await connections.exportSealed(seal, 'a new laptop')
		expect(text).not.toMatch(/canary|Acme|a1b2|api\.example/)
		expect(entries.at(-1)).toMatchObject({
			kind: 'secret.revealed',
			message: 'API keys of Acme exported, encrypted with a passphrase: a new laptop'
		})
		await connections.remove(connections.list()[0]?.id ?? '')
		expect(await connections.importSealed(text, seal)).toMatchObject([{name: 'Acme', outcome: 'added'}])
		const [again] = connections.list()
		expect(again).toMatchObject({name: 'Acme', readOnly: true, proxy: proxied.proxy, hasProxyLogin: true})
		expect(await apiKeyOf(again?.id)).toBe(testKey)
		expect(await secrets.read(`connection/${again?.id}/proxy`)).toBe('me:pw:canary')
	})

	test('are not doubled by a second import, nor under another name', async () => {
		const {id} = await addOne()
		const text = await connections.exportSealed(seal, 'a copy')
		expect(await connections.importSealed(text, seal)).toMatchObject([{outcome: 'there'}])
		await update(id, {name: 'Other'})
		const [result] = await connections.importSealed(text, seal)
		expect(result).toMatchObject({name: 'Acme', outcome: 'there', message: expect.stringContaining('service and account')})
		expect(connections.list()).toHaveLength(1)
	})

	test('are as many as there are', async () => {
		for (let index = 0; index <= 200; index += 1) await addOne({name: `tenant ${index}`, clientId: `${index}`})
		expect(await connections.importSealed(await connections.exportSealed(seal, 'a copy'), seal)).toHaveLength(201)
		database.run('UPDATE connection SET ca = ?', 'x'.repeat(100_000))
		await expectRefused(connections.exportSealed(seal, 'a copy'), 'usage')
	})

	test('stay closed for a wrong passphrase, and nothing is lost by it', async () => {
		await addOne()
		const text = await connections.exportSealed(seal, 'a copy')
		const before = [connections.list(), secrets.names(), entries.length]
		await expect(connections.importSealed(text, 'another passphrase')).rejects.toMatchObject({
			code: 'invalid_argument',
			message: 'The passphrase does not open this file, or the file was changed. Nothing was imported.',
			details: {field: 'passphrase'}
		})
		const changed = text.replace(/"sealed": "(.)/, (_all, first) => `"sealed": "${first === 'A' ? 'B' : 'A'}`)
		await expect(connections.importSealed(changed, seal)).rejects.toMatchObject({details: {field: 'passphrase'}})
		await expect(connections.importSealed('{}', seal)).rejects.toMatchObject({details: {field: 'text'}})
		expect([connections.list(), secrets.names(), entries.length]).toEqual(before)
	})

	test('need a passphrase that can travel, a reason, and the log', async () => {
		await addOne()
		const count = entries.length
		await expect(connections.exportSealed('short', 'why')).rejects.toMatchObject({details: {field: 'passphrase'}})
		await expect(connections.exportSealed(seal, ' ')).rejects.toMatchObject({details: {field: 'reason'}})
		expect(entries).toHaveLength(count)
		logWorks = false
		await expect(connections.exportSealed(seal, 'why')).rejects.toMatchObject({message: 'the log is full'})
	})
})

describe('a proxy of its own', () => {
	const proxy = 'http://proxy.example:3128'
	const proxyLogin = {user: 'me', password: 'proxy-canary'}

	test('is kept with the connection, its credentials in the secret store alone', async () => {
		const added = await addOne({proxy, proxyLogin})
		expect(added).toMatchObject({proxy, hasProxyLogin: true})
		expect(await secrets.read(`connection/${added.id}/proxy`)).toBe('me:proxy-canary')
		expect(JSON.stringify([connections.list(), entries, database.all('SELECT * FROM connection')])).not.toMatch(/canary/)
		connections.client(added.id)
		const {proxy: own} = made.last()
		expect([own?.address, await own?.login()]).toEqual([proxy, 'me:proxy-canary'])
	})
	test('that changes removes the stored credentials, and so does deleting them', async () => {
		const {id} = await addOne({proxy, proxyLogin})
		expect(await update(id, {name: 'Other'})).toMatchObject({hasProxyLogin: true})
		expect(await update(id, {proxy: 'http://elsewhere.example:1'})).toMatchObject({hasProxyLogin: false})
		expect(secrets.names()).toEqual([`connection/${id}/api-key`])
		await update(id, {proxyLogin})
		expect(entries.at(-1)?.message).toBe('Connection changed: Other (credentials for the proxy).')
		expect(await update(id, {proxyLogin: null})).toMatchObject({hasProxyLogin: false})
		expect(secrets.names()).toEqual([`connection/${id}/api-key`])
	})

	test('keeps its old credentials when the change fails, and leaves none behind with the connection', async () => {
		const {id} = await addOne({proxy, proxyLogin})
		logWorks = false
		await expect(update(id, {apiKey: 'new', proxyLogin: {user: 'me', password: 'new'}})).rejects.toThrow()
		expect(await secrets.read(`connection/${id}/proxy`)).toBe('me:proxy-canary')
		expect(await apiKeyOf(id)).toBe(testKey)
		logWorks = true
		await connections.remove(id)
		expect(secrets.names()).toEqual([])
	})
	test('without its credentials in the store says so instead of asking the proxy without them', async () => {
		const {id} = await addOne({proxy, proxyLogin})
		await secrets.remove(`connection/${id}/proxy`)
		connections.client(id)
		await expectRefused(made.last().proxy?.login() ?? Promise.resolve(), 'secret_unavailable', '', {field: 'proxyLogin'})
	})

	test.each([
		['a proxy without a port', {proxy: 'http://proxy.example'}, 'proxy'],
		['credentials without a proxy', {proxyLogin}, 'proxyLogin'],
		['a text that is no certificate', {ca: 'hello'}, 'ca']
	])('%s is refused and nothing is stored', async (_what, change, field) => {
		await expect(addOne(change)).rejects.toMatchObject({details: {field}})
		expectNothing()
	})
})

test('authorities of its own reach its client; new ones want the key again, fewer do not', async () => {
	const valid = {notBefore: new Date(0)}
	const [one, two] = [(await makeAuthority(valid)).cert, (await makeAuthority(valid)).cert]
	const {id} = await addOne({ca: one})
	connections.client(id)
	expect(made.last().extraCa).toHaveLength(1)
	await expect(update(id, {ca: `${one}\n${two}`})).rejects.toMatchObject({
		message: 'The API key must be entered again, because other authorities are trusted now.',
		details: {field: 'apiKey'}
	})
	expect((await update(id, {ca: `${one}\n${two}`, apiKey: testKey})).ca).toContain(two.trim())
	expect((await update(id, {ca: null})).ca).toBeNull()
})

describe('a new connection', () => {
	test('is read-only unless asked otherwise, has its address reduced to the origin, and survives a restart', async () => {
		const added = await addOne({url: ' https://API.example.test:443/ '})
		expect(added).toMatchObject({
			name: 'Acme',
			url: 'https://api.example.test',
			readOnly: true,
			sandbox: false,
			environment: 'production',
			colour: 'blue'
		})
		expect(elsewhere().list()).toEqual([added])
	})

	test.each([
		['name', {name: '  '}, 'invalid_argument', 'The name is empty.'],
		['name', {name: 'SANDBOX'}, 'invalid_argument', 'The name is reserved for the embedded sandbox.'],
		['url', {url: 'api.example.test'}, 'invalid_argument', 'The server URL must look like https://api.example.com.'],
		['url', {url: 'http://api.example.test'}, 'insecure_url', 'Plain http: is accepted for loopback addresses only.'],
		['url', {url: 'https://me:secret@api.example.test'}, 'invalid_argument', 'The server URL must not hold credentials.'],
		['url', {url: 'https://api.example.test/v1'}, 'invalid_argument', 'The server URL must be a server alone, without a path.'],
		['url', {url: 'https://api.example.test?x'}, 'invalid_argument', 'The server URL must not hold a query or a fragment.'],
		['clientId', {clientId: 'a:b'}, 'invalid_argument', 'The client ID must not hold a colon.'],
		['apiKey', {apiKey: '  '}, 'invalid_argument', 'The API key is empty.'],
		['apiKey', {apiKey: undefined}, 'invalid_argument', 'The API key is missing.'],
		['colour', {colour: 'mauve'}, 'invalid_argument', 'The colour is missing or cannot be used.']
	])('with a bad %s is refused: %j', async (field, change, code, message) => {
		// As it would come from a caller that did not check.
		const bad = {...connectionInput(), ...change} as ConnectionInput
		await expect(connections.add(bad)).rejects.toMatchObject({code, message, details: {field}})
		expectNothing()
	})
	test('cannot have the name of another', async () => {
		await addOne()
		await expect(addOne({name: 'ACME'})).rejects.toMatchObject({
			message: 'The name is taken: there is a connection Acme already.',
			details: {field: 'name'}
		})
	})

	test('leaves nothing behind when the key cannot be kept', async () => {
		secrets.fail = true
		await expectRefused(addOne(), 'secret_unavailable')
		expect(connections.list()).toEqual([])
	})

	test('is removed with its key while the store is locked or missing', async () => {
		const {id} = await addOne()
		secrets.fail = secrets.damaged = true
		await connections.remove(id)
		expectNothing()
	})

	test('leaves nothing behind when its entry cannot be written', async () => {
		logWorks = false
		await expect(addOne()).rejects.toMatchObject({message: 'the log is full'})
		expectNothing()
	})

	test('leaves a log entry without the key', async () => {
		const {id} = await addOne()
		expect(entries).toMatchObject([
			{
				kind: 'connection.changed',
				surface: 'screen',
				connection: {id, name: 'Acme'},
				message: 'Connection added: Acme (https://api.example.test, read-only).'
			}
		])
		expect(JSON.stringify(entries)).not.toContain(testKey)
	})
})

describe('a change', () => {
	test('keeps what is not mentioned and says what changed', async () => {
		const before = await addOne({readOnly: false, colour: 'red'})
		const after = await update(before.id, {name: 'Acme EU'})
		expect(after).toEqual({...before, name: 'Acme EU'})
		expect(entries[1]).toMatchObject({message: 'Connection changed: Acme (name).', data: {before: {name: 'Acme'}, after: {name: 'Acme EU'}}})
	})

	test('of the address needs the key again, and forgets API limit and event stream', async () => {
		const {id} = await addOne()
		database.run(
			'INSERT INTO event_stream (connection, id, name, host, port, user_name, queue, created_at) VALUES (?, 1, ?, ?, 443, ?, ?, ?)',
			...[id, 'console', 'stream.example', 'user', 'queue', '2026-01-01']
		)
		await secrets.write(`connection/${id}/stream`, 'of the old tenant')
		const observedAt = world.clock.now()
		connections.ledger(id).observe({limit: 3000, remaining: 1, resetAt: observedAt + 60_000, observedAt})
		await expect(update(id, {url: 'https://evil.example.test'})).rejects.toMatchObject({details: {field: 'apiKey'}})
		await update(id, {url: 'https://eu.example.test', apiKey: 'other'})
		expect(connections.find(id).url).toBe('https://eu.example.test')
		expect(connections.ledger(id).read()).toBeNull()
		expect(database.all('SELECT * FROM event_stream')).toEqual([])
		expect(await secrets.read(`connection/${id}/stream`)).toBeUndefined()
	})

	test('of the key replaces the client', async () => {
		const {id} = await addOne()
		const first = connections.client(id)
		expect(connections.client(id)).toBe(first)
		await update(id, {apiKey: 'other'})
		expect(connections.client(id)).not.toBe(first)
		expect(made.stopped()).toBe(1)
		expect(await made.last().apiKey()).toBe('other')
		expect(entries[1]?.message).toBe('Connection changed: Acme (API key).')
	})

	test('by another process replaces the client too', async () => {
		const {id} = await addOne()
		const first = connections.client(id)
		const other = elsewhere()
		await other.update(id, {clientId: 'c3d4'})
		expect(connections.client(id)).not.toBe(first)
		expect(made.last().clientId).toBe('c3d4')
	})

	test('undoes no other that came while the secret store was awaited, and brings no removed connection back', async () => {
		const {id} = await addOne({readOnly: false})
		const other = elsewhere()
		const during = (work: () => Promise<unknown>) => vi.spyOn(secrets, 'write').mockImplementationOnce(async () => void (await work()))
		during(() => other.update(id, {readOnly: true}))
		const opening = update(id, {apiKey: 'other', readOnly: false})
		await expectRefused(opening, 'confirmation_needed')
		during(() => other.update(id, {name: 'Acme EU'}))
		expect(await update(id, {apiKey: 'other', colour: 'red'})).toMatchObject({name: 'Acme EU', readOnly: true})
		during(() => other.remove(id))
		await expectRefused(update(id, {apiKey: 'other'}), 'unknown_connection')
		expectNothing()
	})
})

describe('a removed connection', () => {
	test('is gone with key, client and lock', async () => {
		const {id} = await addOne({readOnly: false})
		connections.client(id)
		connections.setLocked(id, true)
		await connections.remove(id)
		expect([connections.list(), secrets.names(), made.stopped()]).toEqual([[], [], 1])
		expect(() => connections.client(id)).toThrow('There is no connection')
		expect(entries.at(-1)?.message).toBe('Connection removed: Acme.')
	})

	test('stays, with its key, when the entry cannot be written', async () => {
		const {id} = await addOne()
		logWorks = false
		await expect(connections.remove(id)).rejects.toThrow()
		expect(await apiKeyOf(id)).toBe(testKey)
		expect(connections.find(id).name).toBe('Acme')
	})
})

test('finding works by id, by name in any case, or takes the only one', async () => {
	await expectRefused(() => connections.find(undefined), 'no_connection')
	const one = await addOne()
	expect([connections.find('acme'), connections.find(one.id), connections.find(undefined)]).toEqual([one, one, one])
	await addOne({name: 'Beta'})
	await expectRefused(() => connections.find(undefined), 'no_connection', '', {field: 'connection', fix: 'Connections: Acme, Beta.'})
	await expectRefused(() => connections.find('gamma'), 'unknown_connection')
})

describe('writing', () => {
	test('that becomes writable or read-only is logged as such', async () => {
		const {id} = await addOne({})
		await update(id, {readOnly: false}, {confirm: 'Acme', reason: 'Patch night'})
		expect(entries.at(-1)?.message).toBe('Connection changed: Acme (read-only switched off).')
		await update(id, {readOnly: true})
		expect(entries.at(-1)?.message).toBe('Connection changed: Acme (read-only switched on).')
	})

	test('is off on a read-only connection, and off everywhere at once when locked', async () => {
		const {id} = await addOne()
		expect(connections.mode(id)).toEqual({kind: 'read_only', because: 'connection', since: null})
		await update(id, {readOnly: false}, {confirm: 'Acme', reason: 'Patch night'})
		const other = elsewhere()
		expect(other.mode(id)).toEqual({kind: 'guarded'})
		connections.setLocked(id, true)
		expect(other.mode(id)).toEqual({kind: 'read_only', because: 'locked', since: '2026-03-01T12:00:00.000Z'})
		other.setLocked(id, false)
		expect(connections.mode(id)).toEqual({kind: 'guarded'})
		expect(entries.slice(-2).map(entry => entry.message)).toEqual(['Changes on Acme were locked.', 'Changes on Acme were unlocked.'])
	})

	test('can be locked without a working log, but not unlocked', async () => {
		const {id} = await addOne({readOnly: false})
		logWorks = false
		expect(() => connections.setLocked(id, true)).toThrow('the log is full')
		expect(connections.mode(id).kind).toBe('read_only')
		expect(() => connections.setLocked(id, false)).toThrow('the log is full')
		expect(connections.mode(id).kind).toBe('read_only')
	})
})

describe('the embedded sandbox', () => {
	test('is there for every process while it runs, and cannot be changed', async () => {
		const takeAway = await connections.registerSandbox(sandbox)
		const other = elsewhere()
		const found = other.find('sandbox')
		expect(found).toMatchObject({id: 'sandbox', name: 'Sandbox', environment: 'sandbox', colour: 'teal', readOnly: false, sandbox: true})
		expect(await clientKey(found.id, other)).toBe('box')
		await expectRefused(update('sandbox', {name: 'x'}), 'usage')
		await expectRefused(connections.remove('sandbox'), 'usage')
		await takeAway()
		expect([other.list(), secrets.names()]).toEqual([[], []])
	})

	test('starts and ends where no key can be kept, and only its own process can use it', async () => {
		secrets.fail = true
		const takeAway = await connections.registerSandbox(sandbox)
		expect([await clientKey('sandbox'), secrets.names()]).toEqual(['box', []])
		const other = elsewhere()
		await expectRefused(clientKey('sandbox', other), 'secret_unavailable')
		await takeAway()
		expect(other.list()).toEqual([])
	})

	test('of a process that was killed is left out, and replaced by the next', async () => {
		await connections.registerSandbox(sandbox)
		const child = spawn(process.execPath, ['-e', ''])
		await once(child, 'exit')
		database.run("UPDATE connection SET owner_pid = ?, owner_started = ''", child.pid ?? 0)
		expect(connections.list()).toEqual([])
		expect(() => connections.client('sandbox')).toThrow('There is no connection')
		await connections.registerSandbox({...sandbox, url: 'http://127.0.0.1:5000'})
		expect(connections.find(undefined).url).toBe('http://127.0.0.1:5000')
	})

	test('stays, stopped and last, beside a connection of your own; it can be removed or started again', async () => {
		const takeAway = await connections.registerSandbox(sandbox)
		const own = await addOne({name: 'own'})
		await takeAway()
		expect(connections.list().map(({name, stopped}) => [name, stopped])).toEqual([
			['own', undefined],
			['Sandbox', true]
		])
		expect(connections.find(undefined)).toEqual(own)
		await expectRefused(clientKey('sandbox'), 'no_connection')
		await connections.registerSandbox({...sandbox, url: 'http://127.0.0.1:5000'})
		expect(connections.find('sandbox')).toMatchObject({url: 'http://127.0.0.1:5000', sandbox: true})
		expect(connections.find('sandbox').stopped).toBeUndefined()
		database.run("UPDATE connection SET owner_pid = 0 WHERE id = 'sandbox'")
		await connections.remove('sandbox')
		expect(connections.list()).toEqual([own])
	})

	test('starts with an API limit of its own', async () => {
		await connections.registerSandbox(sandbox)
		connections.ledger('sandbox').observe({limit: 3000, remaining: 0, resetAt: world.clock.now() + 3_600_000, observedAt: world.clock.now()})
		await connections.registerSandbox(sandbox)
		expect(connections.ledger('sandbox').read()).toBeNull()
	})
})

test('a connection of the command line lives in memory alone and is checked like any other', async () => {
	const added = connections.addTransient({...connectionInput({name: 'given', readOnly: false}), apiKey: testKey})
	expect(connections.find(undefined)).toEqual(added)
	expect(await clientKey(added.id)).toBe(testKey)
	expect(secrets.names()).toEqual([])
	const other = elsewhere()
	expect(other.list()).toEqual([])
	expect(other.addTransient({...connectionInput(), apiKey: testKey}).id).toBe(added.id)
	await expectRefused(() => other.addTransient({...connectionInput({url: 'http://api.example.test'}), apiKey: testKey}), 'insecure_url')
})

test('a client reads the key anew for each call and says when it is gone', async () => {
	const {id} = await addOne()
	connections.client(id)
	await secrets.remove(`connection/${id}/api-key`)
	await expect(made.last().apiKey()).rejects.toMatchObject({
		code: 'secret_unavailable',
		message: 'The API key of Acme is not in the secret store.',
		details: {field: 'apiKey', fix: expect.stringContaining('Open Connections and enter the API key again')}
	})
})

test('a key that is not there names both ways out on the command line', async () => {
	const {id} = await addOne()
	await secrets.remove(`connection/${id}/api-key`)
	await expectRefused(clientKey(id, elsewhere('cli')), 'secret_unavailable', '', {
		fix: expect.stringMatching(/edit Acme --api-key-file FILE", or .* --server https:/)
	})
})

test('an unusual store failure is reported as an unreadable key', async () => {
	const {id} = await addOne()
	connections.client(id)
	secrets.damaged = true
	await expect(made.last().apiKey()).rejects.toMatchObject({
		code: 'secret_unavailable',
		message: 'The API key of Acme cannot be read: The secret is damaged.'
	})
})

test.each([
	['EMFILE', 'too many open files', /^Too many files are open\. .*What is stored is unchanged\.$/],
	['EACCES', 'permission denied', /^Make the file readable .*What is stored is unchanged\.$/]
])('a store that the system does not open (%s) asks for no key again', async (code, words, fix) => {
	const {id} = await addOne({proxy: 'http://proxy.example:3128', proxyLogin: {user: 'me', password: 'x'}})
	connections.client(id)
	const failed = Object.assign(new Error(`${code}: ${words}, open 'secrets.json'`), {code, syscall: 'open'})
	const read = vi.spyOn(secrets, 'read').mockRejectedValue(failed)
	const problem = {code: 'secret_unavailable', details: {fix: expect.stringMatching(fix)}}
	await expect(made.last().apiKey()).rejects.toMatchObject(problem)
	await expect(made.last().proxy?.login() ?? Promise.resolve()).rejects.toMatchObject(problem)
	read.mockRestore()
})

test('a sandbox without its console names both ways out', async () => {
	await addOne()
	await expectRefused(() => connections.find('Sandbox'), 'unknown_connection', '', {
		field: 'connection',
		fix: 'The embedded sandbox is there only while its console runs: start the console ("npm start"), or add your service with "cordon connections add". Connections: Acme.'
	})
})

test('listeners are notified of changes in this process at once and of others soon', async () => {
	let heard = 0
	const stop = connections.onChange(() => (heard += 1))
	const {id} = await addOne({readOnly: false})
	expect(heard).toBe(1)
	const other = elsewhere()
	other.setLocked(id, true)
	await world.clock.advance(1000)
	expect(heard).toBe(2)
	await world.clock.advance(1000)
	expect(heard).toBe(2)
	stop()
	await other.remove(id)
	await world.clock.advance(1000)
	expect(heard).toBe(2)
})

test('a damaged key can be entered again and removed', async () => {
	const {id} = await addOne()
	secrets.damaged = true
	await update(id, {apiKey: 'other'})
	secrets.damaged = false
	expect(await apiKeyOf(id)).toBe('other')
})

test('the database holds no key', async () => {
	await addOne()
	const raw = new DatabaseSync(`${world.folder}/profile.db`)
	expect(Buffer.from(raw.serialize()).includes(testKey)).toBe(false)
	raw.close()
})
