import {z} from 'zod'

import {computerSorts} from '#model/choices.ts'
import {searchOf} from '#kit/search-of.ts'

/** The state of the computers screen in its address, for bookmarks and links. */
export const computersSearchSchema = searchOf({
	filter: z.string(),
	sort: z.enum(computerSorts),
	desc: z.boolean(),
	/** Id of a saved view; `all` for none, even with a default view. */
	view: z.string(),
	/** GUID of the computer in the side panel. */
	peek: z.string()
})
export type ComputersSearch = z.infer<typeof computersSearchSchema>
