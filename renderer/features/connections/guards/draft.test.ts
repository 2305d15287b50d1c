import {defaultGuardRules} from '#model/guard.ts'

import {draftOf, rulesOf} from './draft.ts'

test('rules come back from the form as they went in', () => {
	const rules = {
		...defaultGuardRules,
		protected: {guids: ['a-1'], names: ['*-DC-*', 'ERP?'], groups: ['g1'], roles: ['hypervisor' as const]},
		leaseHours: null
	}
	expect(rulesOf(draftOf(rules))).toEqual({rules, problems: {}})
})

test('input is tidied: blanks, empty lines and duplicates', () => {
	const draft = {...draftOf(defaultGuardRules), guids: ' A-1 \n\na-2, a-2', names: 'ERP\n ERP '}
	expect(rulesOf(draft).rules?.protected).toMatchObject({guids: ['a-1', 'a-2'], names: ['ERP']})
})

test.each(['', '0', '-1', '1.5', 'ten', '100001'])('%j is no number of isolations', text => {
	const draft = draftOf(defaultGuardRules)
	const {rules, problems} = rulesOf({...draft, numbers: {...draft.numbers, rollingIsolations: text}})
	expect([rules, problems.rollingIsolations]).toEqual([null, 'A whole number from 1 to 100,000.'])
})

test('approval: a comma may be left over, a number may not be half one', () => {
	const draft = {...draftOf(defaultGuardRules), approvers: 'soc, '}
	expect(rulesOf(draft).rules?.approval).toMatchObject({above: null, needed: 1, groups: ['soc']})
	expect(rulesOf({...draft, numbers: {...draft.numbers, approvalAbove: '12x'}}).rules).toBeNull()
	expect(rulesOf({...draft, approvers: 'a'.repeat(101)}).problems.rest).toMatch(/^approval groups 0: Too big/)
})
