import {z} from 'zod'

export const overviewSearchSchema = z.object({
	/** Period of the event chart. Default: 24 hours. */
	span: z.enum(['24h', '7d']).optional().catch(undefined),
	/** The selected part, ISO 8601. */
	from: z.iso.datetime().optional().catch(undefined),
	to: z.iso.datetime().optional().catch(undefined),
})
