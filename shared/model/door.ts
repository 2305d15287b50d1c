/** Access for other programs: the local API and assistants, and their tokens. */
import {z} from 'zod'

const tokenKinds = ['program', 'assistant'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** `change`: a program makes changes, and an assistant proposes them. Neither ever approves. */
const tokenScopes = ['read', 'change'] as const
export type TokenScope = (typeof tokenScopes)[number]

const mostTokenDays = 366

export const newTokenSchema = z.object({
	name: z.string().trim().min(1).max(60),
	kind: z.enum(tokenKinds).default('program'),
	scope: z.enum(tokenScopes).default('read'),
	/** Ids or names of connections. */
	connections: z.array(z.string().min(1)).min(1).max(100),
	days: z.int().min(1).max(mostTokenDays).default(90),
	/** Requests. */
	perMinute: z.int().min(1).max(10_000_000).default(600)
})
export type NewToken = z.input<typeof newTokenSchema>

/** A token for display: the token itself is shown once, when created. */
export type AccessToken = Readonly<{
	id: string
	name: string
	kind: TokenKind
	scope: TokenScope
	/** Ids. */
	connections: readonly string[]
	createdAt: string
	createdBy: string
	endsAt: string
	state: 'live' | 'expired' | 'revoked'
	perMinute: number
	/** `null`: never. */
	usedAt: string | null
	/** The last user, by its own name. */
	client: string | null
	requests: number
	refused: number
}>

export function scopeWords({kind, scope}: Pick<AccessToken, 'kind' | 'scope'>) {
	return scope === 'change' && kind === 'assistant' ? 'read, propose' : scope
}

export interface MadeToken extends AccessToken {
	readonly token: string
}

/** Whether the local API is enabled, and its address. */
export type DoorState = Readonly<{
	on: boolean
	/** `null`: a UNIX socket in the profile. */
	port: number | null
	/** The present address; `null` when not listening. */
	address: string | null
	/** Why it is not listening although enabled, in a sentence. */
	problem: string | null
}>

export const doorChangeSchema = z.object({on: z.boolean(), port: z.int().min(0).max(65_535).nullable().optional()})
export type DoorChange = z.infer<typeof doorChangeSchema>

export const usualApiPort = 4810

/** A new token for a connection, or an existing token by ID or name. */
export const doorSubjectSchema = z.union([z.object({connection: z.string().min(1)}), z.object({token: z.string().min(1).max(100)})])
export type DoorSubject = z.infer<typeof doorSubjectSchema>

/** The result of a test request through the API. */
export type DoorTest = Readonly<{ok: boolean; status: number | null; message: string; durationMs: number}>

/** An operation of the local API, for its reference. */
export type ApiOperation = Readonly<{
	id: string
	method: string
	path: string
	summary: string
	scope: TokenScope
	parameters: readonly {name: string; place: 'path' | 'query'; summary: string}[]
}>
