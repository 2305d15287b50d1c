import {defaultLimits} from '../limits.ts'
import {readHttp2Head} from './h2.ts'

const usual = [':method', 'GET', ':scheme', 'https', ':path', '/instance/execute/edl?n=5', ':authority', 'console:8443']

function reasonOf(raw: string[], ended = true) {
	return readHttp2Head(raw, ended, defaultLimits).refusal?.reason
}

function request(changes: Readonly<Record<string, string>>, more: string[] = []) {
	const fields: string[] = []
	for (let at = 0; at < usual.length; at += 2) fields.push(usual[at] ?? '', changes[usual[at] ?? ''] ?? usual[at + 1] ?? '')
	return [...fields, ...more]
}

describe('the head of an HTTP/2 request', () => {
	test('becomes a head like any other, with Host in front', () => {
		const {head, refusal} = readHttp2Head([...usual, 'accept', '*/*', 'te', 'trailers'], true, defaultLimits)
		expect(refusal).toBeNull()
		expect(head).toEqual({
			method: 'GET',
			target: '/instance/execute/edl?n=5',
			version: '2',
			authority: 'console:8443',
			fields: ['host', 'console:8443', 'accept', '*/*', 'te', 'trailers'],
			framing: {kind: 'none'},
			connection: [],
			keepAlive: true,
			expectContinue: false,
			upgrade: null,
			wantsTrailers: true
		})
	})

	test('joins the crumbs of a cookie where the first one stood', () => {
		const {head} = readHttp2Head([...usual, 'cookie', 'a=1', 'x', 'y', 'cookie', 'b=2'], true, defaultLimits)
		expect(head.fields).toEqual(['host', 'console:8443', 'cookie', 'a=1; b=2', 'x', 'y'])
	})

	test('takes Host where :authority is missing, and one of two that are equal', () => {
		const {head, refusal} = readHttp2Head([...usual.slice(0, 6), 'host', 'console'], true, defaultLimits)
		expect([head.authority, refusal]).toEqual(['console', null])
		expect(reasonOf([...usual, 'host', 'CONSOLE:8443'])).toBeUndefined()
	})

	test('tells the length of the body, or that it is not known', () => {
		expect(readHttp2Head(usual, false, defaultLimits).head.framing).toEqual({kind: 'chunked'})
		const known = readHttp2Head([...usual, 'content-length', '0012'], false, defaultLimits)
		expect(known).toMatchObject({head: {framing: {kind: 'length', length: 12}}, refusal: null})
		const lengths = (values: string[], ended: boolean) => reasonOf([...usual, ...values.flatMap(value => ['content-length', value])], ended)
		expect([lengths(['2', '2'], false), lengths(['x'], false), lengths(['0'], true)]).toEqual(['bad_length', 'bad_length', undefined])
		const awaits = (ended: boolean) => readHttp2Head([...usual, 'expect', '100-Continue'], ended, defaultLimits).head.expectContinue
		expect([awaits(false), awaits(true)]).toEqual([true, false])
	})

	test.each([
		['Host and :authority differ', [...usual, 'host', 'other'], 'bad_host'],
		['Host twice', [...usual, 'host', 'console:8443', 'host', 'console:8443'], 'bad_host'],
		['no host at all', usual.slice(0, 6), 'bad_host'],
		['user information in :authority', request({':authority': 'a@b'}), 'bad_host'],
		['CONNECT', [':method', 'CONNECT', ':authority', 'console:443'], 'connect'],
		['a method that is no token', request({':method': 'GE T'}), 'bad_request_line'],
		['an unknown scheme', request({':scheme': 'ftp'}), 'bad_request_line'],
		['a target with a fragment', request({':path': '/a#b'}), 'bad_target'],
		['a target with bytes above ASCII', request({':path': '/\u00e4'}), 'bad_target'],
		['an absolute target', request({':path': 'https://other/'}), 'bad_target'],
		['an asterisk for GET', request({':path': '*'}), 'bad_target'],
		['a target that is too long', request({':path': `/${'a'.repeat(16_384)}`}), 'target_too_long'],
		['a name with an underscore', [...usual, 'x_forwarded_for', '1'], 'bad_field_name'],
		['a name in upper case of another alphabet', [...usual, '\u00c4', '1'], 'bad_field_name'],
		['a line break in a value', [...usual, 'x', 'a\r\nb: c'], 'bad_field_value'],
		['Connection', [...usual, 'connection', 'close'], 'bad_connection'],
		['Transfer-Encoding', [...usual, 'transfer-encoding', 'chunked'], 'bad_connection'],
		['an unknown expectation', [...usual, 'expect', 'miracles'], 'unknown_expectation'],
		['two lengths', [...usual, 'content-length', '2', 'content-length', '2'], 'bad_length'],
		['a length with a sign', [...usual, 'content-length', '+2'], 'bad_length'],
		['a length without a body', [...usual, 'content-length', '2'], 'bad_length'],
		['too many fields', [...usual, ...Array.from({length: 2001}, () => ['a', '']).flat()], 'head_too_large'],
		['too many bytes', [...usual, 'a', 'b'.repeat(65_536)], 'head_too_large']
	])('is refused with %s', (_what, raw, reason) => {
		expect(reasonOf(raw)).toBe(reason)
	})

	test('lets an asterisk through for OPTIONS, and the scheme of a client that TLS was taken from', () => {
		expect(reasonOf(request({':scheme': 'http'}))).toBeUndefined()
		expect(reasonOf(request({':method': 'OPTIONS', ':path': '*'}))).toBeUndefined()
	})
})
