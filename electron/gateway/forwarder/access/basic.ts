/** User and password (RFC 7617). */
import {hash} from 'node:crypto'

import {createTurns} from '#base/turns.ts'
import type {Fields} from '../message-types.ts'
import type {AccessRule} from '../types.ts'
import type {Attempt, Attempts} from './back-off.ts'
import {fieldText} from './fields.ts'
import {isPassword} from './password.ts'
import {type AccessVerdict, type Granted, overloaded, type Refused, tooMany, unauthorized} from './verdict.ts'

type BasicRule = Extract<AccessRule, {kind: 'basic'}>

interface Remembered {
	user: string
	/** The matching verifier: with another verifier the credential is invalid. */
	verifier: string
	until: number
}

interface Credential {
	user: string
	password: string
}

const rememberMs = 5 * 60_000
const capacity = 5000
/** The thread pool has four threads; two stay free for files and names. */
const atOnce = 2
const waiting = 100

export function createBasic(monotonic: () => number, random: (bytes: number) => Uint8Array) {
	const markOf = keyedHash(random)
	const remembered = new Map<string, Remembered>()
	/** Equal credentials at the same time cost one check. */
	const running = new Map<string, Promise<AccessVerdict>>()
	const turn = createTurns(atOnce)
	let checks = 0

	/** `proof`: the value of `Authorization`. `attempts`: of this client, which is not delayed now. */
	function check(rule: BasicRule, proof: string, instanceId: string, attempts: Attempts) {
		const mark = markOf(`${instanceId}\0${proof}`)
		const user = recall(rule, mark)
		if (user !== null) {
			attempts.forgive()
			return granted(user)
		}
		const credential = parseBasic(proof)
		if (credential === null) return wrong(rule)
		const key = `${mark}${verifierOf(rule, credential.user) ?? ''}`
		const same = running.get(key)
		if (same !== undefined) return same
		const attempt = attempts.begin()
		if (attempt === null) return tooMany('access_backed_off', 'Too many attempts at once.', 1000)
		const verdict = decide(rule, credential, mark, attempt).finally(() => running.delete(key))
		running.set(key, verdict)
		return verdict
	}

	async function decide(rule: BasicRule, credential: Credential, mark: string, attempt: Attempt): Promise<AccessVerdict> {
		const verifier = verifierOf(rule, credential.user)
		const good = await isGood(credential.password, verifier, rule.users[0]?.verifier)
		attempt.end(good === null ? 'undecided' : good ? 'good' : 'bad')
		if (good === null) return overloaded('access_overloaded', 'Too many passwords are being checked.')
		if (!good || verifier === undefined) return wrong(rule)
		remember(mark, {user: credential.user, verifier, until: monotonic() + rememberMs})
		return granted(credential.user)
	}

	/** `null`: cannot be checked now. */
	async function isGood(password: string, verifier: string | undefined, like: string | undefined) {
		if (checks >= atOnce + waiting) return null
		checks += 1
		try {
			return await turn(() => isPassword(password, verifier, like))
		} catch {
			return null
		} finally {
			checks -= 1
		}
	}

	function recall(rule: BasicRule, mark: string) {
		const found = remembered.get(mark)
		if (found === undefined) return null
		remembered.delete(mark)
		if (monotonic() >= found.until || verifierOf(rule, found.user) !== found.verifier) return null
		remembered.set(mark, found)
		return found.user
	}

	function remember(mark: string, entry: Remembered) {
		remembered.set(mark, entry)
		if (remembered.size <= capacity) return
		const [oldest] = remembered.keys()
		if (oldest !== undefined) remembered.delete(oldest)
	}

	return {check}
}

/**
 * HMAC's nesting with two keys of a whole block each, known only to this process: a remembered value cannot be guessed elsewhere.
 * Implemented here because it runs for each request, and `createHmac` takes ten times as long.
 */
function keyedHash(random: (bytes: number) => Uint8Array): (text: string) => string {
	const [inner, outer] = [random(32), random(32)].map(key => Buffer.from(key).toString('hex'))
	return text => hash('sha256', `${outer}${hash('sha256', `${inner}${text}`, 'hex')}`, 'base64')
}

/** The answer to a request without a credential; not counted as an attempt. */
export function askForBasic(rule: BasicRule): Refused {
	return unauthorized('access_missing', 'A user name and password are needed.', challengeOf(rule))
}

function wrong(rule: BasicRule) {
	return unauthorized('access_wrong', 'The user name or password is wrong.', challengeOf(rule))
}

function challengeOf(rule: BasicRule) {
	const realm = fieldText(rule.realm).replaceAll(/["\\]/g, String.raw`\$&`)
	return `Basic realm="${realm}", charset="UTF-8"`
}

function granted(user: string): Granted {
	const fields: Fields = ['X-Console-User', fieldText(user)]
	return {kind: 'granted', user, fields}
}

function verifierOf(rule: BasicRule, user: string) {
	return rule.users.find(({name}) => name.normalize('NFC') === user)?.verifier
}

/**
 * The first colon ends the name: passwords may contain more. Old clients write Latin-1. A NUL is in no password (RFC 7617, 2),
 * and scrypt's HMAC ignores trailing NULs.
 */
function parseBasic(proof: string): Credential | null {
	const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(proof)
	if (match === null) return null
	const bytes = Buffer.from(match[1] ?? '', 'base64')
	const text = decodeUtf8(bytes) ?? bytes.toString('latin1')
	const colon = text.indexOf(':')
	if (colon < 0 || text.includes('\0')) return null
	return {user: text.slice(0, colon).normalize('NFC'), password: text.slice(colon + 1)}
}

function decodeUtf8(bytes: Buffer) {
	try {
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
	} catch {
		return null
	}
}
