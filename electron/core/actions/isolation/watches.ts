import type {Bus} from '#base/bus.ts'
import type {Clock} from '#base/ports.ts'
import {breaths} from '#base/breaths.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {Inventories} from '#core/replicas/computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {currentClient} from '#core/replicas/kit/replica.ts'
import {getComputers} from '#core/service/api/endpoints/computers.ts'
import {getIsolation} from '#core/service/api/endpoints/isolation.ts'
import {askedAt, pageSize, type WalkOptions} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Notices, RaisedNotice} from '#core/service/settings/notices.ts'
import {errorFromReport, foundOrNull} from '#contract/errors.ts'
import type {Computer} from '#model/computer.ts'
import type {Connection} from '#model/connection.ts'
import {pendingTooLongMs, isolateCommand, releaseCommand} from '#model/isolation.ts'
import {isPending, observedEntry, verdictOn} from './observation.ts'
import {affordablePause, createPace, longestPauseMs, type Pace} from './pace.ts'
import {entriesAbout} from '#core/record/incidents/all-entries.ts'

export interface IsolationWatches {
	stop(): Promise<void>
}

interface WatchesOptions {
	clock: Clock
	bus: Bus
	inventories: Inventories
	raise: Notices['raise']
	connections: Connections
	log: IncidentLog
	onTrouble: (message: string, error: unknown) => void
	/** Only the process that owns the console follows isolations. */
	enabled: boolean
}

export function watchIsolations(options: WatchesOptions): IsolationWatches {
	const {clock, bus, inventories, connections, raise, log, onTrouble} = options
	const watches = new Map<string, Watch>()
	if (!options.enabled) return {stop: () => Promise.resolve()}
	inventories.attach((connection, inventory) => {
		const client = currentClient(connections, connection.id)
		const onTooLong = (guid: string) => raise(tooLongNotice(connection, inventory, guid))
		const watch = startWatch({connection, client, inventory, log, clock, onTooLong, onTrouble})
		watches.set(connection.id, watch)
		return async () => {
			if (watches.get(connection.id) === watch) watches.delete(connection.id)
			await watch.stop()
		}
	})
	const off = bus.on('command.ended', ({connection, command, guid}) => {
		if (command === isolateCommand || command === releaseCommand) watches.get(connection)?.follow(guid)
	})
	return {
		async stop() {
			off()
			await Promise.all([...watches.values()].map(watch => watch.stop()))
		}
	}
}

function tooLongNotice(connection: Connection, inventory: Inventory, guid: string): RaisedNotice {
	const row = inventory.row(guid)
	const name = row?.hostname ?? guid
	const what = row?.isolation === 'pending_stop' ? 'release' : 'isolation'
	return {
		kind: 'pending_too_long',
		title: `The ${what} of ${name} is overdue`,
		body: `The service accepted the ${what} on ${connection.name} over 10 minutes ago. The agent has not confirmed it.`,
		open: `/computers/${guid}`,
		connection: connection.id
	}
}

/**
 * Follows computers with a pending isolation until their agents have answered: the third fact, *confirmed*.
 * One watch for each open local copy, in the process that owns the console; it sleeps while nothing is pending.
 */
interface WatchOptions {
	connection: Connection
	client: ApiClient
	inventory: Inventory
	log: Pick<IncidentLog, 'appendOnce' | 'about'>
	clock: Clock
	/** Called once for a computer whose agent has not answered for ten minutes; what it returns, when that is over. */
	onTooLong: (guid: string) => () => void
	onTrouble: (message: string, error: unknown) => void
}

type Watch = ReturnType<typeof startWatch>

interface Followed {
	since: number
	/** Takes back what was told. */
	untell?: () => void
	wasPending: boolean
	/** First reading that was neither pending nor wanted; Unix milliseconds. */
	unwantedSince: number | undefined
}

/** Agents that have not answered for ten minutes are probably off: the listing every five minutes finds them too. */
const silentPauseMs = 300_000

