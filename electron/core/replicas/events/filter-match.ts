import {invalidArgument} from '#contract/errors.ts'
import type {EventFilterField} from '#model/event-filter-fields.ts'
import type {EventFilterTerm, EventFilterValue} from '#model/event-filter-values.ts'
import {parseEventFilter} from '#model/event-filter.ts'
import {fold} from '#model/fold.ts'

import {everyMark, markLetters, plainMark, rangeMarks, severityMark, textMark, withoutSigns, type MarkField} from './marks.ts'
import {rankOf} from './record.ts'
import {rangesOf, type IdRange} from './time-ranges.ts'

/** The query of a filter and a time span. */
export interface Scope {
	/** An expression of FTS5 for `words`; `null` when every event in the ranges matches. */
	readonly match: string | null
	/** Newest first, without overlap; empty when no time can match. */
	readonly ranges: readonly IdRange[]
	/** Whether each row takes work: several conditions, adjacent words, or many words. */
	readonly slow: boolean
}

export interface ScopeContext {
	/** Unix milliseconds. */
	now: number
	/** Names of groups by their GUIDs. */
	groupNames: () => ReadonlyMap<string, string>
	/** Words of stored events with this beginning; `null` when the index has to search by prefix. */
	wordsFrom: (beginning: string) => readonly string[] | null
}

/** Throws `invalid_argument` for a faulty filter: a selection must never be wider than the typed filter. */
export function scopeOf(query: {filter: string; from: string | null; to: string | null}, context: ScopeContext): Scope {
	const {terms, problems} = parseEventFilter(query.filter)
	const [problem] = problems
	if (problem !== undefined) throw invalidArgument(problem.message, 'filter')
	const times = terms.filter(({field}) => field === 'time')
	const rest = terms.filter(({field}) => field !== 'time')
	let most = 0
	const wordsFrom = (beginning: string) => {
		const words = context.wordsFrom(beginning)
		most = Math.max(most, words?.length ?? 0)
		return words
	}
	const match = matchOf(rest, {...context, wordsFrom})
	return {match, ranges: rangesOf(query, times, context.now), slow: isSlow(rest) || most > fewWords}
}

/** The index walks the lists of this many words in parallel about as fast as one. */
const fewWords = 16

function isSlow(terms: readonly EventFilterTerm[]) {
	const values = terms.flatMap(term => term.values)
	return terms.length > 1 || values.some(value => value.kind === 'words' && /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(value.text))
}

function matchOf(terms: readonly EventFilterTerm[], context: ScopeContext) {
	if (terms.length === 0) return null
	const wanted = terms.filter(({negated}) => !negated).map(term => anyOf(term, context))
	const refused = terms.filter(({negated}) => negated).map(term => anyOf(term, context))
	const all = wanted.length === 0 ? quoted(everyMark) : wanted.map(part => `(${part})`).join(' AND ')
	return refused.length === 0 ? all : `(${all}) NOT (${refused.map(part => `(${part})`).join(' OR ')})`
}

function anyOf(term: EventFilterTerm, context: ScopeContext) {
	return term.values.map(value => valueMatch(term, value, context)).join(' OR ')
}

function valueMatch(term: EventFilterTerm, value: EventFilterValue, context: ScopeContext) {
	switch (value.kind) {
		case 'words':
			return term.field === 'group' ? groupMatch(value.text, false, context) : phrases(term.field, value, context)
		case 'exact':
			return exactMatch(term.field, value.text, context)
		case 'type':
			return marked([plainMark('type', value.id)])
		case 'severities':
			return marked(value.severities.map(severity => severityMark(rankOf(severity))))
		case 'outcomes':
			return marked(value.outcomes.map(outcome => plainMark('outcome', outcome)))
		case 'addresses':
			return marked(rangeMarks(value.from, value.to))
		case 'empty':
			return marked([plainMark('lacks', lackLetter[term.field] ?? '')])
		case 'age':
		case 'moment':
			throw new Error('times are ranges of ids')
	}
}

/** Alternatives; an empty list never matches. */
function marked(marks: readonly string[]) {
	return marks.length === 0 ? quoted(plainMark('lacks', 'nothing')) : marks.map(quoted).join(' OR ')
}

const columns: Readonly<Partial<Record<EventFilterField, string>>> = {
	type: 'type',
	host: 'host',
	user: 'user',
	detection: 'detection',
	hash: 'hash',
	file: 'file',
	path: 'path',
	ip: 'net',
	url: 'url',
	details: 'other'
}

/**
 * A last word followed by a separator is complete: `10.3.` does not mean `10.31`. For a prefix the index joins the lists of all
 * its words before the first row; a few explicit words are walked in parallel.
 */
function phrases(field: EventFilterField, {text, begins}: {text: string; begins: boolean}, context: ScopeContext) {
	const last = begins ? (/[\p{L}\p{N}]+$/u.exec(text)?.[0] ?? '') : ''
	if (last === '') return phrase(field, text)
	const words = context.wordsFrom(last)
	if (words === null) return `${phrase(field, text)} *`
	const head = text.slice(0, text.length - last.length)
	return words.length === 0 ? marked([]) : words.map(word => phrase(field, head + word)).join(' OR ')
}

function phrase(field: EventFilterField, text: string) {
	const column = columns[field]
	return `${column === undefined ? '' : `${column} : `}${quoted(withoutSigns(text))}`
}

function quoted(text: string) {
	return `"${text.replaceAll('"', '""')}"`
}

const exactMarks: Readonly<Partial<Record<EventFilterField, MarkField>>> = {
	type: 'typeName',
	host: 'host',
	user: 'user',
	detection: 'detection',
	detection_id: 'detectionId',
	file: 'file',
	path: 'path',
	url: 'url'
}

function exactMatch(field: EventFilterField, text: string, context: ScopeContext) {
	if (field === 'group') return groupMatch(text, true, context)
	if (field === 'guid') return marked([textMark('guid', text), textMark('group', text)])
	if (field === 'id') return marked([textMark('id', text), textMark('detectionId', text)])
	const mark = exactMarks[field]
	return mark === undefined ? phrase(field, text) : marked([textMark(mark, text)])
}

const lackLetter: Readonly<Partial<Record<EventFilterField, string>>> = {
	outcome: markLetters.outcome,
	host: markLetters.host,
	user: markLetters.user,
	group: markLetters.group,
	guid: markLetters.guid,
	detection: markLetters.detection,
	detection_id: markLetters.detectionId,
	hash: markLetters.hash,
	file: markLetters.file,
	path: markLetters.path,
	ip: markLetters.address,
	url: markLetters.url
}

/** Events contain only GUIDs of groups; names come from the local copy. */
function groupMatch(text: string, whole: boolean, {groupNames}: ScopeContext) {
	const typed = fold(text)
	const named = [...groupNames()].filter(([, name]) => (whole ? fold(name) === typed : fold(name).includes(typed)))
	return marked([textMark('group', text), ...named.map(([guid]) => textMark('group', guid))])
}
