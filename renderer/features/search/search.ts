import {z} from 'zod'

export const shownParts = ['all', 'silent', 'told'] as const
export type ShownPart = (typeof shownParts)[number]

/** The search in the address, to be kept and shared. Opening it sends no query. */
export const searchSearchSchema = z.object({
	/** The search text. A hash of only digits is a number in an address. */
	q: z
		.union([z.string().max(2000), z.number().transform(String)])
		.optional()
		.catch(undefined),
	/** The shown answer of the service; default: the last query's. */
	ask: z.enum(['activity', 'user']).optional().catch(undefined),
	/** The shown computers of the answer. */
	show: z.enum(shownParts).optional().catch(undefined),
})
export type SearchSearch = z.infer<typeof searchSearchSchema>
