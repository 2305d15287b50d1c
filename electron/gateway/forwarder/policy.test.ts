import {Policy, methodRefusal, sizeRefusal, stateRefusal} from './policy.ts'
import {Routes} from './route.ts'
import {withFields} from './testing/forwarded.ts'
import {configOf, headOf, instanceOf, peer, type InstanceWish} from './testing/heads.ts'
import type {Peer, RequestHead} from './message-types.ts'
import type {ForwarderConfig} from './types.ts'

interface Wish {
	instance?: Omit<InstanceWish, 'name'>
	config?: Partial<ForwarderConfig>
	head?: Partial<RequestHead>
	from?: Partial<Peer>
	target?: string
}

/** Status and reason, or `passes`. */
function check({instance = {}, config = {}, head = {}, from = {}, target = '/instance/execute/edl/x'}: Wish) {
	const whole = configOf([{name: 'edl', ...instance}], config)
	const request = headOf(target, head)
	const refusal = new Policy(whole).check(request, {...peer, ...from}, new Routes(whole).decide(request))
	return refusal === null ? 'passes' : `${String(refusal.status)} ${refusal.reason}`
}

describe('Host', () => {
	it.each([
		['localhost', 'passes'],
		['LocalHost.:8443', 'passes'],
		['127.0.0.1:8443', 'passes'],
		['127.8.9.1', 'passes'],
		['[::1]:443', 'passes'],
		['cordon.example', 'passes'],
		['Cordon.Example:443', 'passes'],
		['198.51.100.1', 'passes'],
		['198.51.100.2', '400 unknown_host'],
		['[2001:db8::1]', '400 unknown_host'],
		['evil.example', '400 unknown_host'],
		['localhost.evil.example', '400 unknown_host'],
		['127.0.0.1.evil.example', '400 unknown_host'],
		['cordon.example.evil', '400 unknown_host']
	])('%s %s', (authority, outcome) => {
		expect(check({head: {authority}, from: {localAddress: '198.51.100.1'}})).toBe(outcome)
	})

	it('may be any address where ours is not known, but no name', () => {
		expect(check({head: {authority: '198.51.100.2'}})).toBe('passes')
		expect(check({head: {authority: 'evil.example'}})).toBe('400 unknown_host')
	})

	it('is asked of the version too', () => {
		expect(check({target: '/instance/version', head: {authority: 'evil.example'}})).toBe('400 unknown_host')
	})
})

describe('a page of another site', () => {
	const crossSite = ['Sec-Fetch-Site', 'cross-site'] as const
	const navigates = ['Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'] as const
	const clicked = ['Sec-Fetch-User', '?1'] as const

	it.each([
		['a client that is no browser', [], 'passes'],
		['an address that was typed', ['Sec-Fetch-Site', 'none'], 'passes'],
		['our own page', ['Sec-Fetch-Site', 'same-origin', 'Origin', 'https://localhost'], 'passes'],
		['our own page, in an older browser', ['Origin', 'https://localhost:443'], 'passes'],
		['another site', crossSite, '403 cross_site'],
		['another site with an origin', [...crossSite, 'Origin', 'https://evil.example'], '403 cross_site'],
		['another site in our name', [...crossSite, 'Origin', 'https://localhost'], '403 cross_site'],
		['another port of this host', ['Sec-Fetch-Site', 'same-site', 'Origin', 'https://localhost:9'], '403 cross_site'],
		['another site, in an older browser', ['Origin', 'https://evil.example'], '403 cross_site'],
		['the same host without TLS', ['Origin', 'http://localhost'], '403 cross_site'],
		['a page without an origin of its own', ['Origin', 'null'], '403 cross_site'],
		['one that says it is ours and is not', ['Sec-Fetch-Site', 'same-origin', 'Origin', 'https://x'], '403 cross_site'],
		['two answers', [...crossSite, 'Sec-Fetch-Site', 'same-origin', ...navigates, ...clicked], '403 cross_site'],
		['two origins', ['Origin', 'https://localhost', 'Origin', 'https://x'], '403 cross_site'],
		['an image of another site', [...crossSite, 'Sec-Fetch-Mode', 'no-cors', 'Sec-Fetch-Dest', 'document', ...clicked], '403 cross_site'],
		['a frame of another site', [...crossSite, 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'iframe', ...clicked], '403 cross_site'],
		['a page opened by another site', [...crossSite, ...navigates], '403 cross_site'],
		['a link that was clicked', [...crossSite, ...navigates, ...clicked], 'passes']
	])('%s: %s', (_, fields, outcome) => {
		expect(check(withFields(...fields))).toBe(outcome)
	})

	it('may lead to a page by itself, but not post a form to it', () => {
		const instance = {webInterface: true}
		const {head} = withFields(...crossSite, ...navigates)
		expect(check({instance, head})).toBe('passes')
		expect(check({instance, head: {...head, method: 'POST'}})).toBe('403 cross_site')
	})

	it('may call when its origin is allowed', () => {
		const {head} = withFields(...crossSite, 'Origin', 'https://Wiki.example')
		expect(check({head, instance: {origins: ['https://wiki.example/']}})).toBe('passes')
		expect(check({head, instance: {origins: ['*']}})).toBe('passes')
		expect(check({head, instance: {origins: ['https://wiki.example.evil']}})).toBe('403 cross_site')
	})
})

