import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

/** Dialogs are part of the address; opening a link changes nothing. */
export const instancesSearchSchema = searchOf({
	/** Id of the instance beside the list. */
	peek: z.string(),
	act: z.enum(['add', 'certificate', 'reach', 'stop']),
	/** With `add`: GUID and name of a file list to publish, and its connection. */
	connection: z.string(),
	list: z.string(),
	name: z.string()
})
export type InstancesSearch = z.infer<typeof instancesSearchSchema>

export const instanceTabs = ['requests', 'addresses', 'settings', 'output', 'list'] as const

export const instanceSearchSchema = searchOf({
	tab: z.enum(instanceTabs),
	act: z.enum(['edit', 'remove', 'expose', 'port', 'probe', 'publish', 'restart'])
})
export type InstanceSearch = z.infer<typeof instanceSearchSchema>
export type InstanceAct = NonNullable<InstanceSearch['act']>

export const parametersSearchSchema = searchOf({
	/** Key of the row being edited, and of the one about to be removed. */
	edit: z.string(),
	remove: z.string(),
	/** Initial key of a new row. */
	key: z.string()
})
export type ParametersSearch = z.infer<typeof parametersSearchSchema>