function startWatch(options: WatchOptions) {
	const {clock, inventory} = options
	const ended = new AbortController()
	const followed = new Map<string, Followed>()
	const pace = createPace(clock)
	let look = new AbortController()
	/** What changed since the last turn: only that is looked at, for thousands may be followed. */
	const changed = new Set<string>()
	let mayHaveMore = true

	const add = (guid: string, since: number) => {
		followed.get(guid)?.untell?.()
		followed.set(guid, {since, wasPending: false, unwantedSince: undefined})
		changed.add(guid)
		pace.restart()
		look.abort()
	}
	const settleSome = async (guids: readonly string[]) => {
		try {
			await settle(options, followed, guids)
		} catch (error) {
			for (const guid of guids) changed.add(guid)
			throw error
		}
	}
	const turn = async () => {
		if (mayHaveMore || pace.due()) {
			for (const {guid, since} of inventory.pending()) if (!followed.has(guid)) add(guid, Date.parse(since))
			mayHaveMore = false
		}
		const some = pace.due() ? [...followed.keys()] : [...changed]
		changed.clear()
		await settleSome(some)
		if (followed.size > 0 && pace.due()) await poll(options, followed, settleSome, pace, ended.signal)
		return followed.size === 0 ? undefined : pace.left()
	}
	const loop = async () => {
		while (!ended.signal.aborted) {
			look = new AbortController()
			const restMs = await guarded(turn, options, ended.signal)
			await rest(clock, restMs, AbortSignal.any([ended.signal, look.signal]))
		}
	}

	const unlisten = inventory.onChange(({guid}) => {
		if (guid === null) {
			mayHaveMore = true
			for (const one of followed.keys()) changed.add(one)
		} else if (followed.has(guid)) changed.add(guid)
		else if (isPending(inventory.row(guid)?.isolation)) return add(guid, Date.parse(inventory.stateSince(guid) ?? ''))
		else return
		look.abort()
	})
	const running = loop()
	return {
		/** After a request: follows this computer even while the service still shows the old state. */
		follow: (guid: string) => add(guid.toLowerCase(), clock.now()),
		async stop() {
			unlisten()
			ended.abort()
			await running
		}
	}
}

async function poll(options: WatchOptions, followed: ReadonlyMap<string, Followed>, settleSome: OnRead, pace: Pace, signal: AbortSignal) {
	const guids = [...followed.keys()]
	const cost = pollCost(options, guids.length)
	// Before the poll, so that a failed one is not retried at once.
	pace.slower()
	// Settled at each reading: a request that follows at once must not replace the one that ended.
	await pollStates(options, guids, settleSome, signal)
	const silent = allSilent(followed, options.clock.now()) ? silentPauseMs : 0
	pace.atLeast(Math.max(silent, affordablePause(options.client.quota(), cost, options.clock.now())))
}

async function settle(options: WatchOptions, followed: Map<string, Followed>, guids: readonly string[]) {
	const breath = breaths()
	for (const guid of guids) {
		const one = followed.get(guid)
		if (one === undefined) continue
		await settleOne(options, followed, guid, one)
		await breath()
	}
}

async function settleOne(options: WatchOptions, followed: Map<string, Followed>, guid: string, one: Followed) {
	const {inventory, log, connection, clock} = options
	const row = inventory.row(guid)
	if (row === undefined || row.vanishedAt !== null) {
		one.untell?.()
		return void followed.delete(guid)
	}
	const waiting = clock.now() - one.since
	if (isPending(row.isolation)) {
		one.wasPending = true
		one.unwantedSince = undefined
		if (waiting >= pendingTooLongMs) one.untell ??= options.onTooLong(guid)
		return
	}
	const entries = await log.about(connection.id, guid, entriesAbout)
	const readAt = Date.parse(row.isolationReadAt)
	const verdict = verdictOn(entries, row.isolation, {
		waitingMs: waiting,
		wasPending: one.wasPending,
		unwantedForMs: readAt - (one.unwantedSince ??= readAt)
	})
	if (verdict.kind === 'keep') return
	// Followed until it is logged: a log that cannot be written is tried again.
	if (verdict.kind !== 'done') await log.appendOnce(observedEntry(verdict.intent, row, clock.now()), ['command.observed'])
	one.untell?.()
	// Another request for it may have come meanwhile.
	if (followed.get(guid) === one) followed.delete(guid)
}

