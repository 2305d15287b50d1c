import {z} from 'zod'

export const connectionsSearchSchema = z.object({
	/** Opens the dialog that reads a file of connections. */
	import: z.boolean().optional().catch(undefined),
	/** Opens the form of a new connection. */
	add: z.boolean().optional().catch(undefined),
	/** Id of the connection whose form is open. */
	edit: z.string().optional().catch(undefined),
	/** Id of the connection whose guard rules are open. */
	guards: z.string().optional().catch(undefined),
	/** Puts the focus on the key of the connection in `edit`. */
	replaceKey: z.boolean().optional().catch(undefined),
})
export type ConnectionsSearch = z.infer<typeof connectionsSearchSchema>
