/** Tokens: named, scoped, bound to connections, with an expiry. The profile stores hashes; the text is shown once. */
import {hash, timingSafeEqual} from 'node:crypto'

import {CordonError, invalidArgument} from '#contract/errors.ts'
import {newTokenSchema, type AccessToken, type MadeToken, type NewToken} from '#model/door.ts'
import type {Surface} from '#model/incident.ts'

import {timeOrderedId} from '#base/ids.ts'
import type {Clock} from '#base/ports.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Database} from '#core/store/database.ts'
import {versionOf} from '#core/store/version.ts'

export interface TokenDependencies {
	clock: Clock
	operator: string
	random: (bytes: number) => Uint8Array
	database: Database
	connections: Pick<Connections, 'find'>
	/** Changes with every write to the database; omitted where tokens are rarely checked. */
	version?: () => string
	/** Appends to the incident log in the same transaction. */
	note: (entry: NewEntry) => void
}

export type Tokens = ReturnType<typeof openTokens>

interface Row extends Omit<AccessToken, 'connections' | 'state'> {
	connections: string
	revokedAt: string | null
	hash: string
}

interface Use {
	requests: number
	refused: number
	client: string | null
	/** Unix time. */
	at: number
	/** Monotonic. */
	written: number
}

const columns = `id, name, kind, scope, hash, connections, created_at AS createdAt, created_by AS createdBy, ends_at AS endsAt,
  revoked_at AS revokedAt, per_minute AS perMinute, used_at AS usedAt, client, requests, refused`
const dayMs = 86_400_000
const keptDays = 30
const writeEveryMs = 1000
const lentAs = 'lent '
const tokenPrefix = 'cordon_'

function hashOf(token: string) {
	return hash('sha256', token, 'hex')
}

export function openTokens(deps: TokenDependencies) {
	const {database, clock} = deps
	const uses = new Map<string, Use>()
	/** Ids by hash. */
	const lent = new Map<string, string>()
	const known = rememberAdmitted(deps.version ?? (() => versionOf(database)), clock.now)
	const view = (row: Row) => viewOf(row, uses.get(row.id), clock.now())
	const rows = () => database.all<Row>(`SELECT ${columns} FROM api_token ORDER BY created_at DESC, id DESC`)
	const find = (idOrName: string) => findToken(rows().map(view), idOrName, true)
	const live = (row: Row | undefined) => {
		const found = row === undefined ? undefined : view(row)
		if (found?.state !== 'live') throw new CordonError('token_refused')
		return found
	}
	return {
		/** Newest first. */
		list: () => rows().map(view),
		create: (input: NewToken, surface: Surface) => create(deps, input, surface, rows().map(view)),
		/** By id or name; effective at once. */
		revoke: (idOrName: string, surface: Surface, forget = false): AccessToken => {
			const found = findToken(rows().map(view), idOrName)
			database.transaction(() => {
				database.run('UPDATE api_token SET revoked_at = ? WHERE id = ?', isoOf(clock.now()), found.id)
				if (forget) database.run('DELETE FROM api_token WHERE id = ?', found.id)
				deps.note(entryOf(`The token ${found.name} was revoked.`, found, surface))
			})
			known.clear()
			return {...found, state: 'revoked'}
		},
		/** The valid token with this text. Throws `token_refused`. */
		admit: (token: string) => {
			const wanted = hashOf(token)
			const before = known.get(wanted)
			if (before !== undefined) return before
			const id = lent.get(wanted)
			lent.delete(wanted)
			if (id !== undefined) return {...live(rows().find(one => one.id === id)), id: `${lentAs}${id}`}
			const row = database.get<Row>(`SELECT ${columns} FROM api_token WHERE hash = ?`, wanted)
			const same = row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(wanted))
			return known.set(wanted, live(same ? row : undefined))
		},
		/** Whether it is still valid: an answer may take long. */
		isLive: (id: string) => {
			const row = database.get<Row>(`SELECT ${columns} FROM api_token WHERE id = ?`, id.replace(lentAs, ''))
			return row !== undefined && view(row).state === 'live'
		},
		/** The enabled assistant with this name, for standard input. Throws `token_refused`. */
		assistant: (name: string) => live(rows().find(row => row.kind === 'assistant' && row.revokedAt === null && isNamed(row, name))),
		/** By id or name; a live one before others of that name. */
		find,
		/** A text valid for one request instead of that token (id or name), until returned. No token has its id, so it is no use. */
		lend: (idOrName: string) => {
			const token = find(idOrName)
			const text = `${tokenPrefix}${Buffer.from(deps.random(32)).toString('base64url')}`
			const key = hashOf(text)
			lent.set(key, token.id)
			return {token, text, end: () => void lent.delete(key)}
		},
		/** Counts a request; stored at most once a second per token. */
		used: (id: string, use: {refused: boolean; client: string | undefined}) => count(deps, uses, id, use),
		/** Writes down what was counted. */
		flush: () => {
			for (const [id, use] of uses) write(database, id, use)
		}
	}
}

