/** Against a real broker: Debian's RabbitMQ with TLS, started here. */
import type {StreamState} from '#model/event-stream.ts'

import {until} from '#base/testing/until.ts'
import {connectRabbit, type RabbitBroker} from '#sandbox/testing/amqp.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {BrokerError, openBroker} from './broker.ts'
import {rabbitMissing, startRabbit, type Rabbit} from './testing/rabbitmq.ts'
import {makeStreamWorld, type StreamWorld} from './testing/world.ts'

const missing = rabbitMissing()
if (missing !== null) process.stderr.write(`SKIPPED: event streams against a real broker. ${missing}.\n`)

const never = new AbortController().signal
const wanted = {name: 'console', eventTypes: [], groups: []}
/** Exceeds the precision of a double. */
const firstId = 6_839_681_950_832_132_113n

describe.skipIf(missing !== null)('an event stream', () => {
	let rabbit: Rabbit
	let broker: RabbitBroker
	let sandbox: Sandbox
	let world: StreamWorld
	let queue: string
	beforeAll(async () => {
		rabbit = await startRabbit()
	})
	afterAll(() => rabbit?.stop())
	afterEach(async () => {
		await world.stop()
		await sandbox.stop()
		// Every sandbox calls its queues alike: what was not acknowledged would come to the next test.
		await broker.close(queue, 'nobody')
		await broker.stop()
	})

	async function open() {
		broker = await connectRabbit(rabbit.access)
		sandbox = await startSandbox({port: 0, computers: 60, broker})
		world = await makeStreamWorld({service: sandbox, ca: rabbit.access.ca})
		queue = (await world.streams.create(world.connection, wanted, never)).queue
	}

	function event(number: number) {
		const at = Math.floor(world.ports.clock.now() / 1000) - 60
		return `{"id":${firstId + BigInt(number)},"timestamp":${at},"event_type":"Scan Started","event_type_id":554696714}`
	}

	function stored() {
		return world.store
			.query({filter: 'type:"Scan Started"', from: null, to: null, grouping: 'none', offset: 0, limit: 500})
			.rows.map(({key}) => key)
	}

	const expected = (count: number) => Array.from({length: count}, (_, number) => String(firstId + BigInt(number)))
	/** Ids sent by this test, ascending; the tenant's own events have smaller or greater ids. */
	const got = (count: number) => {
		const known = new Set(expected(count))
		return stored()
			.filter(key => known.has(key))
			.toSorted()
	}
	const follow = () => world.streams.follow(world.connection)
	const state = () => world.streams.state(world.connection)
	const live = () => until('it is live', () => state()?.phase === 'live')
	const reading = async () => {
		await open()
		const follower = await follow()
		await live()
		return follower
	}
	const publish = async (from: number, to: number) => {
		for (let number = from; number < to; number += 1) broker.publish(queue, event(number))
		await broker.settled()
	}
	const endOfReading = async (change: object = {}) => {
		const error = await openBroker({...(await access()), ...change}, () => {}).catch((caught: unknown) => caught)
		if (!(error instanceof BrokerError)) throw new Error('the broker was read')
		return error.end
	}
	/** The state of the reading once the condition holds. */
	const counted = (holds: (now: StreamState) => boolean) => {
		const now = state()
		return now !== null && holds(now) ? now : undefined
	}

	test('delivers events with every digit, and reports its state', async () => {
		await reading()
		broker.publish(queue, event(0))
		const told = await until('the event is stored', () => counted(now => now.added > 0))
		expect(got(1)).toEqual(expected(1))
		expect(told).toMatchObject({phase: 'live', unreadable: 0, problem: null})
		expect(told?.lastMessageAt).not.toBeNull()
		expect(told?.lagMs).toBeGreaterThanOrEqual(60_000)
	})

	test('the sandbox puts what happens in its tenant into the queue', async () => {
		await reading()
		const {tenant, events} = sandbox.world
		for (const host of tenant.hosts.slice(0, 1)) events.add(host, host.group, Date.now(), 1_090_519_054)
		expect(await until('the event is stored', () => counted(now => now.added > 0))).toMatchObject({phase: 'live', unreadable: 0})
	})

	test('stores and shows an unreadable message, and continues', async () => {
		await open()
		for (const body of ['{"id":', '[]', '{"kind":"other"}', event(0)]) broker.publish(queue, body)
		await follow()
		await until('the event behind them is stored', () => got(1).length === 1)
		const kept = world.streams.unreadable(world.connection, 10)
		expect(kept.map(({text}) => text)).toEqual(['{"kind":"other"}', '[]', '{"id":'])
		expect(kept[0]?.reason).toBe('It is not an event: it has neither an ID nor a time.')
		await until('they are counted', () => counted(now => now.unreadable === 3))
	})

	test('a broker that is killed costs no event, and none comes twice', async () => {
		await open()
		await follow()
		await publish(0, 200)
		await until('some are stored', () => got(400).length > 0)
		await rabbit.restart()
		await broker.stop()
		broker = await connectRabbit(rabbit.access)
		await publish(200, 400)
		await until('all are stored', () => got(400).length === 400)
		expect(got(400)).toEqual(expected(400))
		expect(state()?.reconnects).toBeGreaterThan(0)
	})

	test('connections that are dropped cost no event', async () => {
		await open()
		await follow()
		for (let round = 0; round < 3; round += 1) {
			await publish(round * 100, round * 100 + 100)
			await live()
			await rabbit.dropConnections()
			await until('it has heard of it', () => state()?.reconnects === round + 1)
		}
		await until('all are stored', () => got(300).length === 300)
		expect(got(300)).toEqual(expected(300))
	})

	test('a second reader is refused: in this profile, and by the broker', async () => {
		await reading()
		await expect(world.another().follow(world.connection)).rejects.toMatchObject({code: 'busy'})
		expect(await endOfReading()).toMatchObject({final: false, problem: {message: 'Another program reads this event stream.'}})
	})

	test('a refused password ends it for good, with the way out', async () => {
		await open()
		await world.ports.secrets.write(`connection/${world.connection}/stream`, 'another')
		const follower = await follow()
		await follower.ended
		const {problem, ...rest} = follower.state()
		expect(rest).toMatchObject({phase: 'stopped', reconnects: 0})
		expect(problem?.message).toMatch(/refused the password/)
		expect(problem?.fix).toMatch(/cordon stream delete/)
	})

	test('a queue that is deleted ends it for good, with the way out', async () => {
		const follower = await reading()
		await broker.close(queue, 'nobody')
		await follower.ended
		const message = `The service no longer has the queue ${queue}.`
		expect(follower.state()).toMatchObject({phase: 'stopped', problem: {message}})
	})

	test('an untrusted certificate is reported, and nothing is sent', async () => {
		await open()
		const {final, problem} = await endOfReading({extraCa: []})
		expect(final).toBe(false)
		expect(problem.message).toMatch(/is not connected: .*certificate/)
	})

	async function access() {
		const own = world.streams.own(world.connection)
		const password = await world.ports.secrets.read(`connection/${world.connection}/stream`)
		if (own === undefined || password === undefined) throw new Error('there is no stream')
		return {...own, password, extraCa: [rabbit.access.ca], insecure: false}
	}
})
