/** The gateway as the console sees it: instances and the forwarding server are put beside core by the hosts. */
import type {
	CertificateStatus,
	InstanceDetail,
	InstanceList,
	InstanceRow,
	ListStatus,
	ParameterRow,
	ProbeResult,
	RequestEntry,
} from '#shared/contract/instances.ts'
import type {Instance, InstanceInput, InstanceSecrets} from '#shared/model/instance.ts'
import type {ForwardSettings, ParameterProblem} from '#shared/model/server-parameter.ts'

import type {Connections} from '#core/service/connections/types.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Ports} from '#core/base/ports.ts'
import type {Database} from '#core/store/database.ts'

export interface Gateway {
	/** Opens what is stored; nothing runs yet. */
	open(parts: GatewayParts): OpenedGateway
}

export interface GatewayParts {
	readonly ports: Ports
	/** `profile.db`; whoever opened it closes it. */
	readonly database: Database
	readonly log: (entry: NewEntry) => void
}

export interface OpenedGateway {
	/** As a process sees them that runs none: states are those which the console recorded. */
	readonly instances: Instances
	/** Only in the process that owns the console. */
	run(parts: RunningParts): RunningGateway
	stop(): Promise<void>
}

export interface RunningParts {
	readonly connections: Pick<Connections, 'find' | 'client'>
	readonly desk: Desk
	/** Something that a page shows changed; at most once a second for traffic alone. */
	readonly onEvent: () => void
	readonly onTrouble: (message: string, error?: unknown) => void
}

/** Who asks from outside, by a signed request. */
export interface DeskCaller {
	/** Connection on which it is meant. */
	readonly connection: string
	readonly from: string
	readonly instance: string
}

/** What a signed request from outside may ask. Changes are proposed only. Each resolves with what to answer. */
export interface Desk {
	note(caller: DeskCaller, text: string): Promise<string>
	whoHas(caller: DeskCaller, hash: string): Promise<string>
	proposeIsolation(caller: DeskCaller, computer: string): Promise<string>
	startPlaybook(caller: DeskCaller, playbook: string, variables: Readonly<Record<string, string>>): Promise<string>
}

export interface RunningGateway {
	readonly instances: Instances
	/** Ends programs, services and the forwarding server within about two seconds. A second call waits for the first. */
	stop(): Promise<void>
}

/** Instances as screen and command line see them: what is stored, and what is known of what runs. */
export interface Instances {
	readonly store: InstanceActions
	list(): Promise<InstanceList>
	detail(id: string): Promise<InstanceDetail>
	/** Throws `unknown_instance`. By id or name. */
	row(id: string): InstanceRow
	checkNow(id: string, signal?: AbortSignal): Promise<InstanceRow>
	checkPort(port: number, id?: string): Promise<{readonly free: boolean; readonly holder: string | null}>
	probe(id: string, signal?: AbortSignal): AsyncGenerator<ProbeResult, void>
	requests(id: string | undefined, limit: number): readonly RequestEntry[]
	follow(id: string | undefined, signal?: AbortSignal): AsyncGenerator<readonly RequestEntry[], void>
	publish(id: string): Promise<ListStatus>
	readonly certificates: Certificates
}

/** What a page may do to stored instances and server parameters. A change and its entry in the incident log stand or fall together. */
export interface InstanceActions {
	/** Throws `taken`, `invalid_argument`, `confirmation_needed` (`details.field`: the text to type). */
	save(input: SaveInput): Promise<Instance>
	remove(id: string): Promise<void>
	setEnabled(id: string, enabled: boolean): Instance
	/** Writes the instance's own key, or removes it (`null`). */
	setExposed(id: string, exposed: boolean | null, confirm?: string): Instance
	setOpenPort(id: string, open: boolean, confirm?: string): Instance
	/** A managed or built-in instance is started anew by the console that runs, now or at its next look. */
	restart(id: string): Instance
	settings(): {readonly settings: ForwardSettings; readonly problems: readonly ParameterProblem[]}
	parameterRows(): readonly ParameterRow[]
	/** Throws `invalid_argument` with what would be right, or `confirmation_needed`. */
	setParameter(key: string, value: string | null, confirm?: string): readonly ParameterRow[]
}

export interface SaveInput {
	/** Left out: a new instance. */
	readonly id?: string | undefined
	readonly definition: InstanceInput
	readonly secrets?: InstanceSecrets | undefined
	/** The switch of the route; left out, it stays as it is. */
	readonly exposed?: boolean | undefined
	readonly confirm?: string | undefined
}

/** Certificate of the forwarding server; the folder is shared by every process on the profile. */
export interface Certificates {
	/** `null` while there is none: nothing was exposed yet. */
	status(): Promise<CertificateStatus | null>
	exportAuthority(format: 'pem' | 'der'): Promise<AuthorityExport>
	import(certificate: string, key: string): Promise<CertificateStatus>
	useLocal(): Promise<CertificateStatus>
	renew(): Promise<CertificateStatus>
}

export interface AuthorityExport {
	readonly name: string
	readonly mediaType: string
	/** PEM text, or base64 of the DER form. */
	readonly content: string
	readonly hints: readonly {readonly product: string; readonly steps: string}[]
}
