import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const shownParts = ['all', 'silent', 'told'] as const
export type ShownPart = (typeof shownParts)[number]

/** The search in the address, to be kept and shared. Opening it sends no query. */
export const searchSearchSchema = searchOf({
	/** The search text. A hash of only digits is a number in an address. */
	q: z.union([z.string().max(2000), z.number().transform(String)]),
	/** The shown answer of the service; default: the last query's. */
	ask: z.enum(['activity', 'user']),
	show: z.enum(shownParts)
})
export type SearchSearch = z.infer<typeof searchSearchSchema>
