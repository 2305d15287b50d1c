import {expect} from 'vitest'

import {CordonError} from '#contract/errors.ts'

/** The code of its error; `undefined` without one. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
	return await work.then(
		() => {},
		(error: unknown) => (error instanceof CordonError ? error.code : error)
	)
}

type Work = Promise<unknown> | (() => unknown)

/** The error that the work ends with; throws when it does not fail, or fails unexpectedly. */
export async function refused(work: Work): Promise<CordonError> {
	try {
		await (typeof work === 'function' ? work() : work)
	} catch (error) {
		if (error instanceof CordonError) return error
		throw error
	}
	throw new Error('It did not fail.')
}

/** `said`: a part of its message. */
export async function expectRefused(work: Work, code: string, said = '', details: object = {}) {
	expect(await refused(work)).toMatchObject({code, message: expect.stringContaining(said), details})
}
