import {execFileSync, spawnSync} from 'node:child_process'
import {randomBytes, X509Certificate} from 'node:crypto'
import {chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {rootCertificates} from 'node:tls'
import {inspect} from 'node:util'

import {testFolder} from '#base/testing/folder.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {tryLockFile} from '#core/store/lock-file.ts'
import {systemClock} from '#base/system.ts'
import {CordonError} from '#contract/errors.ts'

import type {Credentials} from '../types.ts'
import {type AuthorityOptions, type CertificateAuthority, openAuthority} from './authority.ts'
import {limitsOf, namesOf} from './describe.ts'
import {issueServer} from './issue.ts'
import {privateNetworks} from './names.ts'
import {splitPair} from './pem.ts'
import {isPublicChain, isPublicPem} from './public.ts'
import {certify} from './testing/certify.ts'

const dayMs = 86_400_000
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const open: CertificateAuthority[] = []

afterEach(async () => {
	for (const authority of open.splice(0)) await authority.stop()
})

function newFolder() {
	return join(testFolder(), 'forwarder')
}

/** A computer named desk with one LAN address and changeable names. */
async function start(options: Partial<AuthorityOptions> = {}) {
	const clock = testClock()
	let leapt = 0
	const names = {configured: [] as string[], hostnames: ['Desk'], addresses: ['192.168.7.5', 'fe80::1']}
	const troubles: string[] = []
	const folder = options.folder ?? newFolder()
	const authority = await openAuthority({
		folder,
		clock: {...clock, now: () => clock.now() + leapt},
		random: randomBytes,
		hostnames: () => names.configured,
		machine: () => ({hostnames: names.hostnames, addresses: names.addresses}),
		tryLock: tryLockFile,
		onTrouble: message => troubles.push(message),
		...options
	})
	open.push(authority)
	const file = (name: string) => join(folder, name)
	const read = (name: string) => readFileSync(file(name), 'utf8')
	/** Skips the checks of each minute between. */
	const leap = (days: number) => {
		leapt += days * dayMs
		return authority.refresh()
	}
	const problem = () => authority.status().problem
	const fingerprint = () => caOf(file).fingerprint256
	return {authority, shown: authority.credentials, problem, fingerprint, clock, leap, names, folder, file, read, troubles}
}

/** With the time of the system, as certificates of `certify` have it. */
const systemStart = (options: Partial<AuthorityOptions> = {}) => start({...options, clock: systemClock})

function leafOf({certificate}: Credentials) {
	return new X509Certificate(certificate)
}

function caOf(file: (name: string) => string) {
	return new X509Certificate(readFileSync(file('ca.pem')))
}

describe('the local authority', () => {
	it('is made with its certificate at the first opening, readable by the owner only', async () => {
		const {authority, shown, folder, file, fingerprint} = await start()
		expect(readdirSync(folder).toSorted()).toEqual(['ca.key', 'ca.pem', 'server.key', 'server.pem'])
		for (const name of readdirSync(folder)) expect(statSync(file(name)).mode & 0o777, name).toBe(0o600)
		expect(statSync(folder).mode & 0o777).toBe(0o700)
		expect(authority.authorityPath).toBe(file('ca.pem'))
		expect(authority.status()).toMatchObject({
			kind: 'local',
			subject: 'CN=desk',
			names: ['desk', 'localhost', '127.0.0.1', '::1', '192.168.7.5', 'fe80::1'],
			problem: null,
			authority: {subject: 'CN=Cordon local authority (Desk) 2026-01-01', fingerprint: fingerprint()}
		})
		expect(leafOf(shown()).verify(caOf(file).publicKey)).toBe(true)
	})

	it('may vouch for nothing in the open internet', async () => {
		const {file} = await start()
		expect(limitsOf(caOf(file))).toEqual({names: ['desk', 'localhost'], networks: privateNetworks})
	})

	it('lives ten years; its certificate 397 days, with a serial number of its own', async () => {
		const {authority, shown, file} = await start()
		const days = (certificate: X509Certificate) => (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom) + 1000) / dayMs
		expect([days(caOf(file)), days(leafOf(shown()))]).toEqual([3652, 397])
		const first = leafOf(shown()).serialNumber
		await authority.renew()
		expect(leafOf(shown()).serialNumber).not.toBe(first)
		expect(first).toMatch(/^01[0-9A-F]{32}$/)
	})

	it('is found again by the next opening', async () => {
		const first = await start()
		const again = await start({folder: first.folder})
		expect(again.shown()).toEqual(first.shown())
	})

	it('is one, when several processes open the folder at the same time', async () => {
		const folder = newFolder()
		const all = await Promise.all(Array.from({length: 6}, () => systemStart({folder})))
		expect(new Set(all.map(({authority}) => authority.status().authority?.fingerprint)).size).toBe(1)
		expect(new Set(all.map(({shown}) => shown().key)).size).toBe(1)
		expect(readdirSync(folder)).not.toContain('lock')
	})

	it('is exported as PEM and DER, with steps for each product', async () => {
		const {authority, fingerprint, read} = await start()
		const [pem, der] = [await authority.exportAuthority('pem'), await authority.exportAuthority('der')]
		expect(pem.content).toBe(read('ca.pem'))
		expect(new X509Certificate(Buffer.from(der.content, 'base64')).fingerprint256).toBe(fingerprint())
		expect(pem.hints.map(({product}) => product)).toEqual(expect.arrayContaining(['PAN-OS', 'FortiGate', 'FMC', 'Firefox']))
		expect(JSON.stringify([pem, der])).not.toContain('PRIVATE')
	})
})

