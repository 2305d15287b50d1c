/** The application of one host: builds the services in order and ends them in reverse. */

import type {Ports} from '#base/ports.ts'
import {endsWithin} from '#base/threads.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {createApiClient} from '#core/service/api/client.ts'
import {transientStart} from '#core/service/connections/transients.ts'
import type {AppInfo} from '#contract/contract.ts'
import {CordonError} from '#contract/errors.ts'
import type {CopyKind} from '#model/choices.ts'
import type {AppOptions} from './base.ts'
import {takeUpDuties} from './duties.ts'
import {openProfile, type Profile} from './profile.ts'
import {createRouter} from './router.ts'
import {createServices, type Services, shownConnections} from './services.ts'

/** The part of an application that another surface of the same process uses. */
export type AppDependencies = Pick<
	Services,
	| 'ports'
	| 'profile'
	| 'runner'
	| 'jobs'
	| 'runs'
	| 'undo'
	| 'playbooks'
	| 'automations'
	| 'inventories'
	| 'eventStores'
	| 'directories'
	| 'connections'
	| 'shelf'
	| 'audits'
	| 'streams'
	| 'targets'
	| 'presence'
	| 'doors'
	| 'instances'
>

/** Builds the services in order; closes the opened ones when a later one fails. */
export async function createApp(ports: Ports, options: AppOptions) {
	const profile = openProfile(ports, {
		createClient: createApiClient,
		userAgent: `Cordon/${options.version}`,
		storageThread: options.storageThread,
		shown: options.shown
	})
	try {
		// Opened now, so that an unusable profile is reported at the start.
		const {connections} = profile
		if (options.sandbox !== undefined) {
			await connections.registerSandbox(options.sandbox)
			// That tenant is gone, and its codes with it.
			await profile.escrow.codes.forget('sandbox')
		}
		return await assembleOn(profile, ports, options)
	} catch (error) {
		await profile.stop()
		throw error
	}
}

async function assembleOn(profile: Profile, ports: Ports, options: AppOptions) {
	const log = (entry: NewEntry) => void profile.note(entry)
	const opened = options.gateway.open({ports, database: profile.database, log})
	try {
		return assemble(createServices(ports, options, profile, opened), options)
	} catch (error) {
		await opened.stop()
		throw error
	}
}

/** The whole application of one host. Its maker calls `stop`; a second call waits for the first. */
export type App = ReturnType<typeof assemble>

function assemble(services: Services, options: AppOptions) {
	const {profile, connections, runner, publisher} = services
	const info = (): Promise<AppInfo> => describeApp(services, options.version)
	const offs = [...announceChanges(services), ...listenToEachOther(services)]
	void takeUpWhenShown(services, offs)
	let stopped: Promise<void> | undefined
	return {
		/** For the RPC handlers of the hosts; it needs no context. */
		router: createRouter({
			...services,
			info,
			live: publisher.live,
			shows: id => {
				const isFresh = shownConnections(services).some(each => each.id === id)
				services.pages.tell(id)
				if (!isFresh) services.registry.trigger()
				return null
			},
			frame: publisher.openFrame,
			listEditor: services.listEditors.get,
			knownHashes: services.shelf.known,
			forget: id => forget(services, id),
			wipe: (id, kinds) => wipe(services, id, kinds),
			startSandbox: options.startSandbox,
			stopping: services.ended.signal
		}),
		info,
		runner,
		connections,
		settings: profile.settings,
		log: profile.log,
		live: publisher.live,
		notices: services.notices,
		inventory: services.inventories.open,
		directory: services.directories.open,
		events: services.eventStores.open,
		frame: publisher.frame,
		instances: services.instances,
		jobs: services.jobs,
		/** For command lines that reach this process. */
		deps: services,
		/** The computer slept: refreshes what became stale. */
		wake: services.registry.trigger,
		/** Ends timers, streams, calls and files within 3 s. */
		stop: () => (stopped ??= stopAll(services, offs))
	}
}

