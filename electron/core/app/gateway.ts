/** The gateway as the console sees it; hosts supply the instances and the forwarding server. */
import type {
	AuthorityExport,
	CertificateStatus,
	InstanceDetail,
	InstanceList,
	InstanceRow,
	ListStatus,
	ParameterRow,
	ProbeResult,
	RequestEntry
} from '#contract/instances.ts'
import type {Instance, InstanceInput, InstanceSecrets} from '#model/instance.ts'
import type {ForwardSettings, ParameterProblem} from '#model/server-parameter.ts'

import type {Connections} from '#core/service/connections/types.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Ports} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'

export interface Gateway {
	/** Opens stored data; nothing runs yet. */
	open(deps: GatewayDependencies): OpenedGateway
}

export interface GatewayDependencies {
	ports: Ports
	/** `profile.db`; its opener closes it. */
	database: Database
	log: (entry: NewEntry) => void
}

export interface OpenedGateway {
	/** For processes that run no instances: states as the console recorded them. */
	readonly instances: Instances
	/** Only in the process that owns the console. */
	run(deps: RunningDependencies): RunningGateway
	stop(): Promise<void>
}

export interface RunningDependencies {
	connections: Pick<Connections, 'find' | 'client'>
	desk: Desk
	/** A change that a page shows; at most once a second for traffic alone. */
	onEvent: () => void
	onTrouble: (message: string, error?: unknown) => void
}

/** The sender of a signed request from outside. */
export interface DeskCaller {
	readonly connection: string
	readonly from: string
	readonly instance: string
	/** The same for each attempt of a message. */
	readonly message?: string | undefined
}

/** What a signed request from outside may do. Changes are only proposed. Each resolves with the answer. */
export interface Desk {
	note(caller: DeskCaller, text: string): Promise<string>
	whoHas(caller: DeskCaller, hash: string): Promise<string>
	proposeIsolation(caller: DeskCaller, computer: string): Promise<string>
	startPlaybook(caller: DeskCaller, playbook: string, variables: Readonly<Record<string, string>>): Promise<string>
}

export interface RunningGateway {
	readonly instances: Instances
	stop(): Promise<void>
}

/** Instances for screen and command line: stored data and the known running state. */
export interface Instances {
	readonly store: InstanceActions
	list(): Promise<InstanceList>
	detail(id: string): Promise<InstanceDetail>
	/** By id or name. Throws `unknown_instance`. */
	row(id: string): InstanceRow
	checkNow(id: string, signal?: AbortSignal): Promise<InstanceRow>
	checkPort(port: number, id?: string): Promise<{free: boolean; holder: string | null}>
	probe(id: string, signal?: AbortSignal): AsyncGenerator<ProbeResult, void>
	requests(id: string | undefined, limit: number): readonly RequestEntry[]
	follow(id: string | undefined, signal?: AbortSignal): AsyncGenerator<readonly RequestEntry[], void>
	publish(id: string): Promise<ListStatus>
	readonly certificates: Certificates
}

/**
 * What a page may change in stored instances and server parameters. A change and its log entry are stored together or not at
 * all.
 */
export interface InstanceActions {
	/** Throws `taken`, `conflict`, `invalid_argument`, `confirmation_needed` (`details.field`: the text to type). */
	save(input: SaveInput): Promise<Instance>
	remove(id: string): Promise<void>
	setEnabled(id: string, enabled: boolean): Instance
	/** Sets the instance's override, or removes it (`null`). */
	setExposed(id: string, exposed: boolean | null, confirm?: string): Instance
	setOpenPort(id: string, open: boolean, confirm?: string): Instance
	/** The running console restarts a managed or built-in instance, now or at its next look. */
	restart(id: string): Instance
	settings(): {settings: ForwardSettings; problems: readonly ParameterProblem[]}
	parameterRows(): readonly ParameterRow[]
	/** Throws `invalid_argument` naming the right value, or `confirmation_needed`. */
	setParameter(key: string, value: string | null, confirm?: string): readonly ParameterRow[]
}

export interface SaveInput {
	id?: string | undefined
	/** As read: refuses with `conflict` when it was changed since. */
	revision?: number | undefined
	definition: InstanceInput
	secrets?: InstanceSecrets | undefined
	/** Exposure at the route; unchanged when left out. */
	exposed?: boolean | undefined
	confirm?: string | undefined
}

/** Certificate of the forwarding server; every process on the profile shares the folder. */
export interface Certificates {
	/** `null` while nothing was exposed yet. */
	status(): Promise<CertificateStatus | null>
	exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport>
	import(certificate: string, key: string): Promise<CertificateStatus>
	useLocal(): Promise<CertificateStatus>
	renew(): Promise<CertificateStatus>
}
