import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const tabIds = ['activity', 'trajectory', 'log', 'vulnerabilities', 'record'] as const

export const computerSearchSchema = searchOf({
	tab: z.enum(tabIds),
	/** Opens a dialog; nothing is sent by opening a link. */
	act: z.enum(['isolate', 'release', 'move', 'note', 'copy', 'labels'])
})
export type ComputerSearch = z.infer<typeof computerSearchSchema>
