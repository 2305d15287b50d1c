/** A list may be longer than a call has room for arguments, which ends at some 120,000. */

/** Infinity for an empty list. */
export function smallest(values: readonly number[]): number {
	return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

/** -Infinity for an empty list. */
export function largest(values: readonly number[]): number {
	return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}