/** Admitted tokens by hash, until the database changes or the token expires. */
function rememberAdmitted(version: () => string, now: () => number) {
	const all = new Map<string, {token: AccessToken; endsAt: number}>()
	let of = ''
	return {
		get: (key: string) => {
			const current = version()
			if (current !== of) all.clear()
			of = current
			const found = all.get(key)
			return found === undefined || found.endsAt <= now() ? undefined : found.token
		},
		set: (key: string, token: AccessToken) => {
			all.set(key, {token, endsAt: Date.parse(token.endsAt)})
			return token
		},
		clear: () => all.clear()
	}
}

function create({database, ...parts}: TokenDependencies, input: NewToken, surface: Surface, known: readonly AccessToken[]) {
	const {data: wanted, error} = newTokenSchema.safeParse(input)
	if (wanted === undefined) throw unfit(String(error.issues[0]?.path[0]))
	if (known.some(one => one.state === 'live' && isNamed(one, wanted.name)))
		throw new CordonError('taken', `There is a token ${wanted.name} already. Nothing was done.`, {field: 'name'})
	const connections = [...new Set(wanted.connections.map(one => parts.connections.find(one).id))]
	const now = parts.clock.now()
	const token = `${tokenPrefix}${Buffer.from(parts.random(32)).toString('base64url')}`
	const made: MadeToken = {
		...wanted,
		...{connections, token, id: timeOrderedId(now, parts.random), state: 'live'},
		...{createdAt: isoOf(now), createdBy: parts.operator, endsAt: isoOf(now + wanted.days * dayMs)},
		...{usedAt: null, client: null, requests: 0, refused: 0}
	}
	database.transaction(() => {
		database.run('DELETE FROM api_token WHERE ends_at < ?1 OR revoked_at < ?1', isoOf(now - keptDays * dayMs))
		database.run(
			`INSERT INTO api_token (id, name, kind, scope, hash, connections, created_at, created_by, ends_at, per_minute)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			...[made.id, made.name, made.kind, made.scope, hashOf(token), JSON.stringify(connections)],
			...[made.createdAt, made.createdBy, made.endsAt, made.perMinute]
		)
		const names = connections.map(one => parts.connections.find(one).name).join(', ')
		parts.note(entryOf(`The token ${made.name} was created: ${made.scope}, ${names}, until ${made.endsAt}.`, made, surface))
	})
	return made
}

function unfit(field: string) {
	const problem = field === 'name' ? 'needs a name of 1 to 60 characters' : `cannot have these ${field}`
	return invalidArgument(`A token ${problem}. Nothing was done.`, field)
}

function entryOf(message: string, {id, name, kind, scope, connections, endsAt}: AccessToken, surface: Surface): NewEntry {
	return {kind: 'session.changed', surface, message, data: {token: name, id, kind, scope, connections, endsAt}}
}

function findToken(known: readonly AccessToken[], idOrName: string, dead = false) {
	const named = known.filter(one => isNamed(one, idOrName))
	const found = known.find(({id}) => id === idOrName) ?? named.find(one => one.state === 'live') ?? (dead ? named[0] : undefined)
	if (found === undefined) throw new CordonError('not_found', `There is no token ${idOrName}.`, {field: 'name'})
	return found
}

function isNamed({name}: Pick<AccessToken, 'name'>, wanted: string) {
	return name.toLowerCase() === wanted.trim().toLowerCase()
}

function viewOf({hash: _hash, revokedAt, connections, ...row}: Row, use: Use | undefined, now: number): AccessToken {
	return {
		...row,
		connections: JSON.parse(connections) as readonly string[], // written by `create`
		state: revokedAt !== null ? 'revoked' : Date.parse(row.endsAt) <= now ? 'expired' : 'live',
		...(use !== undefined && {
			requests: row.requests + use.requests,
			refused: row.refused + use.refused,
			usedAt: isoOf(use.at),
			client: use.client
		})
	}
}

function count({database, clock}: TokenDependencies, uses: Map<string, Use>, id: string, use: Parameters<Tokens['used']>[1]) {
	const own = uses.get(id) ?? {requests: 0, refused: 0, client: null, at: 0, written: Number.NEGATIVE_INFINITY}
	uses.set(id, own)
	own.requests += 1
	if (use.refused) own.refused += 1
	own.client = use.client?.slice(0, 100) ?? own.client
	own.at = clock.now()
	if (clock.monotonic() - own.written < writeEveryMs) return
	own.written = clock.monotonic()
	write(database, id, own)
}

function write(database: Database, id: string, use: Use) {
	if (use.requests === 0) return
	database.run(
		'UPDATE api_token SET requests = requests + ?, refused = refused + ?, used_at = ?, client = ? WHERE id = ?',
		...[use.requests, use.refused, isoOf(use.at), use.client, id]
	)
	use.requests = 0
	use.refused = 0
}

function isoOf(ms: number) {
	return new Date(ms).toISOString()
}
