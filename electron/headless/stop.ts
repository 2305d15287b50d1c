/** Something that was opened and how to close it. */
export interface Closing {
	readonly name: string
	readonly close: () => Promise<void> | void
}

/** Closes in the reverse order of opening. One that fails does not keep the others open; the failures are returned. */
export async function closeAll(opened: readonly Closing[]): Promise<readonly string[]> {
	const failures: string[] = []
	for (const {name, close} of opened.toReversed()) {
		try {
			await close()
		} catch (error) {
			failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
		}
	}
	return failures
}
