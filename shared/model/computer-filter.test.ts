import {computerFilter, describeTerm, formatFilter, formatTerm, parseFilter} from './computer-filter.ts'
import {addTerm} from './filter-language.ts'
import {testAnyText} from './testing/any-text.ts'

const day = 86_400_000

function only(text: string) {
	const {terms, problems} = parseFilter(text)
	expect(problems).toEqual([])
	expect(terms).toHaveLength(1)
	const [term] = terms
	if (term === undefined) throw new Error('no term')
	return term
}

function problem(text: string) {
	const {terms, problems} = parseFilter(text)
	expect(terms).toEqual([])
	expect(problems).toHaveLength(1)
	return problems[0]?.message ?? ''
}

describe('a typed filter', () => {
	test('is split into its terms', () => {
		const text = 'group:"Finance Servers" last_seen>7d ip:10.3.0.0/16 isolation:pending* -os:windows compromised:yes mac:empty FIN-'
		const {terms, problems} = parseFilter(text)
		expect(problems).toEqual([])
		expect(terms.map(term => term.field)).toEqual(['group', 'last_seen', 'ip', 'isolation', 'os', 'compromised', 'mac', 'any'])
		expect(terms.map(term => text.slice(term.start, term.end))).toContain('group:"Finance Servers"')
		expect(terms.filter(term => term.negated).map(term => term.field)).toEqual(['os'])
	})

	test('that is empty has no terms', () => {
		expect(parseFilter('  \t ')).toEqual({terms: [], problems: []})
	})

	test.each([
		['name:FIN-', [{kind: 'text', parts: ['FIN-']}]],
		['name:FIN-*', [{kind: 'text', parts: ['FIN-', '']}]],
		[String.raw`name:"a \"b\" \* c"`, [{kind: 'text', parts: ['a "b" * c']}]],
		[
			'os:windows, linux',
			[
				{kind: 'text', parts: ['windows']},
				{kind: 'text', parts: ['linux']}
			]
		],
		[
			'group:"a, b",c',
			[
				{kind: 'text', parts: ['a, b']},
				{kind: 'text', parts: ['c']}
			]
		],
		['mac:empty', [{kind: 'empty'}]],
		['group:"empty"', [{kind: 'text', parts: ['empty']}]],
		['ip:10.3.0.7', [{kind: 'addresses', from: 0x0a030007, to: 0x0a030007, text: '10.3.0.7'}]],
		['ip:10.3.', [{kind: 'addresses', from: 0x0a030000, to: 0x0a03ffff, text: '10.3.'}]],
		['ip:10.3.*', [{kind: 'addresses', from: 0x0a030000, to: 0x0a03ffff, text: '10.3.*'}]],
		['ip:10.3.77.1/16', [{kind: 'addresses', from: 0x0a030000, to: 0x0a03ffff, text: '10.3.77.1/16'}]],
		['ip:0.0.0.0/0', [{kind: 'addresses', from: 0, to: 0xffffffff, text: '0.0.0.0/0'}]],
		['ip:10.0.0.9-10.0.1.2', [{kind: 'addresses', from: 0x0a000009, to: 0x0a000102, text: '10.0.0.9-10.0.1.2'}]],
		['ip:10.*.7', [{kind: 'text', parts: ['10.', '.7']}]],
		['ip:fe80::*', [{kind: 'text', parts: ['fe80::', '']}]],
		['isolation:pending*', [{kind: 'states', states: ['pending_start', 'pending_stop'], text: 'pending*'}]],
		['isolation:pending', [{kind: 'states', states: ['pending_start', 'pending_stop'], text: 'pending'}]],
		['isolation:"not isolated"', [{kind: 'states', states: ['not_isolated'], text: 'not isolated'}]],
		['isolation:starting', [{kind: 'states', states: ['pending_start'], text: 'starting'}]],
		['isolation:releasing', [{kind: 'states', states: ['pending_stop'], text: 'releasing'}]],
		['isolation:"not available"', [{kind: 'states', states: ['unavailable'], text: 'not available'}]],
		['duplicate:YES', [{kind: 'flag', value: true}]],
		['last_seen>7d', [{kind: 'age', ms: 7 * day, text: '7d'}]],
		['last_seen<1.5h', [{kind: 'age', ms: 5_400_000, text: '1.5h'}]],
		['installed:2024-02', [{kind: 'moment', from: Date.UTC(2024, 1, 1), to: Date.UTC(2024, 2, 1), text: '2024-02'}]],
		[
			'seen>=2024-05-29T10:00+02:00',
			[{kind: 'moment', from: Date.UTC(2024, 4, 29, 8), to: Date.UTC(2024, 4, 29, 8, 1), text: '2024-05-29T10:00+02:00'}]
		],
		['connector<8.4', [{kind: 'text', parts: ['8.4']}]],
		['1e:c0:c8:7e', [{kind: 'text', parts: ['1e:c0:c8:7e']}]],
		['ab:cd:ef', [{kind: 'text', parts: ['ab:cd:ef']}]]
	])('%s has the values that it says', (text, values) => {
		expect(only(text).values).toEqual(values)
	})

	test.each([
		['hostname:a', 'name'],
		['Last-Seen>1d', 'last_seen'],
		['internal_ip:10.', 'ip'],
		['10.3.0.0/16', 'ip'],
		['"10.3.0.0/16"', 'any'],
		['connector_guid:1', 'guid'],
		['notebook', 'any']
	])('%s is about %s', (text, field) => {
		expect(only(text).field).toBe(field)
	})

	test.each([
		['-os:windows', true],
		['not os:windows', true],
		['NOT FIN-', true],
		['not -FIN', false],
		['"-FIN"', false],
		['not', false]
	])('%s: negated is %s', (text, negated) => {
		expect(only(text).negated).toBe(negated)
	})
})

