/**
 * Completion of a typed line at the caret. Pure: `dynamic` requests values from the local copy, and {@link dynamicItems} converts
 * the answer to items.
 */
import {catalogue, findCommand} from './catalogue.ts'
import type {ArgSpec, CompletionSource, OptionName} from './define.ts'
import {optionSummaries} from './options.ts'
import {commandWords, type KnownCommand} from './parse.ts'
import {quote, unquote, type Word} from './words.ts'

export interface CompletionItem {
	readonly kind: 'command' | 'argument' | 'option' | 'value'
	/** Replaces `from`…`to`. */
	readonly text: string
	readonly label: string
	readonly detail: string
}

export interface Completion {
	readonly from: number
	readonly to: number
	readonly items: readonly CompletionItem[]
	/** Values to request from the local copy. */
	readonly dynamic: DynamicRequest | null
}

interface DynamicRequest {
	source: CompletionSource
	prefix: string
	/** Text before the value in the replaced word: its argument's name, and values before a comma. */
	lead: {name: string; values: string}
}

type Place = ReturnType<typeof placeOf>

const assignment = /^([A-Za-z_][\w-]*)=/

export function completeLine(line: string, caret: number): Completion {
	const place = placeOf(line, caret)
	const [head, ...given] = place.before
	if (head === undefined) return completeCommand(place)
	const spec = findCommand(unquote(head.raw))
	return spec === undefined ? nothing(place) : completePart(place, spec, given)
}

/** Suggestions of the local copy as items, quoted where necessary. */
export function dynamicItems(request: DynamicRequest, suggestions: readonly {value: string; label: string}[]): readonly CompletionItem[] {
	return suggestions.map(({value, label}) => valueItem(request.lead, value, label))
}

function placeOf(line: string, caret: number) {
	const words = commandWords(line)
	const current = words.find(word => word.from <= caret && caret <= word.to)
	const start = /^\s*!/.test(line) ? line.indexOf('!') + 1 : 0
	const from = current?.from ?? Math.max(caret, start)
	return {
		from,
		to: current?.to ?? from,
		/** The word up to the caret, unchanged. */
		typed: line.slice(from, Math.max(caret, from)),
		before: words.filter(word => word.to < from || (word.to <= from && word !== current))
	}
}

function completeCommand({from, to, typed}: Place): Completion {
	const items = ranked(
		typed,
		catalogue.map(spec => ({kind: 'command', text: `${spec.name} `, label: spec.name, detail: spec.title}))
	)
	const aliases = catalogue.flatMap(spec =>
		spec.aliases.map((alias): CompletionItem => ({kind: 'command', text: `${alias} `, label: alias, detail: spec.title}))
	)
	return {from, to, items: [...items, ...(items.length === 0 ? ranked(typed, aliases) : [])], dynamic: null}
}

function completePart(place: Place, spec: KnownCommand, given: readonly Word[]): Completion {
	const name = assignment.exec(place.typed)?.[1]
	if (name !== undefined) return completeNamed(place, spec, name, place.typed.slice(name.length + 1))
	const names = ranked(place.typed, namesLeft(spec, given))
	const positional = positionalLeft(spec, given)
	if (positional === null) return {...nothing(place), items: names}
	const values = completeValue(place, positional.arg, '', place.typed)
	return {...values, items: [...names, ...values.items]}
}

function completeNamed(place: Place, spec: KnownCommand, name: string, typed: string) {
	const arg = Object.hasOwn(spec.args, name) ? spec.args[name] : undefined
	return arg === undefined ? nothing(place) : completeValue(place, arg, `${name}=`, typed)
}

function completeValue(place: Place, arg: ArgSpec, name: string, typed: string): Completion {
	const value = unquote(typed)
	const comma = arg.many === 'comma' ? value.lastIndexOf(',') + 1 : 0
	const lead = {name, values: value.slice(0, comma)}
	const prefix = value.slice(comma)
	const choices = (arg.choices ?? []).map(choice => valueItem(lead, choice, choice))
	const dynamic = arg.complete === undefined ? null : {source: arg.complete, prefix, lead}
	return {from: place.from, to: place.to, items: ranked(prefix, choices), dynamic}
}

function namesLeft(spec: KnownCommand, given: readonly Word[]) {
	const taken = new Set(given.map(word => assignment.exec(word.raw)?.[1] ?? word.raw))
	const args = Object.entries(spec.args)
		.filter(([name, arg]) => arg.many !== 'no' || !taken.has(name))
		.map(([name, arg]): CompletionItem => ({kind: 'argument', text: `${name}=`, label: name, detail: arg.summary}))
	const options = spec.options
		.filter(option => !taken.has(option))
		.map((option): CompletionItem => ({
			kind: 'option',
			text: takesValue.has(option) ? `${option}=` : option,
			label: option,
			detail: optionSummaries[option]
		}))
	return [...args, ...options]
}

const takesValue: ReadonlySet<string> = new Set<OptionName>(['reason', 'ticket', 'confirm', 'code', 'lease'])

function positionalLeft(spec: KnownCommand, given: readonly Word[]): {arg: ArgSpec} | null {
	const arg = spec.positional === null ? undefined : spec.args[spec.positional]
	const isOption = (raw: string) => spec.options.some(option => option === raw)
	const taken = given.some(({raw}) => {
		const name = assignment.exec(raw)?.[1]
		return name === spec.positional || (name === undefined && !isOption(raw))
	})
	return arg === undefined || taken ? null : {arg}
}

function valueItem(lead: DynamicRequest['lead'], value: string, label: string): CompletionItem {
	// An equals sign in a bare word would make it an argument.
	const forced = lead.name === '' && value.includes('=')
	return {
		kind: 'value',
		text: `${lead.name}${quote(lead.values + value, forced)}`,
		// People know names; the GUID for the line is beside it.
		label,
		detail: label === value ? '' : value
	}
}

/** Prefix matches first, then other matches. */
function ranked(typed: string, items: readonly CompletionItem[]) {
	const wanted = typed.toLowerCase()
	const [starting, others] = [
		items.filter(item => item.label.toLowerCase().startsWith(wanted)),
		items.filter(item => !item.label.toLowerCase().startsWith(wanted))
	]
	return [...starting, ...others.filter(item => item.label.toLowerCase().includes(wanted))]
}

function nothing({from, to}: Place): Completion {
	return {from, to, items: [], dynamic: null}
}
