/** Texts and addresses of the overview. */
import {formatTerm, type UnplacedTerm} from '#model/computer-filter.ts'

/** How many rows are named. */
export const namesShown = 3

/** The list of computers with that filter. */
export function computersWith(filter: string) {
	return address('/computers', filter === '' ? {} : {filter})
}

/** A term that holds for exactly these values. */
export function anyOf(field: UnplacedTerm['field'], values: readonly string[]) {
	return formatTerm({field, operator: '=', negated: false, values: values.map(value => ({kind: 'text', parts: [value]}))})
}

/** Path of a screen with its search, as the router of the page writes it. */
export function address(path: string, search: Readonly<Record<string, string | boolean>>) {
	const parameters = Object.entries(search).map(([key, value]) => `${key}=${encodeURIComponent(searchText(value))}`)
	return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

/** The router reads values as JSON where it can: a text that looks like JSON is quoted. */
function searchText(value: string | boolean) {
	if (typeof value === 'boolean') return String(value)
	try {
		JSON.parse(value)
		return JSON.stringify(value)
	} catch {
		return value
	}
}
