import fc from 'fast-check'
import {CordonError} from '../contract/errors.ts'
import {argumentProblems, checkArguments, type RawArgs} from './arguments.ts'
import {catalogue, findCommand} from './catalogue.ts'
import {defineCommand} from './define.ts'
import {maskedCode} from './result.ts'
import {integer, many, repeated, required, text} from './arg.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'
const sha = '3091e2abfb55d05d6284b6c4b058b62c8c28afc1d883b699e9a2b5482ec6fd51'

function check(name: string, raw: RawArgs): Readonly<Record<string, unknown>> {
	const spec = findCommand(name)
	if (spec === undefined) throw new Error(`no command ${name}`)
	return checkArguments(spec, raw)
}

function refused(name: string, raw: RawArgs): {code: string; field: string | undefined; message: string} {
	try {
		check(name, raw)
	} catch (error) {
		if (error instanceof CordonError) return {code: error.code, field: error.details.field, message: error.message}
		throw error
	}
	throw new Error('it was accepted')
}

describe('arguments', () => {
	it('are converted: integers to numbers, several values to arrays, GUIDs and hashes to lower case', () => {
		expect(check('svc_get_computers', {limit: '10', hostname: 'FIN-,HR-', group_guid: [guid.toUpperCase()]})).toEqual({
			limit: 10,
			hostname: ['FIN-', 'HR-'],
			group_guid: [guid]
		})
		expect(check('svc_get_events', {detection_sha256: sha.toUpperCase(), event_type: ['1090519054', '5,6']})).toEqual({
			detection_sha256: sha,
			event_type: ['1090519054', '5', '6']
		})
	})

	it('split at commas only where the declaration says so', () => {
		expect(check('svc_get_policies', {name: 'Audit, strict', product: 'windows,mac'})).toEqual({
			name: ['Audit, strict'],
			product: ['windows', 'mac']
		})
		expect(check('svc_get_policies', {name: ['a,b', 'c']})).toEqual({name: ['a,b', 'c']})
		expect(check('svc_get_groups', {name: 'a,b'})).toEqual({name: 'a,b'})
	})

	it.each(['0', '-1', '1.5', '1e3', '0x10', ' ', '', '007', '+5', '10,000', '9007199254740993', 'ten', '١٠'])(
		'refuse the limit %j without rounding it',
		limit => {
			expect(refused('svc_get_computers', {limit})).toMatchObject({code: 'invalid_argument', field: 'limit'})
		}
	)

	it('name an MD5 and a SHA-1 as what they are', () => {
		expect(refused('svc_get_events', {detection_sha256: 'a'.repeat(32)}).message).toContain('MD5')
		expect(refused('svc_get_events', {detection_sha256: 'a'.repeat(40)}).message).toContain('SHA-1')
		expect(refused('svc_get_events', {detection_sha256: 'a'.repeat(63)}).message).toContain('63 hexadecimal digits instead of 64')
	})

	it.each(['10.20.4', '10.20.4.256', '010.20.4.14', '10.20.4.0/24', '::1', '10.20.4.14:443'])('refuse %s as an IPv4 address', address => {
		expect(refused('svc_get_computers', {internal_ip: address})).toMatchObject({code: 'invalid_argument', field: 'internal_ip'})
	})

	it.each(['yesterday', '2026-02-30', '2026-1-1', '1700000000', '2026-01-01 08:00'])('refuse %s as a time', time => {
		expect(refused('svc_get_events', {start_date: time})).toMatchObject({code: 'invalid_argument', field: 'start_date'})
	})

	it('suggest the nearest choice and the nearest argument', () => {
		expect(refused('svc_get_computers_isolation', {connector_guid: guid, status: 'isolatd'}).message).toContain('did you mean isolated?')
		expect(refused('svc_get_computers', {hostnme: 'x'})).toMatchObject({code: 'usage', field: 'hostnme'})
		expect(refused('svc_get_computers', {hostnme: 'x'}).message).toContain('did you mean hostname?')
	})

	it('refuse what is missing, given twice, empty, contradictory, or would change nothing', () => {
		expect(refused('svc_move_computer', {connector_guid: guid})).toMatchObject({code: 'usage', field: 'group_guid'})
		expect(refused('svc_get_computers', {limit: ['1', '2']})).toMatchObject({code: 'usage', field: 'limit'})
		expect(refused('svc_get_computers', {hostname: 'FIN-,,HR-'})).toMatchObject({code: 'invalid_argument', field: 'hostname'})
		expect(refused('svc_get_computers', {hostname: []})).toMatchObject({code: 'invalid_argument', field: 'hostname'})
		expect(refused('svc_delete_computers_isolation', {connector_guid: guid, unlock_code: 'a', comment: 'b'}).code).toBe('usage')
		expect(refused('svc_set_group_policy', {group_guid: guid}).message).toContain('at least one of windows_policy_guid')
	})

	it('refuse the mask of an unlock code, so that a masked line never sets it', () => {
		const error = refused('svc_put_computers_isolation', {connector_guid: guid, unlock_code: maskedCode})
		expect(error.field).toBe('unlock_code')
		expect(error.message).toContain('type the code itself')
	})

	it('never repeat an unlock code in a message', () => {
		const code = 'correct horse battery staple'
		expect(refused('svc_put_computers_isolation', {connector_guid: guid, unlock_code: code}).message).not.toContain('horse')
		expect(check('svc_put_computers_isolation', {connector_guid: guid, unlock_code: 'Ab-12_ü!'})).toMatchObject({unlock_code: 'Ab-12_ü!'})
	})

	it('take no part of the object prototype for a declaration', () => {
		for (const name of ['__proto__', 'constructor', 'toString'])
			expect(refused('svc_get_computers', Object.fromEntries([[name, 'x']]))).toMatchObject({code: 'usage', field: name})
	})

	it('never throw anything but a problem, whatever is given', () => {
		const raw = fc.dictionary(
			fc.oneof(fc.constantFrom('limit', 'hostname', 'connector_guid', 'status', 'name'), fc.string()),
			fc.oneof(fc.string(), fc.array(fc.string()))
		)
		fc.assert(
			fc.property(fc.constantFrom(...catalogue), raw, (spec, given) => {
				const problems = argumentProblems(spec, given)
				if (problems.length === 0) expect(Object.keys(checkArguments(spec, given)).toSorted()).toEqual(Object.keys(given).toSorted())
				else expect(() => checkArguments(spec, given)).toThrow(CordonError)
			})
		)
	})

	it('keep every integer exactly, at both ends of its range too', () => {
		const spec = defineCommand({
			name: 'n',
			title: '',
			summary: '',
			risk: 'read',
			request: '',
			result: {kind: 'none', noun: ['', ''], columns: []},
			examples: [],
			args: {n: required(integer('', -50, 50)), several: many(integer('', 0, 9)), free: repeated(text(''))}
		})
		fc.assert(
			fc.property(fc.integer(), n => {
				const good = n >= -50 && n <= 50
				expect(argumentProblems(spec, {n: String(n)}).length).toBe(good ? 0 : 1)
				if (good) expect(checkArguments(spec, {n: String(n)}).n).toBe(n)
			})
		)
	})
})
