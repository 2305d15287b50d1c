/** Stored, acknowledged and reported messages under any behaviour of broker and disk. */
import {CordonError} from '#contract/errors.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'
import type {StreamState} from '#model/event-stream.ts'

import {until} from '#base/testing/until.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {BrokerError, endOf, type BrokerEnd, type BrokerSession, type Delivery} from './broker.ts'
import {decodeEvent, startFollower, waitBefore} from './follower.ts'

const away: BrokerEnd = {final: false, problem: {message: 'It is away.', fix: 'Wait.'}}
const queue = {host: 'stream.example', port: 443, queue: 'event_stream_1474'}

/** A broker in memory with a disk that may refuse writes; the test ends sessions. */
function makeWorld() {
	const clock = testClock({eager: true})
	const world = {
		clock,
		/** Texts in stored order. */
		stored: [] as string[],
		unreadable: [] as string[],
		acknowledged: [] as string[],
		phases: [] as StreamState['phase'][],
		caughtUp: 0,
		opened: 0,
		/** Called before each batch is stored. */
		beforeStore: (_texts: string[]): void => undefined,
		open: () => Promise.resolve(),
		deliver: (_text: string): void => undefined,
		end: (_end: BrokerEnd): void => undefined
	}
	const open = async (onMessage: (delivery: Delivery) => void): Promise<BrokerSession> => {
		world.opened += 1
		await world.open()
		const {promise: ended, resolve} = Promise.withResolvers<BrokerEnd>()
		world.end = resolve
		world.deliver = text => onMessage({content: Buffer.from(text), redelivered: false, acknowledge: () => void world.acknowledged.push(text)})
		return {waiting: 0, ended, close: () => Promise.resolve()}
	}
	const follower = startFollower({
		clock,
		random: bytes => new Uint8Array(bytes),
		open,
		store: async records => {
			const texts = records.map(record => stringifyExact(record))
			world.beforeStore(texts)
			world.stored.push(...texts)
			return texts.length
		},
		keepUnreadable: content => void world.unreadable.push(Buffer.from(content).toString()),
		catchUp: async () => void (world.caughtUp += 1),
		onState: ({phase}) => void (world.phases.at(-1) !== phase && world.phases.push(phase)),
		onTrouble: () => {}
	})
	return {world, follower}
}

let {world, follower} = {} as ReturnType<typeof makeWorld>

async function ends() {
	const next = world.caughtUp + 1
	world.end(away)
	await until('it is live again', () => world.caughtUp === next)
}

const event = (id: number): string => `{"id":${id},"timestamp":1767225600}`

