/** The services of one host, built in the order of the districts: each from those before it. */
import {createRunner} from '#core/actions/commands/runner.ts'
import {stoppable, type StoppableRunner} from '#core/actions/commands/stoppable.ts'
import {startLeaseKeeper} from '#core/actions/isolation/lease-keeper.ts'
import {leaseReleaseProgram} from '#core/actions/isolation/lease-release.ts'
import {createPresence} from '#core/actions/isolation/presence.ts'
import {watchIsolations} from '#core/actions/isolation/watches.ts'
import {createBus} from '#base/bus.ts'
import {createProgramLog, keepLogTail} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {openDoors} from '#core/doors/doors.ts'
import type {RunStand} from '#core/doors/follow.ts'
import {createEngine, type Engine} from '#core/engine/engine.ts'
import {createFindings} from '#core/insight/search/findings.ts'
import {createSearches} from '#core/insight/search/searches.ts'
import {openAutomations} from '#core/playbooks/automation.ts'
import {playbookKind} from '#core/playbooks/interpreter.ts'
import {library} from '#core/playbooks/library.ts'
import {isShown, openPlaybooks, type Playbooks} from '#core/playbooks/playbooks.ts'
import {type PlaybookSecrets, playbookSecrets} from '#core/playbooks/secrets.ts'
import {announcing} from '#core/service/connections/announcing.ts'
import {createNotices, type Notices} from '#core/service/settings/notices.ts'
import {openStreams} from '#core/streams/streams.ts'
import {openTargets} from '#core/targets/targets.ts'
import {quotaPlanner, judgeForJobs} from '#core/work/jobs/guard-rules.ts'
import {openJobs, type Jobs} from '#core/work/jobs/jobs.ts'
import {jobKind} from '#core/work/jobs/rows.ts'
import {createListEditors, createListShelf, type ListShelf} from '#core/work/list-editor/list-editors.ts'
import {lookBefore} from '#core/work/undo/before.ts'
import {undoProgram} from '#core/work/undo/program.ts'
import {openUndo} from '#core/work/undo/undo.ts'
import {guessRoles} from '#model/computer-role.ts'
import {carryOutApproved} from './approved.ts'
import type {AppOptions, Base} from './base.ts'
import {openDesk} from './desk.ts'
import type {Desk, OpenedGateway} from './gateway.ts'
import type {Profile} from './profile.ts'
import {createPublisher, type Publisher} from './publisher.ts'
import {createReplicas, type Replicas} from './replicas.ts'
import {createShown} from './shown.ts'

/** What others are built from. */
interface Parts extends Replicas {
	notices: Notices
	shelf: ListShelf
	runner: StoppableRunner
	runs: Engine
	jobs: Jobs
	playbooks: Playbooks
	publisher: Publisher
}

export type Services = ReturnType<typeof createServices>

export function createServices(ports: Ports, options: AppOptions, profile: Profile, opened: OpenedGateway) {
	const base = createBase(ports, options, profile)
	const {bus, connections, isConsole, onTrouble} = base
	const {clock} = ports
	const {log} = profile
	const notices = createNotices({
		clock,
		random: ports.random,
		settings: () => profile.settings.get(),
		notify: ports.notify,
		nameOf: id => connections.list().find(each => each.id === id)?.name ?? id,
		onChange: () => bus.emit({kind: 'notices.changed'})
	})
	const replicas = createReplicas(base)
	const {inventories} = replicas
	const watched = {clock, bus, connections, log, inventories, raise: notices.raise, onTrouble, enabled: isConsole}
	const watches = watchIsolations(watched)
	const editing = {...base, ...replicas, profile: ports.profile, clock, guards: profile.guards}
	const shelf = createListShelf(editing)
	const runner = makeRunner(base, replicas, shelf)
	const runs = createEngine({store: profile.runs, clock, random: ports.random, onTrouble})
	const jobs = makeJobs(base, replicas, {shelf, runner, runs})
	carryOutApproved(profile.approvals, {log, runner, jobs, runs})
	runs.register(undoProgram({clock, log, runner, jobs}))
	const secrets = playbookSecrets(ports, log)
	const playbooks = makePlaybooks(base, {runner, runs}, secrets)
	const desk = openDesk({connections, log, ...replicas, playbooks, runner, approvals: profile.approvals})
	const running = isConsole ? runGateway(base, opened, desk) : undefined
	const instance = options.instance ?? Buffer.from(ports.random(8)).toString('hex')
	const parts = {
		...base,
		...replicas,
		...{notices, watches, shelf, runner, jobs, runs, opened, running, instance},
		undo: openUndo({clock, operator: ports.operator, connections, log, jobs, runs, inventory: inventories.open}),
		playbooks,
		playbookSecrets: secrets,
		automations: makeAutomations(base, replicas, {playbooks, notices}),
		listEditors: createListEditors(shelf, jobs, editing),
		...makeInsight(base, replicas),
		/** Live events. */
		streams: makeStreams(base, replicas),
		/** Destinations of forwarded events and entries. */
		targets: makeTargets(base, replicas, notices),
		/** Reminds of expiring leases and releases automatically. */
		leaseKeeper: isConsole ? keepLeases(base, replicas, {runner, runs, notices}) : undefined,
		/** Checks the person who asks for an unlock code. */
		presence: createPresence(ports),
		instances: running?.instances ?? opened.instances
	}
	const publisher = createPublisher(parts)
	return {...parts, publisher, doors: makeDoors(base, {...parts, publisher})}
}

