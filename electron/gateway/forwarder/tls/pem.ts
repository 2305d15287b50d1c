import {createPrivateKey, X509Certificate} from 'node:crypto'

import type {Credentials} from '../types.ts'

interface PemBlock {
	/** `CERTIFICATE`, `PRIVATE KEY`, `RSA PRIVATE KEY`, … */
	label: string
	text: string
}

/** The blocks of a PEM text, in order; text between them is ignored, as usual. */
export function pemBlocks(text: string): readonly PemBlock[] {
	const form = /-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?\n[^-]*-----END \1-----/g
	return [...text.matchAll(form)].map(match => ({label: match[1] ?? '', text: `${match[0].replaceAll('\r', '')}\n`}))
}

/** A certificate with its chain, and its matching key, parsed. */
export interface Pair extends Credentials {
	readonly chain: readonly [X509Certificate, ...X509Certificate[]]
}

/** Key and certificates as one text: a single file cannot hold half a pair. */
export function joinPair(credentials: Credentials) {
	return `${credentials.key.trimEnd()}\n${credentials.certificate.trimEnd()}\n`
}

/** The inverse of {@link joinPair}, or the fault of the text, without quoting it. */
export function splitPair(text: string): Pair | string {
	const blocks = pemBlocks(text)
	const key = blocks.find(({label}) => label.endsWith('PRIVATE KEY'))
	const certificates = blocks.filter(({label}) => label === 'CERTIFICATE')
	if (key === undefined) return 'holds no private key'
	const [leaf, ...others] = certificates.map(block => readCertificate(block.text))
	if (leaf === undefined) return 'holds no certificate'
	const rest = others.filter(certificate => certificate !== null)
	if (leaf === null || rest.length < others.length) return 'holds a certificate that cannot be read'
	const parsed = readKey(key.text)
	if (parsed === null) return 'holds a private key that cannot be read'
	if (!leaf.checkPrivateKey(parsed)) return 'holds a key that does not belong to its certificate'
	return {chain: [leaf, ...rest], key: key.text, certificate: certificates.map(block => block.text).join('')}
}

export function readCertificate(text: string) {
	try {
		return new X509Certificate(text)
	} catch {
		return null
	}
}

/** The library's own error is dropped: it may contain the key. */
export function readKey(text: string) {
	try {
		return createPrivateKey(text)
	} catch {
		return null
	}
}
