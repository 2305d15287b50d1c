import {z} from 'zod'

export const shownParts = ['all', 'silent', 'told'] as const
export type ShownPart = (typeof shownParts)[number]

/** The search in the address, to be kept and shared. Opening it sends no query. */
export const searchSearchSchema = z.object({
	/** What is looked for. A hash of digits alone is a number in an address. */
	q: z
		.union([z.string().max(2000), z.number().transform(String)])
		.optional()
		.catch(undefined),
	/** Which answer of the service is shown; left out, the one that was asked for. */
	ask: z.enum(['activity', 'user']).optional().catch(undefined),
	/** Which computers of the answer. */
	show: z.enum(shownParts).optional().catch(undefined),
})
export type SearchSearch = z.infer<typeof searchSearchSchema>