describe('its certificate', () => {
	it('is renewed when a third of its life is left, and listeners are notified', async () => {
		const {authority, shown, leap} = await start()
		const seen: Credentials[] = []
		authority.onChange(credentials => seen.push(credentials))
		const first = shown()
		await leap(264)
		expect(shown()).toEqual(first)
		await leap(2)
		expect(seen).toEqual([shown()])
		expect(shown()).not.toEqual(first)
	})

	it('is looked after every minute, until it is stopped', async () => {
		const {authority, clock, names} = await start()
		const changed = new Promise(resolve => authority.onChange(resolve))
		names.addresses = ['10.1.2.3']
		await clock.advance(60_000)
		await changed
		expect(authority.status().names).toEqual(['desk', 'localhost', '127.0.0.1', '::1', '10.1.2.3'])
		await authority.stop()
		expect(clock.pending()).toEqual([])
	})

	it('stays in use when the files cannot be read, which is reported once', async () => {
		const {authority, shown, clock, file, troubles} = await start()
		const before = shown()
		renameSync(file('ca.key'), file('kept'))
		mkdirSync(file('ca.key'), {mode: 0o700})
		await clock.advance(300_000)
		expect(troubles).toHaveLength(1)
		expect(shown()).toEqual(before)
		await expect(authority.refresh()).rejects.toThrow('ca.key cannot be read (EISDIR).')
		const problem = 'The certificate cannot be checked or renewed: ca.key cannot be read (EISDIR).'
		expect(authority.status().problem).toBe(problem)
		rmdirSync(file('ca.key'))
		renameSync(file('kept'), file('ca.key'))
		await authority.refresh()
		expect(authority.status().problem).toBeNull()
	})

	it('is issued anew for a new address, but not for one that went', async () => {
		const {authority, shown, names, fingerprint} = await start()
		const ca = fingerprint()
		const first = shown()
		names.addresses = []
		await authority.refresh()
		expect(shown()).toEqual(first)
		names.addresses = ['172.20.0.9']
		await authority.refresh()
		expect(namesOf(leafOf(shown())).addresses).toContain('172.20.0.9')
		expect(fingerprint()).toBe(ca)
	})

	it('leaves out a name that the authority may not vouch for, says so, and has it after a renewal', async () => {
		const {authority, problem, names, fingerprint} = await start()
		const ca = fingerprint()
		names.configured = ['lists.corp.example']
		await authority.refresh()
		expect(problem()).toMatch(/may not vouch for lists\.corp\.example.*every client must then import/)
		expect(fingerprint()).toBe(ca)
		const renewed = await authority.renew()
		expect(renewed).toMatchObject({problem: null, subject: 'CN=lists.corp.example'})
		expect(renewed.names).toContain('lists.corp.example')
		expect(fingerprint()).not.toBe(ca)
	})

	it('has a public address that was there at the beginning, and does without one that comes later', async () => {
		const names = {hostnames: ['desk'], addresses: ['203.0.113.5']}
		const {authority} = await start({machine: () => names})
		expect(authority.status().names).toContain('203.0.113.5')
		names.addresses = ['203.0.113.77']
		await authority.refresh()
		expect(authority.status()).toMatchObject({problem: null})
		expect(authority.status().names).not.toContain('203.0.113.77')
	})

	it('is issued anew when its file is damaged or was open to others', async () => {
		const {authority, shown, file, read} = await start()
		const first = shown()
		writeFileSync(file('server.key'), read('server.key').slice(0, 300))
		await authority.refresh()
		expect(shown()).not.toEqual(first)
		const second = shown()
		chmodSync(file('server.key'), 0o644)
		await authority.refresh()
		expect(shown()).not.toEqual(second)
	})

	it('never outlives the authority, which announces its end a year ahead', async () => {
		const {authority, problem, shown, leap, file} = await start()
		await leap(3400)
		expect(Date.parse(leafOf(shown()).validTo)).toBe(Date.parse(caOf(file).validTo))
		expect(problem()).toMatch(/ends on 2035-12-3\d\. Renew/)
		const last = shown()
		await leap(300)
		expect(shown()).toEqual(last)
		expect(problem()).toMatch(/ended on/)
		expect(await authority.renew()).toMatchObject({problem: null})
	})
})