function allSilent(followed: ReadonlyMap<string, Followed>, now: number) {
	return [...followed.values()].every(({since}) => now - since >= pendingTooLongMs)
}

/** A failed turn is tried again later: no failure ends the watch. */
async function guarded(turn: () => Promise<number | undefined>, options: WatchOptions, signal: AbortSignal) {
	try {
		return await turn()
	} catch (error) {
		if (!signal.aborted) options.onTrouble('Pending isolations could not be followed.', error)
		return longestPauseMs
	}
}

async function rest(clock: Clock, ms: number | undefined, signal: AbortSignal) {
	if (signal.aborted) return
	// Ended, or something new to look at.
	if (ms !== undefined) return await clock.sleep(ms, signal).catch(() => {})
	await new Promise(resolve => signal.addEventListener('abort', resolve, {once: true}))
}

type PollServices = Pick<WatchOptions, 'client' | 'inventory' | 'clock'>

type OnRead = (guids: readonly string[]) => Promise<void>

/** Up to this many are always read one by one. */
const few = 5

function pollCost(services: PollServices, computers: number) {
	return usesListing(services, computers) ? pages(services) : computers
}

/**
 * Stores each reading in local data and calls `onRead` with the computers that were read. A failure does not stop the other reads; rejects with the first one
 * at the end.
 */
async function pollStates(services: PollServices, guids: readonly string[], onRead: OnRead, signal: AbortSignal) {
	const options: CallOptions = {signal, purpose: 'background', deadlineMs: 60_000}
	if (usesListing(services, guids.length)) return await pollListing(services, guids, onRead, options)
	const failures: unknown[] = []
	for (const guid of guids) {
		signal.throwIfAborted()
		await pollOne(services, guid, onRead, options).catch((error: unknown) => failures.push(error))
	}
	if (failures.length > 0) throw failures[0]
}

/** One call for 500 computers, where that is fewer calls. */
function usesListing(services: PollServices, computers: number) {
	return computers > few && pages(services) < computers
}

/** Calls that read all computers. */
export function pages({inventory}: Pick<PollServices, 'inventory'>) {
	const {total, rows} = inventory.state()
	return Math.max(1, Math.ceil((total ?? rows) / pageSize))
}

async function pollListing({client, inventory}: PollServices, guids: readonly string[], onRead: OnRead, options: CallOptions) {
	if (inventory.state().phase === 'loading') {
		// Somebody already loads this listing; if that is another process, this one loads it too.
		const {error} = await inventory.refresh(options.signal)
		await onRead(guids)
		if (error !== null) throw errorFromReport(error)
		return
	}
	const wanted = new Set(guids)
	let told = Promise.resolve()
	const onPage = (page: readonly Computer[], sentAt: number) => {
		inventory.observe(page, sentAt)
		const read = page.map(({connector_guid: guid}) => guid.toLowerCase()).filter(guid => wanted.has(guid))
		told = told.then(() => onRead(read))
		// Handled below; the next page may come before.
		told.catch(() => {})
	}
	const walk: WalkOptions<Computer> = {...options, all: true, keep: false, onPage: (_new, {page, sentAt}) => onPage(page, sentAt)}
	const listing = await getComputers(client, {}, walk)
	await told
	if (listing.error !== null) throw listing.error
}

async function pollOne({client, inventory, clock}: PollServices, guid: string, onRead: OnRead, options: CallOptions) {
	const answer = await foundOrNull(getIsolation(client, {connector_guid: guid}, options))
	if (answer === null) inventory.vanished(guid, clock.now())
	else inventory.observeIsolation(guid, answer.data, askedAt(answer))
	await onRead([guid])
}
