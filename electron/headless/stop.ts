import {messageOf} from '#contract/errors.ts'

/** An open resource and its close function. */
export interface Closing {
	readonly name: string
	readonly close: () => Promise<void> | void
}

/** Closes in reverse order. A failure does not stop the others; failures are returned. */
export async function closeAll(opened: readonly Closing[]): Promise<readonly string[]> {
	const failures: string[] = []
	for (const {name, close} of opened.toReversed()) {
		try {
			await close()
		} catch (error) {
			failures.push(`${name}: ${messageOf(error)}`)
		}
	}
	return failures
}
