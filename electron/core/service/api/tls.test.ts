import {refused} from '#base/testing/code-of.ts'
import {makeAuthority, selfSigned, type Authority, type Pair} from './testing/certificates.ts'
import {isolate, isolateRequest, liveToken, openBench, versionRequest} from './testing/bench.ts'
import type {startProxy} from './testing/proxy.ts'
import {startServer, startTcpServer} from './testing/server.ts'
import type {ApiClient, ApiRequest} from './types.ts'

const {servingGood, proxyTo, clientOf, onClose, closeAll} = openBench()
let authority: Authority
let trusted: Pair

beforeAll(async () => {
	// Which would switch every check off that is not asked for.
	vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
	authority = await makeAuthority()
	trusted = await authority.issue('localhost')
})

afterEach(closeAll)
afterAll(() => vi.unstubAllEnvs())

function trusting() {
	return {extraCa: [authority.cert]}
}

function failureOf(client: ApiClient, request: ApiRequest = versionRequest) {
	return refused(client.call(request, {token: liveToken()}))
}

async function expectFailure(client: ApiClient, code: string, message: unknown, request?: ApiRequest) {
	expect(await failureOf(client, request)).toMatchObject({code, message})
}

describe('TLS', () => {
	test('a certificate of a trusted authority is accepted, and the connection is used again', async () => {
		const server = await servingGood(trusted)
		const client = clientOf(server.url, trusting())
		await client.call(versionRequest)
		await client.call(versionRequest)
		expect(server.connections()).toBe(1)
	})

	test('an unknown authority is refused before anything is sent', async () => {
		const server = await servingGood(trusted)
		await expectFailure(
			clientOf(server.url),
			'tls',
			'The certificate of localhost comes from an authority that this computer does not know, or the server does not send its whole chain.'
		)
		expect(server.requests).toEqual([])
	})

	test('an authority that only the system knows is accepted, and its store is read once', async () => {
		const server = await servingGood(trusted)
		let read = 0
		const system = () => {
			read += 1
			return [authority.cert]
		}
		const client = clientOf(server.url, {systemCa: system})
		await client.call(versionRequest)
		for (const _ of [1, 2]) await isolate(client)
		expect(server.requests).toHaveLength(3)
		expect(read).toBe(1)
	})

	test('the system store is not read when Node knows the authority, nor for errors that it cannot fix', async () => {
		const never = () => {
			throw new Error('The store was read.')
		}
		const server = await servingGood(trusted)
		await clientOf(server.url, {...trusting(), systemCa: never}).call(versionRequest)
		const expired = await servingGood(await authority.issue('localhost', new Date(Date.now() - 3_600_000)))
		expect((await failureOf(clientOf(expired.url, {...trusting(), systemCa: never}))).message).toContain('expired')
	})

	test('an unreadable system store trusts nobody', async () => {
		const server = await servingGood(trusted)
		const broken = () => {
			throw new Error('no keychain')
		}
		expect((await failureOf(clientOf(server.url, {systemCa: broken}))).code).toBe('tls')
		expect(server.requests).toEqual([])
	})

	test.each([
		['self-signed', () => selfSigned('localhost'), 'The certificate of localhost is self-signed: nobody else vouches for it.'],
		['expired', () => authority.issue('localhost', new Date(Date.now() - 60_000)), 'The certificate of localhost has expired.'],
		['for another host', () => authority.issue('api.example.com'), 'The certificate is for api.example.com, not for localhost.']
	])('a certificate that is %s is refused, and told', async (_what, pair, message) => {
		const server = await servingGood(await pair())
		await expectFailure(clientOf(server.url, trusting()), 'tls', message)
	})

	test('a change that failed there was certainly never sent', async () => {
		const server = await servingGood(trusted)
		expect((await failureOf(clientOf(server.url), isolateRequest)).code).toBe('tls')
	})

	test('any certificate is accepted only where that was chosen', async () => {
		const server = await servingGood(await selfSigned('elsewhere.example'))
		await clientOf(server.url, {insecure: true}).call(versionRequest)
		expect(server.requests).toHaveLength(1)
	})

	test('a server that speaks plain HTTP is recognised', async () => {
		const plain = await servingGood()
		await expectFailure(clientOf(`https://localhost:${plain.port}`), 'tls', `localhost:${plain.port} does not speak TLS.`)
	})
})

const url = 'https://api.example.com'

/** The service at that address behind a proxy. */
async function behind(options: Parameters<typeof startProxy>[1] = {}) {
	const server = await servingGood(await authority.issue('api.example.com'))
	return {server, proxy: await proxyTo(server.port, options)}
}

