import {z} from 'zod'

export const commandLineSearchSchema = z.object({
	/** A prepared line. Inserted, never run. */
	line: z.string().max(4000).optional().catch(undefined),
	/** The command whose help is open. */
	help: z.string().max(80).optional().catch(undefined),
})
