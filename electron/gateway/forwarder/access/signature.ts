/** Bodies that are signed with a shared key: Slack, GitHub, Microsoft Teams (route description, 5.4), Standard Webhooks. */
import {createHmac, timingSafeEqual} from 'node:crypto'

import type {Fields} from '../message-types.ts'
import type {AccessRule} from '../types.ts'
import type {Attempts} from './back-off.ts'
import {proofOf} from './fields.ts'
import {type AccessVerdict, open, overloaded, tooMany, unauthorized} from './verdict.ts'

type SignatureRule = Extract<AccessRule, {kind: 'hmac'}>

/** The claim: the signatures, the text before the body that is signed with it, and the time, if any. */
interface Claim {
	/** One of them must be right: while a key is replaced, senders sign with both. */
	signatures: readonly Buffer[]
	prefix: string
	/** Unix seconds. */
	time: number | null
}

/** None of the services sends more. */
const bodyLimit = 1_048_576
const seenCapacity = 20_000

export function createSignatures(now: () => number) {
	const seen = createSeen(now)

	function check(rule: SignatureRule, fields: Fields, instanceId: string, attempts: Attempts): AccessVerdict {
		const claim = claimOf(rule, fields)
		if (claim === null) return refuse('access_missing', 'The request is not signed.')
		if (claim === 'malformed') return refuse('access_wrong', 'The signature is malformed.')
		if (claim.time !== null && Math.abs(now() / 1000 - claim.time) > rule.toleranceS) {
			return refuse('access_expired', 'The signed time is too far from the time here.')
		}
		return {kind: 'needs_body', limitBytes: bodyLimit, verify: body => verify(rule, claim, body, instanceId, attempts)}
	}

	function verify(rule: SignatureRule, claim: Claim, body: Buffer, instanceId: string, attempts: Attempts) {
		const attempt = attempts.begin()
		if (attempt === null) return tooMany('access_backed_off', 'Too many attempts at once.', 1000)
		const good = signatureIn(rule, claim, body)
		attempt.end(good === undefined ? 'bad' : 'good')
		if (good === undefined) return refuse('access_wrong', 'The signature is wrong.')
		if (claim.time === null) return open
		// Within the tolerance a replay would be valid; only a valid signature is remembered.
		const fresh = seen.add(`${instanceId} ${good.toString('base64')}`, (claim.time + rule.toleranceS + 1) * 1000)
		if (fresh === 'full') return overloaded('access_overloaded', 'Too many signed requests at once.')
		return fresh ? open : refuse('access_replayed', 'This signed request was made before.')
	}

	return {check}
}

/** Some keys are bytes in Base64. */
function keyOf({preset, key}: SignatureRule) {
	if (preset === 'standard' && key.startsWith('whsec_')) return Buffer.from(key.slice(6), 'base64')
	return Buffer.from(key, preset === 'teams' ? 'base64' : 'utf8')
}

/** The right signature, if any. */
export function signatureIn(rule: SignatureRule, {prefix, signatures}: Claim, body: Buffer) {
	const key = keyOf(rule)
	if (key.length === 0) return undefined
	const expected = createHmac('sha256', key).update(prefix, 'latin1').update(body).digest()
	return signatures.find(one => one.length === expected.length && timingSafeEqual(one, expected))
}

export function claimOf(rule: SignatureRule, fields: Fields): Claim | 'malformed' | null {
	if (rule.preset === 'slack') return slackClaim(fields)
	if (rule.preset === 'standard') return standardClaim(fields)
	if (rule.preset === 'github') return claim(fields, 'X-Hub-Signature-256', /^sha256=([0-9a-f]{64})$/gi, 'hex')
	return claim(fields, 'Authorization', /^hmac +([A-Za-z0-9+/]{43}=) *$/gi, 'base64')
}

function slackClaim(fields: Fields): Claim | 'malformed' | null {
	const signed = claim(fields, 'X-Slack-Signature', /^v0=([0-9a-f]{64})$/gi, 'hex')
	const time = proofOf(fields, 'X-Slack-Request-Timestamp')
	if (signed === null || signed === 'malformed') return signed
	if (time === null || time === 'several' || !/^\d{1,12}$/.test(time.value)) return 'malformed'
	return {...signed, prefix: `v0:${time.value}:`, time: Number(time.value)}
}

/** Signatures of other versions are ignored. */
function standardClaim(fields: Fields): Claim | 'malformed' | null {
	const signed = claim(fields, 'webhook-signature', /(?<!\S)v1,([A-Za-z0-9+/]{43}=)(?!\S)/g, 'base64')
	const [id, time] = [proofOf(fields, 'webhook-id'), proofOf(fields, 'webhook-timestamp')]
	if (signed === null || signed === 'malformed') return signed
	if (id === null || id === 'several' || time === null || time === 'several') return 'malformed'
	if (!/^\d{1,12}$/.test(time.value) || id.value.length > 300) return 'malformed'
	return {...signed, prefix: `${id.value}.${time.value}.`, time: Number(time.value)}
}

function claim(fields: Fields, name: string, form: RegExp, encoding: 'hex' | 'base64'): Claim | 'malformed' | null {
	const proof = proofOf(fields, name)
	if (proof === null) return null
	const found = proof === 'several' ? [] : [...proof.value.matchAll(form)]
	const signatures = found.map(([, text = '']) => Buffer.from(text, encoding))
	return signatures.length === 0 ? 'malformed' : {signatures, prefix: '', time: null}
}

function refuse(reason: string, detail: string) {
	return unauthorized(reason, detail, 'HMAC realm="Cordon"')
}

/** Seen signatures, until their time expires. Nothing is dropped early: when full, it refuses. */
function createSeen(now: () => number) {
	const until = new Map<string, number>()

	function add(key: string, end: number) {
		const time = now()
		const known = until.get(key)
		if (known !== undefined && known > time) return false
		if (until.size >= seenCapacity) sweep(time)
		if (until.size >= seenCapacity) return 'full'
		until.set(key, end)
		return true
	}

	function sweep(time: number) {
		for (const [key, end] of until) if (end <= time) until.delete(key)
	}

	return {add}
}
