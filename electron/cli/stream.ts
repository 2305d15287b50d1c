/** `cordon stream …`: events as they happen. */
import type {OwnStream} from '#core/streams/stored.ts'
import {openStreams, type Streams} from '#core/streams/streams.ts'
import {mostStreams, type StreamState} from '#model/event-stream.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {readLimit, valuesOf} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {withEvents} from './event-stores.ts'
import {shown, usage} from './faults.ts'
import {printObject, printRows, printTable} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'
import {cut} from './terminal-table.ts'

interface Run extends SubRun {
	streams: Streams
	/** Id of the connection. */
	connection: string
}

export async function runStream(call: SubCall) {
	const {spec, globals} = call.sub
	return await inSession(call, 'service', run => {
		const {profile, console} = run.session
		const {id: connection} = storedConnection(profile.connections, globals.connection)
		return withEvents(run, console?.streams, openStreams, streams => actions[spec.name]?.({...run, streams, connection}) ?? 0)
	})
}

const actions: Readonly<Record<string, (run: Run) => Promise<number>>> = {
	'stream list': list,
	'stream create': create,
	'stream delete': remove,
	'stream follow': follow,
	'stream status': status,
	'stream unreadable': unreadable
}

async function list(run: Run) {
	const {host, streams, connection} = run
	const found = await streams.list(connection, host.signal)
	const message = `${found.length} of ${mostStreams} event streams.`
	const all = (values: readonly unknown[] | null | undefined) => values?.join(' ') || 'all'
	const rows = found.map(({id, name, event_types: types, group_guids: groups, own}) => [
		...[String(id), name, all(types), all(groups), own ? 'yes' : '']
	])
	printRows(run, ['ID', 'Name', 'Event types', 'Groups', 'This profile'], rows)
	return printObject(run, {}, found, message)
}

async function create(run: Run) {
	const {sub, host, option, session, streams, connection} = run
	const eventTypes = valuesOf(sub, 'event-type').map(text => numberOf(text, 'event-type'))
	const name = option('name') ?? `cordon:${session.ports.operator}`
	const own = await streams.create(connection, {name, eventTypes, groups: valuesOf(sub, 'group')}, host.signal)
	const message = `Created the event stream ${own.name} (${own.id}). Its password is in the secret store. Events come with "cordon stream follow", or while the console runs.`
	return printObject(run, {name}, withoutUser(own), message)
}

function withoutUser({id, name, host, port, queue, createdAt}: OwnStream) {
	return {id, name, host, port, queue, createdAt}
}

function numberOf(text: string, field: string) {
	if (!/^\d{1,10}$/.test(text)) throw usage(`${shown(text)} is not a number`, 'give the ID as digits', field)
	return Number(text)
}

async function remove(run: Run) {
	const {sub, host, streams, connection} = run
	const [word] = sub.words
	const id = word === undefined ? undefined : numberOf(word, 'ID')
	const ended = await streams.delete(connection, id, host.signal)
	const message = ended.wasThere ? `Deleted the event stream ${ended.id}.` : `The service had no event stream ${ended.id}; it is forgotten here.`
	return printObject(run, {}, ended, message)
}

/** Stopping is a success; a stream that ended for good is a failure. */
async function follow({host, output, session, streams, connection}: Run) {
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

async function status(run: Run) {
	const {streams, connection} = run
	const own = streams.own(connection)
	if (own === undefined) throw usage('This connection reads no event stream', 'run "cordon stream create" first')
	const state = streams.state(connection)
	const message = `${own.name} (${own.id}) at ${own.host}: ${state === null ? 'nobody has read it yet.' : stateText(state)}`
	return printObject(run, {}, {...withoutUser(own), state}, message)
}

function stateText({phase, since, problem, nextTryAt, added, lastMessageAt, lagMs, unreadable: bad}: StreamState) {
	const lag = lagMs === null ? '' : `, ${(lagMs / 1000).toFixed(1)} s after it happened`
	const parts = [
		`${phase} since ${since}.`,
		`${counted(added, nouns.event)} stored.`,
		lastMessageAt === null ? '' : `The last message came ${lastMessageAt}${lag}.`,
		bad === 0 ? '' : `${bad} messages are not events: cordon stream unreadable.`,
		problem === null ? '' : `${problem.message} ${problem.fix}`,
		nextTryAt === null ? '' : `The next attempt is at ${nextTryAt}.`
	]
	return parts.filter(part => part !== '').join(' ')
}

async function unreadable(run: Run) {
	const found = run.streams.unreadable(run.connection, readLimit(run.sub))
	const rows = found.map(({at, reason, size, text}) => [at, String(size), reason, cut(text, 200)])
	return printTable(run, ['Came', 'Bytes', 'Why', 'Message'], rows, found, 'Every message was an event.')
}
