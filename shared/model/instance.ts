/**
 * Long-running instances and the parameters that expose them at `https://{server}/instance/execute/<name>` (route description,
 * 1.1, 1.4, 6.2).
 */
import {z} from 'zod'

import {maskedCode} from '../commands/result.ts'

/** Names reserved for the route itself (route description, 1.4). */
export const reservedNames = ['_health', '_metrics', '_list'] as const

/** Why a text cannot be an instance's name, or `null`. Names are case-sensitive and compared in NFC. */
export function nameProblem(name: string): string | null {
	if (name === '') return 'is empty'
	if (name === '.' || name === '..') return 'is a path, not a name'
	if (/[/\\]/.test(name)) return 'holds a slash or backslash'
	if (/[\u0000-\u001f\u007f]/.test(name)) return 'holds a control character'
	if (name.length > 200) return 'has more than 200 characters'
	if (reservedNames.some(reserved => reserved === name)) return 'is reserved'
	return name.isWellFormed() ? null : 'is not valid Unicode'
}

/** Whether a name needs encoding in a URL, which firewalls and chat services often get wrong. */
export function needsEncoding(name: string) {
	return !/^[A-Za-z0-9._~-]+$/.test(name)
}

export const instanceNameSchema = z
	.string()
	.transform(name => name.normalize('NFC'))
	.superRefine((name, context) => {
		const problem = nameProblem(name)
		if (problem !== null) context.addIssue({code: 'custom', message: problem})
	})

/** An HTTP method: a token (RFC 9110, section 5.6.2). CONNECT and TRACE are never forwarded. */
const methodSchema = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a method')

/** A method that an instance may be restricted to. */
const forwardedMethodSchema = methodSchema.refine(method => method !== 'CONNECT' && method !== 'TRACE', 'is never forwarded')

export const networkSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'is not an address or network')

const seconds = z.number().min(0).max(86_400)

export const hmacPresets = ['slack', 'github', 'teams', 'standard'] as const

/**
 * Access to an instance through the route. Passwords, tokens and signing keys are not included: `InstanceSecrets` accepts them,
 * and they are stored as verifiers, or in the secret store if the plain value is needed.
 */
export const accessSchema = z.discriminatedUnion('kind', [
	z.strictObject({kind: z.literal('none')}),
	/** RFC 7617; users and passwords are in the secrets. */
	z.strictObject({kind: z.literal('basic'), realm: z.string().max(100).default('Cordon')}),
	/** RFC 6750, or the bare token in a header of its own. */
	z.strictObject({kind: z.literal('bearer'), header: methodSchema.default('Authorization')}),
	/** The body is signed: `X-Slack-Signature`, `X-Hub-Signature-256`, `Authorization: HMAC …`, `webhook-signature`. */
	z.strictObject({
		kind: z.literal('hmac'),
		preset: z.enum(hmacPresets).default('slack'),
		/** Tolerance of the signed time, in seconds, if the preset signs a time. */
		toleranceS: z.number().int().min(1).max(3600).default(300)
	}),
	/** A client certificate of one of these authorities (PEM); the subject's common name may be restricted. */
	z.strictObject({kind: z.literal('certificate'), authorities: z.string().min(1), names: z.array(z.string().min(1)).default([])})
])
export type Access = z.infer<typeof accessSchema>
export type AccessKind = Access['kind']

/** New secret values; an omitted field keeps the stored one. Never returned. */
export const instanceSecretsSchema = z.strictObject({
	/** All users of basic access: replaces the stored ones. */
	users: z
		.array(
			z.strictObject({
				name: z
					.string()
					.min(1)
					.regex(/^[^:]*$/, 'holds a colon'),
				password: z.string().min(1)
			})
		)
		.optional(),
	tokens: z.array(z.string().min(16, 'has fewer than 16 characters')).optional(),
	signingKey: z.string().min(1).optional()
})
export type InstanceSecrets = z.infer<typeof instanceSecretsSchema>

const listSource = z.discriminatedUnion('kind', [
	/** SHA-256 hashes of a file list of the service. */
	z.strictObject({kind: z.literal('file_list'), connection: z.string().min(1), guid: z.string().min(1)}),
	z.strictObject({kind: z.literal('text'), text: z.string().max(5_000_000)}),
	/** A file of this computer, one value per line; `#` begins a comment. */
	z.strictObject({kind: z.literal('file'), path: z.string().min(1)})
])

