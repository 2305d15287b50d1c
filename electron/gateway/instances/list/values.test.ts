import {neverOf} from './never.ts'
import {valueOfLine} from './render.ts'
import {lineOfUrl, sameUrl, urlOfLine} from './urls.ts'
import {checkOf, valueOf, type ListType} from './values.ts'

const hash = 'A'.repeat(64)

function published(type: ListType, raw: string, never: string[] = [], allowPrivate = false) {
	const {lines, reason} = checkOf(type, neverOf({never: [...never], allowPrivate}))(raw)
	return lines.length > 0 ? lines.map(line => valueOfLine(line, type)).join(' ') : `(${reason})`
}

test.each<[ListType, string, string]>([
	['sha256', hash, hash.toLowerCase()],
	['sha256', `${hash}  file name`, hash.toLowerCase()],
	['sha256', 'a'.repeat(40), '(is not a SHA-256)'],
	['ip', '192.0.2.1', '192.0.2.1'],
	['ip', '192.0.2.1 a scanner', '192.0.2.1'],
	['ip', '192.0.2.5 - 192.0.2.9', '192.0.2.5-192.0.2.9'],
	['ip', '192.0.2.77/24', '192.0.2.0/24'],
	['ip', '8.0.0.0/7', '(is wider than /8)'],
	['ip', '2001::/18', '(is wider than /19)'],
	['ip', '0.0.0.0/0', '(is wider than /8)'],
	['ip', '127.0.0.1', '(is never published)'],
	['ip', '::1', '(is never published)'],
	['ip', '10.1.2.3', '(is never published)'],
	['ip', '9.255.255.255-10.0.0.1', '9.255.255.255'],
	['ip', 'bad.com', '(is not an address, network or range)'],
	['domain', 'Bad.COM.', 'bad.com'],
	['domain', '*.bad.com', 'bad.com *.bad.com'],
	['domain', 'münchen.example', 'xn--mnchen-3ya.example'],
	['domain', '*.co.uk', '(is a whole top-level domain)'],
	['domain', 'com', '(is a whole top-level domain)'],
	['domain', 'x.co.uk', 'x.co.uk'],
	['domain', '192.0.2.1', '(is an address, not a domain)'],
	['domain', 'co.co', 'co.co'],
	['domain', 'co.info', 'co.info'],
	['domain', 'bad.uk', 'bad.uk'],
	['domain', '_bad-1.example', '_bad-1.example'],
	['domain', '-bad.example', '(is not a domain)'],
	['domain', 'bad..example', '(is not a domain)'],
	['domain', '*.', '(is not a domain)'],
	['domain', `${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
	['domain', `${'a'.repeat(64)}.example`, '(is not a domain)'],
	['domain', `${'a.'.repeat(126)}b`, `${'a.'.repeat(126)}b`],
	['domain', `${'a.'.repeat(126)}bc`, '(is longer than 253 characters)'],
	['domain', 'a*.bad.com', '(is not a domain)'],
	['domain', 'https://bad.com/', '(is not a domain)'],
	['url', 'HTTPS://Bad.com:8443/Path?q=1#part', 'https://bad.com:8443/Path?q=1'],
	['url', 'http://good.com@bad.com/x', 'http://bad.com/x'],
	['url', '[2001:db8::1]:80/x', '[2001:db8::1]:80/x'],
	['url', '*.bad.com/x', 'bad.com/x *.bad.com/x'],
	['url', 'bad.com/*/x', 'bad.com/*/x'],
	['url', 'bad.com/a*/x', '(has a * or ^ that is not a whole part)'],
	['url', '*.com', '(is a whole top-level domain)'],
	['url', 'bad.com/ä', 'bad.com/%C3%A4'],
	['url', 'bad.com:99999/', '(has no valid port)'],
	['url', 'http:///x', '(has no host)'],
	['url', 'bad.com:/', 'bad.com/'],
	['url', 'bad.com:1?a', 'bad.com:1?a'],
	['url', 'bad.com:65535', 'bad.com:65535'],
	['url', 'bad.com:65536/', '(has no valid port)'],
	['url', 'bad.com:0/', '(has no valid port)'],
	['url', 'bad.com:000080/', '(has no valid port)'],
	['url', 'bad.^/x?a=*&b=^', 'bad.^/x?a=*&b=^'],
	['url', 'bad.com/x^', '(has a * or ^ that is not a whole part)'],
	['url', 'bad*.com/', '(has no valid host)'],
	['url', '[192.0.2.1]/', '(has no valid host)'],
	['url', `${'a.'.repeat(126)}b`, `${'a.'.repeat(126)}b`],
	['url', `${'a.'.repeat(126)}bc`, '(has no valid host)'],
	['url', 'bad com', '(holds a space)'],
	['url', `bad.com/${'x'.repeat(246)}`, `bad.com/${'x'.repeat(246)}`],
	['url', `bad.com/${'x'.repeat(247)}`, '(is longer than 254 characters)'],
	['url', `https://bad.com:8443/${'x'.repeat(246)}`, `https://bad.com:8443/${'x'.repeat(246)}`],
	['url', 'http://127.0.0.1/x', '(is never published)']
])('in a list of type %s, %s becomes %s', (type, raw, result) => {
	expect(published(type, raw)).toBe(result)
})

const free = '(is never published)'

test.each<[ListType, string, string[], string]>([
	['sha256', hash, [hash.toLowerCase()], free],
	['sha256', 'b'.repeat(64), [hash], 'b'.repeat(64)],
	['ip', '192.0.2.0/24', ['192.0.2.128/25'], '192.0.2.0/25'],
	['ip', '192.0.2.0/30', ['192.0.2.1'], '192.0.2.0 192.0.2.2/31'],
	['ip', '192.0.2.7', ['192.0.2.0/24'], free],
	['domain', 'good.com', ['good.com'], free],
	['domain', '*.good.com', ['good.com'], free],
	['domain', '*.good.com', ['www.good.com'], free],
	['domain', 'good.com', ['www.good.com'], 'good.com'],
	['domain', '*.good.com', ['notgood.com'], 'good.com *.good.com'],
	['domain', 'sub.good.com', ['good.com'], 'sub.good.com'],
	['domain', 'sub.good.com', ['*.good.com'], free],
	['domain', 'notgood.com', ['*.good.com'], 'notgood.com'],
	['url', 'https://good.com/any', ['good.com'], free],
	['url', 'https://192.0.2.9:80/any', ['192.0.2.0/24'], free],
	['url', 'https://bad.com/ok', ['http://bad.com/ok'], free],
	['url', 'https://bad.com/bad', ['http://bad.com/ok'], 'https://bad.com/bad']
])('in a list of type %s, %s without %j becomes %s', (type, raw, never, result) => {
	expect(published(type, raw, never)).toBe(result)
})

test('a line gives back its URL with and without protocol and port, and is equal to another with the same rest', () => {
	const line = lineOfUrl({host: 'a.b', tail: '?q', protocol: 'https://', port: ':1'})
	const kept = [false, true].flatMap(protocol => [false, true].map(port => urlOfLine(line, {protocol, port})))
	expect(kept).toEqual(['a.b?q', 'a.b:1?q', 'https://a.b?q', 'https://a.b:1?q'])
	const bare = lineOfUrl({host: 'a.b', tail: '', protocol: '', port: ':1'})
	expect([bare, 'a.b'].map(one => urlOfLine(one, {protocol: true, port: true}))).toEqual(['a.b:1', 'a.b'])
	expect(['a.b?q', 'a.b?', 'a.b?qq', 'a.b?z\thttps://\t', 'a.b?q\t\t:1'].map(one => sameUrl(line, one))).toEqual([
		true,
		false,
		false,
		false,
		true
	])
})

test('private networks are published only when that is allowed; loopback never', () => {
	expect(published('ip', '10.1.2.3', [], true)).toBe('10.1.2.3')
	expect(published('ip', '127.0.0.1', [], true)).toBe(free)
})

test('a value of "never" that protects nothing is reported', () => {
	expect(neverOf({never: ['10.0.0.0/8', 'good com'], allowPrivate: false}).unread).toEqual(['good com'])
})

test.each([
	['  value  ', 'value'],
	['# comment', null],
	['', null],
	['value # comment', 'value'],
	['http://a/#part', 'http://a/#part']
])('the value of the line %j is %j', (line, value) => {
	expect(valueOf(line)).toBe(value)
})
