/** Checks what a person enters about the way to the service: proxy, its credentials, own authorities. */
import {X509Certificate} from 'node:crypto'

import {directWay, type ProxyLogin} from '#model/connection.ts'

import {invalidField} from './input-fault.ts'

/** `null` for what the system says, `direct`, or `http(s)://host:port`. Throws `invalid_argument`; credentials are never repeated. */
export function checkProxy(text: string | null, server: string) {
	const given = text?.trim() ?? ''
	if (given === '') return null
	if (given.toLowerCase() === directWay) return directWay
	const full = given.includes('://') ? given : `http://${given}`
	const problem = proxyProblem(full, server)
	if (problem !== undefined) throw invalidField('proxy', problem)
	const {protocol, hostname} = new URL(full)
	// The URL leaves out the port that its kind has anyway; the stored address says it.
	return `${protocol}//${hostname}:${portIn(full)}`
}

function proxyProblem(text: string, server: string) {
	if (!URL.canParse(text)) return 'must look like http://proxy.example.com:8080'
	const {protocol, username, password, pathname, search, hash} = new URL(text)
	if (protocol !== 'http:' && protocol !== 'https:') return `is of the kind ${protocol.slice(0, -1)}: http and https are supported`
	if (username !== '' || password !== '') return 'must not hold a user name or a password: they have a place of their own and are kept encrypted'
	if ((pathname !== '/' && pathname !== '') || search !== '' || hash !== '') return 'must be a host and a port alone, without a path'
	if (portIn(text) === undefined) return 'has no port: write it behind the host, as in http://proxy.example.com:8080'
	if (server.startsWith('http:')) return 'is for https: servers; plain http: within this computer is always reached directly'
	return undefined
}

function portIn(text: string) {
	return /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text)?.[1]
}

/** Throws `invalid_argument`; nothing of them is repeated. */
export function checkLogin({user}: ProxyLogin, proxy: string | null) {
	if (user.includes(':')) throw invalidField('proxyLogin', 'must not have a colon in the user name')
	if (proxy === null || proxy === directWay) throw invalidField('proxyLogin', 'belong to an address: give the proxy too')
}

/** As the secret store keeps it. */
export function loginText({user, password}: ProxyLogin) {
	return `${user}:${password}`
}

/**
 * The certificates in a text, one after the other. Throws `invalid_argument` for a text without any, for one that is no
 * authority's, and, unless it is among the `known`, for one that is not valid now.
 */
export function checkAuthorities(text: string | null, now: number, known: string | null = null) {
	if (text === null || text.trim() === '') return null
	if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
		throw invalidField('ca', 'hold a private key, which was not kept: give the certificate alone')
	const blocks = certificatesIn(text)
	if (blocks.length === 0) throw invalidField('ca', 'hold no certificate: PEM begins with -----BEGIN CERTIFICATE-----')
	const old = new Set(certificatesIn(known ?? ''))
	blocks.forEach((block, index) => {
		const problem = old.has(block) ? undefined : authorityProblem(block, now)
		if (problem !== undefined) throw authorityFault(problem, index, blocks.length)
	})
	return blocks.join('')
}

/** The PEM blocks of a text, each ending in a line break. */
export function certificatesIn(text: string): readonly string[] {
	const found = text.replaceAll('\r', '').match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
	return found.map(block => `${block}\n`)
}

function authorityFault(problem: string, index: number, count: number) {
	return invalidField(
		'ca',
		count === 1 ? `hold a certificate that ${problem}` : `hold a certificate (number ${index + 1} of ${count}) that ${problem}`
	)
}

function authorityProblem(block: string, now: number) {
	const certificate = readCertificate(block)
	if (certificate === undefined) return 'is damaged and cannot be read'
	const {subject, issuer, ca, validFromDate, validToDate} = certificate
	const name = subject.split('\n').at(-1) ?? subject
	if (validToDate.getTime() < now) return `is no longer valid: ${name} ended on ${dayOf(validToDate)}`
	if (validFromDate.getTime() > now) return `is not valid yet: ${name} begins on ${dayOf(validFromDate)}`
	// One that vouches for itself is its own authority.
	if (!ca && issuer !== subject) return `is a server's own: ${name}. Give the certificate of the authority that issued it`
	return undefined
}

function readCertificate(block: string) {
	try {
		return new X509Certificate(block)
	} catch {
		return undefined
	}
}

function dayOf(date: Date) {
	return date.toISOString().slice(0, 10)
}
