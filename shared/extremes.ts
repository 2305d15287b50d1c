/** `Math.min` and `Math.max` take at most some 120,000 arguments; a list may be longer. */

/** Infinity for an empty list. */
export function smallest(values: readonly number[]) {
	return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

/** -Infinity for an empty list. */
export function largest(values: readonly number[]) {
	return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}
