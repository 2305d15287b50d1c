/** Procedures of the screen Instances. Secrets go in with `save` and never come out. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import {instanceDefinitionSchema, instanceSecretsSchema, type Instance, type InstanceHealth} from '../model/instance.ts'
import type {Exposure, ForwardSettings, ParameterProblem} from '../model/server-parameter.ts'
import type {ErrorReport} from './errors.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
const onInstance = z.object({id: z.string().min(1)})
/** What was typed where a typed confirmation is asked for (`confirmation_needed` names the text in `details.field`). */
const confirm = z.string().optional()

/** The forwarding server as it is now. */
export interface ForwarderStatus {
	readonly state: 'off' | 'starting' | 'running' | 'failed'
	/** Why it failed, or what is not as asked for: the port that was taken instead. */
	readonly problem: string | null
	/** As bound; `null` when it does not run. */
	readonly listen: {readonly host: string; readonly port: number} | null
	/** `https://name[:port]`, the best first; without a path. */
	readonly origins: readonly string[]
	readonly settings: ForwardSettings
	/** Below version 5.5 every route is 404. */
	readonly hasRoute: boolean
	readonly certificate: CertificateStatus | null
	readonly connections: number
}

export interface CertificateStatus {
	/** Issued by the local authority, or imported. */
	readonly kind: 'local' | 'imported'
	readonly subject: string
	readonly names: readonly string[]
	readonly notBefore: string
	readonly notAfter: string
	/** SHA-256 of the DER form, hex with colons. */
	readonly fingerprint: string
	/** The local authority; `null` with an imported certificate. */
	readonly authority: {readonly subject: string; readonly notAfter: string; readonly fingerprint: string} | null
	/** What the operator should do about it, in a sentence. */
	readonly problem: string | null
}

export interface InstanceRow {
	readonly instance: Instance
	readonly health: InstanceHealth
	readonly exposure: Exposure
	/** `/instance/execute/<encoded name>`. */
	readonly route: string
	/** `http://host:port` as others reach it; `null` while it listens on loopback only. */
	readonly direct: string | null
	/** What deserves a look: no access control on a LAN listener, a name that must be encoded, another that differs by case. */
	readonly warnings: readonly string[]
	readonly traffic: {
		/** Over the last 10 s. */
		readonly requestsPerSecond: number
		readonly running: number
		readonly total: number
		readonly failures: number
		readonly lastRequest: string | null
	}
}

export interface InstanceList {
	readonly server: ForwarderStatus
	readonly rows: readonly InstanceRow[]
}

/** A finished request; times in milliseconds. Its path is without query. */
export interface RequestEntry {
	readonly id: string
	readonly at: string
	readonly instance: string | null
	readonly alias: string | null
	readonly protocol: string
	readonly method: string
	readonly path: string
	readonly status: number
	readonly client: string
	readonly received: number
	readonly sent: number
	readonly endedBy: 'done' | 'client' | 'instance' | 'cordon'
	readonly reason: string | null
	readonly source: 'instance' | 'stale' | 'shared' | 'cordon'
	readonly phases: {
		readonly tls: number | null
		readonly access: number | null
		readonly queue: number | null
		readonly connect: number | null
		readonly firstByte: number | null
		readonly body: number | null
	}
}

/** One value per step of 10 s, oldest first, the last hour. */
export interface TrafficSeries {
	readonly stepS: 10
	/** ISO 8601 of the first step. */
	readonly from: string
	readonly requests: readonly number[]
	readonly failures: readonly number[]
	/** Milliseconds to the first byte; `null` where there was no request. */
	readonly median: readonly (number | null)[]
	readonly p99: readonly (number | null)[]
}

export interface HealthChange {
	readonly at: string
	readonly state: InstanceHealth['state']
	readonly reason: string | null
}

export const probeStages = ['server', 'exposed', 'tcp', 'tls', 'access', 'instance', 'answer'] as const

/** What a client sees on its way through the route, stage by stage. */
export interface ProbeResult {
	readonly stage: (typeof probeStages)[number]
	readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped'
	readonly message: string
	readonly durationMs: number | null
}

/** What a list service published last, and what it refused to. */
export interface ListStatus {
	readonly entries: number
	readonly dropped: number
	readonly builtAt: string | null
	readonly etag: string | null
	readonly problem: string | null
	/** A rebuild that the shrink guard holds back: `instances.publish` lets it through. */
	readonly heldBack: {readonly entries: number; readonly lost: number; readonly at: string} | null
}

