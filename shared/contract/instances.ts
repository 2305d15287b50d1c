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

export type ForwarderStatus = Readonly<{
	state: 'off' | 'starting' | 'running' | 'failed'
	/** Why it failed, or the deviation from the request, such as another port. */
	problem: string | null
	/** As bound; `null` when it is not running. */
	listen: {host: string; port: number} | null
	/** `https://name[:port]`, best first; without a path. */
	origins: readonly string[]
	settings: ForwardSettings
	/** Below version 5.5 every route is 404. */
	hasRoute: boolean
	certificate: CertificateStatus | null
	connections: number
}>

export type CertificateStatus = Readonly<{
	/** Issued by the local authority, or imported. */
	kind: 'local' | 'imported'
	subject: string
	names: readonly string[]
	notBefore: string
	notAfter: string
	/** SHA-256 of the DER form, hex with colons. */
	fingerprint: string
	/** The local authority; `null` with an imported certificate. */
	authority: {subject: string; notAfter: string; fingerprint: string} | null
	/** What the operator should do, in a sentence. */
	problem: string | null
}>

export type InstanceRow = Readonly<{
	instance: Instance
	health: InstanceHealth
	exposure: Exposure
	/** `/instance/execute/<encoded name>`. */
	route: string
	/** `http://host:port` for other computers; `null` while it listens on loopback only. */
	direct: string | null
	/** Warnings: no access control on a LAN listener, a name that must be encoded, another that differs by case. */
	warnings: readonly string[]
	traffic: {
		/** Over the last 10 s. */
		requestsPerSecond: number
		running: number
		total: number
		failures: number
		lastRequest: string | null
	}
}>

export interface InstanceList {
	readonly server: ForwarderStatus
	readonly rows: readonly InstanceRow[]
}

/** A finished request. Queries are removed: they may contain secrets. */
export type RequestEntry = Readonly<{
	id: string
	/** ISO 8601 of the first byte of its head. */
	at: string
	/** Name of the instance, `null` when none was found. */
	instance: string | null
	alias: string | null
	protocol: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2' | 'WebSocket'
	method: string
	/** Path without query. */
	path: string
	status: number
	client: string
	/** Body bytes. */
	received: number
	sent: number
	endedBy: 'done' | 'client' | 'instance' | 'cordon'
	/** Reason of the refusal or failure, `null` on success. */
	reason: string | null
	/** The source of the answer: the instance, the last good answer, another client's equal request, or the server. */
	source: 'instance' | 'stale' | 'shared' | 'cordon'
	/** Duration of each phase in milliseconds; `null` for an omitted one. */
	phases: {
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
}>

/** One value per step of 10 s, oldest first, the last hour. */
export type TrafficSeries = Readonly<{
	stepS: 10
	/** ISO 8601 of the first step. */
	from: string
	requests: readonly number[]
	failures: readonly number[]
	/** Milliseconds to the first byte; `null` without a request. */
	median: readonly (number | null)[]
	p99: readonly (number | null)[]
}>

export interface HealthChange {
	readonly at: string
	readonly state: InstanceHealth['state']
	readonly reason: string | null
}

/** The route from a client's view, stage by stage. */
export type ProbeResult = Readonly<{
	stage: ProbeStage
	outcome: 'ok' | 'warning' | 'failed' | 'skipped'
	message: string
	durationMs: number | null
}>

/** The last published list of a list service, and a refused one. */
export type ListStatus = Readonly<{
	entries: number
	dropped: number
	builtAt: string | null
	etag: string | null
	problem: string | null
	/** A rebuild held by the shrink guard: `instances.publish` releases it. */
	heldBack: {entries: number; lost: number; at: string} | null
}>

export type InstanceDetail = Readonly<{
	row: InstanceRow
	history: readonly HealthChange[]
	traffic: TrafficSeries
	/** The last output lines of a managed instance, oldest first. */
	output: readonly {at: string; stream: 'stdout' | 'stderr'; text: string}[]
	list: ListStatus | null
	/** Ready to copy. */
	recipes: readonly Recipe[]
}>

export type Recipe = Readonly<{
	kind: 'route' | 'route_v8' | 'direct' | 'curl' | 'taxii' | 'panos' | 'fortigate' | 'fmc' | 'checkpoint'
	title: string
	text: string
	/** Why it cannot be used now, or its requirement, in a sentence. */
	note: string | null
}>

export interface ParameterRow {
	readonly key: string
	readonly value: string
	/** The key's meaning, in a sentence; notes when no instance has that name. */
	readonly meaning: string
}

export type AuthorityExport = Readonly<{
	name: string
	mediaType: string
	/** PEM text, or base64 of the DER form. */
	content: string
	hints: readonly {product: string; steps: string}[]
}>

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
