import type {IncomingMessage, ServerResponse} from 'node:http'

import type {Connection, ConnectionInput, TestResult, TestStage} from '#model/connection.ts'

import {createApiClient} from '../api/client.ts'
import {openBench} from '../api/testing/bench.ts'
import {makeAuthority, selfSigned, type Authority, type Pair} from '../api/testing/certificates.ts'
import {testKey} from '../api/testing/client.ts'
import {testClock} from '../api/testing/clock.ts'
import {basic} from '../api/testing/proxy.ts'
import {startServer, startTcpServer, type TestServer} from '../api/testing/server.ts'
import {createMemoryLedger} from './connections.ts'
import {networkProbe} from './network-probe.ts'
import {testConnection} from './test-connection.ts'
import {connectionTo} from './testing/clients.ts'

const {serving: serve, proxyTo, onClose, closeAll} = openBench()
let authority: Authority

beforeAll(async () => {
	// The clock of these tests stands at the first of January 2026.
	authority = await makeAuthority({notBefore: new Date('2025-12-01T00:00:00Z')})
})
afterEach(closeAll)

interface Setting {
	draft: Partial<ConnectionInput>
	stored?: Connection
	signal?: AbortSignal
	proxyEnvironment?: Readonly<Record<string, string>>
	storedLogin?: string
}

type Results = Partial<Record<TestStage, TestResult>>

async function run({draft, stored, signal, proxyEnvironment = {}, storedLogin}: Setting) {
	const services = {
		clock: testClock({eager: true}),
		probe: networkProbe,
		proxyEnvironment,
		userAgent: 'Cordon/test',
		keptIn: () => 'a drawer',
		createClient: createApiClient
	}
	const subject = {stored, draft, keyOf: async () => testKey, loginOf: async () => storedLogin, ledger: createMemoryLedger}
	const results: Results = {}
	for await (const result of testConnection(services, subject, signal ?? new AbortController().signal)) results[result.stage] = result
	return results
}

/** The verdicts of the nine stages in order; those that are not named are skipped. */
function expectVerdicts(results: Results, named: string) {
	const verdicts = Object.values(results).map(({verdict}) => verdict)
	expect(verdicts).toEqual(Array.from({length: 9}, (_, at) => named.split(' ')[at] ?? 'skipped'))
}

const version = '{"version":"v1.2.0","metadata":{"links":{"self":"https://api.example.test/v1/version"}},"data":{}}'

function good(change: {body?: string; status?: number; headers?: Record<string, string>} = {}) {
	return (_request: IncomingMessage, response: ServerResponse) => {
		response.writeHead(change.status ?? 200, {
			'content-type': 'application/json',
			'x-ratelimit-limit': '3000',
			'x-ratelimit-remaining': '2986',
			'x-ratelimit-reset': '2635',
			// The clock of these tests stands at this time.
			date: 'Thu, 01 Jan 2026 00:00:00 GMT',
			...change.headers
		})
		response.end(change.body ?? version)
	}
}

/** Of a service that answers so. */
async function testedWith(change: Parameters<typeof good>[0], more?: Setting['draft'], pair?: Pair) {
	const server = await serve(good(change), pair)
	return {server, results: await tested(server, more)}
}
const tested = ({url}: Pick<TestServer, 'url'>, more: Setting['draft'] = {}) => run({draft: {url, ...account, ...more}})
const account = {clientId: 'a1b2', apiKey: testKey}
const url = 'https://api.example.test'
/** A service with a certificate of the test's authority. */
const serveTrusted = async () => serve(good(), await authority.issue('api.example.test'))

