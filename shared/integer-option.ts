import {usageError} from './contract/errors.ts'

/** The value of an option that takes a whole number. Throws `usage` with a sentence for any other text. */
export function integerOption(name: string, text: string | undefined, least: number, most: number): number | undefined {
	if (text === undefined) return undefined
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
	if (value >= least && value <= most) return value
	throw usageError(`--${name} must be a whole number from ${least} to ${most}.`, name)
}
