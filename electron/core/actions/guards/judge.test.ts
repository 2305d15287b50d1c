import fc from 'fast-check'

import {computerRoles, defaultGuardRules, guardedActions, type GuardRules, type GuardTarget} from '#model/guard.ts'
import {readWindow} from '#model/window.ts'
import {matchesName} from '#base/name-pattern.ts'
import {judgeChange, type JudgeFacts} from './judge.ts'
import {whatIf} from './what-if.ts'

function target(label: string, change: Partial<GuardTarget> = {}): GuardTarget {
	return {id: `guid-${label}`, label, roles: [], guessedRoles: [], groups: [], ...change}
}

function many(count: number) {
	return Array.from({length: count}, (_each, index) => target(`LT-${index}`))
}

function facts(change: Partial<JudgeFacts>): JudgeFacts {
	return {
		rules: defaultGuardRules,
		action: 'isolate',
		targets: [target('FIN-LT-1')],
		production: true,
		readOnly: null,
		isolations: 0,
		reviewed: false,
		now: Date.parse('2026-11-24T12:00:00Z'),
		...change
	}
}

function protecting(change: Partial<GuardRules['protected']>) {
	return {...defaultGuardRules, protected: {...defaultGuardRules.protected, ...change}}
}

describe('the tier follows what a change can do', () => {
	test.each([
		['one workstation is isolated', {}, 2, {kind: 'reason', hold: true}],
		['the same on a test tenant', {production: false}, 2, {kind: 'reason', hold: false}],
		['one computer is released', {action: 'release'}, 2, {kind: 'reason', hold: false}],
		['one computer is moved', {action: 'move'}, 1, {kind: 'button'}],
		['one hash is added', {action: 'add_hashes'}, 1, {kind: 'button'}],
		['a policy is set on a leaf', {action: 'policies'}, 2, {kind: 'reason', hold: false}],
		['five are isolated', {targets: many(5)}, 2, {kind: 'reason', hold: true}],
		['six are isolated', {targets: many(6)}, 3, {kind: 'count', expected: 6}],
		['25 are moved', {action: 'move', targets: many(25)}, 2, {kind: 'reason', hold: false}],
		['26 are moved', {action: 'move', targets: many(26)}, 3, {kind: 'count', expected: 26}],
		['51 hashes are added', {action: 'add_hashes', targets: many(51)}, 3, {kind: 'count', expected: 51}],
		['the tenth in a day', {isolations: 9}, 2, {kind: 'reason', hold: true}],
		['the eleventh in a day', {isolations: 10}, 3, {kind: 'name', expected: 'FIN-LT-1'}],
		['the ninth to twelfth in a day', {isolations: 8, targets: many(4)}, 3, {kind: 'count', expected: 4}]
	] as const)('when %s', (_what, change, tier, confirmation) => {
		expect(judgeChange(facts(change as Partial<JudgeFacts>))).toMatchObject({refused: null, tier, confirmation})
	})

	test.each(computerRoles)('isolating a %s asks for its name, whether somebody said so or it only looks like it', role => {
		for (const roles of [{roles: [role]}, {guessedRoles: [role]}]) {
			const judgement = judgeChange(facts({targets: [target('DC-1', roles)]}))
			expect(judgement).toMatchObject({tier: 3, confirmation: {kind: 'name', expected: 'DC-1'}})
			expect(judgement.because.join()).toContain('DC-1')
		}
	})

	test('a widespread or clean hash needs more confirmation', () => {
		const hash = (change: Partial<GuardTarget>) =>
			judgeChange(facts({action: 'add_hashes', targets: [target('abababab', {id: 'ab'.repeat(32), ...change})]}))
		expect(hash({prevalence: 24}).tier).toBe(1)
		expect(hash({prevalence: 25})).toMatchObject({tier: 3, confirmation: {kind: 'name', expected: 'abababab'}})
		expect(hash({prevalence: 25, removes: true}).tier).toBe(1)
		expect(hash({clean: true}).tier).toBe(3)
		expect(hash({systemFile: '/usr/bin/env'}).tier).toBe(3)
		expect(hash({contradicts: [{name: 'Our tools', type: 'allowed_applications'}]}).because).toEqual([
			'abababab is on Our tools, a list of allowed applications: the two contradict each other.'
		])
	})

	test.each([
		[{always: true}, 1, 'move', 'Every change of this connection needs approval.'],
		[{above: 2}, 3, 'move', 'Changes of more than 2 targets need approval.'],
		[{above: 2}, 2, 'move', undefined],
		[{}, 3, 'move', undefined],
		[{servers: true}, 3, 'move', undefined],
		[{servers: true}, 0, 'move', 'SRV-1 is a server, whose changes need approval.'],
		[{}, 0, 'move', undefined],
		[{always: true}, 1, 'release', undefined]
	] as const)('by %j a second person is asked for a change of %i (%s): %s', (approval, count, action, because) => {
		const rules = {...defaultGuardRules, approval: {...defaultGuardRules.approval, needed: 2, ...approval}}
		const targets = count === 0 ? [target('SRV-1', {guessedRoles: ['server']})] : many(count)
		const found = judgeChange(facts({rules, action, targets})).approval
		expect(found).toEqual(because === undefined ? null : {needed: 2, groups: [], because})
	})

	test('isolations are counted with those before them, other changes not', () => {
		expect(judgeChange(facts({isolations: 3})).rolling).toEqual({used: 3, limit: 10, hours: 24})
		expect(judgeChange(facts({action: 'move'})).rolling).toBeNull()
		expect(judgeChange(facts({isolations: 11, targets: [], readOnly: 'Locked.'}))).toMatchObject({tier: 2, refused: {code: 'read_only'}})
	})

	test('several with a role are one reason, and of many hashes five are named', () => {
		const servers = ['A', 'B'].map(label => target(label, {roles: ['server']}))
		expect(judgeChange(facts({targets: servers, reviewed: true})).because).toEqual(['2 of them have the role Server.'])
		const clean = (count: number) => judgeChange(facts({action: 'add_hashes', targets: many(count).map(one => ({...one, clean: true}))})).because
		expect([clean(5).length, clean(6).at(-1)]).toEqual([5, 'The same goes for 1 more.'])
	})

	test('a policy on a group with groups below it asks for its name', () => {
		const targets = [target('EMEA', {below: 4})]
		expect(judgeChange(facts({action: 'policies', targets}))).toMatchObject({tier: 3})
	})
})

