/** Instances of the process that owns the console: runs them and the forwarding server, and reports events. */
import type {Instances, RunningGateway} from '#core/app/gateway.ts'
import {every} from '#base/every.ts'
import {CordonError, usageError} from '#contract/errors.ts'
import type {InstanceHealth} from '#model/instance.ts'
import type {CertificateAuthority} from '../forwarder/tls/authority.ts'
import {machineNames} from '../forwarder/tls/names.ts'
import type {Credentials} from '../forwarder/types.ts'
import {keepOnly} from './builtins.ts'
import type {OpenedCertificates} from './certificates.ts'
import {type ConsoleOptions, type ConsoleDependencies, makeParts} from './console-parts.ts'
import {accessRuleOf, configOf, forwardedOf} from './forwarder-config.ts'
import type {Wanted} from './forwarder-control.ts'
import {viewInstances} from './instances.ts'
import type {OwnNames} from './origins.ts'
import {endOrphans} from './orphans.ts'
import {openSigningKeys, type SigningKeys} from './signing-keys.ts'
import {historyOf, takePublishing} from './state-rows.ts'
import type {Supervisor} from './supervisor.ts'
import type {InstanceRuntime, InstanceStore, Snapshot, StoredInstance} from './types.ts'

/** Milliseconds of real time for running requests to end. */
const drainMs = 750
/** How often own names and addresses are checked. */
const namesMs = 60_000

export class InstanceConsole implements RunningGateway {
	readonly instances: Instances
	readonly #options: ConsoleOptions
	readonly #store: InstanceStore
	readonly #keys: SigningKeys
	readonly #deps: ConsoleDependencies
	/** Re-evaluates the forwarding server's task. */
	readonly #direct = inTurns(() => this.#directForwarder())
	/** Why an instance cannot be used through the route. */
	readonly #problems = new Map<string, string>()
	readonly #ended = new AbortController()
	readonly #closing: (() => void)[]
	readonly #begun: Promise<void>
	#own: OwnNames = machineNames()
	#stopped: Promise<void> | undefined

	constructor(options: ConsoleOptions) {
		const {opened, ports} = options
		this.#options = options
		this.#store = opened.store
		this.#keys = openSigningKeys(ports.secrets)
		this.#deps = makeParts(options, this.#direct.ask)
		this.instances = viewInstances({
			store: this.#store,
			runtime: this.#runtime(),
			certificates: opened.certificates,
			clock: ports.clock,
			ownNames: () => this.#own
		})
		this.#begun = this.#begin()
		this.#closing = [this.#store.onChange(() => this.#look()), opened.certificates.onChange(this.#direct.ask, options.onTrouble)]
		void every(ports.clock, namesMs, this.#ended.signal, () => {
			this.#own = machineNames()
			this.#direct.ask()
		})
	}

	stop() {
		this.#stopped ??= this.#stop()
		return this.#stopped
	}

	async #stop() {
		this.#ended.abort()
		for (const close of this.#closing) close()
		await this.#begun
		await this.#direct.stop()
		await this.#deps.control.stop(drainMs)
		// Only now: running requests are answered by them.
		await this.#deps.supervisor.stop()
		this.#deps.traffic.stop()
		this.#deps.recorder.stop()
	}

	/** First removes leftovers of an earlier console, which may still hold the ports. */
	async #begin() {
		const {database, ports, onTrouble} = this.#options
		await keepOnly(ports.profile, this.#store.list).catch(() => {})
		try {
			for (const text of await endOrphans(database)) onTrouble(text)
		} catch (error) {
			onTrouble('Programs that an earlier console left behind could not be looked after.', error)
		}
		this.#look()
	}

	/** Stored settings may have changed. */
	#look() {
		const {onEvent, onTrouble} = this.#options
		if (this.#ended.signal.aborted) return
		try {
			const {stored} = this.#store.snapshot()
			this.#deps.supervisor.apply(stored)
			this.#deps.traffic.keepOnly(new Set(stored.map(({instance}) => instance.id)))
			for (const id of takePublishing(this.#options.database)) void this.#publishAsked(id)
		} catch (error) {
			onTrouble('Instances cannot be looked after.', error)
		}
		onEvent()
		this.#direct.ask()
	}

	/** Requested by another process. */
	async #publishAsked(id: string) {
		try {
			await this.#deps.supervisor.publish(id)
		} catch (error) {
			this.#options.onTrouble('A list could not be published.', error)
		}
		this.#options.onEvent()
	}

	async #directForwarder() {
		const {opened, onTrouble} = this.#options
		const {control, healthOf} = this.#deps
		const failed = (message: string, error: unknown) => {
			onTrouble(message, error)
			return error instanceof CordonError ? error.message : 'Something went wrong inside Cordon.'
		}
		let lag: string | null = null
		try {
			const wanted = await wantedOf({
				snapshot: this.#store.snapshot(),
				healthOf,
				keys: this.#keys,
				certificates: opened.certificates,
				own: this.#own,
				onProblem: (id, problem) => this.#setProblem(id, problem),
				inUse: control.credentials(),
				onUnusable: error =>
					(lag = `It shows its earlier certificate: ${failed('The forwarding server could not be given its certificate.', error)}`)
			})
			control.want(wanted, lag)
		} catch (error) {
			control.fail(failed('The forwarding server could not be told its settings.', error))
		}
	}

	#setProblem(id: string, problem: string | null) {
		if ((this.#problems.get(id) ?? null) === problem) return
		if (problem === null) this.#problems.delete(id)
		else {
			this.#problems.set(id, problem)
			this.#options.onTrouble(problem)
		}
		this.#options.onEvent()
	}

	#runtime(): InstanceRuntime {
		const {supervisor, traffic, healthOf} = this.#deps
		return {
			server: () => this.#deps.control.state(),
			health: healthOf,
			history: id => historyOf(this.#options.database, id),
			traffic: traffic.of,
			series: traffic.series,
			output: supervisor.output,
			listStatus: supervisor.listStatus,
			requests: traffic.requests,
			follow: traffic.follow,
			checkNow: supervisor.checkNow,
			publish: id => publish(supervisor, id),
			problem: id => this.#problems.get(id) ?? null,
			isOpen: ({id}) => supervisor.isOpen(id),
			listensOn: supervisor.listensOn
		}
	}
}

