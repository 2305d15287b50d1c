/** Facts in certificates, for the status and for renewal. */
import type {X509Certificate} from 'node:crypto'

import type {CertificateStatus} from '#shared/contract/instances.ts'

import {type Element, elementsOf, extensionsOf, oids} from '../access/der.ts'
import {type Constraints, isHostname, type Names, shortAddress} from './names.ts'

export interface Span {
	/** Unix milliseconds. */
	readonly begin: number
	readonly end: number
}

/** Tags of context 0 (constructed), 2 and 7: permitted subtrees, dNSName, iPAddress. */
const tags = {permitted: 0xa0, dnsName: 0x82, ipAddress: 0x87}

export function spanOf(certificate: X509Certificate): Span {
	return {begin: Date.parse(certificate.validFrom), end: Date.parse(certificate.validTo)}
}

/** Names and addresses of the subject alternative name. */
export function namesOf(certificate: X509Certificate): Names {
	const entries = (certificate.subjectAltName ?? '').split(', ')
	const of = (kind: string) => entries.filter(entry => entry.startsWith(kind)).map(entry => entry.slice(kind.length))
	return {hostnames: of('DNS:'), addresses: of('IP Address:').map(shortAddress)}
}

/** The name constraints of an authority; `null` without any. */
export function limitsOf(authority: X509Certificate): Constraints | null {
	const found = extensionsOf(authority.raw)?.find(({oid}) => oid === oids.nameConstraints)
	const permitted = childrenOf(childrenOf(found?.value)[0]?.content).find(({tag}) => tag === tags.permitted)
	if (permitted === undefined) return null
	const bases = childrenOf(permitted.content).flatMap(tree => childrenOf(tree.content).slice(0, 1))
	return {
		names: bases.filter(({tag}) => tag === tags.dnsName).map(({content}) => content.toString('latin1')),
		networks: bases.filter(({tag}) => tag === tags.ipAddress).map(({content}) => networkOf(content)),
	}
}

function subjectOf(certificate: X509Certificate): string {
	return certificate.subject.replaceAll('\n', ', ')
}

export function describeCertificate(
	kind: CertificateStatus['kind'],
	certificate: X509Certificate,
	authority: X509Certificate | null,
	problem: string | null,
): CertificateStatus {
	const {hostnames, addresses} = namesOf(certificate)
	return {
		kind,
		subject: subjectOf(certificate),
		names: [...hostnames, ...addresses],
		notBefore: isoOf(spanOf(certificate).begin),
		notAfter: isoOf(spanOf(certificate).end),
		fingerprint: certificate.fingerprint256,
		authority:
			authority === null
				? null
				: {subject: subjectOf(authority), notAfter: isoOf(spanOf(authority).end), fingerprint: authority.fingerprint256},
		problem,
	}
}

/** Names (hosts or addresses) that a certificate does not cover, wildcards considered. */
export function uncovered(certificate: X509Certificate, names: readonly string[]): readonly string[] {
	return names.filter(name =>
		isHostname(name) ? certificate.checkHost(name) === undefined : certificate.checkIP(name) === undefined,
	)
}

function childrenOf(bytes: Buffer | undefined): readonly Element[] {
	return bytes === undefined ? [] : (elementsOf(bytes) ?? [])
}

/** Base and mask, each half of the bytes, as CIDR. */
function networkOf(bytes: Buffer): string {
	const half = bytes.length / 2
	const bits = [...bytes.subarray(half)].reduce((all, byte) => all + (byte.toString(2).match(/1/g)?.length ?? 0), 0)
	const base = bytes.subarray(0, half)
	if (half === 4) return `${base.join('.')}/${bits}`
	const groups = Array.from({length: 8}, (_, index) => base.readUInt16BE(index * 2).toString(16))
	return `${shortAddress(groups.join(':'))}/${bits}`
}

function isoOf(time: number): string {
	return new Date(time).toISOString()
}
