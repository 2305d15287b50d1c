import {setTimeout as pause} from 'node:timers/promises'

import type {Certificates, Instances} from '#core/app/gateway.ts'
import type {Clock} from '#base/ports.ts'
import {CordonError} from '#contract/errors.ts'
import type {ForwarderStatus, InstanceDetail, InstanceRow} from '#contract/instances.ts'
import {type Instance, needsEncoding} from '#model/instance.ts'
import {exposureOf, hasRoute} from '#model/server-parameter.ts'
import {holderOf} from './listening.ts'
import {directOf, originsOf, type OwnNames} from './origins.ts'
import {isUnguarded} from './rules.ts'
import type {InstanceRuntime, InstanceStore} from './types.ts'

interface InstancesOptions {
	store: InstanceStore
	runtime: InstanceRuntime
	certificates: Certificates
	clock: Clock
	ownNames: () => OwnNames
}

/** Joins stored and running state. Owns nothing: the parts are stopped by their creator. */
export function viewInstances(options: InstancesOptions): Instances {
	const {store, runtime, certificates} = options
	const row = (idOrName: string): InstanceRow => rowOf(options, store.find(idOrName))
	return {
		store,
		certificates,
		list: async () => ({server: await serverOf(options), rows: store.list().map(instance => rowOf(options, instance))}),
		row,
		detail: async id => detailOf(options, row(id)),
		checkNow: async (id, signal) => {
			const {instance} = row(id)
			await runtime.checkNow(instance.id, signal)
			return row(instance.id)
		},
		checkPort: (port, id) => checkPort(options, port, id),
		probe: (id, signal) => probe(options, row(id), signal),
		requests: (id, limit) => runtime.requests(id === undefined ? undefined : store.find(id).id, limit),
		follow: (id, signal) => runtime.follow(id === undefined ? undefined : store.find(id).id, signal),
		publish: async id => runtime.publish(store.find(id).id)
	}
}

function rowOf({store, runtime, ownNames}: InstancesOptions, instance: Instance): InstanceRow {
	const {settings} = store.settings()
	const {id, name, listenPort} = instance
	const seenOpen = runtime.isOpen(instance)
	const isOpen = seenOpen ?? (instance.openPort && instance.program.kind !== 'external')
	return {
		instance,
		health: runtime.health(id),
		exposure: exposureOf(store.parameters(), name),
		route: `/instance/execute/${encodeURIComponent(name)}`,
		direct: isOpen ? directOf(listenPort, settings.hostnames, ownNames()) : null,
		warnings: warningsOf({store, runtime}, instance, seenOpen),
		traffic: runtime.traffic(id)
	}
}

async function serverOf({store, runtime, certificates, ownNames}: InstancesOptions): Promise<ForwarderStatus> {
	const {settings} = store.settings()
	const state = runtime.server()
	return {
		...state,
		origins: originsOf(state.listen, settings.hostnames, ownNames()),
		settings,
		hasRoute: hasRoute(settings.platformVersion),
		certificate: await certificates.status()
	}
}

async function detailOf(options: InstancesOptions, row: InstanceRow): Promise<InstanceDetail> {
	const {runtime} = options
	const {id} = row.instance
	const [server, {recipesOf}] = await Promise.all([serverOf(options), import('./recipes.ts')])
	return {
		row,
		history: runtime.history(id),
		traffic: runtime.series(id),
		output: runtime.output(id),
		list: runtime.listStatus(id),
		recipes: recipesOf(row, server)
	}
}

/** Ports of our own instances count as taken, running or not; nothing is bound for the check. */
async function checkPort({store, runtime}: InstancesOptions, port: number, id: string | undefined) {
	const own = id === undefined ? undefined : store.find(id)
	const other = store.list().find(instance => instance.listenPort === port && instance.id !== own?.id)
	if (other !== undefined) return {free: false, holder: `the instance ${other.name}`}
	if (own?.listenPort === port && runtime.listensOn(port)) return {free: true, holder: null}
	const server = runtime.server()
	if (server.listen?.port === port) return {free: false, holder: 'the forwarding server'}
	const holder = await holderOf(port)
	return {free: holder === null, holder: holder?.text ?? null}
}

/** How long a server that starts is waited for, in milliseconds of real time. */
const startMs = 10_000

async function* probe({store, runtime, certificates, clock, ownNames}: InstancesOptions, row: InstanceRow, signal?: AbortSignal) {
	const {settings} = store.settings()
	const until = performance.now() + startMs
	const isOver = () => signal?.aborted === true || performance.now() > until
	while (runtime.server().state === 'starting' && !isOver()) await pause(20)
	const server = runtime.server()
	const status = await certificates.status()
	const [origin = 'https://localhost'] = originsOf(server.listen, settings.hostnames, ownNames())
	const {probeRoute} = await import('./probe.ts')
	if (signal?.aborted === true) throw new CordonError('cancelled')
	const local = status?.kind === 'local'
	yield* probeRoute(
		{
			row,
			server,
			platformVersion: settings.platformVersion,
			authority: async () => (local ? (await certificates.exportAuthority('pem')).content : null),
			hostname: local ? 'localhost' : (status?.names.find(isPlainName) ?? new URL(origin).hostname),
			monotonic: () => clock.monotonic()
		},
		signal
	)
}

function isPlainName(name: string) {
	return /^[A-Za-z0-9.-]*[A-Za-z][A-Za-z0-9.-]*$/.test(name)
}

/** Warnings, in sentences. `seenOpen`: whether others on the network can reach its port; `undefined` if unknown. */
function warningsOf({store, runtime}: Pick<InstancesOptions, 'store' | 'runtime'>, instance: Instance, seenOpen: boolean | undefined) {
	const {id, name, listenPort} = instance
	const {settings} = store.settings()
	const problem = runtime.problem(id)
	const twin = store.list().find(other => other.name !== name && other.name.toLowerCase() === name.toLowerCase())
	const isToBeOpen = instance.openPort && instance.program.kind !== 'external'
	const found: readonly (readonly [boolean, string])[] = [
		[problem !== null, problem ?? ''],
		[
			settings.lan && exposureOf(store.parameters(), name).exposed && isUnguarded(instance),
			'Anyone on the network can use it through the route: it has no access control.'
		],
		[seenOpen === true, `Port ${listenPort} is open to the network, past the access control of the route.`],
		[isToBeOpen && seenOpen === undefined, `Port ${listenPort} is to be open to the network, past the access control of the route.`],
		[isToBeOpen && seenOpen === false, `Port ${listenPort} was to be opened, but its program listens on loopback only.`],
		[needsEncoding(name), 'Its name must be encoded in URLs, which some firewalls and chat services are known to get wrong.'],
		[twin !== undefined, `${twin?.name ?? ''} differs from it by capitals only: URLs are case-sensitive.`],
		[listenPort === settings.listen.port, `The forwarding server is to listen on its port, ${listenPort}, too.`]
	]
	return found.flatMap(([applies, text]) => (applies ? [text] : []))
}
