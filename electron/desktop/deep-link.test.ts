import fc from 'fast-check'

import {judgeLink, linkAmong, readDeepLink} from './deep-link.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'
const hash = 'ab'.repeat(32)

describe('a link shows a screen', () => {
	test.each([
		['cordon://open/overview', '/overview'],
		['cordon://open/computers/', '/computers'],
		['cordon://open/computers?filter=group%3A%22Servers%22', `/computers?filter=${encodeURIComponent('"group:\\"Servers\\""')}`],
		[`cordon://open/computers/${guid}`, `/computers/${guid}`],
		[`cordon://open/computers/${guid.toUpperCase()}?tab=trajectory`, `/computers/${guid}?tab=%22trajectory%22`],
		[`cordon://open/hash/${hash}`, `/file-lists/hash/${hash}`],
		['cordon://open/log?entry=01KJMMA2G06QAWNFM8FB8RYJDK', '/log?entry=%2201KJMMA2G06QAWNFM8FB8RYJDK%22'],
		['cordon://open/search?q=evil+host', '/search?q=%22evil%20host%22'],
		['cordon://open/command-line', '/command-line']
	])('%s', (link, path) => {
		expect(readDeepLink(link)).toEqual({path, connection: null})
	})

	test('and names its connection', () => {
		expect(readDeepLink(`cordon://open/computers/${guid}?connection=c1`)).toEqual({path: `/computers/${guid}`, connection: 'c1'})
	})
})

test.each([
	'',
	'cordon:',
	'cordon://',
	'cordon://open',
	'cordon://open/',
	'cordon://app/#/computers',
	'cordon://app/index.html',
	'cordon://evil/computers',
	'cordon://open.evil/computers',
	'cordon://user@open/computers',
	'cordon://open:80/computers',
	'CORDON://OPEN/computers',
	' cordon://open/computers',
	'cordon://open/computers\n',
	'cordon://open//computers',
	'cordon://open/../app/computers',
	'cordon://open/computers/..%2f..%2fsettings',
	'cordon://open/computers/%2e%2e',
	'cordon://open/computers#/settings',
	'cordon://open/computers/1234',
	`cordon://open/computers/${guid}/isolate`,
	`cordon://open/computers/${guid}?act=isolate`,
	`cordon://open/computers/${guid}?tab=trajectory&act=release`,
	'cordon://open/groups?act=assign',
	'cordon://open/command-line?line=svc_delete_computers_isolation',
	'cordon://open/command-line?run=true',
	'cordon://open/connections?add=true',
	'cordon://open/connections?import=true',
	'cordon://open/settings?section=data',
	'cordon://open/instances?act=add',
	'cordon://open/log?act=verify',
	'cordon://open/computers?filter=a&filter=b',
	'cordon://open/computers?filter',
	'cordon://open/computers?filter=',
	'cordon://open/computers?filter=%E0%A4%A',
	'cordon://open/computers?filter=%00',
	'cordon://open/computers?filter=a%0Ab',
	'cordon://open/computers?filter=%E2%80%AEevil',
	'cordon://open/computers?__proto__=x',
	'cordon://open/constructor',
	'cordon://open/__proto__',
	'cordon://open/computers?connection=../../x',
	`cordon://open/computers?filter=${'a'.repeat(501)}`,
	`cordon://open/computers?filter=${'%61'.repeat(1000)}`,
	'javascript:alert(1)',
	'https://open/computers',
	'file:///open/computers'
])('%j is refused', link => {
	expect(readDeepLink(link)).toBeNull()
})

test('whatever a link holds, what comes of it is a listed screen with texts for parameters', () => {
	const piece = fc.oneof(
		fc.string(),
		fc.constantFrom('cordon://', 'open', '/', 'computers', guid, '?', 'filter=', '&', '%', '#', 'act=isolate', '..', '@', ':')
	)
	fc.assert(
		fc.property(fc.array(piece, {maxLength: 12}), pieces => {
			const link = readDeepLink(`cordon://open/${pieces.join('')}`)
			if (link === null) return
			expect(link.path).toMatch(/^\/[a-z-]+(\/(hash\/)?[0-9a-f-]+)?(\?[a-z]+=%22[^&#]*%22(&[a-z]+=%22[^&#]*%22)*)?$/)
			expect(link.path).not.toMatch(/[?&](act|line|run|add|import|edit)=/)
		}),
		{numRuns: 2000}
	)
})

test('a link of another connection does not open under the wrong one', () => {
	const known = {connections: ['c1', 'c2'], active: 'c1'}
	const link = `cordon://open/computers/${guid}`
	expect(judgeLink(link, known)).toEqual({open: `/computers/${guid}`})
	expect(judgeLink(`${link}?connection=c1`, known)).toEqual({open: `/computers/${guid}`})
	expect(judgeLink(`${link}?connection=c2`, known)).toEqual({refused: expect.stringContaining('switch to it')})
	expect(judgeLink(`${link}?connection=c3`, known)).toEqual({refused: expect.stringContaining('not on this computer')})
	expect(judgeLink('cordon://evil/', known)).toEqual({refused: expect.stringContaining('no links of this kind')})
})

test('the link is found among the arguments that the system hands over', () => {
	expect(linkAmong(['/usr/bin/cordon', '--flag', 'cordon://open/log'])).toBe('cordon://open/log')
	expect(linkAmong(['/usr/bin/cordon', '--flag'])).toBeUndefined()
})
