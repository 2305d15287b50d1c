import {z} from 'zod'

export const overviewSearchSchema = z.object({
	/** How far back the picture of events goes. Default: 24 hours. */
	span: z.enum(['24h', '7d']).optional().catch(undefined),
	/** The chosen part of it, ISO 8601. */
	from: z.iso.datetime().optional().catch(undefined),
	to: z.iso.datetime().optional().catch(undefined),
})
