import fc from 'fast-check'
import {CordonError} from '#contract/errors.ts'

import {isMet, parseCondition} from './condition.ts'
import {bodyOf} from './program.ts'
import {orderOf, singleOrders} from './routes.ts'
import {givenVariables} from './variables.ts'

const values: Record<string, {type: string; value: string}> = {
	__status__: {type: 'string', value: 'isolated'},
	__count__: {type: 'integer', value: '9007199254740993'},
	__share__: {type: 'float', value: '0.5'},
	__host__: {type: 'string', value: "FIN-O'Neil 100%"},
	__address__: {type: 'ipv4-addr', value: '10.20.4.14'},
	__net__: {type: 'ipv6-addr', value: '2001:db8::/48'},
	__hash__: {type: 'sha256-hash', value: 'ABCD'},
	__ok__: {type: 'bool', value: 'True'},
	__pattern__: {type: 'string', value: '(a+)+$'},
	__long__: {type: 'string', value: '['.repeat(100_000)},
	__many__: {type: 'string', value: 'a'.repeat(500)},
	__more__: {type: 'string', value: 'a'.repeat(3000)}
}

function met(text: string) {
	return isMet(parseCondition(text), name => values[name])
}

describe('conditions', () => {
	test.each([
		['__status__:value = isolated', true],
		["__status__:value = 'isolated'", true],
		["__status__:value != 'isolated'", false],
		['__count__:value > 9007199254740992', true],
		['__count__:value <= 9007199254740992', false],
		['__share__:value < 1', true],
		['__share__:value >= 0.50', true],
		['__status__:value IN (pending_start, isolated)', true],
		["__status__:value NOT IN ('pending_start', 'x')", true],
		["__host__:value LIKE 'FIN-%'", true],
		["__host__:value LIKE '%100_'", true],
		["__host__:value LIKE 'fin%'", false],
		["__host__:value = 'FIN-O\\'Neil 100%'", true],
		["__host__:value = 'FIN-O''Neil 100%'", true],
		["__host__:value MATCHES '^FIN-[A-Z].*$'", true],
		["__host__:value MATCHES '^(FIN|HR|IT)-[A-Z]*[^ ]+ 10?0%$'", true],
		["__many__:value MATCHES '^a.*srv.*[.]corp[.]example$'", false],
		['__address__:value ISSUBSET 10.20.0.0/16', true],
		['__address__:value ISSUBSET 10.21.0.0/16', false],
		['__address__:value ISSUBSET 2001:db8::/32', false],
		['__net__:value ISSUPERSET 2001:db8::1', true],
		['__net__:value ISSUBSET 2001:db8::/32', true],
		['__hash__:value = abcd', true],
		['__ok__:value = true', true],
		['__status__:value = __status__:value', true],
		['__status__:value = x OR __share__:value < 1 AND __ok__:value = true', true],
		['(__status__:value = x OR __share__:value < 1) AND __ok__:value = false', false]
	])('%s is %s', (text, expected) => {
		expect(met(text)).toBe(expected)
	})

	test.each([
		['', 'ends where a variable is missing'],
		['isolated = __status__:value', 'begins with a variable'],
		['__status__:value == isolated', 'A value is missing before'],
		['__status__:value = a b', 'does not belong there'],
		['__status__:value = a; process.exit()', 'does not belong there'],
		['__status__:value LOOKS a', 'is not an operator'],
		["__status__:value = 'a", 'cannot be read from character'],
		['(__status__:value = a', 'closing parenthesis'],
		["__host__:value MATCHES '(a+)+$'", 'too complex'],
		["__host__:value MATCHES 'a*b*c*'", 'too complex'],
		["__host__:value MATCHES '(a)\\\\1'", 'too complex'],
		[`__host__:value MATCHES '${'a?'.repeat(20)}b'`, 'too complex'],
		[`__host__:value MATCHES '${'(a|aa)'.repeat(20)}b'`, 'too complex'],
		[`${'('.repeat(60)}__a__:value = b`, 'more than 50 parentheses']
	])('%s is refused', (text, message) => {
		expect(() => parseCondition(text)).toThrow(message)
	})

	test('a missing value, or one that is not a number, is reported', () => {
		expect(() => met('__none__:value = a')).toThrow('has no value yet')
		expect(() => met('__count__:value > many')).toThrow('one of them is not a number')
	})

	test.each([
		['__host__:value MATCHES __pattern__:value', 'too complex'],
		['__host__:value MATCHES __long__:value', 'too complex'],
		['__long__:value LIKE __long__:value', 'too long for LIKE'],
		["__many__:value MATCHES 'a?a?a?a*a*b'", 'too long for MATCHES'],
		[`__more__:value MATCHES '${'a?'.repeat(11)}aaaaaab${'a'.repeat(260)}'`, 'too long for MATCHES'],
		[`__more__:value MATCHES 'a*aaaaaab${'a'.repeat(280)}'`, 'too long for MATCHES']
	])('a pattern from another variable is as narrow as one of the document: %s', (text, message) => {
		expect(() => met(text)).toThrow(message)
	})

	test('any text is a condition or refused with a sentence', () => {
		const part = fc.constantFrom('__status__:value', '=', 'IN', '(', ')', ',', 'AND', 'OR', 'NOT', "'a'", 'b', 'LIKE', 'MATCHES', '%')
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.array(part).map(parts => parts.join(' '))
				),
				text => {
					try {
						met(text)
					} catch (error) {
						expect(error).toBeInstanceOf(CordonError)
					}
				}
			),
			{numRuns: 1000}
		)
	})
})