describe('a reader of an event stream', () => {
	beforeEach(async () => {
		;({world, follower} = makeWorld())
		await until('it is live', () => follower.state().phase === 'live')
		return () => follower.stop()
	})

	test('acknowledges what is stored, the last of each batch for all before it', async () => {
		for (let id = 1; id <= 600; id += 1) world.deliver(event(id))
		await until('all are counted', () => follower.state().received === 600)
		expect(world.stored).toHaveLength(600)
		expect(world.acknowledged).toEqual([event(250), event(500), event(600)])
		expect(follower.state()).toMatchObject({added: 600, lagMs: 0, unreadable: 0})
	})

	test('acknowledges nothing that the disk refused, and begins anew after a pause', async () => {
		world.beforeStore = () => {
			throw new CordonError('storage', 'The disk is full.')
		}
		world.deliver(event(1))
		await until('it begins anew', () => world.opened >= 2)
		expect(world.acknowledged).toEqual([])
		expect(world.phases.slice(0, 3)).toEqual(['connecting', 'live', 'waiting'])
		world.beforeStore = () => {}
		await until('it is live again', () => follower.state().phase === 'live')
		world.deliver(event(1))
		await until('it is acknowledged', () => world.acknowledged.length === 1)
		expect(world.stored).toEqual([event(1)])
	})

	test('sets aside the one event that cannot be stored, and stores those beside it', async () => {
		world.beforeStore = texts => {
			if (texts.includes(event(2))) throw new CordonError('internal', 'It has no end.')
		}
		for (const id of [1, 2, 3]) world.deliver(event(id))
		await until('all are counted', () => follower.state().received === 3)
		expect(world.stored).toEqual([event(1), event(3)])
		expect(world.unreadable).toEqual([event(2)])
		expect(world.acknowledged).toEqual([event(3)])
		expect(follower.state()).toMatchObject({added: 2, unreadable: 1})
	})

	test('reads by REST what it missed, after each connection', async () => {
		await ends()
		expect(world.caughtUp).toBe(2)
		expect(world.phases).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live'])
	})

	test('waits longer after each failure or short session, and starts again after a message or a minute', async () => {
		world.open = () => (world.opened < 4 ? Promise.reject(new BrokerError(away)) : Promise.resolve())
		await ends()
		await ends()
		world.deliver(event(1))
		await until('it is counted', () => follower.state().received === 1)
		await ends()
		await ends()
		await world.clock.sleep(60_000)
		await ends()
		// Apart from waits for a closing connection.
		expect(world.clock.asked.filter(ms => ms !== 3000)).toEqual([1000, 2000, 4000, 8000, 1000, 1000, 60_000, 1000])
	})

	test('ends for good when a retry is useless', async () => {
		world.end({final: true, problem: {message: 'It is gone.', fix: 'Create another.'}})
		await follower.ended
		expect(follower.state()).toMatchObject({phase: 'stopped', problem: {fix: 'Create another.'}, reconnects: 0})
		expect(world.opened).toBe(1)
	})

	test('lets what is being stored end before it stops', async () => {
		world.deliver(event(1))
		world.beforeStore = () => void follower.stop()
		await follower.ended
		expect(world.stored).toEqual([event(1)])
		expect(world.acknowledged).toEqual([event(1)])
		expect(follower.state().phase).toBe('idle')
	})
})

describe('a message', () => {
	test('keeps every digit of its ID', () => {
		const text = '{"id":6419204901661835278,"timestamp":1494610183.5,"detection_id":"6419204901661835278"}'
		expect(decodeEvent(Buffer.from(text))).toEqual({record: parseExact(text), at: 1_494_610_183_500})
	})

	test.each([
		['half of JSON', Buffer.from('{"id":1'), /^It is not readable: /],
		['no object', Buffer.from('[1]'), /^It is not an event: /],
		['a field of another kind', Buffer.from('{"id":"one"}'), /^It is not an event: id: /],
		['nothing that tells it apart', Buffer.from('{"event_type":"x"}'), /neither an ID nor a time/],
		['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), /^It is not readable: /],
		['more than a megabyte', Buffer.alloc(1_048_577, 0x20), /^It has 1048577 bytes/],
		['endless nesting', Buffer.from(`{"id":1,"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`), /^It is not readable: /]
	])('with %s is none', (_what, content, reason) => {
		const decoded = decodeEvent(content)
		expect('reason' in decoded ? decoded.reason : decoded.record).toMatch(reason)
	})
})

test('waits of many consoles lie apart: 1 to 5 s at first, a minute and two thirds at most', () => {
	expect([waitBefore(0, 0), waitBefore(0, 0.5), waitBefore(0, 1)]).toEqual([1000, 3000, 5000])
	expect([waitBefore(20, 0), waitBefore(20, 1)]).toEqual([20_000, 100_000])
})

test.each([
	['NOT_FOUND - no queue', 404, true],
	["NOT_FOUND - home node 'a' of durable queue 'b' in vhost '/' is down or inaccessible", 404, false],
	['ACCESS_REFUSED - access to queue refused', 403, true],
	["ACCESS_REFUSED - queue 'b' in vhost '/' in exclusive use", 403, false],
	['RESOURCE_LOCKED - cannot obtain exclusive access', 405, false],
	['CONNECTION_FORCED - broker forced connection closure', 320, false]
])('%s (%i): for good is %s', (message, code, final) => {
	expect(endOf(Object.assign(new Error(message), {code}), queue).final).toBe(final)
})
