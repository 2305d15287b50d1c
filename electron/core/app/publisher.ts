/** Turns bus events into events of the live stream; composes each frame at most every 50 ms. */
import type {StoppableRunner} from '#core/actions/commands/stoppable.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {phaseOf, remindMs} from '#core/actions/isolation/lease-words.ts'
import type {Leases} from '#core/actions/isolation/leases.ts'
import {silentAfterMs} from '#core/insight/overview/attention.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Streams} from '#core/streams/streams.ts'
import type {Jobs} from '#core/work/jobs/jobs.ts'
import {reportError} from '#contract/errors.ts'
import type {LiveEvent} from '#contract/live.ts'
import type {CopyKind} from '#model/choices.ts'
import type {FrameState, InventoryCounts, InventoryState, IsolationAlarms} from '#model/frame.ts'
import type {JobTotals} from '#model/job.ts'
import type {Base} from './base.ts'
import {createLiveStream} from './live.ts'
import type {Replicas} from './replicas.ts'

export type Publisher = ReturnType<typeof createPublisher>

interface PublisherDependencies extends Base, Replicas {
	runner: StoppableRunner
	jobs: Jobs
	streams: Streams
	instance: string
}

/** Kinds whose changes pages hear of. */
const shown = ['computers', 'directory', 'events'] as const satisfies readonly CopyKind[]

export function createPublisher(deps: PublisherDependencies) {
	const {connections, inventories, runner, streams, ports, profile, instance} = deps
	const totals = keepTotals(deps)
	const framed = {connections, runner, streams, jobs: totals, clock: ports.clock, leases: profile.escrow.leases}
	/** Shows local data only if it is open. */
	const frame = (id: string) => frameOf({...framed, inventory: inventories.opened}, id)
	/** Opens local data where needed. */
	const openFrame = (id: string) => frameOf({...framed, inventory: inventories.open}, id)
	const events = (ids: readonly string[]) => ids.flatMap(id => frameEvent(frame, id, deps.onTrouble))
	const all = (): readonly string[] => connections.list().map(({id}) => id)
	const live = createLiveStream({greeting: () => [{kind: 'hello', instance}, ...events(all())]})
	const turn = coalesced(ids => events(ids).forEach(live.publish))
	const everyFrame = () => all().forEach(turn.add)
	const offs = [...listenToFrames(deps, turn.add, everyFrame), ...listenToLists(deps, live.publish)]
	all().forEach(totals.look)
	return {
		...{live, frame, openFrame},
		stop() {
			for (const off of offs) off()
			totals.stop()
			live.stop()
			turn.stop()
		}
	}
}

const noJobs: JobTotals = {running: 0, interrupted: 0, targets: 0, done: 0, failed: 0, waitingUntil: null}

/** A frame must be composed at once, while reading job totals takes time: the last ones are kept for each connection. */
function keepTotals({bus, jobs, onTrouble}: Pick<PublisherDependencies, 'bus' | 'jobs' | 'onTrouble'>) {
	const known = new Map<string, JobTotals>()
	/** `true`: something changed during the read. */
	const looking = new Map<string, boolean>()
	let stopped = false
	const look = async (connection: string) => {
		do {
			looking.set(connection, false)
			const totals = await jobs.totals(connection)
			if (stopped) return
			known.set(connection, totals)
			bus.emit({kind: 'jobs.counted', connection})
		} while (looking.get(connection) === true)
	}
	const lookOnce = (connection: string) => {
		if (looking.has(connection)) return void looking.set(connection, true)
		look(connection)
			.catch((error: unknown) => {
				if (!stopped) onTrouble('The jobs of a connection could not be counted.', error)
			})
			.finally(() => looking.delete(connection))
	}
	const off = bus.on('job.changed', ({connection}) => lookOnce(connection))
	return {
		totals: (connection: string) => known.get(connection) ?? noJobs,
		look: lookOnce,
		stop() {
			stopped = true
			off()
		}
	}
}

type Off = () => void

function listenToFrames({bus}: Base, one: (connection: string) => void, every: () => void): readonly Off[] {
	return [
		bus.on('connections.changed', every),
		bus.on('managed.changed', every),
		...(['link.changed', 'commands.changed', 'stream.changed', 'jobs.counted'] as const).map(change =>
			bus.on(change, ({connection}) => one(connection))
		),
		bus.on('replica.changed', ({replica, connection}) => {
			if (replica === 'computers') one(connection)
		})
	]
}

/** What changed, and the lists that pages read again. */
const lists = [
	['connections.changed', 'connections'],
	['settings.changed', 'settings'],
	['managed.changed', 'settings'],
	['notices.changed', 'notices'],
	['instances.changed', 'instances'],
	['stream.changed', 'streams'],
	['targets.changed', 'streams'],
	['approvals.changed', 'approvals']
] as const

