import {z} from 'zod'

const groupViews = ['tree', 'icicle', 'policies'] as const
export type GroupView = (typeof groupViews)[number]

/** The state of the groups screen in its address. */
export const groupsSearchSchema = z.object({
	view: z.enum(groupViews).optional().catch(undefined),
	/** GUID of the chart's root group. */
	root: z.string().optional().catch(undefined),
	/** GUID of the list that marks policies in the chart. */
	list: z.string().optional().catch(undefined),
	/** A part of a name, description or GUID. */
	search: z.string().optional().catch(undefined),
	/** GUID of the group in the side panel. */
	group: z.string().optional().catch(undefined),
	/** Includes members of subgroups. */
	below: z.boolean().optional().catch(undefined),
	act: z.enum(['assign', 'export', 'note']).optional().catch(undefined),
})
export type GroupsSearch = z.infer<typeof groupsSearchSchema>

/** Two groups side by side. */
export const compareGroupsSearchSchema = z.object({
	a: z.string().optional().catch(undefined),
	b: z.string().optional().catch(undefined),
	/** Includes equal lines. */
	all: z.boolean().optional().catch(undefined),
})
export type CompareGroupsSearch = z.infer<typeof compareGroupsSearchSchema>

/** The page of one group. */
export const groupSearchSchema = groupsSearchSchema
	.pick({below: true})
	.extend({act: z.enum(['assign', 'note']).optional().catch(undefined)})
