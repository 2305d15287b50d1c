/**
 * Conditions: `__variable__:value OP literal`, joined by AND, OR and parentheses. Parsed by a grammar, typed by the variable, and
 * never evaluated as code. Literals stand in single quotes (STIX) or without (SOARCA).
 */
import {BlockList, isIPv6} from 'node:net'

import {invalidArgument} from '#contract/errors.ts'

import type {Variable} from './document.ts'

const operators = ['=', '!=', '>', '<', '>=', '<=', 'IN', 'LIKE', 'MATCHES', 'ISSUBSET', 'ISSUPERSET'] as const
type Operator = (typeof operators)[number]

interface Literal {
	text: string
	quoted: boolean
}

type Condition =
	| {kind: 'and' | 'or'; of: readonly Condition[]}
	| {kind: 'compare'; variable: string; operator: Operator; negated: boolean; literals: readonly Literal[]}

const longest = 2000
const deepest = 50
const tokenPattern = /\s*(?:'((?:[^'\\]|\\.|'')*)'|(!=|>=|<=|[=<>(),])|([^\s'()=<>!,]+))/y

interface Token extends Literal {
	/** An operator or a bracket. */
	sign: boolean
}

/** Throws `invalid_argument` with what is wrong and where. */
export function parseCondition(text: string): Condition {
	if (text.length > longest) throw wrong(`The condition has more than ${longest} characters.`)
	return new Parser(tokensOf(text.trim())).whole()
}

const variableIn = (text: string) => /^(__[a-zA-Z_][a-zA-Z0-9_-]{0,199}__):value$/.exec(text)?.[1]

function tokensOf(text: string) {
	const tokens: Token[] = []
	tokenPattern.lastIndex = 0
	while (tokenPattern.lastIndex < text.length) {
		const at = tokenPattern.lastIndex
		const [, quoted, sign, bare] = tokenPattern.exec(text) ?? []
		if (quoted !== undefined)
			tokens.push({text: quoted.replace(/\\(.)|''/g, (whole, one: string) => (whole === "''" ? "'" : one)), quoted: true, sign: false})
		else if (sign !== undefined) tokens.push({text: sign, quoted: false, sign: true})
		else if (bare !== undefined) tokens.push({text: bare, quoted: false, sign: false})
		else throw wrong(`The condition cannot be read from character ${at + 1}: ${text.slice(at, at + 20)}`)
	}
	return tokens
}

class Parser {
	readonly #tokens: readonly Token[]
	#next = 0
	#depth = 0

	constructor(tokens: readonly Token[]) {
		this.#tokens = tokens
	}

	whole(): Condition {
		const condition = this.#joined('or')
		const rest = this.#tokens[this.#next]
		if (rest !== undefined) throw wrong(`"${rest.text}" does not belong there. Join comparisons with AND or OR.`)
		return condition
	}

