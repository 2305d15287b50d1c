import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const connectionsSearchSchema = searchOf({
	import: z.boolean(),
	add: z.boolean(),
	/** Id of the connection whose form is open. */
	edit: z.string(),
	/** Id of the connection whose guard rules are open. */
	guards: z.string(),
	/** Puts the focus on the key of the connection in `edit`. */
	replaceKey: z.boolean()
})
export type ConnectionsSearch = z.infer<typeof connectionsSearchSchema>
