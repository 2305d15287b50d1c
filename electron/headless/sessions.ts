import {hash, timingSafeEqual} from 'node:crypto'
import {chmodSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {z} from 'zod'

import type {EntrySession} from '#base/ports.ts'

const ticketLifeMs = 10 * 60_000
const sessionLifeMs = 30 * 24 * 3_600_000
const keepSessions = 50

export type Sessions = ReturnType<typeof openSessions>

type SessionChange = {kind: 'entered' | 'ended'; session: EntrySession}

interface SessionOptions {
	/** Stores sessions as hashes, so that a browser stays signed in after a restart. */
	profile: string
	now: () => number
	random: (bytes: number) => Uint8Array
}

const stored = z.array(z.object({hash: z.string(), openedAt: z.number(), agent: z.string().default('')}))
type Stored = z.infer<typeof stored>

export function openSessions(options: SessionOptions) {
	const file = join(options.profile, 'headless-sessions.json')
	const tickets = new Map<string, number>()
	const alive = ({openedAt}: Stored[number]) => openedAt + sessionLifeMs > options.now()
	let sessions = load(file).filter(alive)
	const secret = () => Buffer.from(options.random(32)).toString('base64url')
	const listeners = new Set<(change: SessionChange) => void>()
	let code: {hash: string; until: number; wrong: number} | undefined
	const tell = (kind: SessionChange['kind'], session: Stored[number]) => {
		for (const listener of listeners) listener({kind, session: shownSession(session)})
	}
	const drop = (gone: Stored) => {
		sessions = sessions.filter(session => !gone.includes(session))
		// Its wire ends on a full disk, too, and whoever ended it hears of that.
		for (const session of gone) tell('ended', session)
		try {
			save(file, sessions)
		} catch (error) {
			// Deleting takes no space: rather all sign in again after a restart than one that was ended comes back.
			if (gone.length > 0) rmSync(file, {force: true})
			throw error
		}
	}
	return {
		/** A new one-time ticket for the entry URL. */
		issueTicket() {
			const ticket = secret()
			tickets.set(hashOf(ticket), options.now() + ticketLifeMs)
			return ticket
		},
		/** True once, within ten minutes. */
		redeem(ticket: string) {
			const hash = hashOf(ticket)
			const until = tickets.get(hash)
			tickets.delete(hash)
			return until !== undefined && options.now() < until
		},
		/** A short code for typing, valid once within ten minutes; five wrong ones end it. */
		issueCode() {
			const text = codeOf(options.random(codeLength))
			code = {hash: hashOf(text), until: options.now() + ticketLifeMs, wrong: 0}
			return `${text.slice(0, codeLength / 2)}-${text.slice(codeLength / 2)}`
		},
		redeemCode(typed: string) {
			const asked = code
			if (asked === undefined || options.now() >= asked.until) return false
			const right = equal(asked.hash, hashOf(typed.toUpperCase().replace(/[^0-9A-Z]/g, '')))
			asked.wrong += 1
			if (right || asked.wrong >= mostWrong) code = undefined
			return right
		},
		/** A new session's token for the cookie. `agent` is the browser's own name. */
		open(agent: string) {
			const token = secret()
			const session = {hash: hashOf(token), openedAt: options.now(), agent: agent.slice(0, 300)}
			sessions = [...sessions, session]
			try {
				drop(sessions.slice(0, -keepSessions))
			} catch {
				// On a full disk it lasts as long as the program.
			}
			tell('entered', session)
			return token
		},
		isSession(token: string) {
			const hash = hashOf(token)
			return sessions.some(session => equal(session.hash, hash) && alive(session))
		},
		/** The id of this token's session. */
		idOf: (token: string) => sessions.find(session => equal(session.hash, hashOf(token)))?.hash.slice(0, idLength),
		/** Newest first. */
		list: () => sessions.filter(alive).map(shownSession).toReversed(),
		/** Ends a session; its cookie is no longer accepted. */
		end: (id: string) => drop(sessions.filter(({hash}) => hash.slice(0, idLength) === id)),
		/** Called with each browser that enters, and each session that is ended. Returns an unsubscribe function. */
		onChange(listener: (change: SessionChange) => void) {
			listeners.add(listener)
			return () => listeners.delete(listener)
		}
	}
}

const codeLength = 8
const mostWrong = 5
const idLength = 16
/** Without letters and digits that look alike (Crockford's base 32). */
const codeLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function codeOf(random: Uint8Array) {
	return [...random].map(byte => codeLetters[byte % codeLetters.length] ?? '').join('')
}

/** The id is derived from the stored hash, so it grants no access. */
function shownSession({hash, openedAt, agent}: Stored[number]): EntrySession {
	return {id: hash.slice(0, idLength), openedAt: new Date(openedAt).toISOString(), agent}
}

/** Lifetime of the cookie, in seconds. */
export const sessionSeconds = sessionLifeMs / 1000

function load(file: string) {
	try {
		return stored.parse(JSON.parse(readFileSync(file, 'utf8')))
	} catch {
		// Absent or damaged: every browser signs in again.
		return []
	}
}

function save(file: string, sessions: Stored) {
	const next = `${file}.new`
	writeFileSync(next, JSON.stringify(sessions), {mode: 0o600})
	chmodSync(next, 0o600)
	renameSync(next, file)
}

function hashOf(secret: string) {
	return hash('sha256', secret, 'hex')
}

function equal(one: string, other: string) {
	return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
