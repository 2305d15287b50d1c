import {doubtOf, judgeQuery} from './TrajectoryTab.tsx'

const sha256 = 'a'.repeat(63) + '0'

describe('what is asked', () => {
	test.each([
		['  ', ''],
		['203.0.113.66', '203.0.113.66'],
		['203[.]0[.]113[.]66', '203.0.113.66'],
		['203.0.113.66:443', '203.0.113.66'],
		[`SHA256: ${sha256.toUpperCase()}`, sha256],
		['hxxps://evil[.]example/a', 'https://evil.example/a'],
		['evil.example.com', 'evil.example.com'],
		[String.raw`C:\Temp\updchk.exe`, 'updchk.exe'],
		['sshd', 'sshd'],
		['USER: j.doe ', 'user:j.doe']
	])('%s', (typed, ask) => expect(judgeQuery(typed)).toEqual({ask, problem: null}))
})

describe('what the service would answer like something it never saw', () => {
	test.each([
		['user:', /name after/],
		[String.raw`CORP\jdoe`, /user:jdoe$/],
		['jdoe@FIN-LT-0231', /user:jdoe$/],
		['999.1.1.1', /not an IPv4 address/],
		['10.0.0', /not an IPv4 address/],
		['10.0.0.0/8', /a network/],
		['fe80::1', /IPv6/],
		['00:11:22:33:44:55', /MAC/],
		['b'.repeat(32), /MD5/],
		['b'.repeat(40), /SHA-1/],
		['b'.repeat(63), /64 digits.*this has 63/],
		['z'.repeat(64), /64 digits.*with others/],
		['b4173d73-c7aa-4ab2-afe3-70167b1dc57e', /GUID/],
		['…', /nothing to look for/]
	])('%s costs no call', (typed, problem) => {
		const judged = judgeQuery(typed)
		expect(judged.ask).toBeNull()
		expect(judged.problem).toMatch(problem)
	})
})

test('an answer without events says how a name was understood', () => {
	expect(doubtOf('abc')).toMatch(/whole name of a file.*user:abc$/)
	expect(doubtOf('user:jdoe')).toMatch(/whole name/)
	expect(doubtOf('203.0.113.66')).toBeNull()
})