function listenToLists({bus, registry}: PublisherDependencies, publish: (event: LiveEvent) => void): readonly Off[] {
	return [
		...lists.map(([change, kind]) => bus.on(change, () => publish({kind}))),
		bus.on('log.appended', ({seq}) => publish({kind: 'log', seq})),
		bus.on('job.changed', ({connection, job}) => publish({kind: 'job', connection, job})),
		bus.on('replica.changed', ({replica, connection, guid}) => {
			const kind = shown.find(each => each === replica)
			if (kind === undefined) return
			if (guid !== undefined) publish({kind: 'computer', connection, guid})
			publish({kind, connection, revision: registry.of(kind).revision(connection)})
		})
	]
}

/** No person reads faster; under way, a job changes a frame a hundred times a second. */
const frameGapMs = 50

function coalesced(flush: (connections: readonly string[]) => void) {
	const changed = new Set<string>()
	let pending: NodeJS.Timeout | undefined
	let flushedAt = -frameGapMs
	let stopped = false
	const run = () => {
		pending = undefined
		const connections = [...changed]
		changed.clear()
		flush(connections)
		// The end: whatever a frame costs, other work comes between two.
		flushedAt = performance.now()
	}
	return {
		add(connection: string) {
			if (stopped) return
			changed.add(connection)
			pending ??= setTimeout(run, Math.max(0, flushedAt + frameGapMs - performance.now()))
		},
		stop() {
			stopped = true
			clearTimeout(pending)
		}
	}
}

/** While a connection is being deleted it may have no frame. */
function frameEvent(frame: (connection: string) => FrameState, connection: string, onTrouble: Base['onTrouble']): readonly LiveEvent[] {
	try {
		return [{kind: 'frame', frame: frame(connection)}]
	} catch (error) {
		onTrouble('A frame could not be put together.', error)
		return []
	}
}

export interface FrameDependencies {
	connections: Pick<Connections, 'find' | 'client' | 'mode'>
	runner: Pick<Runner, 'running'>
	/** The totals as last read. */
	jobs: {totals(connection: string): JobTotals}
	streams: Pick<Streams, 'state'>
	leases: Pick<Leases, 'endingUntil'>
	clock: {now(): number}
	/** The open local data, else `undefined`. Throws when it cannot be opened. */
	inventory: (connection: string) => Inventory | undefined
}

const noCounts: InventoryCounts = {computers: 0, compromised: 0, isolated: 0, pendingStart: 0, pendingStop: 0, pendingTooLong: 0}

const unread: InventoryState = {
	phase: 'empty',
	revision: 0,
	rows: 0,
	total: null,
	pagesRead: 0,
	pages: null,
	completeAt: null,
	readAt: null,
	missing: [],
	error: null
}

/** Throws `unknown_connection`; broken local data is a state, not an error. */
export function frameOf(deps: FrameDependencies, id: string): FrameState {
	const connection = deps.connections.find(id)
	const client = deps.connections.client(connection.id)
	return {
		connection,
		mode: deps.connections.mode(connection.id),
		quota: client.quota(),
		link: client.link(),
		...copyState(deps, connection.id),
		runningCommands: deps.runner.running(connection.id),
		alarms: alarmsOf(deps, connection.id),
		jobs: deps.jobs.totals(connection.id),
		stream: streamOf(deps, connection.id),
		clockSkewMs: client.clockSkewMs()
	}
}

function streamOf({streams}: FrameDependencies, connection: string): FrameState['stream'] {
	const state = streams.state(connection)
	if (state === null) return null
	const {phase, since, lastMessageAt, lagMs, problem} = state
	return {phase, since, lastMessageAt, lagMs, problem}
}

/** Skips what cannot be read: the frame must appear. */
function alarmsOf({leases, clock, inventory}: FrameDependencies, connection: string): IsolationAlarms {
	const now = clock.now()
	try {
		const phases = leases.endingUntil(connection, now + remindMs).map(lease => phaseOf(lease, now))
		return {
			silent: inventory(connection)?.silentSince(now - silentAfterMs, 1).count ?? 0,
			ending: phases.filter(phase => phase === 'ending').length,
			over: phases.filter(phase => phase === 'over').length
		}
	} catch {
		return {silent: 0, ending: 0, over: 0}
	}
}

function copyState(deps: FrameDependencies, connection: string): Pick<FrameState, 'inventory' | 'counts'> {
	try {
		const copy = deps.inventory(connection)
		return copy === undefined ? {inventory: unread, counts: noCounts} : {inventory: copy.state(), counts: copy.counts()}
	} catch (error) {
		return {inventory: {...unread, phase: 'failed', error: reportError(error)}, counts: noCounts}
	}
}
