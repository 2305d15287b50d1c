/** `cordon stream …`: events as they happen. */
import type {EventStore} from '#core/replicas/events/types.ts'
import type {OwnStream} from '#core/streams/stored.ts'
import {openStreams, type Streams} from '#core/streams/streams.ts'
import {mostStreams, type StreamState} from '#model/event-stream.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {optionOf, readLimit, type Sub, valuesOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {eventStores} from './event-stores.ts'
import {shown, usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject, printTable} from './result.ts'
import {withSession, type Session, type SubRun} from './session.ts'
import {tableText} from './terminal-table.ts'

interface Run extends SubRun {
	readonly streams: Streams
	/** Id of the connection. */
	readonly connection: string
}

export async function runStream(sub: Sub, host: CliHost, output: Output): Promise<number> {
	if (sub.globals.server !== undefined) throw usage('An event stream belongs to a stored connection', 'leave out --server', 'server')
	return await withSession(sub.globals, host, 'service', async session => {
		const {id: connection} = storedConnection(session.profile.connections, sub.globals.connection)
		const stores = eventStores(session)
		const {console} = session
		// A console reads its profile's streams itself and continues when this command ends.
		const streams = console?.streams ?? open(session, output, stores.open)
		try {
			return (await actions[sub.spec.name]?.({sub, host, output, session, streams, connection})) ?? 0
		} finally {
			if (console === undefined) await streams.stop()
			await stores.stop()
		}
	})
}

function open({ports, profile}: Session, output: Output, events: (connection: string) => EventStore): Streams {
	const {connections, database, log} = profile
	const {clock, secrets} = ports
	const random = (bytes: number): Uint8Array => ports.random(bytes)
	const parts = {clock, secrets, random, connections, database, log, events, profile: ports.profile}
	return openStreams({...parts, surface: 'cli', onTrouble: message => output.say(message)})
}

const actions: Readonly<Record<string, (run: Run) => Promise<number>>> = {
	'stream list': list,
	'stream create': create,
	'stream delete': remove,
	'stream follow': follow,
	'stream status': status,
	'stream unreadable': unreadable,
}

async function list({sub, host, output, streams, connection}: Run): Promise<number> {
	const found = await streams.list(connection, host.signal)
	const message = `${found.length} of ${mostStreams} event streams.`
	const all = (values: readonly unknown[] | null | undefined): string => values?.join(' ') || 'all'
	const rows = found.map(({id, name, event_types: types, group_guids: groups, own}) => [
		...[String(id), name, all(types), all(groups), own ? 'yes' : ''],
	])
	if (output.mode === 'text' && rows.length > 0)
		output.print(`${tableText({columns: ['ID', 'Name', 'Event types', 'Groups', 'This profile'], rows}, output.width)}\n`)
	printObject(output, sub.spec.name, {}, found, message)
	return 0
}

async function create({sub, host, output, session, streams, connection}: Run): Promise<number> {
	const eventTypes = valuesOf(sub, 'event-type').map(text => numberOf(text, 'event-type'))
	const name = optionOf(sub, 'name') ?? `cordon:${session.ports.operator}`
	const own = await streams.create(connection, {name, eventTypes, groups: valuesOf(sub, 'group')}, host.signal)
	const message = `Created the event stream ${own.name} (${own.id}). Its password is in the secret store. Events come with "cordon stream follow", or while the console runs.`
	printObject(output, sub.spec.name, {name}, withoutUser(own), message)
	return 0
}

function withoutUser({id, name, host, port, queue, createdAt}: OwnStream) {
	return {id, name, host, port, queue, createdAt}
}

function numberOf(text: string, field: string) {
	if (!/^\d{1,10}$/.test(text)) throw usage(`${shown(text)} is not a number`, 'give the ID as digits', field)
	return Number(text)
}

async function remove({sub, host, output, streams, connection}: Run): Promise<number> {
	const [word] = sub.words
	const id = word === undefined ? undefined : numberOf(word, 'ID')
	const ended = await streams.delete(connection, id, host.signal)
	const message = ended.wasThere
		? `Deleted the event stream ${ended.id}.`
		: `The service had no event stream ${ended.id}; it is forgotten here.`
	printObject(output, sub.spec.name, {}, ended, message)
	return 0
}

/** Stopping is a success; a stream that ended for good is a failure. */
async function follow({host, output, session, streams, connection}: Run): Promise<number> {
	const follower = await streams.follow(connection)
	const stopped = AbortSignal.any([host.signal, output.gone])
	const watching = new AbortController()
	void follower.ended.then(() => watching.abort())
	const signal = AbortSignal.any([stopped, watching.signal])
	let told = ''
	const tell = () => {
		const state = follower.state()
		const line = stateText(state)
		if (line === told) return
		told = line
		if (output.mode === 'text') output.print(line)
		else output.json(state)
	}
	while (!signal.aborted) {
		tell()
		await session.ports.clock.sleep(500, signal).catch(() => {})
	}
	tell()
	return stopped.aborted ? 0 : 1
}

async function status({sub, output, streams, connection}: Run): Promise<number> {
	const own = streams.own(connection)
	if (own === undefined) throw usage('This connection reads no event stream', 'run "cordon stream create" first')
	const state = streams.state(connection)
	const message = `${own.name} (${own.id}) at ${own.host}: ${state === null ? 'nobody has read it yet.' : stateText(state)}`
	printObject(output, sub.spec.name, {}, {...withoutUser(own), state}, message)
	return 0
}

function stateText({phase, since, problem, nextTryAt, added, lastMessageAt, lagMs, unreadable: bad}: StreamState) {
	const lag = lagMs === null ? '' : `, ${(lagMs / 1000).toFixed(1)} s after it happened`
	const parts = [
		`${phase} since ${since}.`,
		`${counted(added, nouns.event)} stored.`,
		lastMessageAt === null ? '' : `The last message came ${lastMessageAt}${lag}.`,
		bad === 0 ? '' : `${bad} messages are no event: cordon stream unreadable.`,
		problem === null ? '' : `${problem.message} ${problem.fix}`,
		nextTryAt === null ? '' : `The next attempt is at ${nextTryAt}.`,
	]
	return parts.filter(part => part !== '').join(' ')
}

async function unreadable({sub, output, streams, connection}: Run): Promise<number> {
	const found = streams.unreadable(connection, readLimit(sub))
	const rows = found.map(({at, reason, size, text}) => [at, String(size), reason, text.slice(0, 200)])
	return printTable({output, sub}, ['Came', 'Bytes', 'Why', 'Message'], rows, found, 'Every message was an event.')
}
