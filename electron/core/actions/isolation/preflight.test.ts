import {CordonError} from '#contract/errors.ts'
import type {ComputerRow} from '#model/computer.ts'

import {verdict} from './preflight.ts'
import {isolateWarnings, releaseWarnings} from './warnings.ts'

const now = Date.UTC(2026, 0, 1, 12)

/** What is looked at of a computer. */
function row(change: Partial<ComputerRow> = {}) {
	const own = {hostname: 'FIN-LT-0231', lastSeen: new Date(now - 60_000).toISOString(), isolation: 'not_isolated', vanishedAt: null}
	return {...own, compromised: false, duplicate: false, roles: [], guessedRoles: [], ...change} as Partial<ComputerRow> as ComputerRow
}

const state = {available: true, status: 'not_isolated'}

describe('warnings', () => {
	test('there are none for a laptop that is online', () => {
		expect(isolateWarnings(row(), now)).toEqual([])
	})

	test.each([
		[{lastSeen: '2025-12-24T08:30:00Z'}, 'Last seen at 2025-12-24 08:30 UTC, 8 d 3 h before this check'],
		[{lastSeen: null}, 'Never seen'],
		[{guessedRoles: ['domain_controller' as const, 'server' as const]}, 'Named like a domain controller'],
		[{guessedRoles: ['hypervisor' as const]}, 'virtual machines'],
		[{guessedRoles: ['infrastructure' as const]}, 'DNS'],
		[{guessedRoles: ['server' as const]}, 'Looks like a server'],
		[{guessedRoles: ['jump_host' as const]}, 'Named like a jump host'],
		[{roles: ['jump_host' as const]}, 'It is a jump host'],
		[{roles: ['vip' as const]}, 'It is the computer of an important person'],
		[{duplicate: true}, 'same host name'],
		[{isolation: 'pending_start' as const}, 'already being isolated'],
		[{vanishedAt: '2026-01-01T00:00:00Z'}, 'deleted elsewhere']
	])('%j', (change, text) => {
		const warnings = isolateWarnings(row(change), now)
		expect(warnings).toHaveLength(1)
		expect(warnings[0]).toContain(text)
	})

	test('a release warns of a computer that is still compromised, and of no role', () => {
		expect(releaseWarnings(row({compromised: true, guessedRoles: ['domain_controller']}), now)).toEqual(['It is still marked as compromised.'])
	})
})

describe('the verdict', () => {
	test.each([
		['isolate', state, ['GET', 'PUT'], 'yes'],
		['isolate', state, ['GET'], 'no'],
		['isolate', state, new CordonError('isolation_not_allowed'), 'no'],
		['isolate', state, new CordonError('response_timeout'), 'yes'],
		['isolate', {...state, available: false}, [], 'no'],
		['isolate', {...state, status: 'isolated'}, [], 'no'],
		['isolate', null, [], 'unknown'],
		['release', {...state, status: 'isolated'}, [], 'yes'],
		['release', {...state, status: 'pending_start'}, [], 'yes'],
		['release', {...state, status: 'pending_stop'}, [], 'no'],
		['release', state, [], 'no']
	] as const)('on %s with %j and %s is %s', (action, known, methods, allowed) => {
		const found = verdict(action, {state: known, methods})
		expect(found.allowed).toBe(allowed)
		expect(found.problem === null).toBe(allowed === 'yes' && known?.status !== 'pending_start')
	})
})
