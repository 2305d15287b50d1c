// @peculiar/x509 finds its parts by it.
import 'reflect-metadata'

import {BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator, type X509Certificate} from '@peculiar/x509'

type KeyPair = Awaited<ReturnType<typeof newKeys>>

export interface Pair {
	cert: string
	key: string
}

export type Authority = Awaited<ReturnType<typeof makeAuthority>>

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'} as const
const dayMs = 86_400_000

/** An authority that nobody knows until a test trusts it. Default: it is valid from yesterday till tomorrow. */
export async function makeAuthority(valid: Partial<ReturnType<typeof validity>> = {}) {
	const keys = await newKeys()
	const authority = await X509CertificateGenerator.createSelfSigned({
		name: 'CN=Test authority',
		keys,
		signingAlgorithm: algorithm,
		...validity(),
		...valid,
		extensions: [new BasicConstraintsExtension(true, undefined, true)]
	})
	return {
		cert: authority.toString('pem'),
		/** A certificate of this authority for a DNS name. `notAfter` in the past makes an expired one. */
		issue: (name: string, notAfter?: Date) => issue(authority, keys, name, notAfter)
	}
}

/** A certificate that vouches for itself. */
export async function selfSigned(name: string): Promise<Pair> {
	const keys = await newKeys()
	const certificate = await X509CertificateGenerator.createSelfSigned({
		name: `CN=${name}`,
		keys,
		signingAlgorithm: algorithm,
		...validity(),
		extensions: [namesOf(name)]
	})
	return pairOf(certificate, keys)
}

async function issue(authority: X509Certificate, signer: KeyPair, name: string, notAfter?: Date) {
	const keys = await newKeys()
	const certificate = await X509CertificateGenerator.create({
		subject: `CN=${name}`,
		issuer: authority.subject,
		publicKey: keys.publicKey,
		signingKey: signer.privateKey,
		signingAlgorithm: algorithm,
		...validity(notAfter),
		extensions: [namesOf(name)]
	})
	return pairOf(certificate, keys)
}

async function newKeys() {
	return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function namesOf(name: string) {
	return new SubjectAlternativeNameExtension([{type: 'dns', value: name}])
}

function validity(notAfter = new Date(Date.now() + dayMs)) {
	return {notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - dayMs), notAfter}
}

async function pairOf(certificate: X509Certificate, keys: KeyPair): Promise<Pair> {
	const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
	const key = `-----BEGIN PRIVATE KEY-----\n${bytes.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`
	return {cert: certificate.toString('pem'), key}
}
