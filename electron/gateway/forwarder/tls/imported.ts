/** Checks of a certificate provided by the operator. */
import type {KeyObject, X509Certificate} from 'node:crypto'
import {createSecureContext} from 'node:tls'

import {CordonError} from '#contract/errors.ts'

import type {Credentials} from '../types.ts'
import {pemBlocks, readCertificate, readKey} from './pem.ts'

type Field = 'certificate' | 'key'

const serverAuth = '1.3.6.1.5.5.7.3.1'
const anyUse = '2.5.29.37.0'
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/**
 * PEM of a chain, the server's certificate first, and of its key (PKCS#8, PKCS#1 or SEC1). Throws `bad_certificate` with the
 * field and what to do; no error contains the key. `now`: Unix milliseconds.
 */
export function checkImport(input: Credentials, now: number): Credentials {
	const key = keyOf(input.key)
	const chain = chainOf(input.certificate)
	checkKey(key.object)
	checkMatch(chain, key.object)
	checkOrder(chain)
	for (const [index, certificate] of chain.entries()) checkTime(certificate, index, now)
	checkServer(chain[0])
	const certificate = pemBlocks(input.certificate).filter(({label}) => label === 'CERTIFICATE')
	const credentials = {certificate: certificate.map(({text}) => text).join(''), key: key.text}
	checkUsable(credentials)
	return credentials
}

function keyOf(text: string): {object: KeyObject; text: string} {
	const blocks = pemBlocks(text).filter(({label}) => label.endsWith('PRIVATE KEY'))
	const [block] = blocks
	// Old encrypted keys have a header line with a hyphen, which is not base64: check the original text.
	if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type:\s*4,\s*ENCRYPTED/.test(text)) {
		fail('key', 'The private key is encrypted.', 'Decrypt it first: openssl pkey -in key.pem -out plain.pem')
	}
	if (block === undefined) fail('key', 'There is no private key in PEM form.', 'Paste it with its BEGIN and END lines.')
	if (blocks.length > 1) fail('key', 'There is more than one private key.', "Give only the certificate's own key.")
	const object = readKey(block.text)
	if (object === null) fail('key', 'The private key cannot be read.', 'Export it again as PKCS#8: openssl pkey -in key.pem')
	return {object, text: block.text}
}

function chainOf(text: string): readonly [X509Certificate, ...X509Certificate[]] {
	const blocks = pemBlocks(text).filter(({label}) => label === 'CERTIFICATE')
	const chain = blocks.map((block, index) => {
		const certificate = readCertificate(block.text)
		return certificate ?? fail('certificate', `Certificate ${index + 1} cannot be read.`, 'Export it again in PEM form.')
	})
	const [first, ...rest] = chain
	if (first !== undefined) return [first, ...rest]
	const fix = 'Paste it with its BEGIN and END lines; from DER: openssl x509 -inform der -in file.cer'
	return fail('certificate', 'There is no certificate in PEM form.', fix)
}

function checkKey(key: KeyObject) {
	const {modulusLength = 0, namedCurve = ''} = key.asymmetricKeyDetails ?? {}
	const fix = 'Make a new key and certificate: RSA of 2048 bits or more, or EC P-256, P-384 or P-521.'
	if (key.asymmetricKeyType === 'rsa') {
		if (modulusLength < 2048) fail('key', `An RSA key of ${modulusLength} bits is too weak.`, fix)
	} else if (key.asymmetricKeyType !== 'ec') fail('key', 'Browsers and firewalls know RSA and EC keys only.', fix)
	else if (!curves.has(namedCurve)) fail('key', `Browsers and firewalls do not know the curve ${namedCurve}.`, fix)
}

function checkMatch(chain: readonly [X509Certificate, ...X509Certificate[]], key: KeyObject) {
	const own = chain.findIndex(certificate => certificate.checkPrivateKey(key))
	if (own < 0) fail('key', 'The key does not belong to the certificate.', 'Import the key that the certificate was requested with.')
	if (own > 0) {
		fail('certificate', `The key belongs to certificate ${own + 1}, not to the first.`, "Put the server's own certificate first.")
	}
}

function checkOrder(chain: readonly X509Certificate[]) {
	for (const [index, issuer] of chain.entries()) {
		const subject = chain[index - 1]
		if (subject === undefined || (subject.checkIssued(issuer) && subject.verify(issuer.publicKey))) continue
		const fix = 'Each certificate must be followed by the one that issued it; leave out what does not belong to the chain.'
		fail('certificate', `Certificate ${index + 1} did not issue certificate ${index}.`, fix)
	}
}

function checkTime(certificate: X509Certificate, index: number, now: number) {
	const which = index === 0 ? 'The certificate' : `Certificate ${index + 1} of the chain`
	const [begin, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
	if (now >= end) fail('certificate', `${which} expired on ${dayOf(end)}.`, 'Import a renewed one.')
	if (now < begin) {
		fail('certificate', `${which} is not valid before ${dayOf(begin)}.`, "Wait until then, or set this computer's clock right.")
	}
}

function checkServer(leaf: X509Certificate) {
	if (leaf.subjectAltName === undefined) {
		const fix = 'Have it issued with a subject alternative name; no client looks at the common name any more.'
		fail('certificate', 'The certificate names no host.', fix)
	}
	// Node's `keyUsage` is the extended key usage.
	const uses: readonly string[] = leaf.keyUsage ?? []
	if (uses.length > 0 && !uses.includes(serverAuth) && !uses.includes(anyUse)) {
		fail('certificate', 'The certificate is not meant for servers.', 'Have it issued with the extended key usage serverAuth.')
	}
}

/** The TLS library decides last: it refuses what it finds too weak. */
function checkUsable(credentials: Credentials) {
	try {
		createSecureContext({cert: credentials.certificate, key: credentials.key, minVersion: 'TLSv1.2'})
	} catch {
		const fix = 'Have it issued anew, signed with SHA-256 or better.'
		fail('certificate', 'The TLS library refuses the certificate as too weak or damaged.', fix)
	}
}

export function dayOf(time: number) {
	return new Date(time).toISOString().slice(0, 10)
}

function fail(field: Field, message: string, fix: string): never {
	throw new CordonError('bad_certificate', message, {field, fix})
}
