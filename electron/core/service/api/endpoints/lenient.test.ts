import type {z} from 'zod'

import {computerSchema} from '#model/computer.ts'
import {eventSchema} from '#model/event.ts'
import {fileListItemSchema, fileListSchema} from '#model/file-list.ts'
import {groupSchema} from '#model/group.ts'
import {isolationSchema} from '#model/isolation.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {oddOf} from '#model/odd.ts'
import {policySchema} from '#model/policy.ts'

import {readLeniently} from './endpoint.ts'

interface Kind {
	schema: z.ZodObject
	id: string | null
	whole: Readonly<Record<string, unknown>>
}

const reference = {guid: 'g1', name: 'Audit'}
const kinds: Readonly<Record<string, Kind>> = {
	computer: {
		schema: computerSchema,
		id: 'connector_guid',
		whole: {
			connector_guid: 'c1',
			hostname: 'FIN-WS-1',
			active: true,
			operating_system: 'Windows 11',
			os_version: '10.0',
			internal_ips: ['10.0.0.1'],
			network_addresses: [{mac: '00:11', ip: '10.0.0.1'}],
			group_guid: 'g1',
			groups: [reference],
			policy: reference,
			last_seen: '2026-11-01T00:00:00Z',
			faults: [],
			isolation: {available: true, status: 'not_isolated'},
			risk_score: 3
		}
	},
	event: {
		schema: eventSchema,
		id: null,
		whole: {
			id: 6_455_442_249_407_791_000n,
			timestamp: 1_700_000_000,
			date: '2026-11-01T00:00:00Z',
			event_type_id: 1_090_519_054,
			detection_id: '6455442249407791109',
			connector_guid: 'c1',
			group_guids: ['g1'],
			severity: 'High'
		}
	},
	group: {
		schema: groupSchema,
		id: 'guid',
		whole: {...reference, description: 'd', ancestry: [reference], policies: [{...reference, product: 'windows'}]}
	},
	policy: {
		schema: policySchema,
		id: 'guid',
		whole: {...reference, product: 'windows', default: true, serial_number: 4, file_lists: [{...reference, type: 'x'}]}
	},
	'file list': {schema: fileListSchema, id: 'guid', whole: {...reference, type: 'application_blocking'}},
	'file list item': {schema: fileListItemSchema, id: 'sha256', whole: {sha256: 'a'.repeat(64), description: 'bad'}}
}
const oddities: Readonly<Record<string, unknown>> = {
	missing: undefined,
	null: null,
	'a number': 7,
	'a text': 'words',
	'digits as a text': '12345',
	'1e400': Number.POSITIVE_INFINITY,
	'a list': [null],
	'an object': {some: 'thing'},
	'a long number': 2n ** 62n
}

const rows = Object.entries(kinds).flatMap(([kind, {schema, id, whole}]) =>
	Object.keys(whole).flatMap(field =>
		Object.entries(oddities).map(([name, value]) => ({kind, schema, whole, field, name, value, isId: field === id}))
	)
)

test('the table has more than the 144 variants that were tried', () => expect(rows.length).toBeGreaterThan(144))

test.each(rows)('$kind with $name as $field', ({schema, whole, field, value, isId}) => {
	const {[field]: _left, ...rest} = whole
	const given = value === undefined ? rest : {...rest, [field]: value}
	const read = readLeniently(schema, given)
	const isGood = schema.safeParse(given).success
	if (isId && !isGood) {
		expect('issue' in read).toBe(true)
		return
	}
	if (!('record' in read)) throw new Error(`refused: ${stringifyExact(read.issue)}`)
	for (const other of Object.keys(rest)) expect(read.record[other], other).toEqual(whole[other])
	expect(schema.safeParse(read.record).success).toBe(true)
	if (isGood) expect(oddOf(read.record)).toBeUndefined()
	else expect(oddOf(read.record)).toEqual({fields: [field], raw: stringifyExact(given)})
})

describe('what is odd inside', () => {
	const read = (odd: Readonly<Record<string, unknown>>) => {
		const result = readLeniently(computerSchema, {connector_guid: 'c1', hostname: 'A', ...odd})
		if (!('record' in result)) throw new Error('refused')
		return result.record
	}

	test('a malformed element is skipped, and the others stay', () => {
		expect(read({internal_ips: ['10.0.0.1', null, '10.0.0.2', {}]}).internal_ips).toEqual(['10.0.0.1', '10.0.0.2'])
		expect(read({groups: [{guid: 'g1', name: null}, 'x']}).groups).toEqual([{guid: 'g1', name: ''}])
	})

	test('an isolation without its state, or without whether it is available, says nothing', () => {
		expect(read({isolation: {available: true}}).isolation).toEqual({available: true, status: ''})
		expect(read({isolation: {status: 'isolated'}}).isolation).toBeUndefined()
		expect(read({isolation: null}).isolation).toBeUndefined()
	})

	test('a text of digits becomes a number', () => {
		const result = readLeniently(eventSchema, {id: '6455442249407791109', timestamp: '1700000000'})
		expect(result).toMatchObject({record: {id: 6_455_442_249_407_791_109n, timestamp: 1_700_000_000}})
	})

	test('the state of an isolation is never invented', () => {
		expect(readLeniently(isolationSchema, {available: true})).toMatchObject({issue: {path: ['status']}})
		expect(readLeniently(isolationSchema, {status: 'isolated'})).toMatchObject({issue: {path: ['available']}})
	})

	test('a hundred thousand levels are cut, and can be written', () => {
		const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown
		const record = read({extra: deep})
		expect(record.hostname).toBe('A')
		expect(stringifyExact(record)).toContain('(nested too deep to be shown)')
		expect(oddOf(record)?.fields).toEqual(['(nested too deep)'])
	})

	test('a value that is no record is skipped', () => {
		for (const value of [null, 7, 'x', []]) expect('issue' in readLeniently(computerSchema, value)).toBe(true)
	})

	test('its text shows no unlock code', () => {
		const odd = oddOf(read({isolation: {available: true, unlock_code: 'x7Qp-secret'}}))
		expect(odd?.fields).toEqual(['isolation'])
		expect(odd?.raw).not.toContain('x7Qp')
	})
})