test('a service that is in order passes every stage; plain HTTP has no certificate', async () => {
	const server = await serve(good())
	const results = await tested({url: `${server.url}/`})
	expectVerdicts(results, 'ok ok ok skipped ok ok ok ok ok')
	expect(Object.values(results).map(({stage, message}) => `${stage}: ${message}`)).toEqual([
		`url: ${server.url} can be used.`,
		'dns: 127.0.0.1 is already an address.',
		`tcp: 127.0.0.1:${server.port} accepted the connection after 0 ms.`,
		'tls: Plain HTTP within this computer has no certificate.',
		'version: The service supports API v1.2.0.',
		'credentials: The service knows this client ID and API key.',
		'scope: The key reads, and this connection does nothing else.',
		'clock: The clocks agree.',
		'quota: 2,986 of 3,000 calls are left until 00:43 UTC.'
	])
	expect(server.requests).toEqual(['GET /v1/version'])
	expect(JSON.stringify(results)).not.toContain(testKey)
})

test('an address that cannot be used ends the test at its first stage', async () => {
	const results = await tested({url: 'http://api.example.test'})
	expectVerdicts(results, 'failed')
	expect(results.url?.message).toBe('Plain http: is accepted for loopback addresses only.')
})

test('an unknown host name fails at name resolution', async () => {
	const results = await tested({url: 'https://nowhere.invalid'})
	expectVerdicts(results, 'ok failed')
	expect(results.dns?.message).toContain('nowhere.invalid')
})

test('a closed port fails at the connection', async () => {
	const server = await startServer(good())
	await server.close()
	const results = await tested(server)
	expectVerdicts(results, 'ok ok failed')
	expect(results.tcp?.message).toBe(`The connection was refused: no program answers at 127.0.0.1:${server.port}, or a firewall refuses it.`)
})

