import {computerFilter} from './computer-filter.ts'
import {eventFilter} from './event-filter.ts'
import {holdsTerm, toggleTerm, unfinishedWord} from './filter-language.ts'

describe('a value of a facet', () => {
	it('is added, and taken out by a second click', () => {
		const added = toggleTerm(eventFilter, 'host:FIN-', 'severity:high')
		expect(added).toBe('host:FIN- severity:high')
		expect(holdsTerm(eventFilter, added, 'severity:high')).toBe(true)
		expect(toggleTerm(eventFilter, added, 'severity:high')).toBe('host:FIN-')
	})

	it('joins others about the same thing as an alternative', () => {
		const both = toggleTerm(computerFilter, 'group="Finance laptops" FIN-', 'group=HR')
		expect(both).toBe('group="Finance laptops",HR FIN-')
		expect(holdsTerm(computerFilter, both, 'group=HR')).toBe(true)
		expect(toggleTerm(computerFilter, both, 'group="Finance laptops"')).toBe('group=HR FIN-')
	})

	it('leaves a term alone that excludes', () => {
		expect(toggleTerm(eventFilter, '-outcome:open', 'outcome:open')).toBe('-outcome:open outcome:open')
	})
})

test.each([
	['las', 3, 'las'],
	['group:HR las', 12, 'las'],
	['-las', 4, '-las'],
	['las group:HR', 3, 'las'],
	['last-s', 6, 'last-s'],
	['FIN', 3, null],
	['"las"', 5, null],
	['las group:HR', 12, null],
	['las ', 4, null],
	['las*', 4, null],
	['', 0, null]
])('with the caret in “%s” at %i the unfinished word is %s', (text, caret, word) => {
	const found = unfinishedWord(computerFilter, text, caret)
	expect(found === null ? null : text.slice(found.start, found.end)).toBe(word)
})
