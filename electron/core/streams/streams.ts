/** The event streams of a profile: stored, created, deleted and read. */
import {join} from 'node:path'

import {CordonError, hasCode, reportError} from '#contract/errors.ts'
import type {StreamState} from '#model/event-stream.ts'

import type {EventStore} from '#core/replicas/events/store.ts'
import type {NewStream} from '#core/service/api/endpoints/event-streams.ts'
import {streamSecret} from '#core/service/connections/keys.ts'
import {certificatesIn} from '#core/service/connections/network-input.ts'
import type {Database} from '#core/store/database.ts'
import {isHeld, lockHolder, tryLockFile} from '#core/store/lock-file.ts'
import {openBroker} from './broker.ts'
import {firstState, startFollower, type Follower} from './follower.ts'
import {createStream, deleteStream, listStreams, type ManageDependencies} from './manage.ts'
import {openStoredStreams, type OwnStream} from './stored.ts'

interface StreamsOptions extends Omit<ManageDependencies, 'stored'> {
	/** The profile's folder. */
	profile: string
	database: Database
	random(bytes: number): Uint8Array
	events(connection: string): EventStore
	onChange?: ((connection: string) => void) | undefined
}

interface Following {
	source: string
	follower: Follower
	release(): void
}

interface Run extends StreamsOptions, ManageDependencies {
	following: Map<string, Following>
	/** Troubles already reported. */
	told: Set<string>
}

export type Streams = ReturnType<typeof openStreams>

export function openStreams(options: StreamsOptions) {
	const stored = openStoredStreams(options.database)
	const run: Run = {...options, stored, following: new Map(), told: new Set()}
	const {connections} = options
	return {
		/** All of the organisation. */
		list: (connection: string, signal: AbortSignal) => listStreams(run, connections.find(connection).id, signal),
		create: (connection: string, wanted: NewStream, signal: AbortSignal) => createStream(run, connections.find(connection), wanted, signal),
		delete: async (connection: string, id: number | undefined, signal: AbortSignal) => {
			const found = connections.find(connection)
			const ended = await deleteStream(run, found, id, signal)
			if (stored.of(found.id) === undefined) await leave(run, found.id)
			return ended
		},
		/** The stream read by this profile. */
		own: (connection: string) => stored.of(connection),
		/** As last reported by the reading process. */
		state: (connection: string) => run.following.get(connection)?.follower.state() ?? lastState(run, connection),
		unreadable: (connection: string, most: number) => stored.unreadable(connection, most),
		/**
		 * Starts reading, even after a final end, or returns the current follower of this process. Throws `busy` while another
		 * process reads it, and `usage` without a stream.
		 */
		follow: async (connection: string) => {
			const {id} = connections.find(connection)
			const known = run.following.get(id)?.follower
			if (known !== undefined && known.state().phase !== 'stopped') return known
			await leave(run, id)
			return follow(run, id)
		},
		/** Reads every stream of the profile, including later ones; skips those read by another process. */
		followAll: () => followAll(run),
		/** Ends reading in this process, until the next `follow` or `followAll`. */
		leave: (connection: string) => leave(run, connection),
		stop: async () => void (await Promise.all([...run.following.keys()].map(each => leave(run, each))))
	}
}

const lockOf = ({profile}: Run, connection: string) => join(profile, `stream-${connection}.lock`)

/** A process that was killed reads no more. */
function lastState(run: Run, connection: string): StreamState | null {
	const last = run.stored.state(connection)
	if (last === null || last.phase === 'stopped' || lockHolder(lockOf(run, connection)) !== undefined) return last
	return {...last, phase: 'idle', nextTryAt: null}
}

async function followAll(run: Run) {
	const wanted = new Map(run.stored.all().map(own => [own.connection, sourceOf(run, own)]))
	for (const [connection, {source}] of run.following) if (wanted.get(connection) !== source) await leave(run, connection)
	for (const connection of wanted.keys()) {
		if (run.following.has(connection)) continue
		try {
			await follow(run, connection)
		} catch (error) {
			tellOnce(run, connection, error)
		}
	}
}