describe('what cannot be understood is a problem', () => {
	test.each([
		['grup:finance', 'There is no field “grup”. Did you mean “group”?'],
		['last:7d', 'There is no field “last”. Did you mean “last_seen”?'],
		['zzz:1', 'There is no field “zzz”. Quote it to look for the text itself.'],
		['isolation:isolted', 'There is no isolation state “isolted”. Did you mean “isolated”?'],
		['isolation:blue', 'The states are'],
		['compromised:maybe', '“maybe” is neither yes nor no.'],
		['ip:10.3.0.300', 'is not an address'],
		['ip:10.3.0.0/33', 'is not an IPv4 network'],
		['ip:fe80::/10', 'is not an IPv4 network'],
		['ip:10.0.0.9-10.0.0.1', 'ends before it begins'],
		['last_seen:7d', 'last_seen<7d is within, last_seen>7d longer ago'],
		['last_seen>7', 'Did you mean “7d”?'],
		['last_seen>2024-02-30', 'is not a time'],
		['last_seen>1d,2d', '“>” takes one value.'],
		['name>a', '“name” cannot be compared with “>”'],
		['mac:xyz', 'is not a part of a MAC address'],
		['connector<8*', 'A wildcard cannot be compared'],
		['last_seen>empty', 'last_seen:empty'],
		['group:', 'or write group:empty.'],
		['group:""', 'nothing between the quotation marks'],
		['""', 'nothing between the quotation marks'],
		['-', 'Nothing to look for follows “-”.'],
		['group:"Fin', 'This quotation mark is not closed.']
	])('%s', (text, message) => {
		expect(problem(text)).toContain(message)
	})

	test('and the rest of the filter is kept beside it', () => {
		const text = 'os:windows grup:x FIN'
		const {terms, problems} = parseFilter(text)
		expect(terms.map(term => term.field)).toEqual(['os', 'any'])
		expect(problems.map(({start, end}) => text.slice(start, end))).toEqual(['grup'])
	})
})

describe('any text', () => {
	const pieces = [...' \t,:=<>-*"\\/.', 'not ', 'empty', 'group', 'ip', '10.', 'last_seen', '7d', 'isolation', 'é', '1e:', 'x']
	testAnyText(computerFilter, formatFilter, pieces)
})

describe('editing', () => {
	test('a term is added once', () => {
		expect(addTerm(computerFilter, '', 'os:windows')).toBe('os:windows')
		expect(addTerm(computerFilter, 'FIN-  ', 'os:windows')).toBe('FIN- os:windows')
		expect(addTerm(computerFilter, 'FIN- system:windows', 'os:windows')).toBe('FIN- system:windows')
	})

	test('a term is written with quotes only where it needs them', () => {
		expect(formatTerm(only('group="Finance Servers"'))).toBe('group="Finance Servers"')
		expect(formatTerm(only('hostname:"FIN-1"'))).toBe('name:FIN-1')
	})
})

test.each([
	['group:"Finance Servers"', 'Group', 'contains Finance Servers'],
	['group="Finance Servers"', 'Group', 'is Finance Servers'],
	['name:FIN-*', 'Name', 'like FIN-*'],
	['last_seen>7d', 'Last seen', 'more than 7 days ago'],
	['last_seen<1h', 'Last seen', 'within the last hour'],
	['installed>2024-05-29', 'Installed', 'after 2024-05-29'],
	['installed:2024-05-29', 'Installed', 'on 2024-05-29'],
	['ip:10.3.0.0/16', 'Address', 'in 10.3.0.0/16'],
	['ip:10.3.0.7', 'Address', '10.3.0.7'],
	['isolation:pending*', 'Isolation', 'isolating or releasing'],
	['-mac:empty', 'MAC', 'not empty'],
	['connector<8.4', 'Connector', 'before 8.4'],
	['os:windows,linux', 'Operating system', 'contains windows or contains linux'],
	['FIN-', 'Any', 'contains FIN-']
])('a chip for %s says %s: %s', (text, field, value) => {
	expect(describeTerm(only(text))).toEqual({field, value})
})
