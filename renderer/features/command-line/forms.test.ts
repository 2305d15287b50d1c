import {parseLine} from '#shared/commands/parse.ts'
import type {CommandResult} from '#shared/commands/result.ts'

import {answerForms, endOf, isPart} from './forms.ts'

const spec = parseLine('svc_get_groups').spec
const base = {message: '2 of 44 groups', args: {}, data: [], durationMs: 3, entry: 'e'} as unknown as CommandResult

function answer(change: Partial<CommandResult>): CommandResult {
	return {...base, ...change}
}

describe('the end of an answer says whether it is complete', () => {
	const two = [{guid: 'a'}, {guid: 'b'}]
	test.each<[string, Partial<CommandResult>, RegExp]>([
		['all', {data: two, total: 2}, /these are all/],
		['a part', {data: two, total: 4402}, /4,400 more.*“all” reads 10,000/],
		['the last part', {data: two, total: 44, args: {offset: 42}}, /these are all/],
		['pages that failed', {data: two, total: 44, missing: [500]}, /1 page is missing/],
		['none', {data: [], total: 0}, /has none/],
		['no total', {data: two}, /^End of the answer\.$/],
		['no total, cut', {data: Array.from({length: 10_000}, () => ({}))}, /the first 10,000/]
	])('%s', (_what, change, words) => {
		expect(endOf(answer(change))).toMatch(words)
		expect(isPart(answer(change))).toBe(/more|missing|first/.test(String(words)))
	})

	test('a single record has no end', () => {
		expect(endOf(answer({data: {guid: 'a'}}))).toBeNull()
	})
})

describe('forms', () => {
	const rows = [
		{name: '=cmd|1', guid: 'a', id: 6533241145273614340n},
		{name: 'b', guid: 'b', id: 1n}
	]

	test('a listing leaves as CSV without formulas, as Markdown, and as exact JSON', () => {
		if (spec === undefined) throw new Error('There is such a command.')
		const forms = answerForms(spec, 'svc_get_groups', answer({data: rows}))
		const textOf = (id: string) => forms.find(form => form.id === id)?.text() ?? ''
		expect(textOf('line')).toBe('!svc_get_groups')
		expect(textOf('csv')).toContain("'=cmd|1")
		expect(textOf('markdown')).toContain('=cmd\\|1')
		expect(textOf('json')).toContain('6533241145273614340')
		expect(textOf('jsonl').split('\n')).toHaveLength(3)
	})

	test('what is no table has no form of one', () => {
		if (spec === undefined) throw new Error('There is such a command.')
		expect(answerForms(spec, 'x', answer({data: null})).map(({id}) => id)).toEqual(['line', 'message', 'json'])
	})
})
