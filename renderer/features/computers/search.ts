import {z} from 'zod'

import {computerSorts} from '#model/choices.ts'
import {searchOf} from '#kit/search-of.ts'

export const computersSearchSchema = searchOf({
	filter: z.string(),
	sort: z.enum(computerSorts),
	desc: z.boolean(),
	/** Id of a saved view; `all` for none, even with a default view. */
	view: z.string(),
	peek: z.string()
})
export type ComputersSearch = z.infer<typeof computersSearchSchema>
