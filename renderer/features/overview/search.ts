import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const overviewSearchSchema = searchOf({
	/** Period of the event chart. Default: 24 hours. */
	span: z.enum(['24h', '7d']),
	/** The selected part, ISO 8601. */
	from: z.iso.datetime(),
	to: z.iso.datetime(),
})
