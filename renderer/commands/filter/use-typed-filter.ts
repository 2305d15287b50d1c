import {useCallback, useState} from 'react'

import {unfinishedWord, type FilterLanguage, type LanguageTerm} from '#model/filter-language.ts'
import type {FilterProblem} from '#model/filter-term.ts'

import {useLateAddress} from './use-late-address.ts'

export interface TypedFilter<T extends LanguageTerm = LanguageTerm> {
	language: FilterLanguage<T>
	text: string
	/** The terms without the word being typed, which may still become a field. */
	parsed: {terms: readonly T[]; problems: readonly FilterProblem[]}
	/** The last valid text: what the rows answer. */
	applied: string
	/** Pass `caret` during typing: the start of a field's name is no condition yet. */
	set(text: string, caret?: number): void
	/** Takes the typed text as it stands. */
	finish(): void
	/** Does the same and updates the address now, before another screen opens. */
	settle(): void
}

/**
 * The typed filter: rows follow every key, the address follows after a pause, and an address that changes by itself
 * (a link, *back*) puts its filter into the box.
 */
export function useTypedFilter<T extends LanguageTerm>(
	language: FilterLanguage<T>,
	fromAddress: string,
	toAddress: (filter: string) => void
): TypedFilter<T> {
	const [{text, meant}, setTyped] = useState({text: fromAddress, meant: fromAddress})
	const [applied, setApplied] = useState(() => (language.parse(fromAddress).problems.length === 0 ? fromAddress : ''))
	const take = useCallback(
		(next: string, caret?: number) => {
			const whole = caret === undefined ? next : meantBy(language, next, caret)
			setTyped({text: next, meant: whole})
			if (language.parse(whole).problems.length === 0) setApplied(whole === next ? next : whole.trim())
		},
		[language]
	)
	const address = useLateAddress(fromAddress, toAddress, take)
	const set = (next: string, caret?: number) => {
		take(next, caret)
		address.follow(next)
	}
	const finish = () => {
		if (meant !== text) take(text)
	}
	const settle = () => {
		finish()
		address.store(text)
	}
	return {language, text, parsed: language.parse(meant), applied, set, finish, settle}
}

/** Blanks replace the unfinished word, so that every other term keeps its position. */
function meantBy<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, caret: number) {
	const word = unfinishedWord(language, text, caret)
	if (word === null) return text
	return `${text.slice(0, word.start)}${' '.repeat(word.end - word.start)}${text.slice(word.end)}`
}
