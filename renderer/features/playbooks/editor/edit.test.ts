import {approvalOf, pointersOf} from '#model/playbook-document.ts'
import {differencesOf} from '#model/playbook-diff.ts'

import {
	addBranch,
	addStep,
	changeApproval,
	changeCommand,
	changeStep,
	changeVariable,
	emptyDraft,
	lead,
	removeStep,
	versionOf,
	type Draft,
	type NewStep
} from './edit.ts'

const now = '2026-11-24T00:00:00.000Z'
const names = ({workflow, workflow_start: start}: Draft) => {
	const found: string[] = []
	for (let id: string | undefined = start; id !== undefined; id = workflow[id]?.on_completion ?? workflow[id]?.on_success)
		found.push(workflow[id]?.name ?? workflow[id]?.type ?? '')
	return found
}
const begun = (kind: NewStep) => {
	const draft = emptyDraft('Drill', now)
	return addStep(draft, draft.workflow_start, 'on_completion', kind, 'One')
}

describe('steps', () => {
	test('are added after another, and what is removed is led past', () => {
		const draft = emptyDraft('Drill', now)
		const first = addStep(draft, draft.workflow_start, 'on_completion', 'request', 'Read')
		const second = addStep(first.draft, first.id, 'on_completion', 'if-condition', 'Sure?')
		const third = addStep(second.draft, first.id, 'on_completion', 'question', 'Ask')
		expect(names(third.draft)).toEqual(['start', 'Read', 'Ask', 'Sure?', 'end'])
		expect(Object.keys(third.draft.workflow)).toHaveLength(6)
		const without = removeStep(third.draft, second.id)
		expect(names(without)).toEqual(['start', 'Read', 'Ask', 'end'])
		expect(Object.keys(without.workflow)).toHaveLength(4)
		expect(names(draft)).toEqual(['start', 'end'])
	})

	test('come first in a branch, and their branch can be led away', () => {
		const {draft, id} = begun('if-condition')
		const end = draft.workflow[id]?.on_true
		const inner = addStep(addBranch(draft, id, ''), id, 'on_true', 'request', 'Inner')
		expect(inner.draft.workflow[id]?.on_true).toBe(inner.id)
		expect(inner.draft.workflow[inner.id]?.on_completion).toBe(end)
		expect(pointersOf(inner.draft.workflow[id] ?? {type: 'end'}).map(({field}) => field)).toContain('on_false')
		const without = lead(inner.draft, id, 'on_false', undefined)
		expect(Object.keys(without.workflow)).toHaveLength(Object.keys(inner.draft.workflow).length - 1)
	})

	test('with a way for failures go on by on_success', () => {
		const {draft, id} = begun('request')
		const {draft: both, id: other} = addStep(draft, id, 'on_failure', 'question', 'Ask')
		expect(both.workflow[id]).toMatchObject({on_success: expect.any(String), on_failure: other})
		expect(both.workflow[id]).not.toHaveProperty('on_completion')
		expect(names(both)).toEqual(['start', 'One', 'end'])
	})

	test.each([
		['parallel', 'next_steps.2'],
		['switch-condition', 'cases.red']
	] as const)('%s gets further branches, and loses them', (kind, field) => {
		const {draft, id} = begun(kind)
		const more = addBranch(draft, id, 'red')
		const fields = (one: Draft) => pointersOf(one.workflow[id] ?? {type: 'end'}).map(each => each.field)
		expect(fields(more)).toContain(field)
		expect(lead(more, id, field, undefined).workflow).toEqual(draft.workflow)
	})

	test('that need approval have its terms and no variable', () => {
		const {draft, id} = begun('question')
		const terms = {needed: 2, groups: ['leads'], requester_may: false}
		const asked = changeApproval(changeStep(draft, id, {out_args: ['__a__']}), id, terms)
		const {draft: timed, id: late} = addStep(asked, id, 'on_timeout', 'request', 'Late')
		expect(approvalOf(timed.workflow[id] ?? {type: 'end'})).toEqual({...terms, on_timeout: late})
		expect(timed.workflow[id]).not.toHaveProperty('out_args')
		expect(changeApproval(asked, id, null).workflow).toEqual(draft.workflow)
	})
})

test('agents and targets are defined once', () => {
	const first = begun('request')
	const {draft: both} = addStep(first.draft, first.id, 'on_completion', 'request', 'Two')
	expect(Object.keys(both.agent_definitions ?? {})).toHaveLength(1)
	expect(Object.keys(both.target_definitions ?? {})).toHaveLength(1)
})

test('fields, requests and variables change, unknown extensions stay, signatures go', () => {
	const {draft: plain, id} = begun('request')
	const draft: Draft = {...plain, extension_definitions: {own: 1}, signatures: [{}]}
	const named = changeCommand(changeStep(draft, id, {name: 'Look', timeout: 5000}), id, {command: 'GET /groups HTTP/1.1'})
	const commands = [{command: 'GET /groups HTTP/1.1'}]
	expect(named.workflow[id]).toMatchObject({name: 'Look', timeout: 5000, commands})
	const more = changeVariable(named, '__b__', {type: 'uuid'})
	expect(more.playbook_variables).toMatchObject({__b__: {type: 'uuid'}})
	expect(changeVariable(more, '__b__', null).playbook_variables).not.toHaveProperty('__b__')
	expect(versionOf(more, now)).toMatchObject({extension_definitions: {own: 1}, modified: now})
	expect(versionOf(more, now)).not.toHaveProperty('signatures')
})

test('the differences of two versions name step and field', () => {
	const {draft, id} = begun('request')
	const after = changeStep({...draft, description: 'New', modified: 'later'}, id, {name: 'Two', timeout: 5})
	expect(differencesOf(draft, after)).toEqual([
		{step: null, field: 'description', before: '', after: 'New'},
		{step: 'Two', field: 'name', before: 'One', after: 'Two'},
		{step: 'Two', field: 'timeout', before: null, after: '5'}
	])
})