function createBase(ports: Ports, options: AppOptions, profile: Profile): Base {
	const {programLog, lastLines} = logOf(options)
	const onTrouble = (message: string, error: unknown) => programLog.warn({err: error}, message)
	const bus = createBus(onTrouble)
	const changed = (connection: string) => bus.emit({kind: 'link.changed', connection})
	return {
		...{ports, profile, bus, programLog, lastLines, onTrouble},
		connections: announcing(profile.connections, changed),
		isConsole: options.console ?? true,
		pages: createShown(ports.clock),
		shown: profile.connections.list().length > 0 ? options.shown : undefined,
		ended: new AbortController()
	}
}

/** A host with its own log supplies the reader of its last lines. */
function logOf({programLog, lastLines = () => []}: AppOptions): Pick<Base, 'programLog' | 'lastLines'> {
	if (programLog !== undefined) return {programLog, lastLines}
	const tail = keepLogTail()
	return {programLog: createProgramLog({destination: tail.destination}), lastLines: tail.lines}
}

function makeRunner({ports, profile, connections, bus, onTrouble, ended}: Base, {inventories, directories}: Replicas, shelf: ListShelf) {
	const {clock} = ports
	const {log, locks, guards, escrow, approvals} = profile
	const runner = createRunner({
		...{clock, connections, log, locks, guards, escrow, approvals, onTrouble},
		inventory: inventories.open,
		directory: directories.open,
		knownHashes: shelf.known,
		lookBefore: lookBefore({clock, client: id => connections.client(id), inventory: inventories.opened, directory: directories.opened})
	})
	return stoppable(runner, ended.signal, (connection, command, guid) => bus.emit({kind: 'command.ended', connection, command, guid}))
}

function makeJobs(base: Base, {inventories}: Replicas, {shelf, runner, runs}: Pick<Parts, 'shelf' | 'runner' | 'runs'>) {
	const {ports, profile, connections, isConsole, onTrouble} = base
	const {clock} = ports
	return openJobs({
		...{clock, connections, runner, runs, onTrouble},
		...{profile: ports.profile, store: profile.runs, operator: ports.operator, random: ports.random},
		approvals: profile.approvals,
		log: profile.log,
		inventory: inventories.open,
		judge: judgeForJobs(profile.guards, inventories.opened, shelf.known),
		planner: quotaPlanner({database: profile.database, clock, connections}),
		forgets: connection => isConsole && connection.sandbox
	})
}

function makePlaybooks(base: Base, parts: Pick<Parts, 'runner' | 'runs'>, {read}: PlaybookSecrets) {
	const {ports, profile, connections, isConsole, onTrouble} = base
	return openPlaybooks({
		...{...parts, connections, onTrouble, library, clock: ports.clock, operator: ports.operator, log: profile.log},
		database: () => profile.database,
		approvals: profile.approvals,
		origins: connection => profile.guards.rules(connection).origins,
		secretOf: read,
		publishers: () => profile.approvals.keys.trusted('publish'),
		forgets: connection => isConsole && connection.sandbox
	})
}

function makeAutomations(
	{ports, profile, connections, onTrouble}: Base,
	{eventStores, inventories}: Replicas,
	{playbooks, notices}: Pick<Parts, 'playbooks' | 'notices'>
) {
	return openAutomations({
		...{clock: ports.clock, operator: ports.operator, connections, log: profile.log, playbooks, onTrouble},
		random: bytes => ports.random(bytes),
		database: () => profile.database,
		events: eventStores.open,
		rolesOf: (connection, guid) => {
			const row = inventories.open(connection).row(guid)
			return [...profile.labels.of(connection).of(guid.toLowerCase()).roles, ...(row === undefined ? [] : guessRoles(row))]
		},
		notify: notice => notices.raise({kind: 'automation', open: '/playbooks', ...notice})
	})
}

/** What carries events needs. */
function carried({ports, profile, connections, onTrouble}: Base, {eventStores}: Replicas) {
	const {clock, secrets} = ports
	return {
		...{clock, secrets, connections, onTrouble, profile: ports.profile, database: profile.database, log: profile.log},
		random: (bytes: number) => ports.random(bytes),
		events: eventStores.open,
		surface: 'screen' as const
	}
}

function makeStreams(base: Base, replicas: Replicas) {
	const onChange = seldom(base, connection => base.bus.emit({kind: 'stream.changed', connection}))
	return openStreams({...carried(base, replicas), onChange})
}

