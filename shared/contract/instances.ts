/** Procedures of the instances screen. Secrets are entered with `save` and never returned. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import type {ProbeStage} from '../model/choices.ts'
import {base, given} from './base.ts'
import {instanceDefinitionSchema, instanceSecretsSchema, type Instance, type InstanceHealth} from '../model/instance.ts'
import type {Exposure, ForwardSettings, ParameterProblem} from '../model/server-parameter.ts'

const onInstance = z.object({id: z.string().min(1)})
/** The typed confirmation when required (`confirmation_needed` has the text in `details.field`). */
const confirm = z.string().optional()

export interface ForwarderStatus {
	readonly state: 'off' | 'starting' | 'running' | 'failed'
	/** Why it failed, or the deviation from the request, such as another port. */
	readonly problem: string | null
	/** As bound; `null` when it is not running. */
	readonly listen: {host: string; port: number} | null
	/** `https://name[:port]`, best first; without a path. */
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
	readonly authority: {subject: string; notAfter: string; fingerprint: string} | null
	/** What the operator should do, in a sentence. */
	readonly problem: string | null
}

export interface InstanceRow {
	readonly instance: Instance
	readonly health: InstanceHealth
	readonly exposure: Exposure
	/** `/instance/execute/<encoded name>`. */
	readonly route: string
	/** `http://host:port` for other computers; `null` while it listens on loopback only. */
	readonly direct: string | null
	/** Warnings: no access control on a LAN listener, a name that must be encoded, another that differs by case. */
	readonly warnings: readonly string[]
	readonly traffic: {
		/** Over the last 10 s. */
		requestsPerSecond: number
		running: number
		total: number
		failures: number
		lastRequest: string | null
	}
}

export interface InstanceList {
	readonly server: ForwarderStatus
	readonly rows: readonly InstanceRow[]
}

/** A finished request. Queries are removed: they may contain secrets. */
export interface RequestEntry {
	readonly id: string
	/** ISO 8601 of the first byte of its head. */
	readonly at: string
	/** Name of the instance, `null` when none was found. */
	readonly instance: string | null
	readonly alias: string | null
	readonly protocol: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2' | 'WebSocket'
	readonly method: string
	/** Path without query. */
	readonly path: string
	readonly status: number
	readonly client: string
	/** Body bytes. */
	readonly received: number
	readonly sent: number
	readonly endedBy: 'done' | 'client' | 'instance' | 'cordon'
	/** Reason of the refusal or failure, `null` on success. */
	readonly reason: string | null
	/** The source of the answer: the instance, the last good answer, another client's equal request, or the server. */
	readonly source: 'instance' | 'stale' | 'shared' | 'cordon'
	/** Duration of each phase in milliseconds; `null` for an omitted one. */
	readonly phases: {
		/** Of the connection's handshake, recorded with its first request. */
		tls: number | null
		access: number | null
		queue: number | null
		/** `0` on a kept connection. */
		connect: number | null
		/** From the request's last byte of head to the answer's first. */
		firstByte: number | null
		body: number | null
	}
}

/** One value per step of 10 s, oldest first, the last hour. */
export interface TrafficSeries {
	readonly stepS: 10
	/** ISO 8601 of the first step. */
	readonly from: string
	readonly requests: readonly number[]
	readonly failures: readonly number[]
	/** Milliseconds to the first byte; `null` without a request. */
	readonly median: readonly (number | null)[]
	readonly p99: readonly (number | null)[]
}

export interface HealthChange {
	readonly at: string
	readonly state: InstanceHealth['state']
	readonly reason: string | null
}

/** The route from a client's view, stage by stage. */
export interface ProbeResult {
	readonly stage: ProbeStage
	readonly outcome: 'ok' | 'warning' | 'failed' | 'skipped'
	readonly message: string
	readonly durationMs: number | null
}

/** The last published list of a list service, and a refused one. */
export interface ListStatus {
	readonly entries: number
	readonly dropped: number
	readonly builtAt: string | null
	readonly etag: string | null
	readonly problem: string | null
	/** A rebuild held by the shrink guard: `instances.publish` releases it. */
	readonly heldBack: {entries: number; lost: number; at: string} | null
}

