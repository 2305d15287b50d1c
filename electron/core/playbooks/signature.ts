/**
 * Signatures of CACAO documents (JSS): the canonical JSON (RFC 8785) of the document with this one signature and without its
 * value is hashed by SHA-256, and the hexadecimal text of the hash is signed. Pure.
 */
import {hash, createPublicKey, sign, verify} from 'node:crypto'

import {z} from 'zod'

import type {TrustedKey} from '#model/approval.ts'
import type {PlaybookSignature} from '#model/playbook.ts'

import {publicKeyOf, readPublicKey, type Algorithm, type SigningKey} from '#core/approvals/signature.ts'
import {canonicalJson} from '#base/canonical.ts'

const algorithms: Readonly<Record<string, Algorithm>> = {ed25519: 'ed25519', eddsa: 'ed25519', es256: 'ec', rs256: 'rsa'}

const jssSchema = z.looseObject({
	type: z.literal('jss'),
	revoked: z.boolean().optional(),
	valid_from: z.iso.datetime().optional(),
	valid_until: z.iso.datetime().optional(),
	related_to: z.string(),
	related_version: z.string(),
	hash_algorithm: z.string().regex(/^sha-?256$/i),
	algorithm: z.string(),
	public_key: z.string().optional(),
	value: z.string()
})
type Jss = z.infer<typeof jssSchema>

interface Signed {
	id?: unknown
	modified?: unknown
	signatures?: unknown
}

type Publisher = Pick<TrustedKey, 'name' | 'algorithm' | 'publicKey'>

/** The verdict on a document's signatures: one by a trusted key is enough. */
export function signatureOf(document: Signed, trusted: readonly Publisher[], now: number): PlaybookSignature {
	const all = Array.isArray(document.signatures) ? document.signatures : []
	if (all.length === 0) return {state: 'unsigned', by: null}
	const found = all.map((one: unknown) => {
		const jss = jssSchema.safeParse(one).data
		return jss === undefined ? ({state: 'broken', by: null} as const) : worthOf(document, jss, trusted, now)
	})
	return found.find(({state}) => state === 'trusted') ?? found.find(({state}) => state === 'broken') ?? found[0] ?? unsigned
}

const unsigned: PlaybookSignature = {state: 'unsigned', by: null}

function worthOf(document: Signed, jss: Jss, trusted: readonly Publisher[], now: number): PlaybookSignature {
	const algorithm = algorithms[jss.algorithm.toLowerCase()]
	const isOther = jss.related_to !== document.id || jss.related_version !== document.modified
	if (algorithm === undefined || isOther) return {state: 'broken', by: null}
	const text = signedText(document, jss)
	const key = trusted.find(one => one.algorithm === algorithm && fits(text, jss.value, one))
	const isOver =
		jss.revoked === true ||
		(jss.valid_from !== undefined && now < Date.parse(jss.valid_from)) ||
		(jss.valid_until !== undefined && now >= Date.parse(jss.valid_until))
	if (key !== undefined) return {state: isOver ? 'untrusted' : 'trusted', by: key.name}
	// A key named only by the document proves nothing more than that the document is unchanged since it was signed.
	const own = jss.public_key === undefined ? undefined : embedded(jss.public_key)
	return {state: own !== undefined && !fits(text, jss.value, own) ? 'broken' : 'untrusted', by: null}
}

function embedded(text: string): Pick<Publisher, 'algorithm' | 'publicKey'> | undefined {
	try {
		const {algorithm, pem} = readPublicKey(text, 'public_key')
		return {algorithm, publicKey: pem}
	} catch {
		return undefined
	}
}

function signedText(document: Signed, {value: _value, ...jss}: Omit<Jss, 'value'> & {value?: string}) {
	const text = canonicalJson({...document, signatures: [jss]})
	return Buffer.from(hash('sha256', text, 'hex'), 'ascii')
}

function fits(text: Buffer, value: string, {algorithm, publicKey}: Pick<Publisher, 'algorithm' | 'publicKey'>) {
	try {
		const key = createPublicKey(publicKey)
		if (algorithm === 'ec' && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false
		const options = algorithm === 'ec' ? {key, dsaEncoding: 'ieee-p1363' as const} : key
		return verify(algorithm === 'ed25519' ? null : 'sha256', text, options, Buffer.from(value, 'base64'))
	} catch {
		return false
	}
}

interface Signer extends SigningKey {
	name: string
	/** A UUID. */
	signature: string
	at: string
}

/** The document with this signature added. */
export function signed<T extends Signed>(document: T, {key, name, signature, at}: Signer): T & {signatures: readonly unknown[]} {
	const {pem} = publicKeyOf(createPublicKey(key))
	const jss = {
		...({type: 'jss', id: `jss--${signature}`, created: at, modified: at, signee: name} as const),
		...{related_to: String(document.id), related_version: String(document.modified)},
		...{hash_algorithm: 'sha-256', algorithm: 'Ed25519'},
		public_key: pem.replaceAll(/-----[^-]+-----|\s/g, '')
	}
	const value = sign(null, signedText(document, jss), key).toString('base64url')
	const others = Array.isArray(document.signatures) ? (document.signatures as readonly unknown[]) : []
	return {...document, signatures: [...others, {...jss, value}]}
}