/** Adds to `offs`. Watching the log starts the storage thread, and the first rows need none. */
async function takeUpWhenShown(services: Services, offs: (() => void)[]) {
	const {bus, ended, profile, isConsole, shown, onTrouble} = services
	await shown
	if (ended.signal.aborted) return
	offs.push(profile.log.onAppend(seq => bus.emit({kind: 'log.appended', seq})))
	if (!isConsole) return
	takeUpDuties(services)
	const look = () => void forgetRemoved(services).catch((error: unknown) => onTrouble('Data of a removed connection stays.', error))
	offs.push(bus.on('connections.changed', look))
	look()
}

/** Connections that another process removed, now or while no console ran. Those of a command line last as long as it. */
async function forgetRemoved(services: Services) {
	const {connections, registry, ended} = services
	const listed = new Set(connections.list().map(({id}) => id))
	for (const id of new Set(registry.all.flatMap(replica => replica.ids())))
		if (!listed.has(id) && !id.startsWith(transientStart) && !ended.signal.aborted) await forget(services, id)
}

/** Forgets a connection that was deleted or points elsewhere. */
async function forget({streams, registry, bus}: Services, connection: string) {
	await streams.leave(connection)
	await registry.forget(connection)
	bus.emit({kind: 'connection.forgotten', connection})
}

/** Deletes some kinds of local data. The screens load what they show again. */
async function wipe({registry, bus}: Services, connection: string, kinds: ReadonlySet<CopyKind>) {
	await registry.forget(connection, kinds)
	for (const replica of kinds) bus.emit({kind: 'replica.changed', replica, connection})
	bus.emit({kind: 'link.changed', connection})
	registry.trigger()
}

/** How long a sent change may still wait for its answer when the application stops, in real time. */
const patienceMs = 1000
async function stopAll(services: Services, offs: readonly (() => void)[]) {
	const {ended, publisher, runner, connections, registry, jobs, runs, watches, leaseKeeper, profile, streams, doors} = services
	const {targets} = services
	ended.abort(new CordonError('cancelled', 'Cordon is stopping.'))
	for (const off of offs) off()
	publisher.stop()
	const gatewayEnded = services.running?.stop()
	const atRest = Promise.all([
		registry.stopRefreshing(),
		watches.stop(),
		jobs.close(),
		runs.stop(),
		leaseKeeper?.stop(),
		runner.settled(),
		streams.stop(),
		targets.stop(),
		doors.stop()
	])
	await endsWithin(atRest, patienceMs)
	// Changes still waiting are cut off, and their outcomes logged as unknown.
	await connections.stop()
	await atRest
	services.listEditors.stop()
	await services.shelf.stop()
	await registry.stop()
	await gatewayEnded
	await services.opened.stop()
	await profile.stop()
}

async function describeApp({ports, instance, presence}: Services, version: string): Promise<AppInfo> {
	const reason = await ports.secrets.unavailable()
	return {
		version,
		host: ports.host === 'desktop' ? 'desktop' : 'headless',
		operator: ports.operator,
		profile: ports.profile,
		instance,
		secretStore: {kind: ports.secrets.kind, available: reason === null, reason, asks: await presence.asks()}
	}
}

/* Forwards the parts' own announcements to the bus. */

/** Returns the unsubscribers. */
function announceChanges({bus, profile, connections, runner, jobs}: Services): readonly (() => void)[] {
	const computersChanged = (connection: string, guid?: string) => {
		if (connections.list().some(({id}) => id === connection))
			bus.emit({kind: 'replica.changed', replica: 'computers', connection, ...(guid !== undefined && {guid})})
	}
	return [
		connections.onChange(() => bus.emit({kind: 'connections.changed'})),
		profile.settings.onChange(() => bus.emit({kind: 'settings.changed'})),
		profile.labels.onChange(connection => computersChanged(connection)),
		profile.escrow.leases.onChange(computersChanged),
		runner.onRunning(connection => bus.emit({kind: 'commands.changed', connection})),
		profile.approvals.onChange(() => bus.emit({kind: 'approvals.changed'})),
		jobs.onChange((connection, job) => bus.emit({kind: 'job.changed', connection, job}))
	]
}

/** Connects parts that act on events of others. */
function listenToEachOther({bus, registry, searches, findings, shelf}: Services): readonly (() => void)[] {
	return [
		bus.on('connections.changed', registry.trigger),
		bus.on('settings.changed', registry.trigger),
		bus.on('connection.forgotten', ({connection}) => {
			for (const part of [searches, findings, shelf]) part.forget(connection)
		})
	]
}
