/** Access checks of an instance, for all kinds of access. Keeps no secret in the clear beyond a request. */
import {hash, timingSafeEqual, X509Certificate} from 'node:crypto'
// Before `toLegacyObject` loads a part of it: Node leaves the rest incomplete.
import 'node:tls'

import type {ClientCertificate, Peer, RequestHead} from '../message-types.ts'
import type {AccessRule} from '../types.ts'
import {type Attempts, createBackOff} from './back-off.ts'
import {askForBasic, createBasic} from './basic.ts'
import {type CertificateExtension, extensionsOf, oids, pathLength} from './extensions.ts'
import {fieldText, proofOf} from './fields.ts'
import {createSignatures} from './signature.ts'
import {forbidden, type Granted, open, type Refused, tooMany, unauthorized} from './verdict.ts'

interface AccessSource {
	/** Unix milliseconds. */
	now(): number
	monotonic(): number
	random(bytes: number): Uint8Array
}

export type Access = ReturnType<typeof createAccess>

type ProvingRule = Exclude<AccessRule, {kind: 'none' | 'certificate'}>

export function createAccess(source: AccessSource) {
	const backOff = createBackOff(source.monotonic)
	const basic = createBasic(source.monotonic, source.random)
	const signatures = createSignatures(source.now)

	function check(rule: AccessRule, head: RequestHead, peer: Peer, instanceId: string) {
		if (rule.kind === 'none') return open
		// A certificate cannot be guessed, so failures cause no delay.
		if (rule.kind === 'certificate') return checkCertificate(rule, peer.certificate, source.now())
		const waitMs = backOff.waitMs(instanceId, peer.client)
		if (waitMs > 0) return tooMany('access_backed_off', 'Too many failed attempts: wait before the next.', waitMs)
		return prove(rule, head, instanceId, {
			begin: () => backOff.begin(instanceId, peer.client),
			forgive: () => backOff.forgive(instanceId, peer.client)
		})
	}

	function prove(rule: ProvingRule, head: RequestHead, instanceId: string, attempts: Attempts) {
		if (rule.kind === 'hmac') return signatures.check(rule, head.fields, instanceId, attempts)
		const proof = proofOf(head.fields, rule.kind === 'bearer' ? rule.header : 'authorization')
		if (proof === null || proof === 'several') return rule.kind === 'basic' ? askForBasic(rule) : askForToken(rule)
		if (rule.kind === 'basic') return basic.check(rule, proof.value, instanceId, attempts)
		return bearer(rule, proof.value, attempts)
	}

	return {
		/**
		 * Decides from the head, synchronously where possible; never rejects. `peer.client` is the address delayed after failed
		 * attempts. The allow list of addresses is checked separately: see `isAllowed`.
		 */
		check
	}
}

function bearer(rule: BearerRule, proof: string, attempts: Attempts) {
	const attempt = attempts.begin()
	if (attempt === null) return tooMany('access_backed_off', 'Too many attempts at once.', 1000)
	const verdict = checkBearer(rule, proof)
	attempt.end(verdict.kind === 'granted' ? 'good' : 'bad')
	return verdict
}

/** A token in `Authorization: Bearer …` (RFC 6750), or bare in a field of its own. */
type BearerRule = Extract<AccessRule, {kind: 'bearer'}>

const compiled = new WeakMap<readonly string[], readonly Buffer[]>()

function checkBearer(rule: BearerRule, proof: string) {
	const token = inAuthorization(rule) ? (/^bearer +(\S+) *$/i.exec(proof)?.[1] ?? null) : proof.trim()
	if (token === null || token === '') return wrongToken()
	// Fields are Latin-1, byte for byte: these are the client's own bytes.
	const digest = hash('sha256', Buffer.from(token, 'latin1'), 'buffer')
	// All are compared, so that the time does not reveal which one matched.
	const hits = digestsOf(rule.verifiers).filter(verifier => timingSafeEqual(verifier, digest))
	return hits.length > 0 ? open : wrongToken()
}

function askForToken(rule: BearerRule) {
	const where = inAuthorization(rule) ? 'A bearer token is needed.' : `A token is needed in ${rule.header}.`
	return unauthorized('access_missing', where, 'Bearer realm="Cordon"')
}

function wrongToken() {
	return unauthorized('access_wrong', 'The token is wrong.', 'Bearer realm="Cordon", error="invalid_token"')
}

function inAuthorization(rule: BearerRule) {
	return rule.header.toLowerCase() === 'authorization'
}

function digestsOf(verifiers: readonly string[]) {
	const known = compiled.get(verifiers)
	if (known !== undefined) return known
	const digests = verifiers.map(verifier => Buffer.from(verifier, 'hex')).filter(digest => digest.length === 32)
	compiled.set(verifiers, digests)
	return digests
}

/** Client certificates: the presented chain, up to one of the authorities of the instance (RFC 5280, section 6). */
type CertificateRule = Extract<AccessRule, {kind: 'certificate'}>

interface Link {
	x509: X509Certificate
	extensions: readonly CertificateExtension[]
}

/** The outcome is valid between these times. */
interface Outcome {
	verdict: Granted | Refused
	from: number
	until: number
}

const clientAuth = '1.3.6.1.5.5.7.3.2'
const anyUse = '2.5.29.37.0'
const longestChain = 8
/** Extensions supported here. An unknown critical extension must be refused. */
const understood: ReadonlySet<string> = new Set([
	oids.basicConstraints,
	oids.keyUsage,
	oids.extendedKeyUsage,
	oids.subjectKeyId,
	oids.authorityKeyId,
	oids.alternativeName,
	oids.certificatePolicies
])
const weakSignature = /md5|sha1/i

