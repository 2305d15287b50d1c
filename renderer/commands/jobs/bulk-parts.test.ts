import type {LeftOut} from '#model/job.ts'

import {actionOf, problemsOf, splitOff, type BulkForm} from './bulk-parts.ts'
import {actionInput, targetsOf} from './use-plan-flow.ts'

const form: BulkForm = {
	reason: ' Beaconing ',
	ticket: ' ',
	code: 'generated',
	lease: {hours: 24, auto: false},
	group: null,
	policies: {},
	stopShare: 0.2
}

describe('a bulk form', () => {
	test('becomes an action once nothing is missing', () => {
		expect(actionOf('isolate', form)).toEqual({
			kind: 'isolate',
			reason: 'Beaconing',
			ticket: null,
			code: 'generated',
			lease: {hours: 24, auto: false}
		})
		expect(actionOf('release', {...form, ticket: 'INC-7'})).toMatchObject({kind: 'release', ticket: 'INC-7'})
		expect(actionOf('move', {...form, group: 'there'})).toEqual({kind: 'move', group: 'there', reason: 'Beaconing'})
	})

	test('of policies names those that were chosen, and asks for one', () => {
		expect(actionOf('policies', form)).toBeNull()
		expect(problemsOf('policies', form, 2)).toMatchObject({group: null, policies: expect.stringContaining('one product')})
		const chosen = {...form, policies: {windows: 'p'}}
		expect(actionOf('policies', chosen)).toEqual({kind: 'policies', policies: {windows: 'p'}, reason: 'Beaconing'})
		expect(problemsOf('policies', chosen, 2).policies).toBeNull()
	})

	test('without a reason, a group or targets is none, and says so', () => {
		expect(actionOf('isolate', {...form, reason: ' '})).toBeNull()
		expect(actionOf('move', form)).toBeNull()
		expect(problemsOf('move', {...form, reason: ''}, 0)).toEqual({
			targets: expect.stringContaining('no targets'),
			group: 'Choose the group.',
			policies: null
		})
		expect(problemsOf('isolate', form, 1)).toEqual({targets: null, group: null, policies: null})
	})
})

test('those that were split off for review are told apart from those left out for good', () => {
	const out = (id: string, kind: LeftOut['kind']) => ({id, label: id, kind, message: 'why'})
	expect(splitOff({leftOut: [out('a', 'review'), out('b', 'protected'), out('c', 'review')]})).toEqual(['a', 'c'])
})

test('a plan is made again of its targets, with their notes', () => {
	const target = {label: '', observed: {}, observedAt: '', warnings: []}
	expect(
		targetsOf({
			targets: [
				{...target, id: 'a', note: null},
				{...target, id: 'b', note: 'x'}
			]
		})
	).toEqual(['a', {id: 'b', note: 'x'}])
	const removes = ['a']
	const action = {kind: 'change_hashes', list: 'l', removes, reason: 'r'} as const
	expect(actionInput(action)).toEqual(action)
})
