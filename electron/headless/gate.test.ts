import fc from 'fast-check'

import {decide, decideUpgrade, type GateState, type RequestHead} from './gate.ts'

const port = 4711
const inside: GateState = {
	port,
	isSession: token => token === 'good',
	redeem: ticket => ticket === 'fresh',
	redeemCode: code => code === 'K7QF-2M9X'
}

const page: RequestHead = {
	method: 'GET',
	target: '/computers',
	host: `127.0.0.1:${port}`,
	origin: undefined,
	cookie: `cordon_${port}=good`,
	fetchSite: 'none',
	hosts: 1,
	user: () => expect.unreachable('asked for no entry')
}
const wire: RequestHead = {...page, target: '/wire', origin: `http://127.0.0.1:${port}`, fetchSite: 'same-origin'}

describe('a request for the page', () => {
	test('is served to a browser that has entered', () => {
		expect(decide(page, inside)).toEqual({kind: 'serve', path: '/computers'})
	})

	test('is served under each loopback name', () => {
		for (const host of [`localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
			expect(decide({...page, host}, inside).kind).toBe('serve')
		}
	})

	test.each([
		['without a cookie', {cookie: undefined}, 'session'],
		['with a wrong cookie', {cookie: `cordon_${port}=bad`}, 'session'],
		['with the cookie of a console on another port', {cookie: 'cordon_1=good'}, 'session'],
		['under a foreign name (DNS rebinding)', {host: `evil.example:${port}`}, 'host'],
		['under another port', {host: '127.0.0.1:80'}, 'host'],
		['without a host', {host: undefined}, 'host'],
		['from a foreign page', {origin: 'https://evil.example'}, 'origin'],
		['from a page of another port on this machine', {origin: 'http://127.0.0.1:9'}, 'origin'],
		['from an opaque page', {origin: 'null'}, 'origin'],
		['over a link on a foreign page', {fetchSite: 'cross-site'}, 'site'],
		['from another port, as the browser sees it', {fetchSite: 'same-site'}, 'site'],
		['that is no reading', {method: 'POST'}, 'method'],
		['that names another place', {target: '//evil.example/'}, 'path'],
		['in absolute form', {target: 'http://evil.example/'}, 'path']
	] as const)('%s is refused', (_title, change, reason) => {
		expect(decide({...page, ...change}, inside)).toEqual({kind: 'refuse', reason})
	})

	test('is served for no cookie but the right one, whatever else is in the header', () => {
		fc.assert(
			fc.property(fc.string(), cookie => {
				fc.pre(!cookie.includes(`cordon_${port}=good`))
				expect(decide({...page, cookie}, inside).kind).toBe('refuse')
			})
		)
	})
})

/** Nobody uses its ticket up. */
const unspent: GateState = {...inside, redeem: () => expect.unreachable('the ticket was used up')}

describe('the entry URL', () => {
	const stranger: RequestHead = {...page, cookie: undefined, target: '/enter?ticket=fresh', user: () => 'own'}

	test('lets a browser in', () => {
		expect(decide(stranger, inside)).toEqual({kind: 'enter'})
	})

	test('with a used or invented ticket says so', () => {
		expect(decide({...stranger, target: '/enter?ticket=used'}, inside)).toEqual({kind: 'refuse', reason: 'ticket'})
	})

	test('without a ticket asks for the code from the terminal, and takes it from anybody who sees that', () => {
		expect(decide({...stranger, target: '/enter'}, inside)).toEqual({kind: 'ask'})
		const typed: RequestHead = {...stranger, target: '/enter?code=K7QF-2M9X', fetchSite: 'same-origin'}
		expect(decide({...typed, user: () => 'other'}, inside)).toEqual({kind: 'enter'})
		expect(decide({...typed, target: '/enter?code=XXXX'}, inside)).toEqual({kind: 'refuse', reason: 'code'})
		expect(decide({...typed, fetchSite: 'cross-site'}, inside)).toEqual({kind: 'refuse', reason: 'site'})
	})

	test('lets no other user of the machine in, and stays valid', () => {
		const theirs: RequestHead = {...stranger, user: () => 'other'}
		expect(decide(theirs, unspent)).toEqual({kind: 'refuse', reason: 'user'})
		expect(decide({...stranger, user: () => 'unknown'}, inside)).toEqual({kind: 'enter'})
	})

	test('may be opened from the file in the profile, which belongs to no site', () => {
		expect(decide({...stranger, fetchSite: 'cross-site'}, inside)).toEqual({kind: 'enter'})
		for (const target of ['/enter', '/enter?ticket=x&code=K7QF-2M9X'])
			expect(decide({...stranger, fetchSite: 'cross-site', target}, inside)).toEqual({kind: 'refuse', reason: 'site'})
	})

	test('with two hosts is refused', () => {
		expect(decide({...stranger, hosts: 2}, inside)).toEqual({kind: 'refuse', reason: 'host'})
	})

	test('leads a browser that is in to the console and keeps the ticket', () => {
		expect(decide({...page, target: '/enter?ticket=fresh'}, unspent)).toEqual({kind: 'home'})
	})

	test('is not used up by a preview', () => {
		expect(decide({...stranger, method: 'HEAD'}, unspent)).toEqual({kind: 'refuse', reason: 'method'})
	})

	test('is not used up by a request under a foreign name', () => {
		expect(decide({...stranger, host: 'evil.example'}, unspent).kind).toBe('refuse')
	})
})

describe('the wire', () => {
	test('opens for our own page', () => {
		expect(decideUpgrade(wire, inside)).toEqual({kind: 'accept'})
	})

	test.each([
		['without the origin that every browser sends', {origin: undefined}, 'origin'],
		['from a foreign page', {origin: 'https://evil.example'}, 'origin'],
		['from a page of another port', {origin: 'http://127.0.0.1:9'}, 'origin'],
		['under a foreign name', {host: 'evil.example', origin: 'http://evil.example'}, 'host'],
		['of another site, as the browser sees it', {fetchSite: 'cross-site'}, 'site'],
		['without a cookie', {cookie: undefined}, 'session'],
		['by another method', {method: 'POST'}, 'method'],
		['on another path', {target: '/'}, 'path']
	] as const)('%s stays shut', (_title, change, reason) => {
		expect(decideUpgrade({...wire, ...change}, inside)).toEqual({kind: 'refuse', reason})
	})
})