const authoritiesOf = new WeakMap<CertificateRule, readonly Link[]>()
const outcomes = new WeakMap<CertificateRule, WeakMap<ClientCertificate, Outcome>>()

/** `now`: Unix milliseconds. The signatures are checked once for each connection and rule. */
function checkCertificate(rule: CertificateRule, shown: ClientCertificate | null, now: number) {
	if (shown === null) return forbidden('access_missing', 'A client certificate is needed.')
	const known = outcomes.get(rule)?.get(shown)
	if (known !== undefined && now >= known.from && now < known.until) return known.verdict
	const outcome = decide(rule, shown, now)
	const ofRule = outcomes.get(rule) ?? new WeakMap<ClientCertificate, Outcome>()
	outcomes.set(rule, ofRule.set(shown, outcome))
	return outcome.verdict
}

function decide(rule: CertificateRule, shown: ClientCertificate, now: number): Outcome {
	const links = shown.chain.slice(0, longestChain).map(der => parse(Buffer.from(der)))
	const [leaf] = links
	const none = {from: now, until: now}
	if (leaf === undefined || leaf === null) return {verdict: wrong('cannot be read'), ...none}
	const others = links.slice(1).filter(link => link !== null)
	const path = findPath(leaf, others, trusted(rule), now)
	if (typeof path === 'string') return {verdict: wrong(path), ...none}
	const name = commonName(leaf.x509)
	if (rule.names.length > 0 && !(name !== null && rule.names.includes(name))) {
		return {verdict: forbidden('access_wrong', 'The name in the client certificate is not allowed here.'), ...none}
	}
	const from = Math.max(...path.map(({x509}) => Date.parse(x509.validFrom)))
	const until = Math.min(...path.map(({x509}) => Date.parse(x509.validTo)))
	return {verdict: granted(leaf.x509, name), from, until}
}

/**
 * From the client's certificate to an authority, both included; or the fault of the chain. An authority was named by the
 * operator: apart from its path length, its own extensions do not bind.
 */
function findPath(leaf: Link, others: readonly Link[], authorities: readonly Link[], now: number) {
	const problem = leafProblem(leaf, now)
	if (problem !== null) return problem
	const path = [leaf]
	for (;;) {
		const current = path.at(-1) ?? leaf
		if (authorities.some(({x509}) => x509.raw.equals(current.x509.raw))) return path
		const issuers = [...authorities, ...others.filter(link => isUnderstood(link.extensions))]
		const found = issuers.filter(link => !path.includes(link) && hasIssued(link, current, path.length - 1))
		const issuer = found.find(link => isValidAt(link.x509, now))
		if (found.length === 0) return 'was not issued by an authority that is accepted here'
		if (issuer === undefined) return 'has an authority that is not valid at this time'
		path.push(issuer)
	}
}

function leafProblem({x509, extensions}: Link, now: number) {
	if (!isValidAt(x509, now)) return 'is not valid at this time'
	const uses = extensions.some(({oid}) => oid === oids.extendedKeyUsage) ? (x509.keyUsage ?? []) : null
	if (uses !== null && !uses.some(use => use === clientAuth || use === anyUse)) return 'is not meant for clients'
	if (!isUnderstood(extensions)) return 'has a critical extension that is not understood here'
	return isWeak(x509) ? 'has a weak signature' : null
}

/** `between`: number of authorities between the issuer and the client. */
function hasIssued(issuer: Link, subject: Link, between: number) {
	const limit = pathLength(issuer.extensions)
	if (!issuer.x509.ca || (limit !== null && between > limit)) return false
	return !isWeak(subject.x509) && subject.x509.checkIssued(issuer.x509) && subject.x509.verify(issuer.x509.publicKey)
}

function isUnderstood(extensions: readonly CertificateExtension[]) {
	return extensions.every(({critical, oid}) => !critical || understood.has(oid))
}

/** Newer Node gives the algorithm; otherwise the key's length decides. */
function isWeak(x509: X509Certificate) {
	if ((x509.publicKey.asymmetricKeyDetails?.modulusLength ?? 2048) < 2048) return true
	const algorithm: unknown = 'signatureAlgorithm' in x509 ? x509.signatureAlgorithm : undefined
	return typeof algorithm === 'string' && weakSignature.test(algorithm)
}

function isValidAt(x509: X509Certificate, now: number) {
	return Date.parse(x509.validFrom) <= now && now < Date.parse(x509.validTo)
}

function granted(x509: X509Certificate, name: string | null): Granted {
	const fingerprint = x509.fingerprint256.replaceAll(':', '').toLowerCase()
	const subject = fieldText(x509.subject.replaceAll('\n', ','))
	const fields = ['X-Client-Cert-Subject', subject, 'X-Client-Cert-SHA256', fingerprint, 'X-Client-Cert-Serial', x509.serialNumber]
	return {kind: 'granted', user: name, fields: name === null ? fields : ['X-Console-User', fieldText(name), ...fields]}
}

function wrong(problem: string) {
	return forbidden('access_wrong', `The client certificate ${problem}.`)
}

/** Two common names count as none: choosing one would be a guess. */
function commonName(x509: X509Certificate) {
	const name: unknown = x509.toLegacyObject().subject?.CN
	return typeof name === 'string' ? name : null
}

function trusted(rule: CertificateRule) {
	const known = authoritiesOf.get(rule)
	if (known !== undefined) return known
	const blocks = rule.authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
	const links = blocks.map(block => parse(Buffer.from(block))).filter(link => link !== null)
	authoritiesOf.set(rule, links)
	return links
}

function parse(bytes: Buffer): Link | null {
	try {
		const x509 = new X509Certificate(bytes)
		const extensions = extensionsOf(x509.raw)
		return extensions === null ? null : {x509, extensions}
	} catch {
		return null
	}
}
