import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const commandLineSearchSchema = searchOf({
	/** A prepared line. Inserted, never run. */
	line: z.string().max(4000),
	/** The command whose help is open. */
	help: z.string().max(80),
})