export const listTypes = ['sha256', 'ip', 'url', 'domain'] as const
export const listFormats = ['text', 'json', 'csv'] as const

/** The list service: an external dynamic list (route description, 2.2 and 5.1). */
export const listServiceSchema = z.strictObject({
	service: z.literal('list'),
	type: z.enum(listTypes),
	sources: z.array(listSource).min(1),
	format: z.enum(listFormats).default('text'),
	/** Maximum served values; further ones are dropped with a log entry. */
	size: z.number().int().min(1).max(10_000_000).default(1_000_000),
	refreshS: z
		.number()
		.int()
		.min(10)
		.max(86_400 * 30)
		.default(300),
	/** A rebuild that loses more than this percentage of the values is not published until confirmed. */
	shrinkGuardPercent: z.number().min(0).max(100).default(50),
	allowEmpty: z.boolean().default(false),
	stripPort: z.boolean().default(true),
	stripProtocol: z.boolean().default(true),
	dropInvalid: z.boolean().default(true),
	collapse: z.enum(['none', 'ranges', 'cidrs']).default('none'),
	commentIfEmpty: z.boolean().default(true),
	/** Values never published: addresses, networks, domains or hashes. */
	never: z.array(z.string().min(1)).default([]),
	/** Allows private networks (RFC 1918, RFC 4193, RFC 6598); otherwise they are removed like those of `never`. */
	allowPrivate: z.boolean().default(false)
})
export type ListService = z.infer<typeof listServiceSchema>
export type ListSource = z.infer<typeof listSource>

/** Of an indicator export. */
export const mostCollections = 100

/** Indicator export: lists as STIX 2.1 indicators over TAXII 2.1. */
export const indicatorServiceSchema = z.strictObject({
	service: z.literal('indicators'),
	title: z.string().min(1).max(200).default('Indicators of Cordon'),
	collections: z
		.array(
			z.strictObject({
				name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'is not a name of letters, digits, ".", "_" and "-"'),
				description: z.string().max(1000).default(''),
				sources: z.array(listSource).min(1)
			})
		)
		.min(1)
		.max(mostCollections)
		.refine(all => new Set(all.map(({name}) => name)).size === all.length, 'has a name twice'),
	refreshS: z
		.number()
		.int()
		.min(10)
		.max(86_400 * 30)
		.default(300),
	/** Maximum objects per response. */
	pageSize: z.number().int().min(1).max(10_000).default(1000)
})
export type IndicatorService = z.infer<typeof indicatorServiceSchema>

/** Incoming webhook: signed requests become notes, questions and proposals. Needs signature access. */
export const webhookServiceSchema = z.strictObject({
	service: z.literal('webhook'),
	/** Connection of the requests. */
	connection: z.string().min(1),
	notes: z.boolean().default(true),
	/** "Who has this hash?" */
	questions: z.boolean().default(true),
	/** Whether isolations may be proposed. */
	proposals: z.boolean().default(false),
	/** Playbooks that may be started, by ID or name: only those allowed to start unattended. */
	playbooks: z.array(z.string().min(1).max(300)).max(100).default([])
})
export type WebhookService = z.infer<typeof webhookServiceSchema>

/** Stands for a stored hidden value; returned unchanged, it keeps the value. */
export const storedValue = maskedCode

const programSchema = z.discriminatedUnion('kind', [
	/** Run outside Cordon. */
	z.strictObject({kind: z.literal('external')}),
	/** Run by Cordon: `PORT` has its port, and `HOST` the address to bind. */
	z.strictObject({
		kind: z.literal('managed'),
		/** Program and arguments, without a shell. */
		command: z.array(z.string().min(1)).min(1),
		folder: z.string().nullable().default(null),
		/** Values are shown as `storedValue`. */
		environment: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a name of a variable'), z.string()).default({})
	}),
	/** Part of Cordon. Further services join this union. */
	z.strictObject({
		kind: z.literal('builtin'),
		builtin: z.discriminatedUnion('service', [listServiceSchema, indicatorServiceSchema, webhookServiceSchema])
	})
])
export type Program = z.infer<typeof programSchema>

