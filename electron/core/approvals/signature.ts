/** Signed answers: what is signed, by which key, and whether it verifies. Pure. */
import {createPublicKey, hash, sign, verify, type KeyObject} from 'node:crypto'

import {invalidArgument} from '#contract/errors.ts'
import {approvalSubjectSchema, signedAnswerSchema, type ApprovalSubject, type SignedAnswer, type TrustedKey} from '#model/approval.ts'

import {canonicalJson} from '#base/canonical.ts'

export type Algorithm = TrustedKey['algorithm']

interface PublicKey {
	id: string
	algorithm: Algorithm
	pem: string
}

const kinds: Readonly<Record<string, Algorithm>> = {ed25519: 'ed25519', ec: 'ec', rsa: 'rsa'}

/** A public key as PEM, or as the Base64 of its SPKI. Throws `invalid_argument`. */
export function readPublicKey(text: string, field: string): PublicKey {
	const body = text.includes('-----') ? text : `-----BEGIN PUBLIC KEY-----\n${text.trim()}\n-----END PUBLIC KEY-----\n`
	// A private key would be read as its public part: whoever pastes one must learn of it.
	if (body.includes('PRIVATE KEY')) throw invalidArgument('This is a private key. Give the public one.', field)
	const key = attempt(() => createPublicKey(body), 'This is not a public key: give PEM, or Base64 of its SPKI.', field)
	return publicKeyOf(key, field)
}

export function publicKeyOf(key: KeyObject, field = 'key'): PublicKey {
	const algorithm = kinds[key.asymmetricKeyType ?? '']
	if (algorithm === undefined) throw invalidArgument('Keys are Ed25519, ECDSA (P-256) or RSA.', field)
	const id = hash('sha256', key.export({type: 'spki', format: 'der'}), 'hex')
	return {id, algorithm, pem: String(key.export({type: 'spki', format: 'pem'}))}
}

export interface SigningKey {
	readonly id: string
	readonly key: KeyObject
}

interface Verdict extends Pick<SignedAnswer, 'verdict' | 'reason'> {
	at: number
}

export function signAnswer(subject: ApprovalSubject, {id, key}: SigningKey, {verdict, reason, at}: Verdict): SignedAnswer {
	const answer = {...({format: 'cordon-signature/1', subject, verdict, key: id, reason} as const), signedAt: new Date(at).toISOString()}
	return {...answer, signature: sign(null, signedBytes(answer), key).toString('base64')}
}

function signedBytes(answer: Omit<SignedAnswer, 'signature'>) {
	return Buffer.from(canonicalJson(answer), 'utf8')
}

export function isSigned({signature, ...answer}: SignedAnswer, publicKey: string) {
	try {
		return verify(null, signedBytes(answer), createPublicKey(publicKey), Buffer.from(signature, 'base64'))
	} catch {
		return false
	}
}

/** A signature from a file of any origin. Throws `invalid_argument`. */
export function readSignedAnswer(text: string): SignedAnswer {
	const value: unknown = attempt(() => JSON.parse(text), 'The file is not JSON.', 'file')
	const parsed = signedAnswerSchema.safeParse(value)
	if (parsed.success) return parsed.data
	const [issue] = parsed.error.issues
	throw invalidArgument(`The file holds no signature: ${issue?.path.map(String).join('.') ?? ''} is wrong.`, 'file')
}

/** The field in which two subjects differ, else `undefined`. Its signer read title and name of the connection, too. */
export function differenceOf(one: ApprovalSubject, other: ApprovalSubject): string | undefined {
	return approvalSubjectSchema.keyof().options.find(name => canonicalJson(one[name]) !== canonicalJson(other[name]))
}

function attempt<T>(work: () => T, message: string, field: string) {
	try {
		return work()
	} catch {
		throw invalidArgument(message, field)
	}
}
