/** Repositories are plain synchronous code; their callers see promises. */

/** The same methods, returning promises. */
export type AsyncOf<Repository> = {
	readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Args) => infer Answer
		? (...args: Args) => Promise<Awaited<Answer>>
		: never
}

/** The same methods in this thread: what a repository throws, the promise rejects with. */
export function inThread<Repository extends object>(repository: Repository) {
	const methods = Object.entries(repository).map(([name, method]) => [
		name,
		async (...args: readonly unknown[]) => (method as (...given: readonly unknown[]) => unknown)(...args)
	])
	// Each method of the one is wrapped by itself.
	return Object.fromEntries(methods) as AsyncOf<Repository>
}