/** All settings of one instance; each field except name and program has a default. */
export const instanceDefinitionSchema = z.strictObject({
	name: instanceNameSchema,
	/** `null`: a free loopback port is chosen when saved, and kept. */
	listenPort: z.number().int().min(1).max(65_535).nullable().default(null),
	/** Its address on this computer. */
	host: z.enum(['127.0.0.1', '::1']).default('127.0.0.1'),
	/** PEM of a certificate for direct access; must be empty when it is reached through the route. */
	certificate: z.string().default(''),
	program: programSchema.default({kind: 'external'}),
	enabled: z.boolean().default(true),
	/** Managed and built-in instances listen on every interface instead of loopback only. */
	openPort: z.boolean().default(false),
	access: accessSchema.default({kind: 'none'}),
	/** Peers allowed to use its route; empty: all. */
	allow: z.array(networkSchema).default([]),
	/** Origins of other sites whose pages may call it. */
	origins: z.array(z.string()).default([]),
	/** `null`: every method except CONNECT and TRACE. */
	methods: z.array(forwardedMethodSchema).min(1).nullable().default(null),
	limits: z
		.strictObject({
			/** Bytes; 0: no limit. */
			body: z.number().int().min(0).default(0),
			/** Bytes of the request's head, at most the server's own limit. */
			head: z.number().int().min(1024).max(65_536).default(65_536),
			/** Requests per second from one address, and the allowed burst; 0: no limit. */
			ratePerSecond: z.number().min(0).default(0),
			burst: z.number().int().min(1).default(50),
			/** Concurrent requests at the instance; 0: no limit. Further ones wait in the queue, and beyond that get 429. */
			concurrency: z.number().int().min(0).default(0),
			queue: z.number().int().min(0).default(100)
		})
		.prefault({}),
	timeouts: z
		.strictObject({
			connectS: seconds.default(2),
			/** Until the first byte of the answer; 0: none. */
			firstByteS: seconds.default(300),
			/** Maximum silence within a body or on a WebSocket; 0: none. */
			idleS: seconds.default(300),
			/** Minimum bytes per second of a request's body after 20 s; 0: none. */
			minRate: z.number().int().min(0).default(240)
		})
		.prefault({}),
	websocket: z.boolean().default(true),
	/** Names of forwarded trailer fields, in both directions. */
	trailers: z.array(methodSchema).default([]),
	/** `preserve`: as received. `loopback`: `127.0.0.1:<port>`. Anything else: this text. */
	hostHeader: z.string().min(1).default('preserve'),
	/** Removes `Authorization` after the route's access check. */
	stripAuthorization: z.boolean().default(false),
	rewriteLocation: z.boolean().default(true),
	scopeCookies: z.boolean().default(true),
	/** `Forwarded` (RFC 7239) besides `X-Forwarded-*`. */
	forwarded: z.boolean().default(false),
	/** Browsers open it: `/<name>` leads to `/<name>/`. */
	webInterface: z.boolean().default(false),
	/** Seconds for which the last good answer to a GET is served when the instance fails; 0: never. */
	serveStaleS: seconds.default(0),
	/** Equal GETs at the same time cost one request at the instance. */
	singleFlight: z.boolean().default(false),
	healthCheck: z
		.strictObject({
			path: z.string().startsWith('/', 'is not a path').default('/'),
			/** 0: only the port is checked. No request is sent. */
			intervalS: z.number().min(0).max(86_400).default(10),
			/** Healthy statuses; empty: any response below 500. */
			expect: z.array(z.number().int().min(100).max(599)).default([])
		})
		.prefault({})
})
export type InstanceDefinition = z.infer<typeof instanceDefinitionSchema>
export type InstanceInput = z.input<typeof instanceDefinitionSchema>

/** A stored instance. */
export interface Instance extends InstanceDefinition {
	readonly id: string
	readonly listenPort: number
	/** Earlier names: their URLs work until another instance takes the name. */
	readonly aliases: readonly string[]
	/** Which secrets are stored, never their values. */
	readonly secrets: {users: readonly string[]; tokens: number; signingKey: boolean}
	readonly createdAt: string
	readonly revision: number
}

const instanceStates = ['disabled', 'starting', 'healthy', 'unhealthy', 'stopped'] as const
export type InstanceState = (typeof instanceStates)[number]

export type InstanceHealth = Readonly<{
	state: InstanceState
	/** Why, in a sentence; `null` only when healthy. A healthy one may still have a remark. */
	reason: string | null
	/** ISO 8601: start of this state, and last check. */
	since: string
	checkedAt: string | null
}>
