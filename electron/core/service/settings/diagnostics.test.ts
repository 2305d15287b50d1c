import {anonymous, diagnosticsText} from './diagnostics.ts'

const names = [
	['ACME-EU', '<connection 1>'],
	['api.eu.example.test', '<host 1>'],
	['/home/ada/.config/cordon', '<profile>'],
	['ada', '<operator>']
] as const

test.each([
	['{"msg":"failed","url":"https://api.eu.example.test/v1"}', '<host 1>'],
	['opened /home/ada/.config/cordon/profile.db', 'opened <profile>/profile.db'],
	['ada asked', '<operator> asked'],
	['adaptation', 'adaptation'],
	['Authorization: Basic YWRhOmh1bnRlcjI=', 'Basic <credentials>'],
	['connect to http://kim:hunter2@proxy:3128', 'http://<credentials>@proxy:3128'],
	['svc_put_computers_isolation x unlock_code=tango42', 'x unlock_code='],
	['{"password":"hunter2 and more"}', '"password":"<secret>'],
	['key 0d9a9a50-3f0f-4a4e-9d6f-5b0f6a3d1b2c refused', 'key <guid> refused'],
	['from 10.3.4.5 to 127.0.0.1', 'from <address> to 127.0.0.1'],
	['at 08:12:55 from 2001:db8::5 to [::1]:443', 'at 08:12:55 from <address> to [::1]:443'],
	['{"mac":"0a:1b:2c:3d:4e:5f","to":"fd00:1:2:3:4:5:6:7"}', '{"mac":"<address>","to":"<address>"}'],
	['{"hostname":"siem.inner","msg":"getaddrinfo ENOTFOUND siem.inner"}', '{"hostname":"<host>","msg":"getaddrinfo ENOTFOUND <host>"}'],
	['{"host":"siem.inner","reason":"Host: siem.inner. is not"}', '{"host":"<host>","reason":"Host: <host> is not"}'],
	['{"level":"info","notice":"1 isolated computer","msg":"siem.inner"}', '{"level":"info","notice":"<notice>"}'],
	['token abc123def456ghi789jkl012mno', '<token>']
])('of %s remains %s', (line, rest) => {
	const text = anonymous(line, names)
	expect(text).toContain(rest)
	expect(text).not.toMatch(/hunter2|tango42|YWRh|0d9a9a50|10\.3\.4\.5|abc123|2001|fd00|0a:1b|siem/)
})

test('facts contain no names or secrets', () => {
	const text = diagnosticsText({
		at: '2026-01-31T14:02:11Z',
		facts: {version: '1.2.3', apiKey: 'k', note: 'the connection acme-eu', keys: {'list.open': ['Enter']}},
		lines: ['one', 'two'],
		names
	})
	expect(text).toContain('"version": "1.2.3"')
	expect(text).toContain('the connection <connection 1>')
	expect(text).not.toContain('"k"')
	expect(text).toMatch(/last 2 lines\none\ntwo\n$/)
})