describe('two processes on one folder', () => {
	it('both show what one of them imports, and what it goes back to, before the next look is due', async () => {
		const here = await systemStart()
		const there = await systemStart({folder: here.folder})
		const local = here.shown()
		const changed = () => new Promise<Credentials>(resolve => void here.authority.onChange(resolve))
		const leaf = await certify('gateway', {dns: ['gateway.example']})
		const imported = changed()
		await there.authority.import(leaf)
		expect(leafOf(await imported).fingerprint256).toBe(leafOf(leaf).fingerprint256)
		const back = changed()
		await there.authority.useLocal()
		expect(await back).toEqual(local)
	})
})

describe('an authority whose files are damaged', () => {
	type Place = Record<'file' | 'read', (name: string) => string>
	const damages: [string, (place: Place) => void, RegExp][] = [
		['half of it is there', ({file, read}) => writeFileSync(file('ca.key'), read('ca.key').slice(0, 400)), /damaged/],
		['it is empty', ({file}) => writeFileSync(file('ca.key'), ''), /holds no private key/],
		['the key is missing', ({file}) => rmSync(file('ca.key')), /ca\.key.* is missing/],
		['it holds another key', mixKeys, /does not belong to its certificate/],
		['others can read it', ({file}) => chmodSync(file('ca.key'), 0o640), /open to other users.*chmod 600/],
		['it is no authority', ({file, read}) => writeFileSync(file('ca.key'), read('server.key')), /holds no authority/]
	]

	function mixKeys({file, read}: Place) {
		const [key = ''] = read('server.key').split('-----BEGIN CERTIFICATE')
		writeFileSync(file('ca.key'), key + read('ca.pem'))
	}

	it.each(damages)('is left as it is and told about, while its certificate serves on: %s', async (_what, damage, problem) => {
		const first = await start()
		const before = first.shown()
		damage(first)
		const left = readdirSync(first.folder).includes('ca.key') ? readFileSync(first.file('ca.key')) : null
		const {authority, shown, file} = await start({folder: first.folder})
		expect(shown()).toEqual(before)
		expect(authority.status().problem).toMatch(problem)
		expect(authority.status().problem).toContain('every client must then import')
		if (left !== null) expect(readFileSync(file('ca.key'))).toEqual(left)
		else expect(readdirSync(first.folder)).not.toContain('ca.key')
		await expect(authority.exportAuthority('pem')).rejects.toThrow(problem)
	})

	it('shows nothing without a certificate, until it is renewed; then the damaged file is kept aside', async () => {
		const first = await start()
		await first.authority.stop()
		writeFileSync(first.file('ca.key'), 'canary-damaged')
		rmSync(first.file('server.key'))
		const {authority, shown, folder, read} = await start({folder: first.folder})
		expect(() => shown()).toThrow(/ca\.key is damaged/)
		expect(() => authority.status()).toThrow(CordonError)
		expect(await authority.renew()).toMatchObject({kind: 'local', problem: null})
		const aside = readdirSync(folder).find(name => name.startsWith('ca.key.damaged-'))
		expect(read(aside ?? '')).toBe('canary-damaged')
	})

	it('is good again once it was restored', async () => {
		const {authority, problem, file} = await start()
		renameSync(file('ca.key'), file('backup'))
		await authority.refresh()
		expect(problem()).toMatch(/missing/)
		renameSync(file('backup'), file('ca.key'))
		await authority.refresh()
		expect(problem()).toBeNull()
	})
})

