/** Numbers, plurals and sizes, in one form for core, command line and page. */

/** `['computer', 'computers']`, or whole phrases: `['computer has', 'computers have']`. */
export type Forms = readonly [one: string, many: string]

const locale = 'en-GB'
// Created at first use: loading the locale's data costs the command line 17 ms at start.
let counts: Intl.NumberFormat | undefined
const thousands = /\B(?=(\d{3})+$)/g

/** `18,240`. */
export function formatCount(value: number) {
	if (Number.isSafeInteger(value)) return String(value).replaceAll(thousands, ',')
	counts ??= new Intl.NumberFormat(locale)
	return counts.format(value)
}

/** The word form for a count, without the count: `formOf(2, ['is', 'are'])`. */
export function formOf(count: number, [one, many]: Forms) {
	return Math.abs(count) === 1 ? one : many
}

/** `1 call`, `18,240 calls`. */
export function counted(count: number, forms: Forms) {
	return `${formatCount(count)} ${formOf(count, forms)}`
}

/** `20%` of 0.2; a partial share is never rounded to 0% or 100%. */
export function formatShare(share: number) {
	if (share > 0 && share < 0.01) return '<1%'
	if (share > 0.99 && share < 1) return '>99%'
	return `${Math.round(share * 100)}%`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]) {
	const last = parts.at(-1) ?? ''
	return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `512 B`, `1.2 kB`, `10 GB`: powers of a thousand, like disk sizes. */
export function formatBytes(bytes: number) {
	let [value, unit] = [bytes, 0]
	// A value rounded to 1,000 becomes 1 of the next unit.
	while (Math.round(value) >= 1000 && unit < units.length - 1) {
		value /= 1000
		unit += 1
	}
	return `${unit > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : formatCount(Math.round(value))} ${units[unit] ?? ''}`
}
