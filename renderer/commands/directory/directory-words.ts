import type {DirectoryState, PolicyWay} from '#contract/directory.ts'
import {kindNames} from '#model/file-list.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

const products: Readonly<Record<string, string>> = {
	windows: 'Windows',
	mac: 'macOS',
	linux: 'Linux',
	android: 'Android',
	ios: 'iOS',
	network: 'Network'
}

export function productTitle(product: string) {
	return products[product] ?? product
}

/** Known products first, in the order of screens. */
export function inProductOrder(found: Iterable<string>): readonly string[] {
	return inOrder(Object.keys(products), found)
}

/** Known kinds first, in the order of screens. */
export function inListTypeOrder(found: Iterable<string>): readonly string[] {
	return inOrder(Object.keys(kindNames), found)
}

function inOrder(known: readonly string[], found: Iterable<string>) {
	const rank = (each: string) => (known.includes(each) ? known.indexOf(each) : known.length)
	return [...new Set(found)].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
}

/** `1 call`, `44 calls`. */
export function calls(count: number) {
	return counted(count, nouns.call)
}

/** Which details are loaded with the listings: none, all, or those that failed. */
export type Details = boolean | 'lacking'

/** The cost of a refresh, such as `about 5 calls`. */
export function refreshPrice(state: DirectoryState | undefined, details: Details) {
	if (state === undefined || state.refreshCalls === null) return 'cost unknown'
	const more = details === 'lacking' ? state.lackingCalls : details ? (state.detailCalls ?? 0) : 0
	return `about ${calls(state.refreshCalls + more)}`
}

/** What another attempt must load: a failed listing needs no details. */
export function retryDetails({phase, lackingCalls}: DirectoryState): Details {
	return phase === 'partial' && lackingCalls > 0 ? 'lacking' : false
}

/** Unknown kinds stay as the service spells them. */
export function listTypeTitle(type: string) {
	return kindNames[type] ?? type
}

/** The largest; all when there are at most `most`. */
export function keptOf(ways: readonly PolicyWay[], key: (way: PolicyWay) => string, most: number): ReadonlySet<string> {
	const sums = [...Map.groupBy(ways, key)].map(([name, same]) => [name, same.reduce((sum, {computers}) => sum + computers, 0)] as const)
	const ordered = sums.toSorted((a, b) => b[1] - a[1]).map(([name]) => name)
	return new Set(ordered.length <= most ? ordered : ordered.slice(0, most - 1))
}
