// Required by @peculiar/x509.
import 'reflect-metadata'

import {webcrypto} from 'node:crypto'

import {
	BasicConstraintsExtension,
	ExtendedKeyUsageExtension,
	Extension,
	SubjectAlternativeNameExtension,
	X509Certificate,
	X509CertificateGenerator
} from '@peculiar/x509'

import type {Credentials} from '../../types.ts'

export interface Wish {
	/** Default: self-signed. */
	issuer?: Credentials
	authority?: boolean
	pathLength?: number
	/** Object identifiers of the extended key usage. */
	uses?: string[]
	dns?: string[]
	/** Days from now. */
	from?: number
	to?: number
	keys?: 'ec' | 'rsa' | 'rsa-1024' | 'ed25519'
	/** An unknown extension, marked critical. */
	strange?: boolean
	/** Common names, or `O=…`. */
	subject?: string[]
}

export const clientAuth = '1.3.6.1.5.5.7.3.2'
export const serverAuth = '1.3.6.1.5.5.7.3.1'

type Keys = Pick<webcrypto.CryptoKeyPair, 'privateKey' | 'publicKey'>
type Algorithm = webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams | {name: 'Ed25519'}

const dayMs = 86_400_000
const exponent = new Uint8Array([1, 0, 1])

/** Any certificate for a test, valid or not. */
export async function certify(commonName: string, wish: Wish = {}): Promise<Credentials> {
	const algorithm = algorithmOf(wish.keys ?? 'ec')
	// The algorithm decides between pairs and single keys; these all give pairs.
	const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as Keys
	const now = Date.now()
	const own = {
		notBefore: new Date(now + (wish.from ?? -1) * dayMs),
		notAfter: new Date(now + (wish.to ?? 30) * dayMs),
		extensions: extensionsOf(wish)
	}
	const names = (wish.subject ?? [commonName]).map(name => (name.startsWith('O=') ? {O: [name.slice(2)]} : {CN: [name]}))
	const certificate =
		wish.issuer === undefined
			? await X509CertificateGenerator.createSelfSigned({...own, name: names, keys, signingAlgorithm: signing(algorithm)})
			: await X509CertificateGenerator.create({...own, subject: names, publicKey: keys.publicKey, ...(await signer(wish.issuer))})
	return {certificate: `${certificate.toString('pem')}\n`, key: await exportKey(keys)}
}

function extensionsOf(wish: Wish) {
	const strange = wish.strange === true ? [new Extension('1.2.3.4.5', true, new Uint8Array([5, 0]))] : []
	return [
		...(wish.authority === true ? [new BasicConstraintsExtension(true, wish.pathLength, true)] : []),
		...(wish.uses === undefined ? [] : [new ExtendedKeyUsageExtension([...wish.uses])]),
		...(wish.dns === undefined ? [] : [new SubjectAlternativeNameExtension(wish.dns.map(value => ({type: 'dns' as const, value})))]),
		...strange
	]
}

/** Issuers in tests have EC keys. */
async function signer(issuer: Credentials) {
	const der = Buffer.from(issuer.key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
	const algorithm = algorithmOf('ec')
	const signingKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
	const issuerName = new X509Certificate(issuer.certificate).subjectName
	return {issuer: issuerName, signingKey, signingAlgorithm: signing(algorithm)}
}

function algorithmOf(keys: NonNullable<Wish['keys']>): Algorithm {
	if (keys === 'ec') return {name: 'ECDSA', namedCurve: 'P-256'}
	if (keys === 'ed25519') return {name: 'Ed25519'}
	const modulusLength = keys === 'rsa' ? 2048 : 1024
	return {name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent: exponent, hash: 'SHA-256'}
}

function signing(algorithm: Algorithm) {
	return {hash: 'SHA-256', ...algorithm}
}

async function exportKey(keys: Keys) {
	const base64 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
	return `-----BEGIN PRIVATE KEY-----\n${base64.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END PRIVATE KEY-----\n`
}