test('an untrusted certificate is shown and refused', async () => {
	const {server, results} = await testedWith({}, {}, await selfSigned('localhost'))
	expectVerdicts(results, 'ok ok ok failed')
	expect(results.tls).toMatchObject({
		message: 'The certificate of localhost is self-signed: nobody else vouches for it.',
		certificate: {subject: 'localhost', issuer: 'localhost'}
	})
	expect(results.tls?.certificate?.fingerprint256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
	expect(server.requests).toEqual([])
})

test('with "Trust any certificate" that is a warning, and the test goes on', async () => {
	const {results} = await testedWith({}, {insecure: true}, await selfSigned('localhost'))
	expectVerdicts(results, 'ok ok ok warning ok ok ok ok ok')
	expect(results.tls?.message).toContain('because this connection trusts any certificate')
})

test('a certificate for another name says for which', async () => {
	const {results} = await testedWith({}, {insecure: true}, await selfSigned('other.example.test'))
	expect(results.tls?.verdict).toBe('warning')
	expect(results.tls?.certificate?.subject).toBe('other.example.test')
})

test('a server without TLS says so at the certificate stage', async () => {
	const server = await serve(good())
	const results = await tested({url: `https://127.0.0.1:${server.port}`})
	expectVerdicts(results, 'ok ok ok failed')
	expect(results.tls?.message).toBe(`127.0.0.1:${server.port} does not speak TLS.`)
})

test('a wrong key leaves the version open and fails at the credentials', async () => {
	const body =
		'{"version":"v1.2.0","data":{},"errors":[{"error_code":401,"description":"Unauthorized","details":["Unknown API key or Client ID"]}]}'
	const {results} = await testedWith({status: 401, body})
	expectVerdicts(results, 'ok ok ok skipped skipped failed')
	expect(results.credentials?.message).toMatch(/client ID|API key/)
})

test.each([
	['another version', '{"version":"v3.0.0","data":{}}', 'The service supports API v3.0.0. Cordon needs v1.'],
	['no version', '{"data":{}}', 'The server at this address is not the service: it reports no API version.']
])('a service of %s is not the expected one', async (_what, body, message) => {
	const {results} = await testedWith({body})
	expect(results.version).toMatchObject({verdict: 'failed', message})
})

test('any other page fails at the version', async () => {
	const {results} = await testedWith({body: '<html>hello</html>', headers: {'content-type': 'text/html'}})
	expect(results.version?.verdict).toBe('failed')
})

test('different clocks and a used-up API limit are warnings', async () => {
	const headers = {date: 'Thu, 01 Jan 2026 00:05:00 GMT', 'x-ratelimit-remaining': '0'}
	const {results} = await testedWith({headers})
	expectVerdicts(results, 'ok ok ok skipped ok ok ok warning warning')
	expect(results.clock?.message).toBe("This computer's clock is 300 s behind the service's.")
	expect(results.quota?.message).toContain('0 of 3,000 calls are left')
})

const ownCa = () => ({url, ca: authority.cert, ...account})

test('its own authority verifies the service, end to end', async () => {
	const server = await serve(good(), await authority.issue('localhost'))
	const refused = await tested(server)
	expect(refused.tls?.verdict).toBe('failed')
	const trusted = await tested(server, {ca: authority.cert})
	expectVerdicts(trusted, 'ok ok ok ok ok ok ok ok ok')
	expect(trusted.tls?.certificate?.chain.map(({subject}) => subject)).toEqual(['Test authority'])
	expect(server.requests).toEqual(['GET /v1/version'])
})

test('what is not trusted is shown with all that the server sent of its chain', async () => {
	const pair = await authority.issue('localhost')
	const server = await serve(good(), {...pair, cert: `${pair.cert}\n${authority.cert}`})
	const {tls} = await tested(server)
	expect(tls).toMatchObject({
		verdict: 'failed',
		message: 'The certificate of localhost comes from an authority that this computer does not know.',
		certificate: {subject: 'localhost', issuer: 'Test authority', chain: [{subject: 'Test authority'}]}
	})
})

test('a proxy of its own goes before that of the system, and its credentials reach it alone', async () => {
	const server = await serveTrusted()
	const proxy = await proxyTo(server.port, {wants: 'me:pass word'})
	const draft = {...ownCa(), proxy: proxy.url, proxyLogin: {user: 'me', password: 'pass word'}}
	const results = await run({draft, proxyEnvironment: {https_proxy: 'http://127.0.0.1:1'}})
	expectVerdicts(results, 'ok ok ok ok ok ok ok ok ok')
	expect(new Set(proxy.asked.map(({target}) => target))).toEqual(new Set(['api.example.test:443']))
	expect(server.headers[0]).not.toHaveProperty('proxy-authorization')
	expect(JSON.stringify(results)).not.toMatch(/pass word|me:/)
})

test('a proxy that asks for credentials fails the connection and says what to do; so do refused ones', async () => {
	const server = await serveTrusted()
	const proxy = await proxyTo(server.port, {wants: 'me:right'})
	const without = await run({draft: {...ownCa(), proxy: proxy.url}})
	expectVerdicts(without, 'ok ok failed')
	expect(without.tcp?.message).toContain('asks for a user name and a password, and this connection has none')
	const wrong = await run({draft: {...ownCa(), proxy: proxy.url, proxyLogin: {user: 'me', password: 'wrong'}}})
	expect(wrong.tcp?.message).toContain('refuses the user name and password of this connection')
	expect(wrong.tcp?.message).not.toContain('wrong')
	expect(server.requests).toEqual([])
})

test('stored credentials of a proxy go to that proxy and to no other', async () => {
	const server = await serveTrusted()
	const [own, other] = [await proxyTo(server.port), await proxyTo(server.port)]
	const stored: Connection = {...connectionTo(url), ca: authority.cert, proxy: own.url, hasProxyLogin: true}
	expect((await run({stored, draft: {}, storedLogin: 'me:stored'})).credentials?.verdict).toBe('ok')
	expect(own.asked[0]?.credentials).toBe(basic('me:stored'))
	await run({stored, draft: {proxy: other.url}, storedLogin: 'me:stored'})
	expect(other.asked.map(({credentials}) => credentials)).toEqual(other.asked.map(() => {}))
	expect(other.asked).not.toEqual([])
})

test.each([
	['another authority', (proxy: string) => ({proxy, ca: authority.cert}), 'other authorities are trusted now'],
	['any certificate behind a proxy', (proxy: string) => ({proxy, insecure: true}), 'behind a proxy']
])('the stored key is not sent where %s would be trusted', async (_what, changeTo, why) => {
	const server = await serveTrusted()
	const proxy = await proxyTo(server.port)
	const results = await run({stored: connectionTo(url), draft: changeTo(proxy.url)})
	expect(results.version).toMatchObject({verdict: 'failed', message: expect.stringContaining(why)})
	expect(server.requests).toEqual([])
})

test.each([
	[{proxy: 'proxy.example'}, 'tcp', 'proxy', 'The proxy has no port'],
	[{proxy: 'p.example:1', proxyLogin: {user: 'a:b', password: 'c'}}, 'tcp', 'proxyLogin', 'must not have a colon'],
	[{ca: 'not PEM'}, 'tls', 'ca', 'The certificate authorities hold no certificate']
] as const)('a wrong network setting is reported at its step and field, before anything is tried: %j', async (network, stage, field, message) => {
	const results = await tested({url}, network)
	const tried = Object.values(results).filter(({verdict}) => verdict !== 'skipped')
	expect(tried.map(each => `${each.stage} ${each.verdict}`)).toEqual(['url ok', `${stage} failed`])
	expect(results[stage]).toMatchObject({message: expect.stringContaining(message), fault: {field, code: 'invalid_argument'}})
	expect(results.dns?.message).toMatch(/^Skipped, because what is entered for a later step cannot be used: C/)
	expect(results.quota?.message).toMatch(/^Skipped, because an earlier step failed: C/)
})

test.each([
	['the service', {url: 'https://nowhere.invalid'}, {}, 'url'],
	['a proxy of its own', {url, proxy: 'http://nowhere.invalid:1'}, {}, 'proxy'],
	['a proxy of the system', {url}, {https_proxy: 'http://nowhere.invalid:1'}, undefined]
])('an unknown name of %s is reported at its field', async (_whose, draft, proxyEnvironment, field) => {
	const {dns} = await run({draft: {...draft, ...account}, proxyEnvironment})
	expect([dns?.verdict, dns?.fault?.field]).toEqual(['failed', field])
})

test('a system variable that names no proxy is explained in words', async () => {
	const draft = {url, ...account}
	const {dns} = await run({draft, proxyEnvironment: {https_proxy: 'http://'}})
	expect(dns).toMatchObject({verdict: 'failed', message: 'The proxy variable of the system holds no address.'})
})

test('the stored key goes to the stored server alone', async () => {
	const [own, other] = [await serve(good()), await serve(good())]
	const stored = connectionTo(own.url)
	expect((await run({stored, draft: {}})).credentials).toMatchObject({
		verdict: 'ok',
		message: 'The service knows this client ID and API key. The key is kept in: a drawer.'
	})
	const elsewhere = await run({stored, draft: {url: other.url}})
	expect(elsewhere.version).toMatchObject({
		verdict: 'failed',
		message: 'Enter the API key: the stored one is not sent, because the address changed.'
	})
	expect(other.requests).toEqual([])
})

test('through a proxy the proxy is resolved and connected, and the certificate is the one behind it', async () => {
	const server = await serve(good(), await selfSigned('api.example.test'))
	const proxy = await proxyTo(server.port)
	const proxyEnvironment = {https_proxy: `http://127.0.0.1:${proxy.port}`}
	const results = await run({draft: {url, insecure: true, ...account}, proxyEnvironment})
	expectVerdicts(results, 'ok ok ok warning ok ok ok ok ok')
	expect(results.dns?.message).toBe('The proxy 127.0.0.1 is already an address.')
	expect(results.tcp?.message).toContain(`The proxy 127.0.0.1:${proxy.port} leads to api.example.test after`)
	expect(results.tls?.certificate?.subject).toBe('api.example.test')
})

test('a test that is stopped ends at once', async () => {
	const silent = await startTcpServer(() => {})
	onClose(silent.close)
	const stop = new AbortController()
	const results = run({draft: {url: `https://127.0.0.1:${silent.port}`, ...account}, signal: stop.signal})
	setImmediate(() => stop.abort())
	await expect(results).rejects.toMatchObject({code: 'cancelled'})
})
