import {askableAs, defanged, readIndicator, type IndicatorKind} from './indicator.ts'

const sha256 = 'A'.repeat(63) + '0'

describe('what is typed is recognised', () => {
	const cases: [typed: string, kind: IndicatorKind, value: string][] = [
		[sha256, 'sha256', sha256.toLowerCase()],
		[`sha256: ${sha256}`, 'sha256', sha256.toLowerCase()],
		['da39a3ee5e6b4b0d3255bfef95601890afd80709', 'sha1', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
		['MD5=D41D8CD98F00B204E9800998ECF8427E', 'md5', 'd41d8cd98f00b204e9800998ecf8427e'],
		['203.0.113.66', 'ip', '203.0.113.66'],
		['203[.]0[.]113[.]66', 'ip', '203.0.113.66'],
		['203.0.113(dot)66', 'ip', '203.0.113.66'],
		['203.0.113.66:443', 'ip', '203.0.113.66'],
		['10.3.0.0/16', 'network', '10.3.0.0/16'],
		['[fe80::1]:443', 'ipv6', 'fe80::1'],
		['1e:c0:c8:00:00:01', 'mac', '1e:c0:c8:00:00:01'],
		['hxxp://bad[.]example[.]com/a.php?x=1', 'url', 'http://bad.example.com/a.php?x=1'],
		['hXXps[:]//bad[.]example', 'url', 'https://bad.example'],
		['hxxps[://]bad(.)example/', 'url', 'https://bad.example/'],
		['bad[.]example[.]com', 'domain', 'bad.example.com'],
		['bad.example.com/path', 'url', 'bad.example.com/path'],
		['updchk.exe', 'file', 'updchk.exe'],
		['C:\\Users\\Public\\updchk.exe', 'file', 'updchk.exe'],
		['/usr/bin/curl', 'file', 'curl'],
		['Invoice 2291.docm', 'file', 'Invoice 2291.docm'],
		['CORP\\j.keller', 'user', 'CORP\\j.keller'],
		['j.keller[@]example[.]com', 'user', 'j.keller@example.com'],
		['"FIN-LT-0231"', 'name', 'FIN-LT-0231'],
		['m.keller', 'name', 'm.keller'],
		['evil.com', 'domain', 'evil.com'],
		['043A414D-5520-4374-B545-DFF6A0E74195', 'guid', '043a414d-5520-4374-b545-dff6a0e74195'],
		['trojan downloader', 'text', 'trojan downloader']
	]
	test.each(cases)('%s', (typed, kind, value) => {
		expect(readIndicator(typed)).toMatchObject({kind, value})
	})

	test('with the word that it was made harmless', () => {
		expect(readIndicator('203[.]0.113.66')?.wasDefanged).toBe(true)
		expect(readIndicator('203.0.113.66')?.wasDefanged).toBe(false)
	})

	test('unless there is nothing in it', () => {
		for (const typed of ['', '  ', '""', '\u200b', '...']) expect(readIndicator(typed)).toBeNull()
	})
})

test('the service is queried only for what it understands', () => {
	const asked = (typed: string) => askableAs(readIndicator(typed) ?? {kind: 'md5', value: '', wasDefanged: false})
	expect(asked(sha256)).toEqual(['activity'])
	expect(asked('10.3.0.0/16')).toEqual([])
	expect(asked('d41d8cd98f00b204e9800998ecf8427e')).toEqual([])
	expect(asked('CORP\\kim')).toEqual(['user'])
	expect(asked('kim')).toEqual(['activity', 'user'])
})

test('addresses and links are defanged, the rest stays', () => {
	expect(defanged('curl.exe connected to 203.0.113.66:443: https://a.example/x.js?q=1.2')).toBe(
		'curl.exe connected to 203[.]0[.]113[.]66:443: hxxps://a[.]example/x.js?q=1.2'
	)
	expect(defanged('http://203.0.113.66/a')).toBe('hxxp://203[.]0[.]113[.]66/a')
})
