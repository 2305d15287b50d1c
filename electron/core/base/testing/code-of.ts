import {CordonError} from '#contract/errors.ts'

/** The code of its error; `undefined` without one. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
	return await work.then(
		() => {},
		(error: unknown) => (error instanceof CordonError ? error.code : error)
	)
}
