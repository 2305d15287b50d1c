import fc from 'fast-check'

import {isGuid, isIpv4, isIso8601, isSha256, normalGuid, normalSha256} from './formats.ts'

describe('formats of the service', () => {
	test('a GUID in either case is one, and nothing around it is allowed', () => {
		expect(isGuid('d7fbcdb6-0a14-4e39-867e-02f5e1649497')).toBe(true)
		expect(isGuid('D7FBCDB6-0A14-4E39-867E-02F5E1649497')).toBe(true)
		for (const wrong of [
			'',
			'd7fbcdb6',
			' d7fbcdb6-0a14-4e39-867e-02f5e1649497',
			'd7fbcdb6-0a14-4e39-867e-02f5e1649497/x',
			'd7fbcdb6-0a14-4e39-867e-02f5e164949g',
			'd7fbcdb6-0a14-4e39-867e-02f5e1649497\n'
		]) {
			expect(isGuid(wrong), wrong).toBe(false)
		}
	})

	test('any UUID is a GUID', () => {
		fc.assert(fc.property(fc.uuid(), uuid => isGuid(uuid) && isGuid(uuid.toUpperCase()) && normalGuid(uuid.toUpperCase()) === uuid))
	})

	test('a SHA-256 has 64 hexadecimal digits', () => {
		expect(isSha256('a'.repeat(64))).toBe(true)
		expect(isSha256('A'.repeat(64))).toBe(true)
		expect(normalSha256('AB'.repeat(32))).toBe('ab'.repeat(32))
		for (const wrong of ['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), '']) expect(isSha256(wrong), wrong).toBe(false)
	})

	test('an IPv4 address has four octets without leading zeros', () => {
		fc.assert(fc.property(fc.ipV4(), address => isIpv4(address)))
		for (const wrong of ['1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1.2.3.4/24', '::1', '']) expect(isIpv4(wrong), wrong).toBe(false)
	})

	test('a date or a date-time that exists is ISO 8601', () => {
		for (const right of [
			'2026-01-01',
			'2024-02-29',
			'2020-06-18T13:00:00+00:00',
			'2020-06-18T13:00:00.000Z',
			'2020-06-18T13:00Z',
			'2020-06-18T13:00:00'
		]) {
			expect(isIso8601(right), right).toBe(true)
		}
		for (const wrong of [
			'2026-02-30',
			'2023-02-29',
			'2026-13-01',
			'2026-1-1',
			'2026-01-01T25:00:00Z',
			'yesterday',
			'2026-01-01 00:00',
			'20260101',
			''
		]) {
			expect(isIso8601(wrong), wrong).toBe(false)
		}
	})

	test('every instant that JavaScript writes is ISO 8601', () => {
		const day = fc.date({min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true})
		fc.assert(fc.property(day, date => isIso8601(date.toISOString())))
	})
})