describe('a request that was here before', () => {
	it.each([
		['1.1 cordon', '508 loop'],
		['1.0 a, 1.1 Cordon (us), 1.1 b', '508 loop'],
		['HTTP/2 cordon', '508 loop'],
		['1.1 cordon-2', 'passes'],
		['1.1 a (cordon)', 'passes']
	])('Via: %s %s', (via, outcome) => {
		expect(check(withFields('Via', via))).toBe(outcome)
	})
})

it('OPTIONS without hops left ends here', () => {
	const {head} = withFields('Max-Forwards', '0')
	expect(check({head: {...head, method: 'OPTIONS'}})).toBe('204 options')
	expect(check({head})).toBe('passes')
})

it('an instance may bound the head below the server', () => {
	const limits = {head: 1024}
	const {head} = withFields('X', 'a'.repeat(1000))
	expect(check({instance: {limits}})).toBe('passes')
	expect(check({head, instance: {limits}})).toBe('431 head_too_large')
	expect(check({head})).toBe('passes')
})

describe('an instance', () => {
	it('takes the methods it says, all without a list', () => {
		const reader = instanceOf({name: 'a', methods: ['GET', 'HEAD']})
		expect(methodRefusal(reader, 'GET')).toBeNull()
		expect(methodRefusal(reader, 'POST')).toMatchObject({status: 405, fields: ['Allow', 'GET, HEAD']})
		expect(methodRefusal(reader, 'get')).toMatchObject({status: 405})
		expect(methodRefusal(instanceOf({name: 'a'}), 'PROPFIND')).toBeNull()
	})

	it('refuses from the head what is too large', () => {
		const small = instanceOf({name: 'a', limits: {body: 10}})
		expect(sizeRefusal(small, {kind: 'length', length: 11})).toMatchObject({status: 413})
		expect(sizeRefusal(small, {kind: 'length', length: 10})).toBeNull()
		expect(sizeRefusal(small, {kind: 'chunked'})).toBeNull()
		expect(sizeRefusal(instanceOf({name: 'a'}), {kind: 'length', length: 1e15})).toBeNull()
	})

	it.each([
		['disabled', 503],
		['stopped', 503],
		['starting', 503],
		['healthy', undefined],
		['unhealthy', undefined]
	] as const)('that is %s is %s', (state, status) => {
		const refusal = stateRefusal(instanceOf({name: 'a', state}))
		expect(refusal?.status).toBe(status)
		expect(refusal?.fields?.includes('Retry-After')).toBe(status === undefined ? undefined : true)
	})
})