describe('an imported certificate', () => {
	it('is shown from the moment it is imported, kept for the owner only, and survives a start', async () => {
		const {authority, shown, file, folder} = await systemStart()
		const root = await certify('Company', {authority: true})
		const leaf = await certify('desk', {issuer: root, dns: ['desk.example'], to: 60})
		const seen: Credentials[] = []
		authority.onChange(credentials => seen.push(credentials))
		const status = await authority.import({certificate: leaf.certificate + root.certificate, key: leaf.key})
		expect(status).toMatchObject({kind: 'imported', names: ['desk.example'], authority: null, problem: null})
		expect(seen).toEqual([shown()])
		expect(statSync(file('imported.key')).mode & 0o777).toBe(0o600)
		expect(JSON.stringify(status)).not.toContain('PRIVATE')
		const again = await systemStart({folder})
		expect(again.authority.status().fingerprint).toBe(leafOf(leaf).fingerprint256)
	})

	it('gives way to the local one on request, and cannot be renewed', async () => {
		const {authority, shown} = await systemStart()
		const local = shown()
		const leaf = await certify('desk', {dns: ['desk']})
		await authority.import(leaf)
		await expect(authority.renew()).rejects.toThrow('cannot be renewed here')
		expect(await authority.useLocal()).toMatchObject({kind: 'local'})
		expect(shown()).toEqual(local)
	})

	it('reports its problems as time passes', async () => {
		const {authority, leap, names} = await start()
		await leap((Date.now() - Date.UTC(2026, 0, 1)) / dayMs)
		names.configured = ['desk.corp.example']
		const problemOf = async (dns: string) => (await authority.import(await certify('x', {dns: [dns], to: 90}))).problem
		expect(await problemOf('desk')).toBe('Your certificate does not name desk.corp.example.')
		expect(await problemOf('*.corp.example')).toBeNull()
		await leap(70)
		expect(authority.status().problem).toMatch(/ends on/)
		await leap(30)
		expect(authority.status().problem).toMatch(/ended on/)
	})

	it('is public when signed by a known authority', async () => {
		const {authority} = await systemStart()
		expect(authority.isPublic()).toBe(false)
		await authority.import(await certify('desk', {dns: ['desk']}))
		expect(authority.isPublic()).toBe(false)
		expect(isPublicChain([new X509Certificate(rootCertificates[0] ?? '')])).toBe(true)
		expect(isPublicPem(rootCertificates[0] ?? '')).toBe(true)
		expect([isPublicPem((await certify('desk', {dns: ['desk']})).certificate), isPublicPem('')]).toEqual([false, false])
	})

	it('is not used when its file is damaged: the local one is shown, and says why', async () => {
		const first = await systemStart()
		const leaf = await certify('desk', {dns: ['desk']})
		await first.authority.import(leaf)
		writeFileSync(first.file('imported.key'), leaf.certificate)
		const {authority} = await systemStart({folder: first.folder})
		expect(authority.status()).toMatchObject({kind: 'local', problem: expect.stringContaining('holds no private key')})
	})
})

describe('secrets', () => {
	it('appear in no text that the authority gives away', async () => {
		const {authority, read} = await start()
		const secrets = ['ca.key', 'server.key'].map(name => splitPair(read(name)))
		const told = inspect([authority, authority.status(), await authority.exportAuthority('pem')], {depth: 9})
		for (const pair of secrets) {
			const line = typeof pair === 'string' ? '' : (pair.key.split('\n')[1] ?? '')
			expect(line.length).toBeGreaterThan(40)
			expect(told).not.toContain(line)
		}
	})
})

describe.skipIf(!hasOpenssl)('to the letter of RFC 5280, as openssl reads it,', () => {
	function verify(folder: string, ...options: string[]) {
		const argv = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', join(folder, 'ca.pem')]
		const {stdout, stderr} = spawnSync('openssl', [...argv, ...options, join(folder, 'server.pem')], {encoding: 'utf8'})
		return stdout + stderr
	}

	it('the certificate is good for its names and addresses', async () => {
		const {folder} = await systemStart()
		for (const name of ['desk', 'localhost']) expect(verify(folder, '-verify_hostname', name), name).toMatch(/OK/)
		for (const address of ['127.0.0.1', '::1', '192.168.7.5']) expect(verify(folder, '-verify_ip', address)).toMatch(/OK/)
		expect(verify(folder, '-verify_hostname', 'other')).toMatch(/hostname mismatch/)
	})

	it.each([
		['a name', {hostnames: ['bank.example'], addresses: []}],
		['an IPv4 address', {hostnames: ['desk'], addresses: ['203.0.113.5']}],
		['an IPv6 address', {hostnames: ['desk'], addresses: ['2001:db8::5']}]
	])('nobody accepts %s outside the limits, even if the key were stolen', async (_what, names) => {
		const {folder, file, read} = await systemStart()
		const ca = splitPair(read('ca.key'))
		if (typeof ca === 'string') throw new Error(ca)
		const forged = await issueServer(ca, names, {now: Date.now(), random: randomBytes})
		writeFileSync(file('server.pem'), forged.certificate)
		expect(verify(folder)).toMatch(/permitted subtree violation/)
	})

	it('the authority says what it is for', async () => {
		const {file} = await start()
		const text = execFileSync('openssl', ['x509', '-in', file('ca.pem'), '-noout', '-text'], {encoding: 'utf8'})
		expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
		expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign/)
		expect(text).toMatch(/Name Constraints: critical\s+Permitted:\s+DNS:desk/)
		expect(text).toMatch(/Public-Key: \(256 bit\)/)
	})
})
