import {expectRefused, refused} from '#base/testing/code-of.ts'

import {makeAuthority, selfSigned, type Authority} from '../api/testing/certificates.ts'
import {certificatesIn, checkAuthorities, checkLogin, checkProxy} from './network-input.ts'

const service = 'https://api.example.test'
const now = Date.now()

let authority: Authority
beforeAll(async () => {
	authority = await makeAuthority()
})

describe('a proxy', () => {
	test.each([
		['', null],
		[' direct ', 'direct'],
		['http://Proxy.Example:3128/', 'http://proxy.example:3128'],
		['proxy.example:80', 'http://proxy.example:80'],
		['https://[2001:db8::1]:443', 'https://[2001:db8::1]:443']
	])('%j is kept as %j', (text, kept) => {
		expect(checkProxy(text, service)).toBe(kept)
	})

	test.each([
		['http://proxy.example', 'has no port'],
		['https://[2001:db8::1]', 'has no port'],
		['http://proxy.example:99999', 'must look like'],
		['socks5://proxy.example:1080', 'is of the kind socks5'],
		['http://proxy.example:3128/path', 'without a path'],
		['http://me:hunter2@proxy.example:3128', 'must not hold a user name or a password']
	])('%j is refused', async (text, why) => {
		const {message, details} = await refused(() => checkProxy(text, service))
		expect([message, details.field]).toEqual([expect.stringContaining(why), 'proxy'])
		expect(message).not.toContain('hunter2')
	})

	test('is not for plain HTTP within this computer, and credentials are for a proxy', async () => {
		await expectRefused(() => checkProxy('http://p:1', 'http://127.0.0.1:1'), 'invalid_argument', 'always reached directly')
		await expectRefused(() => checkLogin({user: 'me', password: 'x'}, null), 'invalid_argument', '', {field: 'proxyLogin'})
		await expectRefused(() => checkLogin({user: 'a:b', password: 'x'}, 'http://p:1'), 'invalid_argument', 'colon')
	})
})

describe('own authorities', () => {
	test('are stored without surrounding text, whatever their line ends', () => {
		const kept = checkAuthorities(`Corp root\r\n${authority.cert.replaceAll('\n', '\r\n')}\r\nend`, now)
		expect(certificatesIn(kept ?? '')).toHaveLength(1)
		expect(kept).not.toMatch(/Corp root|\r/)
		expect(checkAuthorities('  ', now)).toBeNull()
	})

	test('may be self-signed', async () => {
		const {cert} = await selfSigned('localhost')
		expect(checkAuthorities(cert, now)).toContain('BEGIN CERTIFICATE')
	})

	test('are refused when malformed, each with the reason', async () => {
		const leaf = await authority.issue('api.example.test')
		const old = await makeAuthority({notBefore: new Date(0), notAfter: new Date('2020-01-02T00:00:00Z')})
		const young = await makeAuthority({notBefore: new Date(now + 3_600_000)})
		const cases = [
			['hello', 'hold no certificate'],
			['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'is damaged'],
			[old.cert, 'is no longer valid: CN=Test authority ended on 2020-01-02'],
			[young.cert, 'is not valid yet'],
			[leaf.cert, "is a server's own: CN=api.example.test"],
			[`${authority.cert}\n${leaf.cert}`, 'number 2 of 2'],
			[`${authority.cert}\n${leaf.key}`, 'a private key']
		] as const
		for (const [text, why] of cases) await expectRefused(() => checkAuthorities(text, now), 'invalid_argument', why, {field: 'ca'})
	})

	test('stored and expired since do not block other changes', async () => {
		const old = await makeAuthority({notBefore: new Date(0), notAfter: new Date('2020-01-02T00:00:00Z')})
		const [kept = ''] = certificatesIn(old.cert)
		expect(checkAuthorities(kept, now, kept)).toBe(kept)
	})
})
