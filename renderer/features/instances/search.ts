import {z} from 'zod'

/** Dialogs are part of the address; opening a link changes nothing. */
export const instancesSearchSchema = z.object({
	/** Id of the instance beside the list. */
	peek: z.string().optional().catch(undefined),
	act: z.enum(['add', 'certificate', 'reach', 'stop']).optional().catch(undefined),
	/** With `add`: GUID and name of a file list to publish, and its connection. */
	connection: z.string().optional().catch(undefined),
	list: z.string().optional().catch(undefined),
	name: z.string().optional().catch(undefined),
})
export type InstancesSearch = z.infer<typeof instancesSearchSchema>

export const instanceTabs = ['requests', 'addresses', 'settings', 'output', 'list'] as const
export type InstanceTab = (typeof instanceTabs)[number]

export const instanceSearchSchema = z.object({
	tab: z.enum(instanceTabs).optional().catch(undefined),
	act: z.enum(['edit', 'remove', 'expose', 'port', 'probe', 'publish', 'restart']).optional().catch(undefined),
})
export type InstanceSearch = z.infer<typeof instanceSearchSchema>
export type InstanceAct = NonNullable<InstanceSearch['act']>

export const parametersSearchSchema = z.object({
	/** Key of the row being edited, and of the one about to be removed. */
	edit: z.string().optional().catch(undefined),
	remove: z.string().optional().catch(undefined),
	/** Initial key of a new row. */
	key: z.string().optional().catch(undefined),
})
export type ParametersSearch = z.infer<typeof parametersSearchSchema>
