import {z} from 'zod'

import {computerSorts} from '#shared/contract/contract.ts'

/** The view of the computers screen as it stands in its address, so that it can be kept and passed on. */
export const computersSearchSchema = z.object({
	/** The typed filter. */
	filter: z.string().optional().catch(undefined),
	sort: z.enum(computerSorts).optional().catch(undefined),
	desc: z.boolean().optional().catch(undefined),
	/** Id of a saved view; `all` for none, though one opens by itself. */
	view: z.string().optional().catch(undefined),
	/** GUID of the computer in the side panel. */
	peek: z.string().optional().catch(undefined),
})
export type ComputersSearch = z.infer<typeof computersSearchSchema>
