/** Wires the parts of a console's instances. */
import type {GatewayDependencies, RunningDependencies} from '#core/app/gateway.ts'
import {every} from '#base/every.ts'
import type {Clock, Ports} from '#base/ports.ts'
import {getFileListFiles} from '#core/service/api/endpoints/file-lists.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Database} from '#core/store/database.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import {CordonError} from '#contract/errors.ts'
import type {Instance, InstanceHealth} from '#model/instance.ts'
import {createBuiltins} from './builtins.ts'
import type {Told} from './followers.ts'
import {ForwarderControl} from './forwarder-control.ts'
import {createWaiting} from './kept-rows.ts'
import type {FetchFileList} from './list/sources.ts'
import type {OpenedInstances} from './open.ts'
import {addOutput, type OutputLine} from './output-rows.ts'
import {addRequests} from './request-rows.ts'
import {openSigningKeys} from './signing-keys.ts'
import {addHistory, type InstanceFacts, putFacts, putProcess, putServer} from './state-rows.ts'
import {createSupervisor, type Supervisor} from './supervisor.ts'
import {createTraffic, type Traffic} from './traffic.ts'
import type {InstanceStore, ServerState} from './types.ts'

export interface ConsoleOptions extends Pick<GatewayDependencies, 'ports' | 'database'>, RunningDependencies {
	opened: OpenedInstances
}

export interface ConsoleDependencies {
	traffic: Traffic
	recorder: Recorder
	control: ForwarderControl
	supervisor: Supervisor
	healthOf: (id: string) => InstanceHealth
}

/** Milliseconds of real time for programs to end. */
const patienceMs = 1500

/** `direct` re-evaluates the forwarding server's task. */
export function makeParts(options: ConsoleOptions, direct: () => void) {
	const {clock} = options.ports
	// Mutual references: each is used only once all exist.
	const deps: ConsoleDependencies = {
		traffic: makeTraffic(options.opened.store, options.ports),
		recorder: makeRecorder(options, () => deps),
		control: makeControl(options, () => deps),
		supervisor: makeSupervisor(options, () => deps, direct),
		healthOf: id => deps.supervisor.health(id) ?? unknownHealth(clock.now())
	}
	return deps
}

function makeTraffic(store: InstanceStore, {clock}: Ports) {
	const find = (wanted: (instance: Instance) => boolean) => store.snapshot().instances.find(wanted)
	return createTraffic({
		clock,
		idOf: name => find(instance => instance.name === name)?.id,
		nameOf: id => find(instance => instance.id === id)?.name
	})
}

type Dependencies = () => ConsoleDependencies

function makeRecorder({opened, database, ports, onEvent, onTrouble}: ConsoleOptions, deps: Dependencies): Recorder {
	return startRecorder({
		database,
		clock: ports.clock,
		ids: () => opened.store.snapshot().instances.map(({id}) => id),
		serverOf: () => deps().control.state(),
		newsOf: () => deps().supervisor.news(),
		factsOf: id => factsOf(deps(), id),
		onEvent,
		onTrouble
	})
}

function factsOf({supervisor, traffic, healthOf}: ConsoleDependencies, id: string) {
	return {
		health: healthOf(id),
		traffic: traffic.of(id),
		isOpen: supervisor.isOpen(id) ?? null,
		openPort: supervisor.openPort(id) ?? null,
		list: supervisor.listStatus(id)
	}
}

function makeControl({ports, onTrouble}: ConsoleOptions, deps: Dependencies) {
	return new ForwarderControl({
		clock: ports.clock,
		onState: state => deps().recorder.server(state),
		onTraffic: batch => {
			const {recorder, traffic} = deps()
			recorder.traffic(traffic.add(batch))
		},
		onCounters: counters => {
			const {recorder, traffic} = deps()
			if (traffic.setCounters(counters)) recorder.traffic()
		},
		onTrouble
	})
}

function makeSupervisor(options: ConsoleOptions, deps: Dependencies, direct: () => void) {
	const {ports, connections, desk, onTrouble} = options
	const {clock, profile, programEnvironment} = ports
	return createSupervisor({
		clock,
		environment: programEnvironment ?? {},
		builtins: createBuiltins({
			folder: profile,
			...{clock, desk, fetchFileList: fileListsOf(connections), signingKey: openSigningKeys(ports.secrets).read}
		}),
		onHealth: (id, health) => {
			deps().recorder.health(id, health)
			direct()
		},
		onProcess: (id, identity) => recordProcess(options, id, identity),
		onOutput: (...output) => deps().recorder.output(...output),
		onTrouble,
		patienceMs,
		ownPort: () => deps().control.state().listen?.port
	})
}

