import {expect} from 'vitest'

/** The error's data, which the contract defines. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
	const error: unknown = await work.then(
		() => 'It did not fail.',
		(thrown: unknown) => thrown
	)
	expect(error).toMatchObject({code: 'CORDON', defined: true})
	return (error as {data: unknown}).data
}