function makeTargets(base: Base, replicas: Replicas, notices: Notices) {
	const {bus} = base
	const targets = openTargets({
		...carried(base, replicas),
		onChange: seldom(base, () => bus.emit({kind: 'targets.changed'})),
		tell: (title, body) => notices.raise({kind: 'target', title, body, open: '/automation'})
	})
	bus.on('log.appended', targets.wake)
	bus.on('replica.changed', ({replica}) => {
		if (replica === 'events') targets.wake()
	})
	return targets
}

/** At once, then at most once a second with the latest arguments. */
function seldom<Args extends readonly string[]>(
	{ports, ended}: Pick<Base, 'ports' | 'ended'>,
	tell: (...args: Args) => void
): (...args: Args) => void {
	const waiting = new Map<string, boolean>()
	const told = (key: string, args: Args) => {
		waiting.set(key, false)
		tell(...args)
		const later = () => {
			const again = waiting.get(key) === true
			waiting.delete(key)
			if (again) told(key, args)
		}
		ports.clock.sleep(1000, ended.signal).then(later, () => {})
	}
	return (...args) => {
		const key = args.join(' ')
		if (waiting.has(key)) waiting.set(key, true)
		else told(key, args)
	}
}

function makeDoors(
	{ports, profile, connections, onTrouble}: Base,
	parts: Pick<Parts, 'runner' | 'inventories' | 'playbooks' | 'publisher' | 'runs' | 'jobs'>
) {
	const {clock, operator, random} = ports
	const {runner, inventories, playbooks, publisher, runs, jobs} = parts
	return openDoors({
		...{clock, operator, random, connections, runner, inventories, playbooks, onTrouble},
		...{profile: ports.profile, database: profile.database, log: profile.log, note: profile.note},
		...{guards: () => profile.guards, approvals: profile.approvals},
		live: signal => publisher.live.subscribe(signal),
		stands: {onChange: listener => runs.onChange(listener), of: standsOf({jobs, playbooks, runs})}
	})
}

function makeInsight({ports, profile, connections}: Base, replicas: Replicas) {
	const client = (connection: string) => connections.client(connections.find(connection).id)
	const searches = createSearches({
		clock: ports.clock,
		client,
		sources: connection => ({
			inventory: replicas.inventories.open(connection),
			events: replicas.eventStores.open(connection),
			directory: replicas.directories.open(connection),
			// The screen opens with the same tenant.
			log: {query: asked => profile.log.query({...asked, tenant: connections.find(connection).id})}
		})
	})
	return {searches, findings: createFindings(client)}
}

function keepLeases(base: Base, {inventories}: Replicas, {runner, runs, notices}: Pick<Parts, 'runner' | 'runs' | 'notices'>) {
	const {ports, profile, connections, onTrouble} = base
	const known = (id: string) => connections.list().some(each => each.id === id)
	const client = (id: string) => (known(id) ? connections.client(id) : undefined)
	const {log, escrow} = profile
	const common = {leases: escrow.leases, clock: ports.clock, client, connections, log, notify: notices.raise}
	runs.register(leaseReleaseProgram({...common, run: runner.run}))
	return startLeaseKeeper({...common, engine: runs, copy: inventories.opened, onTrouble})
}

function runGateway({connections, bus, programLog}: Base, opened: OpenedGateway, desk: Desk) {
	return opened.run({
		...{connections, desk},
		onEvent: () => bus.emit({kind: 'instances.changed'}),
		onTrouble: (message, error) => programLog.warn({...(error !== undefined && {err: error})}, message)
	})
}

/** The connection chosen last, else the first one, and those that other pages show. */
export function shownConnections({connections, profile, pages}: Pick<Base, 'connections' | 'profile' | 'pages'>) {
	const wanted = profile.settings.get().activeConnection
	const list = connections.list()
	const chosen = list.find(({id}) => id === wanted) ?? list[0]
	const shown = pages.ids()
	return list.filter(each => each === chosen || shown.includes(each.id))
}

function standsOf({jobs, playbooks, runs}: {jobs: Pick<Jobs, 'get'>; playbooks: Pick<Playbooks, 'head'>; runs: Pick<Engine, 'outline'>}) {
	return async ({run, kind}: {run: string; kind: string}): Promise<RunStand | undefined> => {
		if (kind === jobKind) {
			const {id, connection, title, phase: state, because, startedAt, endedAt, counts} = (await jobs.get(run)).summary
			return {id, kind, connection, title, state, because, startedAt, endedAt, counts, steps: []}
		}
		if (kind !== playbookKind) return undefined
		const {id, connection, title, state, because, startedAt, endedAt} = await playbooks.head(run)
		const steps = (await runs.outline(run)).filter(isShown).map(step => ({id: step.id, name: step.label, state: step.phase}))
		return {id, kind, connection, title, state, because, startedAt, endedAt, steps, counts: null}
	}
}
