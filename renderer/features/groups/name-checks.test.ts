import {nextOdd, oddNames} from './name-checks.ts'
import {groupsOf} from './testing/groups.ts'

const named = (...names: string[]) => groupsOf(...names).map((group, index) => ({...group, guid: String(index)}))

test('names that look alike are reported, with the other one', () => {
	const found = oddNames(named('Finance Servers', 'finance-servers', 'Audit', 'Audit'))
	expect(found.get('0')).toEqual(['The name is easily confused with “finance-servers”.'])
	expect(found.get('1')).toEqual(['The name is easily confused with “Finance Servers”.'])
	expect(found.get('2')).toEqual(['Another group has the same name.'])
	expect(found.size).toBe(4)
})

test('unexpected spaces and invisible characters are reported', () => {
	expect(oddNames(named('Legal ')).get('0')).toEqual(['The name begins or ends with a space.'])
	expect(oddNames(named('Human  Resources')).get('0')).toEqual(['The name has several spaces in a row.'])
	expect(oddNames(named('Lab\u200boratory')).get('0')).toEqual(['The name holds characters that cannot be seen.'])
	expect(oddNames(named('')).get('0')).toEqual(['The name is empty.'])
})

test('a usual name has no warning, and a deleted group is no double', () => {
	expect(oddNames(named('Finance', 'Legal')).size).toBe(0)
	const [here, gone] = named('Legal', 'Legal')
	if (here === undefined || gone === undefined) throw new Error('Two groups were asked for.')
	expect(oddNames([here, {...gone, vanishedAt: '2026-01-31T12:00:00.000Z'}]).size).toBe(0)
})

test('a round leads through all of them', () => {
	const odd = oddNames(named('Audit', 'Legal', 'audit'))
	expect([nextOdd(odd, undefined), nextOdd(odd, '0'), nextOdd(odd, '2')]).toEqual(['0', '2', '0'])
	expect(nextOdd(new Map(), '0')).toBeUndefined()
})
