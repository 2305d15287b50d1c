import {assigned, checkedDefinition, settingNames} from './assign.ts'

const base = {name: 'edl', listenPort: 9001}

describe('a setting by its name', () => {
	it.each([
		['websocket', 'false', {websocket: false}],
		['timeouts.firstByteS', '0', {timeouts: {firstByteS: 0}}],
		['limits.ratePerSecond', '2.5', {limits: {ratePerSecond: 2.5}}],
		['listenPort', 'none', {listenPort: null}],
		['methods', 'GET, HEAD', {methods: ['GET', 'HEAD']}],
		['methods', 'null', {methods: null}],
		['allow', '', {allow: []}],
		['healthCheck.expect', '200,204', {healthCheck: {expect: [200, 204]}}],
		['hostHeader', 'true', {hostHeader: 'true'}],
		['access', '{"kind":"basic"}', {access: {kind: 'basic'}}],
		['access.kind', 'hmac', {access: {kind: 'hmac'}}]
	])('%s=%s', (name, text, expected) => {
		const definition = assigned(base, name, text)
		expect(definition).toEqual({...base, ...expected})
		expect(checkedDefinition(definition)).toEqual(definition)
	})

	it('goes into what is there already', () => {
		const program = {kind: 'managed', command: ['a'], environment: {A: '1'}}
		expect(assigned({...base, program}, 'program.environment.B', '2')).toMatchObject({program: {command: ['a'], environment: {A: '1', B: '2'}}})
	})

	it.each([
		['timeouts.firstByte', '1', 'did you mean timeouts.firstByteS?'],
		['websockt', 'true', 'did you mean websocket?'],
		['websocket', 'on', 'true or false'],
		['limits.body', 'much', 'write digits'],
		['program.command', '[not json', 'JSON'],
		['__proto__.polluted', 'x', 'no setting']
	])('is refused with the way out: %s=%s', (name, text, fix) => {
		expect(() => assigned(base, name, text)).toThrow(fix)
	})

	it('is checked as a whole at the end', () => {
		expect(() => checkedDefinition({...base, limits: {body: -1}, allow: ['x'], bogus: 1})).toThrow(
			/allow\[0\] is not an address.*limits\.body is too small.*bogus is not known/s
		)
	})

	it('is listed with what it may be', () => {
		const names = new Map(settingNames().map(({name, value}) => [name, value]))
		expect(names.get('timeouts.firstByteS')).toBe('a number')
		expect(names.get('access.kind')).toContain('none')
		expect(names.get('listenPort')).toBe('a whole number or none')
		expect([...names.keys()]).toContain('program.builtin.refreshS')
	})
})
