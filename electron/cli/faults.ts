import {CordonError, hasCode} from '#contract/errors.ts'
import {confirmOption} from '#model/typed.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {cut} from './terminal-table.ts'

export function usage(message: string, fix: string, field?: string) {
	return new CordonError('usage', `${message}: ${fix}.`, {fix, ...omitUndefined({field})})
}

export function shown(text: string) {
	return `"${cut(text, 60)}"`
}

/** Adds to errors how the requested text is typed here. */
export async function withAdvice<T>(work: () => T | Promise<T>) {
	try {
		return await work()
	} catch (error) {
		if (!hasCode(error, 'confirmation_needed')) throw error
		const fix = `Give ${confirmOption(error.details.field ?? '')} to do it all the same.`
		throw new CordonError(error.code, error.message, {...error.details, fix}, {cause: error})
	}
}
