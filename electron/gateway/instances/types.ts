import type {
	ForwarderStatus,
	HealthChange,
	InstanceDetail,
	InstanceRow,
	ListStatus,
	RequestEntry,
	TrafficSeries,
} from '#shared/contract/instances.ts'
import type {Instance, InstanceHealth} from '#shared/model/instance.ts'
import type {ForwardSettings, ParameterProblem, ServerParameters} from '#shared/model/server-parameter.ts'

import type {InstanceActions} from '#core/app/gateway.ts'

/** Verifiers of secrets, never the secrets: what the access check of the route needs. */
export interface Verifiers {
	/** `verifier`: an scrypt string. */
	readonly users: readonly {readonly name: string; readonly verifier: string}[]
	/** SHA-256 of each token, hex. */
	readonly tokens: readonly string[]
}

/** An instance with what only this folder needs to know of it. Never shown as it is. */
export interface StoredInstance {
	readonly instance: Instance
	readonly verifiers: Verifiers
	/** Grows with each restart that was asked for. */
	readonly restarts: number
}

/** Everything that is stored, as of one moment. */
export interface Snapshot {
	/** Grows with every change, by whichever process. */
	readonly revision: number
	/** By name. */
	readonly stored: readonly StoredInstance[]
	/** Without the values of variables, like everything else that a store gives but `stored`. */
	readonly instances: readonly Instance[]
	readonly parameters: ServerParameters
	readonly settings: ForwardSettings
	readonly problems: readonly ParameterProblem[]
}

/**
 * Stored instances and server parameters: everything that a person edits. Nothing runs here, so the command line uses
 * it beside a console that runs.
 */
export interface InstanceStore extends InstanceActions {
	/** By name. */
	list(): readonly Instance[]
	/** By id, or by exact name, or by an older name. Throws `unknown_instance`. */
	find(idOrName: string): Instance
	parameters(): ServerParameters
	/** Puts it into the incident log as a change of forwarding. */
	note(message: string, data: Readonly<Record<string, unknown>>): void
	/** Read again only when something changed. */
	snapshot(): Snapshot
	/** Called after a change, also by another process on the profile; returns the way to stop. */
	onChange(listener: () => void): () => void
	stop(): void
}

/** What runs, as far as it is known here. */
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
	/** Looks at its health now; resolves with the look's end. */
	checkNow(id: string, signal?: AbortSignal): Promise<void>
	/** Throws `usage` when there is no list. In another process: asks the console that runs, and tells what is held back. */
	publish(id: string): Promise<ListStatus>
	/** Why nobody can use it through the route, in a sentence. */
	problem(id: string): string | null
	/** Whether it was seen to listen on more than loopback; `undefined` where that is unknown. */
	isOpen(instance: Pick<Instance, 'id' | 'openPort'>): boolean | undefined
	/** Whether an instance of ours listens on it right now. */
	listensOn(port: number): boolean
}

/** The part of `ForwarderStatus` that only the running server knows. */
export type ServerState = Pick<ForwarderStatus, 'state' | 'problem' | 'listen' | 'connections'>
