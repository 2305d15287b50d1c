import {proxyFor} from './proxy.ts'
import {checkServerUrl} from './url.ts'

describe('the address of a server', () => {
	test.each([
		'https://api.example.com',
		'https://api.example.com/',
		'https://api.example.com:8443',
		'https://192.0.2.1',
		'https://[2001:db8::1]:8443'
	])('%s is accepted', text => expect(checkServerUrl(text).origin).toBe(text.replace(/\/$/, '')))

	test.each(['http://127.0.0.1:8080', 'http://127.8.9.10', 'http://[::1]:80', 'http://localhost:3000'])('plain %s is accepted', text => {
		expect(checkServerUrl(text).protocol).toBe('http:')
	})

	test.each([
		'http://api.example.com',
		'http://10.0.0.1',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
		'http://[::ffff:127.0.0.1]',
		'http://0.0.0.0'
	])('plain %s is refused', text =>
		expect(() => checkServerUrl(text)).toThrow(expect.objectContaining({code: 'insecure_url', details: {field: 'url'}}))
	)

	test.each([
		'',
		'api.example.com',
		'ftp://api.example.com',
		'https://',
		'https://user@api.example.com',
		'https://id:key@api.example.com',
		'https://api.example.com/v1',
		'https://api.example.com/?x=1',
		'https://api.example.com?',
		'https://api.example.com/#a',
		'javascript:alert(1)'
	])('%j is refused', text => {
		expect(() => checkServerUrl(text)).toThrow(expect.objectContaining({code: 'invalid_argument', details: {field: 'url'}}))
	})
})

describe('the proxy of the environment', () => {
	const server = new URL('https://api.eu.example.com')
	const proxy = 'http://proxy.example:3128'

	test('lower case goes before upper case, the scheme before all, and no scheme means http', () => {
		expect(proxyFor(server, {})).toBeNull()
		expect(proxyFor(server, {HTTPS_PROXY: '', http_proxy: proxy})).toBeNull()
		expect(proxyFor(server, {HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1'})?.host).toBe('lower:1')
		expect(proxyFor(server, {ALL_PROXY: 'http://all:1', HTTPS_PROXY: proxy})?.host).toBe('proxy.example:3128')
		expect(proxyFor(server, {ALL_PROXY: 'all.example:8080'})?.href).toBe('http://all.example:8080/')
	})

	test.each([
		['*', true],
		['example.com', true],
		['.example.com', true],
		['*.example.com', true],
		['api.eu.example.com:443', true],
		['other.example, .eu.example.com', true],
		['API.EU.EXAMPLE.COM', true],
		['api.eu.example.com:8443', false],
		['ample.com', false],
		['example.org', false],
		['', false],
		[',', false]
	])('NO_PROXY %j leaves it out: %j', (list, exempt) => {
		expect(proxyFor(server, {HTTPS_PROXY: proxy, NO_PROXY: list}) === null).toBe(exempt)
	})

	test('addresses of IPv6 are compared as they are', () => {
		expect(proxyFor(new URL('https://[2001:db8::1]'), {HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:443'})).toBeNull()
	})

	test.each(['https://localhost', 'https://127.3.2.1', 'https://[::1]'])('%s is always reached directly', text => {
		expect(proxyFor(new URL(text), {HTTPS_PROXY: proxy})).toBeNull()
	})

	test('a proxy of an unknown kind or form is an error, not a direct connection', () => {
		expect(() => proxyFor(server, {HTTPS_PROXY: 'socks5://proxy.example'})).toThrow(/socks5 are not supported/)
		expect(() => proxyFor(server, {HTTPS_PROXY: 'http://'})).toThrow(/no address/)
	})
})
