import {parameterProblem, readParameters} from './server-parameter.ts'

describe('a server parameter', () => {
	test.each([
		['instance.execute.external', 'true'],
		['instance.execute.external.My list.v2', 'false'],
		['forward.enabled', 'false'],
		['forward.listen', '127.0.0.1:8443'],
		['forward.listen', '[::1]:0'],
		['forward.lan', 'true'],
		['forward.hostnames', 'console.example.test, CONSOLE2'],
		['forward.trustedProxies', '10.0.0.0/8,2001:db8::1'],
		['forward.platformVersion', '5.5.0']
	])('%s may be %s', (key, value) => expect(parameterProblem(key, value)).toBeNull())

	test.each([
		['instance.execute.external', 'True', /exactly true or false/],
		['instance.execute.external.edl', ' true', /exactly true or false/],
		['instance.execute.external.', 'true', /is empty/],
		['instance.execute.external._health', 'true', /is reserved/],
		['forward.listen', '0.0.0.0:443', /forward\.lan opens it/],
		['forward.listen', '127.0.0.1:65536', /loopback address and a port/],
		['forward.listen', '127.0.0.999:443', /loopback address and a port/],
		['forward.hostnames', 'a b', /a b is none/],
		['forward.trustedProxies', '10.0.0.0/33', /is none/],
		['forward.platformVersion', 'six', /6\.12/],
		['forward.listn', '127.0.0.1:443', /Did you mean forward\.listen\?/],
		['instance.execute.externel', 'true', /Did you mean instance\.execute\.external\?/],
		['constructor', 'true', /There is no server parameter constructor/]
	])('%s may not be %s', (key, value, problem) => expect(parameterProblem(key, value)).toMatch(problem))
})

describe('server parameters', () => {
	test('have defaults where nothing is set', () => {
		expect(readParameters({}, [])).toEqual({
			settings: {enabled: true, listen: {host: '127.0.0.1', port: 443}, lan: false, hostnames: [], trustedProxies: [], platformVersion: '6.12'},
			problems: []
		})
	})

	test('are read, and a row that cannot be counts as not set', () => {
		const rows = {'forward.listen': '[::1]:8443', 'forward.lan': 'yes', 'forward.hostnames': 'A.test , b,'}
		const {settings, problems} = readParameters(rows, [])
		expect(settings).toMatchObject({listen: {host: '::1', port: 8443}, lan: false, hostnames: ['a.test', 'b']})
		expect(problems).toEqual([{key: 'forward.lan', problem: 'forward.lan must be exactly true or false.'}])
	})

	test('may name a missing instance, with a warning', () => {
		const rows = {'instance.execute.external.edl': 'true', 'instance.execute.external.EDL': 'true'}
		expect(readParameters(rows, ['edl']).problems).toEqual([
			{key: 'instance.execute.external.EDL', problem: expect.stringContaining('No instance has the name EDL')}
		])
	})
})
