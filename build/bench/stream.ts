/** Events as they happen, from a real broker with TLS beside it into the store; and what faults on the way cost. */
import {join} from 'node:path'

import {until} from '#core/base/testing/until.ts'
import {generatedEvent} from '#core/replicas/events/testing/generate.ts'
import {openDatabase, type Database} from '#core/store/database.ts'
import {rabbitMissing, startRabbit, type Rabbit} from '#core/streams/testing/rabbitmq.ts'
import {makeStreamWorld, type StreamWorld} from '#core/streams/testing/world.ts'
import {connectRabbit, type RabbitBroker} from '#sandbox/amqp.ts'
import {startSandbox} from '#sandbox/server.ts'
import type {ServiceEvent} from '#shared/model/event.ts'
import {stringifyExact} from '#shared/model/exact-json.ts'
import type {Figure} from './measure.ts'

const count = 100_000
const atOnce = 250

export async function benchStream(): Promise<readonly Figure[] | string> {
	const missing = rabbitMissing()
	if (missing !== null) return `Not measured: ${missing}.`
	const records = Array.from({length: count}, (_, index) => generatedEvent(index, {count, days: 10}))
	const texts = records.map(record => stringifyExact(record))
	const alone = await storeAlone(records)
	const rabbit = await startRabbit()
	try {
		const calm = await streamed(rabbit, texts, async () => undefined)
		const faulty = await streamed(rabbit, texts, world => faults(rabbit, world))
		return [
			{name: '100,000 events, the store alone', unit: 's', values: [alone]},
			{name: 'the same from the stream', unit: 's', values: [calm.seconds], target: '33 s'},
			{name: 'part of the speed of the store', unit: 'x', values: [alone / calm.seconds], target: '0.6'},
			{name: 'memory at its end', unit: 'MB', values: [calm.memory]},
			{name: 'with drops, stops and restarts of the broker', unit: 's', values: [faulty.seconds]},
			{name: 'events lost', unit: 'rows', values: [calm.lost, faulty.lost], target: '0'},
			{name: 'events stored twice', unit: 'rows', values: [calm.twice, faulty.twice], target: '0'},
		]
	} finally {
		await rabbit.stop()
	}
}

async function storeAlone(records: readonly ServiceEvent[]): Promise<number> {
	const sandbox = await startSandbox({port: 0, computers: 60})
	const world = await makeStreamWorld({service: sandbox})
	const begun = performance.now()
	for (let at = 0; at < count; at += atOnce) await world.store.receive(records.slice(at, at + atOnce))
	const seconds = (performance.now() - begun) / 1000
	await world.stop()
	await sandbox.stop()
	return seconds
}

/** All wait in the queue when the reading begins. */
async function streamed(rabbit: Rabbit, texts: readonly string[], meanwhile: (world: StreamWorld) => Promise<void>) {
	const broker = await connectRabbit(rabbit.access)
	const sandbox = await startSandbox({port: 0, computers: 60, broker})
	const world = await makeStreamWorld({service: sandbox, ca: rabbit.access.ca})
	const signal = new AbortController().signal
	const wanted = {name: 'bench', eventTypes: [], groups: []}
	const {queue} = await world.streams.create(world.connection, wanted, signal)
	await fill(broker, queue, texts)
	const begun = performance.now()
	await world.streams.follow(world.connection)
	await meanwhile(world)
	await whole(world)
	const seconds = (performance.now() - begun) / 1000
	const memory = process.memoryUsage.rss() / 1e6
	const found = counted(world, texts)
	await world.stop()
	await broker.stop()
	await sandbox.stop()
	return {seconds, memory, ...found}
}

async function fill(broker: RabbitBroker, queue: string, texts: readonly string[]): Promise<void> {
	for (let at = 0; at < count; at += 1000) {
		for (const text of texts.slice(at, at + 1000)) broker.publish(queue, text)
		await broker.settled()
	}
}

/** Each round looks for ten seconds at most, and goes on as long as something was added. */
async function whole(world: StreamWorld): Promise<void> {
	const database = openEvents(world)
	// The tenant's own events are stored too, so the number of all says only when it is worth looking.
	const sql = 'SELECT count(*) AS n FROM event WHERE key >= ? AND key <= ?'
	const there = (): number =>
		world.store.state().stored < count ? 0 : (database.get<{readonly n: number}>(sql, ...idRange)?.n ?? 0)
	for (let before = -1; ;) {
		const now = world.store.state().stored
		if (there() >= count || now === before) break
		before = now
		await until('all, or some more, are stored', () => there() >= count || world.store.state().stored >= before + 5000).catch(
			() => undefined,
		)
	}
	database.close()
}

function openEvents(world: StreamWorld): Database {
	return openDatabase(join(world.ports.profile, 'events', `${world.connection}.db`), {synchronous: 'NORMAL'})
}

const idRange = [0, count - 1].map(index => String(generatedEvent(index, {count, days: 10}).id))

async function faults(rabbit: Rabbit, world: StreamWorld): Promise<void> {
	const stored = (least: number) => until(`${least} are stored`, () => world.store.state().stored >= least).catch(() => undefined)
	await stored(10_000)
	await rabbit.dropConnections()
	await stored(20_000)
	await world.streams.stop()
	await world.streams.follow(world.connection)
	await stored(30_000)
	await rabbit.restart()
	await stored(50_000)
	await rabbit.restart()
}

/** By exact IDs, in the file. A second one under the same ID would have a longer key. */
function counted(world: StreamWorld, texts: readonly string[]): {readonly lost: number; readonly twice: number} {
	const database = openEvents(world)
	const found = database.prepare('SELECT 1 FROM event WHERE key = ?')
	const lost = texts.filter(text => found.get(/"id":(\d+)/.exec(text)?.[1] ?? '') === undefined).length
	const twice = database.all("SELECT 1 FROM event WHERE key LIKE '%:%'").length
	database.close()
	return {lost, twice}
}