export interface InstanceDetail {
	readonly row: InstanceRow
	readonly history: readonly HealthChange[]
	readonly traffic: TrafficSeries
	/** The last output lines of a managed instance, oldest first. */
	readonly output: readonly {at: string; stream: 'stdout' | 'stderr'; text: string}[]
	readonly list: ListStatus | null
	/** Ready to copy. */
	readonly recipes: readonly Recipe[]
}

export interface Recipe {
	readonly kind: 'route' | 'route_v8' | 'direct' | 'curl' | 'taxii' | 'panos' | 'fortigate' | 'fmc' | 'checkpoint'
	readonly title: string
	readonly text: string
	/** Why it cannot be used now, or its requirement, in a sentence. */
	readonly note: string | null
}

export interface ParameterRow {
	readonly key: string
	readonly value: string
	/** The key's meaning, in a sentence; notes when no instance has that name. */
	readonly meaning: string
}

export interface AuthorityExport {
	readonly name: string
	readonly mediaType: string
	/** PEM text, or base64 of the DER form. */
	readonly content: string
	readonly hints: readonly {product: string; steps: string}[]
}

export const instancesContract = {
	list: base.output(type<InstanceList>()),
	detail: base.input(onInstance).output(type<InstanceDetail>()),
	/** Creates a new one without `id`. `exposed`: the override; default: unchanged. */
	save: given({
		id: z.string().min(1).optional(),
		/** As read: refused with `conflict` when it was changed since. */
		revision: z.number().int().optional(),
		definition: instanceDefinitionSchema,
		secrets: instanceSecretsSchema.default({}),
		exposed: z.boolean().optional(),
		confirm
	}).output(type<Instance>()),
	remove: base.input(onInstance).output(type<void>()),
	setEnabled: base.input(onInstance.extend({enabled: z.boolean()})).output(type<InstanceRow>()),
	/** Sets or removes (`null`) the instance's override; without it the general key decides. */
	setExposed: base.input(onInstance.extend({exposed: z.boolean().nullable(), confirm})).output(type<InstanceRow>()),
	setOpenPort: base.input(onInstance.extend({open: z.boolean(), confirm})).output(type<InstanceRow>()),
	restart: base.input(onInstance).output(type<InstanceRow>()),
	checkNow: base.input(onInstance).output(type<InstanceRow>()),
	/** Whether a port is usable, and who holds it; running servers are not touched. */
	checkPort: given({port: z.number().int().min(1).max(65_535), id: z.string().optional()}).output(type<{free: boolean; holder: string | null}>()),
	/** Calls the route like a client. */
	probe: base.input(onInstance).output(type<AsyncIteratorObject<ProbeResult, void>>()),
	/** The last finished requests, newest first; of all instances without `id`. */
	requests: given({id: z.string().optional(), limit: z.number().int().min(1).max(1000).default(200)}).output(type<readonly RequestEntry[]>()),
	/** Finished requests live, in batches of at most 10 per second. */
	follow: given({id: z.string().optional()}).output(type<AsyncIteratorObject<readonly RequestEntry[], void>>()),
	/** Publishes the list held by the shrink guard. */
	publish: base.input(onInstance).output(type<ListStatus>()),
	parameters: {
		list: base.output(type<{rows: readonly ParameterRow[]; problems: readonly ParameterProblem[]}>()),
		/** Replaces one row; `value: null` removes it. */
		set: given({key: z.string().min(1).max(300), value: z.string().max(2000).nullable(), confirm}).output(type<readonly ParameterRow[]>())
	},
	certificate: {
		/** `pem` or `der` of the local authority, with hints where to import it. */
		exportAuthority: given({format: z.enum(['pem', 'der'])}).output(type<AuthorityExport>()),
		/** PEM; checked for match and expiry. The key is never returned. */
		import: given({certificate: z.string().min(1), key: z.string().min(1)}).output(type<CertificateStatus>()),
		/** Returns to a certificate of the local authority. */
		useLocal: base.output(type<CertificateStatus>()),
		renew: base.output(type<CertificateStatus>())
	}
}
