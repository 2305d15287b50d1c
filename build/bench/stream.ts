/** Streams events from a real broker with TLS into the store, and measures what faults on the way cost. */
import {join} from 'node:path'

import {generatedEvent} from '#core/replicas/events/testing/generate.ts'
import {openDatabase} from '#core/store/database.ts'
import {rabbitMissing, startRabbit, type Rabbit} from '#core/streams/testing/rabbitmq.ts'
import {makeStreamWorld, type StreamWorld} from '#core/streams/testing/world.ts'
import {connectRabbit, type RabbitBroker} from '#sandbox/testing/amqp.ts'
import {startSandbox} from '#sandbox/server.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {type Figure, memoryInUse} from './measure.ts'

const count = Number(process.env['CORDON_BENCH_EVENTS'] ?? 100_000)
const atOnce = 250
/** Keeps no events, so that the memory figure is the reader's alone. */
const recordAt = (index: number) => generatedEvent(index, {count, days: 10})

export async function benchStream(): Promise<readonly Figure[] | string> {
	const missing = rabbitMissing()
	if (missing !== null) return `Not measured: ${missing}.`
	const alone = await storeAlone()
	const rabbit = await startRabbit()
	try {
		const memory: Memory[] = []
		const calm = await streamed(rabbit, world => memoryAt(world, memory))
		const faulty = await streamed(rabbit, world => faults(rabbit, world))
		return [
			{name: `${count} events, the store alone`, unit: 's', values: [alone]},
			{name: 'the same from the stream', unit: 's', values: [calm.seconds], target: `${Math.floor(count / 3000)} s`},
			{name: 'part of the speed of the store', unit: 'x', values: [alone / calm.seconds], target: '0.6'},
			...memory.flatMap(({part, heap, resident}): readonly Figure[] => [
				{name: `heap when ${part}% are stored`, unit: 'MB', values: [heap]},
				{name: `resident memory when ${part}% are stored`, unit: 'MB', values: [resident]}
			]),
			{name: 'with drops, stops and restarts of the broker', unit: 's', values: [faulty.seconds]},
			{name: 'events lost', unit: 'rows', values: [calm.lost, faulty.lost], target: '0'},
			{name: 'events stored twice', unit: 'rows', values: [calm.twice, faulty.twice], target: '0'}
		]
	} finally {
		await rabbit.stop()
	}
}

async function storeAlone() {
	const sandbox = await startSandbox({port: 0, computers: 60})
	const world = await makeStreamWorld({service: sandbox})
	let ms = 0
	for (let at = 0; at < count; at += atOnce) {
		const records = Array.from({length: atOnce}, (_, index) => recordAt(at + index))
		const begun = performance.now()
		await world.store.receive(records)
		ms += performance.now() - begun
	}
	await world.stop()
	await sandbox.stop()
	return ms / 1000
}

/** All events wait in the queue when the reading begins. */
async function streamed(rabbit: Rabbit, meanwhile: (world: StreamWorld) => Promise<void>) {
	const broker = await connectRabbit(rabbit.access)
	const sandbox = await startSandbox({port: 0, computers: 60, broker})
	const world = await makeStreamWorld({service: sandbox, ca: rabbit.access.ca})
	const signal = new AbortController().signal
	const wanted = {name: 'bench', eventTypes: [], groups: []}
	const {queue} = await world.streams.create(world.connection, wanted, signal)
	await fill(broker, queue)
	const begun = performance.now()
	await world.streams.follow(world.connection)
	await meanwhile(world)
	await stored(world, count)
	const seconds = (performance.now() - begun) / 1000
	const found = counted(world)
	await world.stop()
	await broker.stop()
	await sandbox.stop()
	return {seconds, ...found}
}

async function fill(broker: RabbitBroker, queue: string) {
	for (let at = 0; at < count; at += 1000) {
		for (let index = at; index < at + 1000; index += 1) broker.publish(queue, stringifyExact(recordAt(index)))
		await broker.settled()
	}
}

const idRange = [0, count - 1].map(index => String(recordAt(index).id))

/** Resolves when `least` published events are stored, or after a minute without a new one. Queries only after a change. */
async function stored(world: StreamWorld, least: number) {
	const database = openEvents(world)
	// Leaves out the tenant's own events, which are stored too.
	const sql = 'SELECT count(*) AS n FROM event WHERE key >= ? AND key <= ?'
	const enough = () => world.store.arrived().newest >= least && (database.get<{n: number}>(sql, ...idRange)?.n ?? 0) >= least
	const {promise, resolve} = Promise.withResolvers<void>()
	const patience = setTimeout(resolve, 60_000)
	const unlisten = world.store.onChange(() => {
		patience.refresh()
		if (enough()) resolve()
	})
	if (enough()) resolve()
	await promise
	clearTimeout(patience)
	unlisten()
	database.close()
}

function openEvents(world: StreamWorld) {
	return openDatabase(join(world.ports.profile, 'events', `${world.connection}.db`), {synchronous: 'NORMAL'})
}

interface Memory {
	part: number
	heap: number
	resident: number
}

async function memoryAt(world: StreamWorld, into: Memory[]) {
	for (const part of [25, 50, 75, 100]) {
		await stored(world, (count * part) / 100)
		into.push({part, ...memoryInUse()})
	}
}

async function faults(rabbit: Rabbit, world: StreamWorld) {
	const part = (percent: number) => stored(world, (count * percent) / 100)
	await part(10)
	await rabbit.dropConnections()
	await part(20)
	await world.streams.stop()
	await world.streams.follow(world.connection)
	await part(30)
	await rabbit.restart()
	await part(50)
	await rabbit.restart()
}

/** By exact IDs, in the file. A second event under the same ID would have a longer key. */
function counted(world: StreamWorld) {
	const database = openEvents(world)
	const found = database.prepare('SELECT 1 FROM event WHERE key = ?')
	let lost = 0
	for (let index = 0; index < count; index += 1) if (found.get(String(recordAt(index).id)) === undefined) lost += 1
	const twice = database.all("SELECT 1 FROM event WHERE key LIKE '%:%'").length
	database.close()
	return {lost, twice}
}
