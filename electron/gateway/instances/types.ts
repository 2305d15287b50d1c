import type {ForwarderStatus, HealthChange, InstanceDetail, InstanceRow, ListStatus, RequestEntry, TrafficSeries} from '#contract/instances.ts'
import type {Instance, InstanceHealth} from '#model/instance.ts'
import type {ForwardSettings, ParameterProblem, ServerParameters} from '#model/server-parameter.ts'

import type {InstanceActions} from '#core/app/gateway.ts'

/** Verifiers of secrets, never the secrets, for the route's access check. */
export interface Verifiers {
	/** `verifier`: an scrypt string. */
	readonly users: readonly {name: string; verifier: string}[]
	/** SHA-256 of each token, hex. */
	readonly tokens: readonly string[]
}

/** An instance with data internal to this folder. Never shown unchanged. */
export interface StoredInstance {
	readonly instance: Instance
	readonly verifiers: Verifiers
	/** Increases with each requested restart. */
	readonly restarts: number
}

/** The whole stored state of one moment. */
export interface Snapshot {
	/** Increases with every change by any process. */
	readonly revision: number
	/** By name. */
	readonly stored: readonly StoredInstance[]
	/** Without the values of variables, like everything a store returns except `stored`. */
	readonly instances: readonly Instance[]
	readonly parameters: ServerParameters
	readonly settings: ForwardSettings
	readonly problems: readonly ParameterProblem[]
}

/**
 * Stored instances and server parameters: everything an operator edits. Runs nothing, so the command line uses it beside a
 * running console.
 */
export interface InstanceStore extends InstanceActions {
	/** By name. */
	list(): readonly Instance[]
	/** By id, exact name, or older name. Throws `unknown_instance`. */
	find(idOrName: string): Instance
	parameters(): ServerParameters
	/** Adds an incident log entry about forwarding. */
	note(message: string, data: Readonly<Record<string, unknown>>): void
	/** Read again only after a change. */
	snapshot(): Snapshot
	/** Called after a change, also by another process on the profile; returns an unsubscribe function. */
	onChange(listener: () => void): () => void
	stop(): void
}

/** Running state, as far as known here. */
export interface InstanceRuntime {
	server(): ServerState
	health(id: string): InstanceHealth
	history(id: string): readonly HealthChange[]
	traffic(id: string): InstanceRow['traffic']
	series(id: string): TrafficSeries
	output(id: string): InstanceDetail['output']
	listStatus(id: string): ListStatus | null
	requests(id: string | undefined, limit: number): readonly RequestEntry[]
	follow(id: string | undefined, signal?: AbortSignal): AsyncGenerator<readonly RequestEntry[], void>
	/** Checks its health now; resolves at the end of the check. */
	checkNow(id: string, signal?: AbortSignal): Promise<void>
	/** Throws `usage` without a list. In another process: asks the running console, and reports the held list. */
	publish(id: string): Promise<ListStatus>
	/** Why nobody can use it through the route, in a sentence. */
	problem(id: string): string | null
	/** Whether it was found listening beyond loopback; `undefined` if unknown. */
	isOpen(instance: Pick<Instance, 'id' | 'openPort'>): boolean | undefined
	/** Whether one of our instances listens on it now. */
	listensOn(port: number): boolean
}

/** The part of `ForwarderStatus` known only to the running server. */
export type ServerState = Pick<ForwarderStatus, 'state' | 'problem' | 'listen' | 'connections'>
