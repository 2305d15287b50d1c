import {z} from 'zod'

export const tabIds = ['activity', 'trajectory', 'log', 'vulnerabilities', 'record'] as const

export const computerSearchSchema = z.object({
	tab: z.enum(tabIds).optional().catch(undefined),
	/** Opens a dialog; nothing is sent by opening a link. */
	act: z.enum(['isolate', 'release', 'move', 'note', 'copy', 'labels']).optional().catch(undefined),
})
export type ComputerSearch = z.infer<typeof computerSearchSchema>
