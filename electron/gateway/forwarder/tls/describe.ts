/** Facts in certificates, for the status and for renewal. */
import type {X509Certificate} from 'node:crypto'

import {Primitive} from 'asn1js'

import type {CertificateStatus} from '#contract/instances.ts'

import {childrenOf, elementsOf, extensionsOf, isTagged, oids} from '../access/extensions.ts'
import {type Constraints, isHostname, type Names, shortAddress} from './names.ts'

/** RFC 5280, sections 4.2.1.10 and 4.2.1.6. */
const tags = {permitted: 0, dnsName: 2, ipAddress: 7}

export function spanOf(certificate: X509Certificate) {
	return {
		/** Unix milliseconds. */
		begin: Date.parse(certificate.validFrom),
		end: Date.parse(certificate.validTo)
	}
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
	const permitted = elementsOf(found?.value).find(block => isTagged(block, tags.permitted))
	if (permitted === undefined) return null
	const bases = childrenOf(permitted).flatMap(tree => childrenOf(tree).slice(0, 1))
	const contents = (tag: number) =>
		bases.flatMap(base => (base instanceof Primitive && isTagged(base, tag) ? [Buffer.from(base.valueBlock.valueHexView)] : []))
	return {names: contents(tags.dnsName).map(content => content.toString('latin1')), networks: contents(tags.ipAddress).map(networkOf)}
}

function subjectOf(certificate: X509Certificate) {
	return certificate.subject.replaceAll('\n', ', ')
}

export function describeCertificate(
	kind: CertificateStatus['kind'],
	certificate: X509Certificate,
	authority: X509Certificate | null,
	problem: string | null
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
			authority === null ? null : {subject: subjectOf(authority), notAfter: isoOf(spanOf(authority).end), fingerprint: authority.fingerprint256},
		problem
	}
}

/** Names (hosts or addresses) that a certificate does not cover, wildcards considered. */
export function uncovered(certificate: X509Certificate, names: readonly string[]): readonly string[] {
	return names.filter(name => (isHostname(name) ? certificate.checkHost(name) === undefined : certificate.checkIP(name) === undefined))
}

/** Base and mask, each half of the bytes, as CIDR. */
function networkOf(bytes: Buffer) {
	const half = bytes.length / 2
	const bits = [...bytes.subarray(half)].reduce((all, byte) => all + (byte.toString(2).match(/1/g)?.length ?? 0), 0)
	const base = bytes.subarray(0, half)
	if (half === 4) return `${base.join('.')}/${bits}`
	const groups = Array.from({length: 8}, (_, index) => base.readUInt16BE(index * 2).toString(16))
	return `${shortAddress(groups.join(':'))}/${bits}`
}

function isoOf(time: number) {
	return new Date(time).toISOString()
}