async function publish(supervisor: Supervisor, id: string) {
	const status = await supervisor.publish(id)
	if (status !== null) return status
	throw usageError('This instance publishes no list at the moment.', 'id')
}

/** `work` handles its own errors. */
function inTurns(work: () => Promise<void>) {
	const ended = new AbortController()
	let running: Promise<void> | undefined
	let isAsked = false
	const run = async () => {
		while (isAsked && !ended.signal.aborted) {
			isAsked = false
			await work()
		}
		running = undefined
	}
	return {
		/** Runs soon, once for all requests meanwhile. */
		ask() {
			isAsked = true
			// Later in this turn of the event loop: joins all requests until then.
			running ??= Promise.resolve().then(run)
		},
		/** Resolves when running work has ended; nothing more is started. */
		stop: async () => {
			ended.abort()
			await running
		}
	}
}

export interface WantedDependencies {
	snapshot: Snapshot
	healthOf: (id: string) => InstanceHealth
	keys: SigningKeys
	certificates: Pick<OpenedCertificates, 'authority'>
	own: OwnNames
	/** Why an exposed instance cannot be used, in a sentence; `null` without a problem. */
	onProblem: (id: string, problem: string | null) => void
	/** Shown on while there are no usable ones: changes of access take effect all the same. */
	inUse?: Credentials | undefined
	onUnusable?: ((error: unknown) => void) | undefined
}

/** The forwarding server's task; `undefined`: not to run. Rejects without a certificate to show. */
export async function wantedOf(deps: WantedDependencies): Promise<Wanted | undefined> {
	const {snapshot, own, certificates} = deps
	const {stored, parameters, settings} = snapshot
	if (!settings.enabled || stored.length === 0) return undefined
	const instances = await Promise.all(stored.map(one => forwarded(one, deps)))
	const authority = await certificates.authority()
	return {
		listen: {host: settings.lan ? '::' : settings.listen.host, port: settings.listen.port},
		config: configOf({instances, parameters, settings, own, isPublic: authority.isPublic()}),
		credentials: credentialsOf(authority, deps)
	}
}

function credentialsOf(authority: Pick<CertificateAuthority, 'credentials'>, {inUse, onUnusable}: WantedDependencies) {
	try {
		return authority.credentials()
	} catch (error) {
		if (inUse === undefined) throw error
		onUnusable?.(error)
		return inUse
	}
}

async function forwarded({instance, verifiers}: StoredInstance, {healthOf, keys, onProblem}: WantedDependencies) {
	const {id, name, access} = instance
	const key = access.kind === 'hmac' ? await keys.read(id).catch(() => undefined) : undefined
	const rule = accessRuleOf(instance, verifiers, key)
	onProblem(id, rule === null ? `The signing key of ${name} cannot be read here: the route answers 503. Enter it again.` : null)
	return forwardedOf(instance, healthOf(id).state, rule)
}