/** What a follower holds from its start: the stream, and which certificates it accepts. */
function sourceOf({connections}: Run, own: OwnStream) {
	const {ca, insecure} = connections.find(own.connection)
	return JSON.stringify([own, ca, insecure])
}

function tellOnce({told, stored, clock, onChange, onTrouble}: Run, connection: string, error: unknown) {
	const key = `${connection} ${String(error)}`
	// Another process reads it: no trouble.
	if (hasCode(error, 'busy')) return
	const last = stored.state(connection)
	const {message, fix = ''} = reportError(error)
	if (last?.problem?.message !== message) {
		stored.setState(connection, {...firstState(clock), ...last, phase: 'idle', nextTryAt: null, problem: {message, fix}})
		onChange?.(connection)
	}
	if (told.has(key)) return
	told.add(key)
	onTrouble('An event stream is not read.', error)
}

async function leave({following}: Run, connection: string) {
	const found = following.get(connection)
	following.delete(connection)
	await found?.follower.stop()
	found?.release()
}

async function follow(run: Run, connection: string) {
	const own = run.stored.of(connection)
	if (own === undefined) throw noStream()
	const lock = tryLockFile(lockOf(run, connection))
	if (!isHeld(lock))
		throw new CordonError('busy', `Another Cordon (process ${lock.holder.pid}) reads this event stream already.`, {
			fix: 'Two readers would share the events. End the other one, or leave the reading to it.'
		})
	try {
		const follower = startFollower(followerOptions(run, own, await passwordOf(run, connection)))
		run.following.set(connection, {source: sourceOf(run, own), follower, release: () => lock.release()})
		return follower
	} catch (error) {
		lock.release()
		throw error
	}
}

function noStream() {
	return new CordonError('usage', 'This connection reads no event stream.', {fix: 'Run "cordon stream create" first.'})
}

async function passwordOf({secrets}: Run, connection: string) {
	const password = await secrets.read(streamSecret(connection))
	if (password !== undefined) return password
	throw new CordonError('secret_unavailable', 'The password of this event stream is not in the secret store.', {
		fix: 'The service shows it once only: run "cordon stream delete", then "cordon stream create".'
	})
}

function followerOptions(run: Run, own: OwnStream, password: string): Parameters<typeof startFollower>[0] {
	const {clock, connections, stored, onChange, onTrouble} = run
	const {connection, host, port, user, queue} = own
	const {ca, insecure} = connections.find(connection)
	const extraCa = ca === null ? [] : certificatesIn(ca)
	const told = teller(run, connection)
	return {
		clock,
		random: bytes => run.random(bytes),
		open: onMessage => openBroker({host, port, user, password, queue, extraCa, insecure}, onMessage),
		// Looked up each time: a deleted local copy is recreated.
		store: async records => {
			// Of another tenant, once the connection leads elsewhere.
			if (stored.of(connection)?.createdAt !== own.createdAt) throw noStream()
			return run.events(connection).receive(records)
		},
		keepUnreadable: (content, reason) => stored.keep(connection, content, reason, new Date(clock.now()).toISOString()),
		catchUp: async signal => void (await run.events(connection).refresh({signal})),
		onState: state => {
			told(state)
			onChange?.(connection)
		},
		onTrouble
	}
}

const writeEveryMs = 1000

/** Stores the state for other processes: each change of phase, and numbers once a second. */
function teller({clock, stored, onTrouble}: Run, connection: string): (state: StreamState) => void {
	let last = {phase: '', at: Number.NEGATIVE_INFINITY}
	return state => {
		const at = clock.monotonic()
		if (state.phase === last.phase && at - last.at < writeEveryMs) return
		last = {phase: state.phase, at}
		try {
			stored.setState(connection, state)
		} catch (error) {
			onTrouble('The state of an event stream could not be written down.', error)
		}
	}
}