function recordProcess({database, onTrouble}: ConsoleOptions, id: string, identity: ProcessIdentity | undefined) {
	try {
		putProcess(database, id, identity)
	} catch (error) {
		onTrouble('A program that runs could not be written down.', error)
	}
}

/** Before the first check. */
function unknownHealth(now: number): InstanceHealth {
	return {state: 'starting', reason: 'It was stored a moment ago.', since: new Date(now).toISOString(), checkedAt: null}
}

/** Hashes of a file list of the service; an incomplete listing counts as none. */
function fileListsOf(connections: Pick<Connections, 'find' | 'client'>): FetchFileList {
	return async function* fetchFileList(connection, guid, signal) {
		const client = connections.client(connections.find(connection).id)
		const listing = await getFileListFiles(client, {file_list_guid: guid}, {all: true, signal})
		if (!listing.complete) throw listing.error ?? new CordonError('incomplete')
		for (const {sha256} of listing.records) yield sha256.toLowerCase()
	}
}

/** Records running state for other processes on the profile, and notifies pages of changes. */
type Recorder = ReturnType<typeof startRecorder>

interface RecorderOptions {
	database: Database
	clock: Clock
	ids: () => readonly string[]
	factsOf: (id: string) => InstanceFacts
	/** A text that differs after any other change on a page: check time, output lines, list content. */
	newsOf: () => string
	serverOf: () => ServerState
	onEvent: () => void
	onTrouble: (message: string, error?: unknown) => void
}

const tickMs = 1000
/** Counts are stored less often than shown. */
const ticksPerWrite = 5

function startRecorder(options: RecorderOptions) {
	const {database, clock, factsOf, newsOf, serverOf, onEvent, onTrouble} = options
	const stopping = new AbortController()
	const requests = createWaiting<Told[0], Told>()
	const printed = createWaiting<string, OutputLine>()
	const writer = createWriter(options)
	let lastNews = ''
	let isBusy = false
	let isTicking = false
	let ticks = 0
	const safely = (work: () => void) => {
		try {
			work()
		} catch (error) {
			onTrouble('The states of instances cannot be written down.', error)
		}
	}
	const tick = () => {
		ticks += 1
		if (ticks % ticksPerWrite === 0) safely(writer.all)
		safely(() => addRequests(database, [...requests.take().values()].flat()))
		safely(() => addOutput(database, printed.take()))
		const news = newsOf()
		if (isBusy || news !== lastNews) onEvent()
		isBusy = false
		lastNews = news
	}
	/** A console without instances has nothing to write. */
	const begin = () => {
		if (isTicking) return
		isTicking = true
		void every(clock, tickMs, stopping.signal, tick)
	}
	return {
		health(id: string, health: InstanceHealth) {
			begin()
			safely(() =>
				database.transaction(() => {
					addHistory(database, id, {at: new Date(clock.now()).toISOString(), state: health.state, reason: health.reason})
					// The given health: the state may not know it yet.
					writer.one(id, {...factsOf(id), health})
					// Otherwise other processes do not see the console.
					writer.server(serverOf())
				})
			)
			onEvent()
		},
		server(state: ServerState) {
			safely(() => writer.server(state))
			onEvent()
		},
		/** Requests arrived, or these ended. */
		traffic(ended: readonly Told[] = []) {
			isBusy = true
			for (const one of ended) requests.add(one[0], one)
		},
		/** A program printed a line. */
		output: printed.add,
		stop() {
			stopping.abort()
			safely(() => {
				writer.all()
				addRequests(database, [...requests.take().values()].flat())
				addOutput(database, printed.take())
				putServer(database, undefined)
			})
		}
	}
}

/** Writes only what differs from the last write. */
function createWriter({database, ids, factsOf, serverOf}: RecorderOptions) {
	/** Serialised. */
	const written = new Map<string, string>()
	let serverWritten = ''
	const one = (id: string, facts = factsOf(id)) => {
		const text = JSON.stringify(facts)
		if (written.get(id) === text) return
		putFacts(database, id, facts)
		written.set(id, text)
	}
	const server = (state: ServerState) => {
		const text = JSON.stringify(state)
		if (text === serverWritten) return
		putServer(database, state)
		serverWritten = text
	}
	const all = () => {
		const known = new Set(ids())
		for (const id of written.keys()) if (!known.has(id)) written.delete(id)
		database.transaction(() => {
			server(serverOf())
			for (const id of known) one(id)
		})
	}
	return {one, server, all}
}
