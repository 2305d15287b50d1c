import type {EventRow} from '#contract/events.ts'
import {parseExact} from '#model/exact-json.ts'
import {parseEventFilter} from '#model/event-filter.ts'

import {fieldsOf} from './fields.ts'
import {pivotsOf, termOf} from './pivots.ts'

const row: EventRow = {
	key: '1',
	id: '6839681950832132099',
	at: '2024-05-29T10:00:00.000Z',
	typeId: 1_090_519_054,
	type: 'Threat Detected',
	severity: 'high',
	detection: 'W32.Auto "odd", name',
	about: null,
	parent: null,
	detectionId: null,
	outcome: null,
	guid: 'fc0365d7-50b2-4464-a222-f7a3e3431b10',
	hostname: 'FIN-01',
	groupGuids: [],
	user: 'a.b@FIN-01',
	sha256: 'ab'.repeat(32),
	fileName: null,
	filePath: null,
	disposition: null,
	remote: '10.3.0.7:443',
	url: null,
	odd: false
}

it('what an event leads to is understood by the filter, whatever its names hold', () => {
	const pivots = pivotsOf(row)
	expect(pivots.map(({title}) => title)).toEqual(['Same hash', 'Same computer', 'Same user', 'Same address', 'Same detection'])
	for (const {term} of pivots) {
		const {terms, problems} = parseEventFilter(term)
		expect(problems).toEqual([])
		expect(terms).toHaveLength(1)
	}
})

it('an IPv6 address and one with a port can be searched', () => {
	expect(pivotsOf({...row, remote: 'fe80::1'}).find(({title}) => title === 'Same address')?.term).toBe('ip:fe80::1')
	expect(pivotsOf(row).find(({title}) => title === 'Same address')?.term).toBe('ip:10.3.0.7')
})

it('fields keep all digits and their paths', () => {
	expect(fieldsOf(parseExact('{"id":6839681950832132099,"file":{"names":["a","b"],"none":[]}}'))).toEqual([
		{path: 'id', text: '6839681950832132099'},
		{path: 'file.names[0]', text: 'a'},
		{path: 'file.names[1]', text: 'b'},
		{path: 'file.none', text: 'none'}
	])
})

it.each([
	['file.parent.identity.sha256', 'AB'.repeat(32), `hash:${'ab'.repeat(32)}`],
	['file.identity.md5', 'cd'.repeat(16), `hash:${'cd'.repeat(16)}`],
	['network_info.local_ip', '10.3.0.7', 'ip:10.3.0.7'],
	['group_guids[0]', 'fc0365d7-50b2-4464-a222-f7a3e3431b10', 'guid=fc0365d7-50b2-4464-a222-f7a3e3431b10'],
	['computer.user', 'Jane "J" Doe', String.raw`user="Jane \"J\" Doe"`],
	['computer.hostname', 'FIN-01', 'host=FIN-01'],
	['id', '6839681950832132099', null]
])('the field %s can be searched by its value', (path, text, term) => {
	expect(termOf({path, text})).toBe(term)
	if (term !== null) expect(parseEventFilter(term).problems).toEqual([])
})