	#joined(kind: 'and' | 'or'): Condition {
		const inner = () => (kind === 'or' ? this.#joined('and') : this.#one())
		const first = inner()
		const of = [first]
		while (this.#takes(kind.toUpperCase())) of.push(inner())
		return of.length === 1 ? first : {kind, of}
	}

	#one() {
		if (!this.#takes('(')) return this.#comparison()
		this.#depth += 1
		if (this.#depth > deepest) throw wrong(`The condition has more than ${deepest} parentheses within each other.`)
		const inner = this.#joined('or')
		if (!this.#takes(')')) throw wrong('A closing parenthesis is missing.')
		this.#depth -= 1
		return inner
	}

	#comparison(): Condition {
		const variable = variableIn(this.#take('a variable').text)
		if (variable === undefined) throw wrong('A comparison begins with a variable, such as __status__:value.')
		const negated = this.#takes('NOT')
		const sign = this.#take('an operator').text
		const operator = operators.find(one => one === sign.toUpperCase())
		if (operator === undefined) throw wrong(`"${sign}" is not an operator. Use one of ${operators.join(' ')}.`)
		const literals = operator === 'IN' && this.#takes('(') ? this.#set() : [this.#literal()]
		if (operator === 'MATCHES') patternOf(literals[0]?.text ?? '')
		return {kind: 'compare', variable, operator, negated, literals}
	}

	#set() {
		const literals = [this.#literal()]
		while (this.#takes(',')) literals.push(this.#literal())
		if (!this.#takes(')')) throw wrong('A closing parenthesis is missing after the values of IN.')
		return literals
	}

	#literal(): Literal {
		const token = this.#take('a value')
		if (token.sign) throw wrong(`A value is missing before "${token.text}".`)
		return token
	}

	#take(what: string) {
		const token = this.#tokens[this.#next]
		if (token === undefined) throw wrong(`The condition ends where ${what} is missing.`)
		this.#next += 1
		return token
	}

	#takes(word: string) {
		const token = this.#tokens[this.#next]
		const isThere = token !== undefined && !token.quoted && token.text.toUpperCase() === word
		if (isThere) this.#next += 1
		return isThere
	}
}

const longestPattern = 300

/** About 0.1 s. Each repetition tries every length, from every place, and each try may read the whole pattern. */
const mostRead = 800_000_000
/** What a try costs besides, in characters. */
const oneTry = 8

/** Refuses a pattern that could take for ever: at most two repetitions, none of a group, no back-reference, and few choices. */
function patternOf(pattern: string) {
	// One that is longer is refused unread.
	const bare = pattern.slice(0, longestPattern).replace(/\\[^1-9k]|\[(?:[^\]\\]|\\.)*\]/g, '_')
	const repeats = bare.match(/[*+{]/g)?.length ?? 0
	// Each group and each ? multiplies what may be tried, except a lazy one.
	const choices = bare
		.replace(/([*+}])\?/g, '$1')
		.replaceAll('?', '(|)')
		.split(/[()]/)
		.reduce((all, part) => all * part.split('|').length, 1)
	if (pattern.length > longestPattern || repeats > 2 || choices * 10 ** repeats > 4000 || /\)[*+{?]|\\|\(\?/.test(bare))
		throw wrong('The pattern after MATCHES is too complex. Use at most two repetitions, none of a group, and few choices.')
	try {
		const form = new RegExp(pattern, 'u')
		'x'.search(form)
		const tries = (mostRead * (repeats === 2 ? 6 : repeats + 1)) / choices / (oneTry + pattern.length)
		return {form, /** Characters of a value. */ most: tries ** (1 / (repeats + 1))}
	} catch {
		throw wrong('The pattern after MATCHES is not a regular expression.')
	}
}

/** Every comparison of a condition. */
export function comparisonsOf(condition: Condition): readonly Extract<Condition, {kind: 'compare'}>[] {
	return condition.kind === 'compare' ? [condition] : condition.of.flatMap(comparisonsOf)
}

/** Throws `invalid_argument` when a variable has no value or cannot be compared this way. */
export function isMet(condition: Condition, lookup: (name: string) => Variable | undefined): boolean {
	if (condition.kind !== 'compare') {
		const met = (one: Condition) => isMet(one, lookup)
		return condition.kind === 'and' ? condition.of.every(met) : condition.of.some(met)
	}
	const {variable: name, operator, negated, literals} = condition
	const {type, value} = valueOf(name, lookup)
	const met = literals.some(({text, quoted}) => {
		const other = variableIn(text)
		const literal = other === undefined || quoted ? text : valueOf(other, lookup).value
		return compare({name, type, value}, operator, literal)
	})
	return met !== negated
}

function valueOf(name: string, lookup: (name: string) => Variable | undefined) {
	const variable = lookup(name)
	const value = variable?.value ?? undefined
	if (variable === undefined || value === undefined) throw wrong(`The variable ${name} has no value yet.`)
	return {type: variable.type, value}
}

interface Compared {
	name: string
	type: string
	value: string
}

const foldedTypes = new Set(['bool', 'hexstring', 'mac-addr', 'hash', 'md5-hash', 'sha256-hash', 'uuid', 'ipv6-addr'])
/** Characters of the value times those of the pattern: what LIKE compares at most. */
const mostCompared = 25_000_000

function compare({name, type, value}: Compared, operator: Operator, literal: string) {
	switch (operator) {
		case 'LIKE':
			if (value.length * literal.length > mostCompared) throw wrong(`The value of ${name} is too long for LIKE with this pattern.`)
			return isLike(value, literal)
		case 'MATCHES': {
			// It may be the value of another variable.
			const {form, most} = patternOf(literal)
			if (value.length > most) throw wrong(`The value of ${name} is too long for MATCHES with this pattern.`)
			return form.test(value)
		}
		case 'ISSUBSET':
			return isWithin(name, value, literal)
		case 'ISSUPERSET':
			return isWithin(name, literal, value)
		default:
			return isOrdered(operator, orderOf({name, type, value}, literal))
	}
}

function isOrdered(operator: Operator, order: number) {
	if (operator === '>') return order > 0
	if (operator === '<') return order < 0
	if (operator === '>=') return order >= 0
	if (operator === '<=') return order <= 0
	return (order === 0) === (operator !== '!=')
}

function orderOf({name, type, value}: Compared, literal: string) {
	if (type === 'integer' || type === 'long' || type === 'float') {
		const exact = [value, literal].every(text => /^-?\d+$/.test(text.trim()))
		const [one, other] = exact ? [BigInt(value), BigInt(literal)] : [Number(value), Number(literal)]
		if (literal.trim() === '' || [one, other].some(number => Number.isNaN(number)))
			throw wrong(`The value of ${name} cannot be compared with "${literal.slice(0, 50)}": one of them is not a number.`)
		return one < other ? -1 : one > other ? 1 : 0
	}
	const [one, other] = foldedTypes.has(type) ? [value.toLowerCase(), literal.toLowerCase()] : [value, literal]
	return one < other ? -1 : one > other ? 1 : 0
}

/** `%` any text, `_` any character. Time grows with both lengths, whatever they hold. */
function isLike(value: string, pattern: string) {
	let [at, next, back, mark] = [0, 0, -1, 0]
	while (at < value.length) {
		if (pattern[next] === '%') [back, mark, next] = [next, at, next + 1]
		else if (next < pattern.length && (pattern[next] === '_' || pattern[next] === value[at])) [at, next] = [at + 1, next + 1]
		else if (back === -1) return false
		else [next, mark, at] = [back + 1, mark + 1, mark + 1]
	}
	return /^%*$/.test(pattern.slice(next))
}

function isWithin(name: string, inner: string, outer: string) {
	const [one, other] = [inner, outer].map(networkOf)
	if (one === undefined || other === undefined) throw wrong(`${name} is compared with something that is not an address.`)
	if (one.family !== other.family || one.bits < other.bits) return false
	const list = new BlockList()
	list.addSubnet(other.address, other.bits, other.family)
	return list.check(one.address, one.family)
}

function networkOf(text: string) {
	const [address = '', bits] = text.trim().split('/')
	const family = isIPv6(address) ? 'ipv6' : 'ipv4'
	const most = family === 'ipv6' ? 128 : 32
	const length = bits === undefined ? most : Number(bits === '' ? Number.NaN : bits)
	try {
		new BlockList().addSubnet(address, length, family)
		return {address, bits: length, family} as const
	} catch {
		return undefined
	}
}

function wrong(message: string) {
	return invalidArgument(message, 'condition')
}
