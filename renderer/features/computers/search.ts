import {z} from 'zod'

import {computerSorts} from '#shared/model/choices.ts'

/** The state of the computers screen in its address, for bookmarks and links. */
export const computersSearchSchema = z.object({
	filter: z.string().optional().catch(undefined),
	sort: z.enum(computerSorts).optional().catch(undefined),
	desc: z.boolean().optional().catch(undefined),
	/** Id of a saved view; `all` for none, even with a default view. */
	view: z.string().optional().catch(undefined),
	/** GUID of the computer in the side panel. */
	peek: z.string().optional().catch(undefined),
})
export type ComputersSearch = z.infer<typeof computersSearchSchema>
