/** Ways into Cordon for other programs: the local API and assistants, and the tokens they come with. */
import {z} from 'zod'

export const tokenKinds = ['program', 'assistant'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** `change`: a program changes, and an assistant proposes. Neither ever approves. */
export const tokenScopes = ['read', 'change'] as const
export type TokenScope = (typeof tokenScopes)[number]

export const mostTokenDays = 366

export const newTokenSchema = z.object({
	name: z.string().trim().min(1).max(60),
	kind: z.enum(tokenKinds).default('program'),
	scope: z.enum(tokenScopes).default('read'),
	/** Ids or names of connections. */
	connections: z.array(z.string().min(1)).min(1).max(100),
	days: z.int().min(1).max(mostTokenDays).default(90),
	/** Requests. */
	perMinute: z.int().min(1).max(10_000_000).default(600),
})
export type NewToken = z.input<typeof newTokenSchema>

/** A token as it is shown: the token itself is shown once, when it is made. */
export interface AccessToken {
	readonly id: string
	readonly name: string
	readonly kind: TokenKind
	readonly scope: TokenScope
	/** Ids. */
	readonly connections: readonly string[]
	readonly createdAt: string
	readonly createdBy: string
	readonly endsAt: string
	readonly state: 'live' | 'expired' | 'revoked'
	readonly perMinute: number
	/** `null`: never. */
	readonly usedAt: string | null
	/** What used it last, as it calls itself. */
	readonly client: string | null
	readonly requests: number
	readonly refused: number
}

/** What it may do. */
export function scopeWords({kind, scope}: Pick<AccessToken, 'kind' | 'scope'>): string {
	return scope === 'change' && kind === 'assistant' ? 'read, propose' : scope
}

export interface MadeToken extends AccessToken {
	readonly token: string
}

/** Whether the local API is on, and where it listens. */
export interface DoorState {
	readonly on: boolean
	/** `null`: a UNIX socket in the profile. */
	readonly port: number | null
	/** Where it answers now; `null` while it does not. */
	readonly address: string | null
	/** Why it does not listen although it is on, in a sentence. */
	readonly problem: string | null
}

export const doorChangeSchema = z.object({on: z.boolean(), port: z.int().min(0).max(65_535).nullable().optional()})
export type DoorChange = z.infer<typeof doorChangeSchema>

export const usualApiPort = 4810

/** Any program of a connection, or a token that is there, by id or name. */
export const doorSubjectSchema = z.union([
	z.object({connection: z.string().min(1)}),
	z.object({token: z.string().min(1).max(100)}),
])
export type DoorSubject = z.infer<typeof doorSubjectSchema>

/** What came of a look through the door. */
export interface DoorTest {
	readonly ok: boolean
	readonly status: number | null
	readonly message: string
	readonly durationMs: number
}

/** An operation of the local API, for its reference. */
export interface ApiOperation {
	readonly id: string
	readonly method: string
	readonly path: string
	readonly summary: string
	readonly scope: TokenScope
	readonly parameters: readonly {readonly name: string; readonly place: 'path' | 'query'; readonly summary: string}[]
}
