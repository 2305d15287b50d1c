/** Repositories are written as plain synchronous code and seen by their callers through promises. */

/** The same methods, each with its answer as a promise. */
export type AsyncOf<Repository> = {
	readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Args) => infer Answer
		? (...args: Args) => Promise<Awaited<Answer>>
		: never
}
