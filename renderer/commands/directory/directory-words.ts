/** The local copy of groups, policies and lists, in words. */
import type {DirectoryState} from '#shared/contract/directory.ts'
import {counted} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'

const products: Readonly<Record<string, string>> = {
	windows: 'Windows',
	mac: 'macOS',
	linux: 'Linux',
	android: 'Android',
	ios: 'iOS',
	network: 'Network',
}

/** A product as a person reads it; one that is not known stays as the service spells it. */
export function productTitle(product: string): string {
	return products[product] ?? product
}

/** Products in the order in which screens show them: those that are known first. */
export function inProductOrder(found: Iterable<string>): readonly string[] {
	return inOrder(Object.keys(products), found)
}

/** Kinds of file lists in the order in which screens show them: those that are known first. */
export function inListTypeOrder(found: Iterable<string>): readonly string[] {
	return inOrder(Object.keys(listTypes), found)
}

function inOrder(known: readonly string[], found: Iterable<string>): readonly string[] {
	const rank = (each: string) => (known.includes(each) ? known.indexOf(each) : known.length)
	return [...new Set(found)].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
}

/** `1 call`, `44 calls`. */
export function calls(count: number): string {
	return counted(count, nouns.call)
}

/** Whose details are loaded with the listings: none, all, or those that failed. */
export type Details = boolean | 'lacking'

/** The price of reading the listings again, and with `details` of those, such as `about 5 calls`. */
export function refreshPrice(state: DirectoryState | undefined, details: Details): string {
	if (state === undefined || state.refreshCalls === null) return 'cost unknown'
	const more = details === 'lacking' ? state.lackingCalls : details ? (state.detailCalls ?? 0) : 0
	return `about ${calls(state.refreshCalls + more)}`
}

/** What another try has to read: a listing that failed needs no details. */
export function retryDetails({phase, lackingCalls}: DirectoryState): Details {
	return phase === 'partial' && lackingCalls > 0 ? 'lacking' : false
}

const listTypes: Readonly<Record<string, string>> = {
	simple_custom_detections: 'simple custom detections',
	application_blocking: 'application blocking',
	allowed_applications: 'allowed applications',
}

/** The kind of a file list in words; one that is not known stays as the service spells it. */
export function listTypeTitle(type: string): string {
	return listTypes[type] ?? type
}
