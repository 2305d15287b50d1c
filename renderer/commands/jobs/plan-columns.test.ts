import {describeTarget, policiesAfter, policiesBefore} from './PlanReview.tsx'

const names = (guid: string) => ({a: 'Audit', p: 'Protect'})[guid] ?? guid

test('policies of a group are shown before and after, own or inherited, by product', () => {
	const policies = {linux: 'p', windows: 'p'}
	expect(policiesBefore(policies, {windows: 'a', 'windows inherited': true, linux: null}, names)).toBe('Windows: Audit · inherited, Linux: none')
	expect(policiesBefore({windows: 'p'}, {windows: 'a'}, names)).toBe('Audit · own')
	expect(policiesAfter(policies, names)).toBe('Windows: Protect · own, Linux: Protect · own')
})

test('a row says what would become of its group, and what cannot be undone', () => {
	const target = {id: 'g', label: 'Legal', observedAt: '', note: null, warnings: ['It inherits.']}
	const observed = {windows: 'a', 'windows inherited': true}
	const action = {kind: 'policies', policies: {windows: 'p'}, reason: 'r'} as const
	expect(describeTarget(action, {...target, observed}, names)).toBe('Legal, Audit · inherited, then Protect · own, It inherits.')
})
