import {CordonError} from '#contract/errors.ts'

import type {StreamBroker} from '#sandbox/event-streams.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {makeStreamWorld, type StreamWorld, type StreamWorldOptions} from './testing/world.ts'

type Here = StreamWorld & {sandbox: Sandbox}

let world: Here | undefined
afterEach(async () => {
	await world?.stop()
	await world?.sandbox.stop()
	world = undefined
})

/** Records its calls; queues are tested elsewhere. */
function notingBroker(): StreamBroker & {queues: Set<string>} {
	const queues = new Set<string>()
	return {
		...{host: 'stream.example', port: 443, queues, publish: () => {}},
		open: async queue => void queues.add(queue),
		close: async queue => void queues.delete(queue)
	}
}

const wanted = {name: 'console', eventTypes: [], groups: []}
const never = new AbortController().signal
const create = ({streams, connection}: StreamWorld, more: object = {}) => streams.create(connection, {...wanted, ...more}, never)
const remove = ({streams, connection}: StreamWorld) => streams.delete(connection, undefined, never)

async function open(options: Pick<StreamWorldOptions, 'secrets'> & {broker?: StreamBroker} = {}) {
	const sandbox = await startSandbox({port: 0, computers: 60, broker: options.broker})
	world = {...(await makeStreamWorld({service: sandbox, ...options})), sandbox}
	return world
}

async function made() {
	const here = await open({broker: notingBroker()})
	await create(here)
	return here
}

async function messages({profile}: StreamWorld) {
	const {entries} = await profile.log.query({kinds: ['connection.changed'], text: 'event stream', limit: 50})
	return entries.map(({message}) => message).toReversed()
}

describe('creating an event stream', () => {
	test('keeps its password in the secret store alone, with an entry before and after', async () => {
		const here = await open({broker: notingBroker()})
		const own = await create(here, {eventTypes: [1_090_519_054]})
		expect(own).toMatchObject({id: 1474, name: 'console', host: 'stream.example', port: 443, queue: 'event_stream_1474'})
		const password = await here.ports.secrets.read(`connection/${here.connection}/stream`)
		expect(password).toMatch(/^[0-9a-f]{40}$/)
		expect(JSON.stringify(here.profile.database.all('SELECT * FROM event_stream'))).not.toContain(password)
		expect(await messages(here)).toEqual(['Create the event stream console: requested.', 'Create the event stream console: done.'])
		expect(await here.streams.list(here.connection, never)).toEqual([{id: 1474, name: 'console', event_types: [1_090_519_054], own: true}])
	})

	test('a reader that was killed reads no more, and why nobody reads is shown', async () => {
		const {streams, connection, profile, ports} = await made()
		profile.database.run(`UPDATE event_stream SET state = '{"phase":"live","problem":null}'`)
		expect(streams.state(connection)).toMatchObject({phase: 'idle', problem: null})
		await ports.secrets.remove(`connection/${connection}/stream`)
		await streams.followAll()
		expect(streams.state(connection)?.problem?.message).toContain('password')
	})

	test('a password that cannot be kept takes the stream away again', async () => {
		const broker = notingBroker()
		const refusing = async () => {
			throw new CordonError('secret_unavailable', 'The key ring is locked.')
		}
		const here = await open({broker, secrets: ({secrets}) => ({...secrets, write: refusing})})
		await expect(create(here)).rejects.toThrow('The key ring is locked. The event stream console was deleted again.')
		expect([...broker.queues]).toEqual([])
		expect(await here.streams.list(here.connection, never)).toEqual([])
		expect(here.streams.own(here.connection)).toBeUndefined()
	})

	test('a secret store that is not there keeps anything from being sent', async () => {
		const here = await open({broker: notingBroker(), secrets: ({secrets}) => ({...secrets, unavailable: async () => 'No key ring is running.'})})
		await expect(create(here)).rejects.toThrow('No key ring is running.')
		expect(here.sandbox.requests).toEqual([])
	})

	test('a sixth is refused before it is sent, with the names of the five', async () => {
		const here = await open({broker: notingBroker()})
		for (let made = 0; made < 5; made += 1) {
			await create(here, {name: `console ${made}`})
			here.profile.database.run('DELETE FROM event_stream')
		}
		here.sandbox.clearRequests()
		await expect(create(here)).rejects.toThrow(/allows 5.*console 4 \(1478\)/)
		expect(here.sandbox.requests.map(({method}) => method)).toEqual(['GET'])
	})

	test('a connection has one, and a read-only one gets none', async () => {
		const here = await made()
		await expect(create(here)).rejects.toMatchObject({code: 'taken'})
		await remove(here)
		await here.profile.connections.update(here.connection, {readOnly: true})
		await expect(create(here)).rejects.toMatchObject({code: 'read_only'})
	})

	test('a sandbox without a broker says what is missing', async () => {
		const here = await open()
		await expect(create(here)).rejects.toThrow(/^(?!Outcome unknown).*no message broker/)
		expect((await messages(here)).at(-1)).toMatch(/^Create the event stream console: .*no message broker/)
	})
})

test('changed trust restarts the reading, and another account ends it', async () => {
	const {streams, profile, connection} = await open({broker: notingBroker()})
	await streams.create(connection, wanted, never)
	const first = await streams.follow(connection)
	await streams.followAll()
	expect(await streams.follow(connection)).toBe(first)
	await profile.connections.update(connection, {insecure: true})
	await streams.followAll()
	expect(first.state().phase).toBe('idle')
	const second = await streams.follow(connection)
	await profile.connections.update(connection, {clientId: 'another'})
	await expect(streams.delete(connection, undefined, never)).rejects.toThrow('reads no event stream')
	await streams.leave(connection)
	expect(second.state().phase).toBe('idle')
	await expect(streams.follow(connection)).rejects.toMatchObject({code: 'usage'})
})

describe('deleting an event stream', () => {
	test('forgets it and its password', async () => {
		const broker = notingBroker()
		const here = await open({broker})
		await create(here)
		expect(await remove(here)).toEqual({id: 1474, wasThere: true})
		expect([...broker.queues]).toEqual([])
		expect(await here.ports.secrets.read(`connection/${here.connection}/stream`)).toBeUndefined()
		expect(here.streams.own(here.connection)).toBeUndefined()
	})

	test('one that was deleted elsewhere is forgotten here', async () => {
		const here = await made()
		here.profile.database.run('UPDATE event_stream SET id = 99')
		expect(await remove(here)).toEqual({id: 99, wasThere: false})
		expect(here.streams.own(here.connection)).toBeUndefined()
	})

	test('goes with its connection', async () => {
		const here = await made()
		await here.profile.connections.remove(here.connection)
		expect(here.profile.database.all('SELECT * FROM event_stream')).toEqual([])
		expect(await here.ports.secrets.read(`connection/${here.connection}/stream`)).toBeUndefined()
	})
})