describe('protected', () => {
	const dc = target('FIN-DC-01', {roles: ['domain_controller'], guessedRoles: ['server'], groups: ['g2', 'G1']})

	test.each([
		['guids', protecting({guids: ['GUID-fin-dc-01']}), 'protected_guid'],
		['names', protecting({names: ['*-dc-??']}), 'protected_name'],
		['groups above', protecting({groups: ['g1']}), 'protected_group'],
		['roles', protecting({roles: ['domain_controller']}), 'protected_role']
	])('%s are refused, but never released from', (_what, rules, rule) => {
		for (const action of ['isolate', 'move', 'policies'] as const) {
			const judgement = judgeChange(facts({rules, action, targets: [dc]}))
			expect(judgement).toMatchObject({refused: {code: 'protected'}, protected: [{id: dc.id, rule}]})
		}
		expect(judgeChange(facts({rules, action: 'release', targets: [dc]}))).toMatchObject({refused: null, protected: []})
	})

	test('a guessed role does not protect', () => {
		expect(judgeChange(facts({rules: protecting({roles: ['server']}), targets: [dc]})).protected).toEqual([])
	})

	test('among others they are skipped, and the rest is judged without them', () => {
		const rules = protecting({names: ['LT-0']})
		const judgement = judgeChange(facts({rules, targets: many(6)}))
		expect(judgement).toMatchObject({refused: null, tier: 2, protected: [{label: 'LT-0'}]})
		const none = judgeChange(facts({rules: protecting({names: ['LT-*']}), targets: many(6)}))
		expect(none.refused).toMatchObject({code: 'protected', message: expect.stringContaining('Every target')})
	})

	test.each([
		['the hash of the empty file', 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'],
		['a placeholder', '0'.repeat(64)]
	])('%s is on no list', (_what, id) => {
		const judge = (action: JudgeFacts['action'], removes = false) =>
			judgeChange(facts({action, targets: [target('empty', {id, removes})]})).refused?.code
		expect([judge('add_hashes'), judge('change_hashes')]).toEqual(['protected', 'protected'])
		expect([judge('remove_hashes'), judge('change_hashes', true)]).toEqual([undefined, undefined])
	})

	test('a pattern matches the whole name, without regard to case, and its other signs stand for themselves', () => {
		expect(matchesName('fin-dc-*', 'FIN-DC-01')).toBe(true)
		expect(matchesName('fin-dc', 'FIN-DC-01')).toBe(false)
		expect(matchesName('a.b', 'axb')).toBe(false)
		expect(matchesName('(', '(')).toBe(true)
	})
})

describe('of many', () => {
	test('servers need a confirmation of their own', () => {
		const server = target('SRV-1', {guessedRoles: ['server']})
		const judgement = judgeChange(facts({targets: [...many(1), server]}))
		expect(judgement).toMatchObject({tier: 2, review: [{id: server.id, roles: ['server']}]})
		for (const change of [{action: 'move'}, {rules: {...defaultGuardRules, splitServers: false}}] as const)
			expect(judgeChange(facts({targets: [...many(3), server], ...change})).review).toEqual([])
		const reviewed = judgeChange(facts({targets: [server, target('SRV-2', {roles: ['vip']})], reviewed: true}))
		expect(reviewed).toMatchObject({review: [], tier: 3, confirmation: {kind: 'count', expected: 2}})
	})

	test('no target is an error', () => {
		expect(judgeChange(facts({targets: []})).refused?.code).toBe('usage')
	})

	test.each(guardedActions)('more targets than a job may have are refused, not typed: %s', action => {
		const judge = (count: number) => judgeChange(facts({rules: {...defaultGuardRules, largestJob: 9}, action, targets: many(count)}))
		expect([judge(9).refused, judge(10).refused?.code]).toEqual([null, 'usage'])
		expect(judge(10).refused?.message).toContain('10 targets; the guard rules allow 9 in one job')
	})

	test('the examples of the rules say what is typed and what is refused', () => {
		const examples = whatIf({...defaultGuardRules, largestJob: 50}, {environment: 'production'}, 0)
		expect(examples.map(({what, answer, tier, refused}) => `${what}: ${refused ? 'refused' : tier}. ${answer}`)).toEqual(
			expect.arrayContaining([
				'10 workstations: 3. Reason, and the number 10 is typed.',
				'100 workstations: refused. Refused: These are 100 targets; the guard rules allow 50 in one job.'
			])
		)
	})
})

test('any target is protected, split off or judged; a confirmation never asks for less than any part of it', () => {
	const anyTarget = fc.record({
		label: fc.stringMatching(/^[A-C]{1,3}$/),
		role: fc.option(fc.constantFrom(...computerRoles)),
		group: fc.constantFrom('g1', 'g2')
	})
	const rules = protecting({names: ['A*'], groups: ['g2']})
	fc.assert(
		fc.property(fc.array(anyTarget, {maxLength: 40}), fc.constantFrom(...guardedActions), fc.nat(20), (made, action, isolations) => {
			const targets = made.map(({label, role, group}, index) =>
				target(label, {id: `t${index}`, roles: role === null ? [] : [role], groups: [group]})
			)
			const whole = judgeChange(facts({rules, action, targets, isolations, reviewed: true}))
			expect(whole.protected.length).toBeLessThanOrEqual(targets.length)
			if (action === 'isolate')
				expect(whole.protected.map(({id}) => id)).toEqual(
					targets.filter(({label, groups}) => label.startsWith('A') || groups[0] === 'g2').map(({id}) => id)
				)
			const split = judgeChange(facts({rules, action, targets, isolations}))
			expect(split.review.every(({id}) => !split.protected.some(each => each.id === id))).toBe(true)
			if (whole.refused !== null) return
			for (const one of targets.filter(({id}) => !whole.protected.some(each => each.id === id))) {
				const single = judgeChange(facts({rules, action, targets: [one], isolations, reviewed: true}))
				expect(whole.tier).toBeGreaterThanOrEqual(single.tier)
			}
		})
	)
})

describe('maintenance windows', () => {
	const group = '11111111-1111-4111-8111-111111111111'
	const judge = (windows: string[], change: Partial<JudgeFacts>) =>
		judgeChange(facts({rules: {...defaultGuardRules, windows: [...windows]}, ...change}))
	const at = (time: string) => Date.parse(`2026-11-${time}Z`)
	const trading = 'isolate never MON-FRI 09:00-17:30 Europe/Berlin'
	const night = 'change only SAT,TUE 22:00-04:00 Europe/Berlin'

	// The 24th is a Tuesday; Berlin is an hour ahead of UTC.
	test.each([
		[trading, '24T07:59:59', 2],
		[trading, '24T08:00:00', 3],
		[trading, '24T16:29:59', 3],
		[trading, '24T16:30:00', 2],
		[trading, '28T12:00:00', 2],
		[`${trading} ${group}`, '24T12:00:00', 2]
	])('%s at %s: an isolation is of tier %i', (window, time, tier) => {
		expect(judge([window], {now: at(time)})).toMatchObject({refused: null, tier})
	})

	test.each([
		[night, '24T20:59:59', true],
		[night, '24T21:00:00', false],
		[night, '25T02:59:59', false],
		[night, '25T03:00:00', true],
		[night, '25T21:00:00', true],
		[`${night} ${group}`, '24T12:00:00', false],
		[trading, '28T12:00:00', false]
	])('%s at %s: moves are refused: %s', (window, time, isRefused) => {
		for (const action of ['move', 'policies'] as const) {
			const {refused} = judge([window], {now: at(time), action})
			expect(refused === null ? null : refused.code).toBe(isRefused ? 'protected' : null)
		}
		for (const action of ['release', 'remove_hashes'] as const) expect(judge([window], {now: at(time), action}).refused).toBeNull()
	})

	test('allow a change inside any of them', () => {
		const noon = night.replace('22:00-04:00', '12:00-13:00')
		expect(judge([night, noon], {now: at('24T21:00:00'), action: 'move'}).refused).toBeNull()
	})

	test('hold for groups below the one named, and for a job that was confirmed before they began', () => {
		const inGroup = {targets: [target('A', {groups: ['other', group.toUpperCase()]})]}
		expect(judge([`${trading} ${group}`], {...inGroup, now: at('24T12:00:00')}).tier).toBe(3)
		const part = {now: at('24T12:00:00'), confirmedAt: at('24T07:00:00')}
		expect(judge([trading], part).refused?.message).toContain('a maintenance window has begun')
		expect(judge([trading], {...part, confirmedAt: at('24T11:00:00')}).refused).toBeNull()
	})

	test.each([
		'isolate never',
		'change only MON 09:00-09:00 UTC',
		'change only MON 9-17 UTC',
		`${trading}x`,
		'isolate never MON-FRI 09:00-25:00 UTC'
	])('%s is none', text => expect(readWindow(text)).toBeUndefined())
})