const hostile = `x/../../groups?a=b HTTP/1.1\r\nHost: evil","reason":"y" {} __other__:value %2f ü`
const lookup = (name: string) => (name === '__other__' ? 'never looked up twice' : hostile)

function ordered(command: string, content?: string) {
	return orderOf({type: 'http-api', command: `${command} HTTP/1.1`, ...(content !== undefined && {content})}, lookup)
}

describe('requests to Cordon', () => {
	test('a value cannot change the command', () => {
		const order = ordered('PUT /computers/__c__:value/isolation?ticket=__c__:value', '{"comment":"__c__:value"}')
		expect(order).toMatchObject({
			name: 'svc_put_computers_isolation',
			args: {connector_guid: hostile, comment: hostile},
			ticket: hostile,
			reason: null
		})
	})

	test.each([
		['GET /computers/x/isolation/wait?until=isolated&timeout=60', 'svc_get_computers_isolation', {status: 'isolated'}],
		['GET /computers/activity?q=a%20b', 'svc_get_computer_activity', {q: 'a b'}],
		['GET /computers?hostname=a&hostname=b', 'svc_get_computers', {hostname: ['a', 'b']}],
		['PUT /file-lists/l/files/s', 'svc_set_file_list_files_by_sha', {file_list_guid: 'l', sha256: 's'}],
		['POST /commands/svc_get_version', 'svc_get_version', {}]
	])('%s', (command, name, args) => {
		expect(ordered(command)).toMatchObject({name, args})
	})

	test('an automatic release needs a lease that ends', () => {
		const isolate = (query: string) => ordered(`PUT /computers/x/isolation?${query}`)
		expect(() => isolate('auto-release=true')).toThrow('needs a lease')
		expect(isolate('auto-release=yes&lease=4')).toMatchObject({autoRelease: true, leaseHours: 4})
	})

	test('each distinct value becomes a separate command', () => {
		const order = ordered('POST /commands/svc_get_computer_activity?each=q', '{"q":"a, b,a"}')
		const singles = order.kind === 'command' ? singleOrders(order) : []
		expect(singles.map(({args}) => args)).toEqual([{q: 'a'}, {q: 'b'}])
	})

	test.each(['Q', 'hostname', 'reason', 'constructor'])('each of %s, not an argument given, is refused', each => {
		const refused = () => ordered(`POST /commands/svc_get_computers?each=${each}&reason=x&limit=1`)
		expect(refused).toThrow('not an argument that the request gives')
	})

	test('records that share a value are found among many; those without it are none of them', () => {
		const order = ordered('GET /computers?twice=hostname&select=at')
		const names = ['a', null, 'B', null, 'b', 'A', ...Array.from({length: 50_000}, (_, index) => `c${index}`)]
		const data = names.map((hostname, at) => ({hostname, at}))
		expect(order.kind === 'command' && bodyOf(order, {data} as never, 0)).toBe('0,5,2,4')
		expect(() => order.kind === 'command' && bodyOf(order, {data, missing: [500], message: 'Part'} as never, 0)).toThrow('Part')
	})

	test.each([
		['same=at:1', '1'],
		['other=at:1', '0'],
		['before=seen:2.5', '0'],
		['same=at', 'same needs a path and a value, such as status:isolated.'],
		['other=:1', 'other needs'],
		['before=seen', 'before needs a path and a value, such as last_seen:30.'],
		['before=seen:1e1', 'before needs']
	])('a filter that cannot be read is refused, not an empty answer: %s', (filter, wanted) => {
		const order = ordered(`GET /computers?${filter}&select=at`)
		const data = ['1970-01-01', '1970-01-03'].map((seen, at) => ({at, seen}))
		const body = () => (order.kind === 'command' ? bodyOf(order, {data} as never, 4 * 86_400_000) : '')
		if (/^\d$/u.test(wanted)) expect(body()).toBe(wanted)
		else expect(body).toThrow(wanted)
	})
})

test('a start takes external variables only, of their types', () => {
	const document = {
		playbook_variables: {
			__a__: {type: 'sha256-hash', external: true},
			__b__: {type: 'string', value: 'kept'},
			__c__: {type: 'integer', external: true, value: '5'}
		}
	} as never
	const hash = 'a'.repeat(64)
	expect(givenVariables(document, {__a__: hash})).toMatchObject({__a__: {value: hash}, __c__: {value: '5'}})
	expect(() => givenVariables(document, {})).toThrow('Give a value for __a__.')
	expect(() => givenVariables(document, {__a__: 'x'})).toThrow('is not 64 hexadecimal digits')
	expect(() => givenVariables(document, {__a__: hash, __b__: 'x'})).toThrow('takes no variable __b__')
})