export interface InstanceDetail {
	readonly row: InstanceRow
	readonly history: readonly HealthChange[]
	readonly traffic: TrafficSeries
	/** The last lines that a managed instance printed, oldest first. */
	readonly output: readonly {readonly at: string; readonly stream: 'stdout' | 'stderr'; readonly text: string}[]
	readonly list: ListStatus | null
	/** Ready to copy. */
	readonly recipes: readonly Recipe[]
}

export interface Recipe {
	readonly kind: 'route' | 'route_v8' | 'direct' | 'curl' | 'taxii' | 'panos' | 'fortigate' | 'fmc' | 'checkpoint'
	readonly title: string
	readonly text: string
	/** Why it cannot be used now, or what it needs, in a sentence. */
	readonly note: string | null
}

export interface ParameterRow {
	readonly key: string
	readonly value: string
	/** What the key does, in a sentence; says so when no instance has that name. */
	readonly meaning: string
}

export const instancesContract = {
	list: base.output(type<InstanceList>()),
	detail: base.input(onInstance).output(type<InstanceDetail>()),
	/** Without `id` a new one. `exposed`: the switch of the route; left out, it stays as it is. */
	save: base
		.input(
			z.object({
				id: z.string().min(1).optional(),
				definition: instanceDefinitionSchema,
				secrets: instanceSecretsSchema.default({}),
				exposed: z.boolean().optional(),
				confirm,
			}),
		)
		.output(type<Instance>()),
	remove: base.input(onInstance).output(type<void>()),
	setEnabled: base.input(onInstance.extend({enabled: z.boolean()})).output(type<InstanceRow>()),
	/** Writes the instance's own key, or removes it (`null`), so that the general one decides. */
	setExposed: base.input(onInstance.extend({exposed: z.boolean().nullable(), confirm})).output(type<InstanceRow>()),
	setOpenPort: base.input(onInstance.extend({open: z.boolean(), confirm})).output(type<InstanceRow>()),
	restart: base.input(onInstance).output(type<InstanceRow>()),
	checkNow: base.input(onInstance).output(type<InstanceRow>()),
	/** Whether a port could be used, and who holds it; binds nothing that runs. */
	checkPort: base
		.input(z.object({port: z.number().int().min(1).max(65_535), id: z.string().optional()}))
		.output(type<{readonly free: boolean; readonly holder: string | null}>()),
	/** Calls the route as a client would. */
	probe: base.input(onInstance).output(type<AsyncIterator<ProbeResult, void>>()),
	/** The last finished requests, newest first; of all instances without `id`. */
	requests: base
		.input(z.object({id: z.string().optional(), limit: z.number().int().min(1).max(1000).default(200)}))
		.output(type<readonly RequestEntry[]>()),
	/** Finished requests as they come, in batches of at most 10 a second. */
	follow: base.input(z.object({id: z.string().optional()})).output(type<AsyncIterator<readonly RequestEntry[], void>>()),
	/** Publishes what the shrink guard holds back. */
	publish: base.input(onInstance).output(type<ListStatus>()),
	parameters: {
		list: base.output(type<{readonly rows: readonly ParameterRow[]; readonly problems: readonly ParameterProblem[]}>()),
		/** Replaces one row; `value: null` removes it. */
		set: base
			.input(z.object({key: z.string().min(1).max(300), value: z.string().max(2000).nullable(), confirm}))
			.output(type<readonly ParameterRow[]>()),
	},
	certificate: {
		/** `pem` or `der` of the local authority, with hints where to import it. */
		exportAuthority: base.input(z.object({format: z.enum(['pem', 'der'])})).output(
			type<{
				readonly name: string
				readonly mediaType: string
				/** PEM text, or base64 of the DER form. */
				readonly content: string
				readonly hints: readonly {readonly product: string; readonly steps: string}[]
			}>(),
		),
		/** PEM; checked for match and expiry. The key goes in and never comes out. */
		import: base.input(z.object({certificate: z.string().min(1), key: z.string().min(1)})).output(type<CertificateStatus>()),
		/** Back to a certificate of the local authority. */
		useLocal: base.output(type<CertificateStatus>()),
		renew: base.output(type<CertificateStatus>()),
	},
}
