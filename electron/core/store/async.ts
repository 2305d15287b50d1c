/** Repositories are plain synchronous code; their callers see promises. */

/** The same methods, returning promises. */
export type AsyncOf<Repository> = {
	readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Args) => infer Answer
		? (...args: Args) => Promise<Awaited<Answer>>
		: never
}