describe('a proxy', () => {
	const through = (proxy: {url: string}) => ({proxyEnvironment: {HTTPS_PROXY: proxy.url}})

	test('opens a tunnel, and the service behind it is verified end to end', async () => {
		const {server, proxy} = await behind()
		const client = clientOf(url, {...trusting(), ...through(proxy)})
		await client.call(versionRequest)
		await client.call(versionRequest)
		expect(proxy.asked).toEqual([{target: 'api.example.com:443', credentials: undefined}])
		expect(server.headers.map(headers => headers.host)).toEqual(['api.example.com', 'api.example.com'])
		expect(server.headers[0]).not.toHaveProperty('proxy-authorization')
	})

	test('to another server is detected by the certificate', async () => {
		const proxy = await proxyTo((await servingGood(await authority.issue('evil.example'))).port)
		const client = clientOf(url, {...trusting(), proxyEnvironment: {https_proxy: proxy.url}})
		expect((await failureOf(client)).message).toBe('The certificate is for evil.example, not for api.example.com.')
	})

	test('gets its own credentials', async () => {
		const {proxy} = await behind()
		const withName = proxy.url.replace('://', '://us%40er:pa%3Ass@')
		await clientOf(url, {...trusting(), proxyEnvironment: {ALL_PROXY: withName}}).call(versionRequest)
		expect(proxy.asked[0]?.credentials).toBe(`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`)
	})

	test('that refuses is named, and a change was certainly never sent', async () => {
		const proxy = await proxyTo(0, {refuse: '407 Proxy Authentication Required'})
		await expectFailure(
			clientOf(url, through(proxy)),
			'proxy',
			`The proxy ${new URL(proxy.url).host} asks for a user name and a password, and this connection has none (status 407).`,
			isolateRequest
		)
		expect(proxy.asked).toHaveLength(1)
	})

	test('that fails temporarily is retried by a reading', async () => {
		const proxy = await proxyTo(0, {refuse: '503 Service Unavailable'})
		await failureOf(clientOf(url, through(proxy)))
		expect(proxy.asked).toHaveLength(5)
	})

	test('that is not there is named', async () => {
		const gone = await startServer(() => {})
		await gone.close()
		await expectFailure(clientOf(url, through(gone)), 'proxy', `The proxy 127.0.0.1:${gone.port} cannot be used (ECONNREFUSED).`)
	})

	test('that never answers hits the connect timeout', async () => {
		const silent = await startTcpServer(() => {})
		onClose(silent.close)
		const proxyEnvironment = {HTTPS_PROXY: `http://127.0.0.1:${silent.port}`}
		const client = clientOf(url, {proxyEnvironment, timeouts: {connectMs: 100}})
		expect((await failureOf(client, isolateRequest)).code).toBe('connect_timeout')
	})

	test('is left out for loopback addresses', async () => {
		const server = await servingGood(trusted)
		await clientOf(server.url, {...trusting(), proxyEnvironment: {HTTPS_PROXY: 'http://127.0.0.1:1'}}).call(versionRequest)
		expect(server.requests).toHaveLength(1)
	})
})

describe("a connection's own proxy", () => {
	test('takes precedence over the system proxy, and gets the stored credentials', async () => {
		const {server, proxy} = await behind({wants: 'me:second'})
		const logins = ['me:first', 'me:second']
		const own = {address: proxy.url, login: async () => logins.shift()}
		const client = clientOf(url, {...trusting(), proxy: own, proxyEnvironment: {HTTPS_PROXY: 'http://127.0.0.1:1'}})
		await expectFailure(client, 'proxy', `The proxy 127.0.0.1:${proxy.port} refuses the user name and password of this connection (status 407).`)
		await client.call(versionRequest)
		expect(server.requests).toHaveLength(1)
		expect(server.headers[0]).not.toHaveProperty('proxy-authorization')
	})

	test('may speak TLS itself, trusted by an own authority or the system', async () => {
		const {server, proxy} = await behind({tls: trusted})
		const own = {address: proxy.url, login: async () => undefined}
		await expectFailure(
			clientOf(url, {proxy: own}),
			'proxy',
			expect.stringContaining('cannot be used: The certificate of localhost comes from an authority'),
			isolateRequest
		)
		await clientOf(url, {...trusting(), proxy: own}).call(versionRequest)
		await clientOf(url, {systemCa: () => [authority.cert], proxy: own}).call(versionRequest)
		expect(server.requests).toHaveLength(2)
	})

	test('with unreadable credentials is not used without them', async () => {
		const {proxy} = await behind()
		const login = () => Promise.reject(new Error('The secret is damaged.'))
		await expectFailure(clientOf(url, {...trusting(), proxy: {address: proxy.url, login}}), 'proxy', 'The secret is damaged.', isolateRequest)
		expect(proxy.asked).toEqual([])
	})

	test('set to none overrides the system proxy', async () => {
		const server = await servingGood(trusted)
		const direct = {address: 'direct', login: async () => undefined}
		const client = clientOf(server.url, {...trusting(), proxy: direct, proxyEnvironment: {HTTPS_PROXY: 'no address'}})
		await client.call(versionRequest)
		expect(server.requests).toHaveLength(1)
	})
})
