/**
 * Makes certificates. The only file that loads the certificate library (about 100 ms), so it is imported only to make one, never
 * at a start that finds its files.
 */
// Required by @peculiar/x509.
import 'reflect-metadata'

import {AsnConvert} from '@peculiar/asn1-schema'
import {GeneralName, GeneralSubtree, GeneralSubtrees, id_ce_nameConstraints, NameConstraints} from '@peculiar/asn1-x509'
import {
	AuthorityKeyIdentifierExtension,
	BasicConstraintsExtension,
	ExtendedKeyUsage,
	ExtendedKeyUsageExtension,
	Extension,
	KeyUsageFlags,
	KeyUsagesExtension,
	SubjectAlternativeNameExtension,
	SubjectKeyIdentifierExtension,
	X509Certificate,
	X509CertificateGenerator
} from '@peculiar/x509'

import type {Credentials} from '../types.ts'
import type {Constraints, Names} from './names.ts'

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'} as const
const dayMs = 86_400_000
/** Clients with a slightly slow clock accept a new certificate too. */
const skewMs = 3_600_000

/**
 * Every client has to import the authority by hand, firewalls one by one, so it must outlive them. It is limited to this
 * computer's names and private addresses, and its certificates are short-lived. No client limits the life of an authority that an
 * administrator imports.
 */
const authorityDays = 3652

/** Browsers refuse more than 398 days. */
const serverDays = 397

export interface Source {
	/** Unix milliseconds. */
	readonly now: number
	random(bytes: number): Uint8Array
}

/** A self-signed authority that can issue only server certificates within its constraints. PEM. */
export async function makeAuthority(host: string, limits: Constraints, source: Source): Promise<Credentials> {
	const keys = await newKeys()
	const certificate = await X509CertificateGenerator.createSelfSigned({
		serialNumber: serial(source),
		name: [{CN: [authorityName(host, source.now)]}],
		keys,
		signingAlgorithm: algorithm,
		...validity(source.now, authorityDays),
		extensions: [
			new BasicConstraintsExtension(true, 0, true),
			new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
			new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
			constraintsOf(limits),
			await SubjectKeyIdentifierExtension.create(keys.publicKey),
			await AuthorityKeyIdentifierExtension.create(keys.publicKey)
		]
	})
	return {certificate: pem(certificate), key: await exportKey(keys.privateKey)}
}

/** A certificate for this computer's names. It ends with the authority at the latest. */
export async function issueServer(authority: Credentials, names: Names, source: Source): Promise<Credentials> {
	const issuer = new X509Certificate(authority.certificate)
	const keys = await newKeys()
	const {notBefore, notAfter} = validity(source.now, serverDays)
	const certificate = await X509CertificateGenerator.create({
		serialNumber: serial(source),
		subject: [{CN: [names.hostnames.find(name => name.length <= 64) ?? 'localhost']}],
		issuer: issuer.subjectName,
		publicKey: keys.publicKey,
		signingKey: await importKey(authority.key),
		signingAlgorithm: algorithm,
		notBefore,
		notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
		extensions: [
			new BasicConstraintsExtension(false, undefined, true),
			new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
			new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
			alternativeNames(names),
			await SubjectKeyIdentifierExtension.create(keys.publicKey),
			await AuthorityKeyIdentifierExtension.create(issuer.publicKey)
		]
	})
	return {certificate: pem(certificate), key: await exportKey(keys.privateKey)}
}

/** The date distinguishes two authorities of one computer in a client's list. A common name has at most 64 characters. */
function authorityName(host: string, now: number) {
	const day = new Date(now).toISOString().slice(0, 10)
	return `Cordon local authority (${host.slice(0, 28)}) ${day}`
}

function constraintsOf(limits: Constraints) {
	const bases = [...limits.names.map(dNSName => new GeneralName({dNSName})), ...limits.networks.map(iPAddress => new GeneralName({iPAddress}))]
	const permittedSubtrees = new GeneralSubtrees(bases.map(base => new GeneralSubtree({base})))
	return new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(new NameConstraints({permittedSubtrees})))
}

function alternativeNames(names: Names) {
	return new SubjectAlternativeNameExtension([
		...names.hostnames.map(value => ({type: 'dns' as const, value})),
		...names.addresses.map(value => ({type: 'ip' as const, value}))
	])
}

/** 128 random bits under a leading 1, so that the number is positive and has no leading zeros. */
function serial(source: Source) {
	return `01${Buffer.from(source.random(16)).toString('hex')}`
}

/** `days` counts from the back-dated start: clients measure the whole span. */
function validity(now: number, days: number) {
	const begin = Math.floor((now - skewMs) / 1000) * 1000
	return {notBefore: new Date(begin), notAfter: new Date(begin + days * dayMs - 1000)}
}

function newKeys() {
	return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function importKey(pkcs8: string) {
	const der = Buffer.from(pkcs8.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
	return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
}

async function exportKey(key: Awaited<ReturnType<typeof newKeys>>['privateKey']) {
	const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
	return `-----BEGIN PRIVATE KEY-----\n${base64.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END PRIVATE KEY-----\n`
}

function pem(certificate: X509Certificate) {
	return `${certificate.toString('pem').trimEnd()}\n`
}
