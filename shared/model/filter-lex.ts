import type {FilterOperator, FilterProblem} from './filter-term.ts'

/** A value in the text: quotes and escapes resolved, wildcards cut out. */
export type RawValue = Readonly<{
	start: number
	end: number
	/** Literal pieces between `*`. */
	parts: readonly string[]
	/** Partly quoted, so it is no keyword. */
	quoted: boolean
}>

/** `name` is `null` for a bare word. */
export type RawTerm = Readonly<{
	start: number
	end: number
	negated: boolean
	name: {text: string; end: number} | null
	operator: FilterOperator
	values: readonly RawValue[]
}>

const fieldAndOperator = /(sha256|sha1|md5|[a-z][a-z_-]*)(<=|>=|[:=<>])/iy
const looksLikeMac = /[0-9a-f]{2,4}(?:[:-][0-9a-f]{0,4})+(?=[\s,*]|$)/iy
const negation = /-|not\s+(?=\S)/iy

/** The value's text with its wildcards, in readable form. */
export function textOf(value: RawValue) {
	return value.parts.join('*')
}

/** Splits the typed text into terms. White space separates them, except within quotation marks. */
export function lexFilter(text: string) {
	const terms: RawTerm[] = []
	const problems: FilterProblem[] = []
	let at = skipSpace(text, 0)
	while (at < text.length) {
		const {term, end, problem} = lexTerm(text, at)
		if (problem === null) terms.push(term)
		else problems.push(problem)
		at = skipSpace(text, end)
	}
	return {terms, problems}
}

interface Step {
	term: RawTerm
	end: number
	problem: FilterProblem | null
}

function lexTerm(text: string, start: number): Step {
	const sign = lexNegation(text, start)
	const head = lexHead(text, sign.end)
	const {values, end, unclosed} = lexValues(text, head.end)
	const name = head.name === null ? null : {text: head.name, end: sign.end + head.name.length}
	const term = {start, end, negated: sign.negated, name, operator: head.operator, values}
	if (unclosed !== null) return {term, end, problem: {start: unclosed, end, message: 'This quotation mark is not closed.'}}
	if (values.length === 0) return {term, end, problem: {start, end, message: nothingThere(term, text)}}
	return {term, end, problem: null}
}

function nothingThere(term: RawTerm, text: string) {
	if (term.name === null) return `Nothing to look for follows “${text.slice(term.start, term.end)}”.`
	return `Say what to look for behind “${text.slice(term.start, term.end)}”, or write ${term.name.text}:empty.`
}

/** `-` and `not` each negate the term. */
function lexNegation(text: string, start: number): {negated: boolean; end: number} {
	let negated = false
	for (let end = start; ; negated = !negated) {
		const word = matchAt(negation, text, end)
		if (word === null) return {negated, end}
		end += word[0].length
	}
}

function lexHead(text: string, start: number): {name: string | null; operator: FilterOperator; end: number} {
	const match = matchAt(looksLikeMac, text, start) === null ? matchAt(fieldAndOperator, text, start) : null
	const name = match?.[1]
	if (match === null || name === undefined) return {name: null, operator: ':', end: start}
	// The second group matches only operators.
	return {name, operator: match[2] as FilterOperator, end: start + match[0].length}
}

function lexValues(text: string, start: number): {values: readonly RawValue[]; end: number; unclosed: number | null} {
	const values: RawValue[] = []
	let at = start
	for (;;) {
		const {value, unclosed} = lexValue(text, at)
		if (unclosed !== null) return {values, end: value.end, unclosed}
		if (value.end > value.start) values.push(value)
		at = value.end
		if (text[at] !== ',') return {values, end: at, unclosed: null}
		at = skipSpace(text, at + 1)
	}
}

/** `\` escapes `"`, `*` and `\`, inside and outside quotation marks. */
function lexValue(text: string, start: number): {value: RawValue; unclosed: number | null} {
	const parts = ['']
	let quote: number | null = null
	let quoted = false
	let at = start
	const add = (piece: string) => parts.push((parts.pop() ?? '') + piece)
	while (at < text.length) {
		const char = text.charAt(at)
		if (quote === null && /[\s,]/.test(char)) break
		const escaped = char === '\\' && /["*\\]/.test(text.charAt(at + 1))
		if (escaped) add(text.charAt(at + 1))
		else if (char === '*') parts.push('')
		else if (char !== '"') add(char)
		else {
			quote = quote === null ? at : null
			quoted = true
		}
		at += escaped ? 2 : 1
	}
	return {value: {start, end: at, parts, quoted}, unclosed: quote}
}

function skipSpace(text: string, start: number) {
	let at = start
	while (at < text.length && /\s/.test(text.charAt(at))) at += 1
	return at
}

function matchAt(expression: RegExp, text: string, at: number) {
	expression.lastIndex = at
	return expression.exec(text)
}
