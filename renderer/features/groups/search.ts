import {z} from 'zod'

export const groupViews = ['tree', 'icicle', 'policies'] as const
export type GroupView = (typeof groupViews)[number]

/** The view of the screen of groups as it stands in its address. */
export const groupsSearchSchema = z.object({
	view: z.enum(groupViews).optional().catch(undefined),
	/** GUID of the group whose part alone is in the picture. */
	root: z.string().optional().catch(undefined),
	/** GUID of the list that policies are marked by in their picture. */
	list: z.string().optional().catch(undefined),
	/** A part of a name, description or GUID. */
	search: z.string().optional().catch(undefined),
	/** GUID of the group in the side panel. */
	group: z.string().optional().catch(undefined),
	/** Members of the groups below as well. */
	below: z.boolean().optional().catch(undefined),
	act: z.enum(['assign', 'export', 'note']).optional().catch(undefined),
})
export type GroupsSearch = z.infer<typeof groupsSearchSchema>

/** Two groups side by side. */
export const compareGroupsSearchSchema = z.object({
	a: z.string().optional().catch(undefined),
	b: z.string().optional().catch(undefined),
	/** What is the same as well. */
	all: z.boolean().optional().catch(undefined),
})
export type CompareGroupsSearch = z.infer<typeof compareGroupsSearchSchema>

/** The page of one group. */
export const groupSearchSchema = groupsSearchSchema
	.pick({below: true})
	.extend({act: z.enum(['assign', 'note']).optional().catch(undefined)})
export type GroupSearch = z.infer<typeof groupSearchSchema>
