import fc from 'fast-check'
import {expect, test} from 'vitest'

import {type FilterLanguage, type LanguageTerm, removeTerm} from '../filter-language.ts'

function bare(terms: readonly LanguageTerm[]): unknown {
	return terms.map(({start: _start, end: _end, ...term}) => term)
}

/** What holds for any text that is typed into a filter; `pieces` are what it is made of. */
export function testAnyText<T extends LanguageTerm>(
	language: FilterLanguage<T>,
	format: (terms: readonly T[]) => string,
	pieces: readonly string[]
): void {
	const {parse} = language
	const typed = fc.array(fc.constantFrom(...pieces), {maxLength: 12}).map(text => text.join(''))

	test('is understood or refused, part by part, and never lost', () => {
		fc.assert(
			fc.property(typed, text => {
				const {terms, problems} = parse(text)
				for (const {start, end} of [...terms, ...problems]) expect(start < end && end <= text.length).toBe(true)
				if (text.trim() !== '') expect(terms.length + problems.length).toBeGreaterThan(0)
			}),
			{numRuns: 2000}
		)
	})

	test('that was understood means the same when it is written down and read again', () => {
		fc.assert(
			fc.property(fc.oneof(typed, fc.string()), text => {
				const {terms} = parse(text)
				const again = parse(format(terms))
				expect(again.problems).toEqual([])
				expect(bare(again.terms)).toEqual(bare(terms))
			}),
			{numRuns: 3000}
		)
	})

	test('loses exactly the term that is removed', () => {
		fc.assert(
			fc.property(typed, fc.nat(6), (text, index) => {
				const {terms, problems} = parse(text)
				fc.pre(index < terms.length && problems.length === 0)
				expect(bare(parse(removeTerm(language, text, index)).terms)).toEqual(bare(terms.filter((_, at) => at !== index)))
			}),
			{numRuns: 2000}
		)
	})
}
