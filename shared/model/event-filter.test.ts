import {describeEventTerm, eventFilter, eventFilterSuggestions, formatEventFilter, parseEventFilter} from './event-filter.ts'
import {addTerm} from './filter-language.ts'
import {testAnyText} from './testing/any-text.ts'

function only(text: string) {
	const {terms, problems} = parseEventFilter(text)
	const [term] = terms
	if (term === undefined || terms.length > 1 || problems.length > 0) throw new Error(`not one term: ${text}`)
	return term
}

describe('a term means what it says', () => {
	test.each([
		['powershell', 'any', {kind: 'words', text: 'powershell', begins: true}],
		['type:1090519054', 'type', {kind: 'type', id: 1_090_519_054, text: '1090519054'}],
		['event_type:quarantined', 'type', {kind: 'words', text: 'quarantined', begins: true}],
		['severity>=high', 'severity', {kind: 'severities', severities: ['critical', 'high'], text: 'high'}],
		['sev:HIGH', 'severity', {kind: 'severities', severities: ['high'], text: 'high'}],
		['outcome:open', 'outcome', {kind: 'outcomes', outcomes: ['open'], text: 'open'}],
		['host=FIN-01', 'host', {kind: 'exact', text: 'FIN-01'}],
		['computer:FIN-*', 'host', {kind: 'words', text: 'FIN-', begins: true}],
		['file:*.exe', 'file', {kind: 'words', text: '.exe', begins: true}],
		['sha256:ABCD1', 'hash', {kind: 'words', text: 'abcd1', begins: true}],
		[`hash:${'Ab'.repeat(32)}`, 'hash', {kind: 'exact', text: 'ab'.repeat(32)}],
		['ab'.repeat(32), 'hash', {kind: 'exact', text: 'ab'.repeat(32)}],
		['10.3.0.0/16', 'ip', {kind: 'addresses', from: 0x0a030000, to: 0x0a03ffff, text: '10.3.0.0/16'}],
		['ip:fe80::1', 'ip', {kind: 'words', text: 'fe80::1', begins: true}],
		['6839681950832132099', 'id', {kind: 'exact', text: '6839681950832132099'}],
		['fc0365d7-50b2-4464-a222-f7a3e3431b10', 'guid', {kind: 'exact', text: 'fc0365d7-50b2-4464-a222-f7a3e3431b10'}],
		['detection_id:6839681950832132099', 'detection_id', {kind: 'exact', text: '6839681950832132099'}],
		['user:empty', 'user', {kind: 'empty'}],
		['severity:empty', 'severity', {kind: 'severities', severities: ['none'], text: 'none'}],
		['when<1d', 'time', {kind: 'age', ms: 86_400_000, text: '1d'}]
	])('%s', (text, field, value) => {
		expect(only(text)).toMatchObject({field, values: [value]})
	})
})

describe('what cannot be understood is a problem at its place', () => {
	test.each([
		['host:a outcom:open', 'outcom', 'Did you mean “outcome”?'],
		['severity:hgh', 'hgh', 'Did you mean “high”?'],
		['outcome:lost', 'lost', 'There are open, quarantined, failed, recalled.'],
		['host>a', 'host>a', 'cannot be compared'],
		['hash:xyz', 'xyz', 'hexadecimal'],
		['hash:ab', 'ab', 'at least 4 digits'],
		['path:a*b', 'a*b', 'at the beginning or at the end only'],
		['--', '--', 'Nothing to look for'],
		['"--"', '"--"', 'no letter and no digit'],
		['time:7d', '7d', 'which side is meant'],
		['time:empty', 'empty', 'never empty'],
		['file:""', '""', 'file:empty'],
		['ip:10.3.0.300', '10.3.0.300', 'is not an address'],
		['severity>=high,low', 'severity>=high,low', 'takes one value']
	])('%s', (text, place, message) => {
		const [problem] = parseEventFilter(text).problems
		expect(problem?.message).toContain(message)
		expect(text.slice(problem?.start, problem?.end)).toBe(place)
	})
})

describe('any text', () => {
	const pieces = [...' ,:=<>-*"\\/.', 'not ', 'empty', 'host', 'severity', 'high', 'sha256', 'abcd', 'time', '7d', '10.', 'é']
	testAnyText(eventFilter, formatEventFilter, pieces)
})

test('a “*” behind “=” stays when a term is written down', () => {
	const written = (text: string) => formatEventFilter(parseEventFilter(text).terms)
	expect(written('host=fin* user=*adm')).toBe('host=fin* user=*adm')
	expect(written('host=empty*')).toBe('host=empty*')
	expect(written('host=fin')).toBe('host=fin')
})

test('a term is added once', () => {
	expect(addTerm(eventFilter, '', 'outcome:open')).toBe('outcome:open')
	expect(addTerm(eventFilter, 'fin ', 'outcome:open')).toBe('fin outcome:open')
	expect(addTerm(eventFilter, 'fin result:open', 'outcome:open')).toBe('fin result:open')
})

test.each([
	['severity>=high', 'Severity', 'at least high'],
	['-type:"Policy Update"', 'Type', 'not contains Policy Update'],
	['host=FIN-01', 'Computer', 'is FIN-01'],
	['time<1d', 'Time', 'within the last day'],
	['user:empty', 'User', 'empty'],
	['outcome:open,failed', 'Outcome', 'open or failed']
])('a chip for %s says %s: %s', (text, field, value) => {
	expect(describeEventTerm(only(text))).toEqual({field, value})
})

describe('suggestions', () => {
	const at = (textWithCaret: string) => {
		const caret = textWithCaret.indexOf('|')
		const {items, ask} = eventFilterSuggestions(textWithCaret.replace('|', ''), caret)
		return {items: items.map(({insert}) => insert), ask}
	}

	test('offer fields by every name that they have', () => {
		expect(at('|').items).toEqual(expect.arrayContaining(['severity:', 'time<', 'host:']))
		expect(at('sha|').items).toEqual(['hash:'])
		expect(at('-outc|').items).toEqual(['outcome:'])
	})

	test('offer the values of a field', () => {
		expect(at('severity>=|').items).toEqual(['critical', 'high', 'medium', 'low', 'none', 'unknown'])
		expect(at('outcome:fa|').items).toEqual(['failed'])
		// Also by its detail: `removed when it was found`.
		expect(at('outcome:open,re|').items).toEqual(['quarantined', 'recalled'])
		expect(at('sha256:|').items).toEqual(['empty'])
		expect(at('type:thr|').ask).toMatchObject({source: 'event_type', prefix: 'thr'})
	})
})
