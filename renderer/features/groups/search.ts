import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

const groupViews = ['tree', 'icicle', 'policies'] as const
export type GroupView = (typeof groupViews)[number]

/** The state of the groups screen in its address. */
export const groupsSearchSchema = searchOf({
	view: z.enum(groupViews),
	/** GUID of the chart's root group. */
	root: z.string(),
	/** GUID of the list that marks policies in the chart. */
	list: z.string(),
	search: z.string(),
	/** GUID of the group in the side panel. */
	group: z.string(),
	/** Includes members of subgroups. */
	below: z.boolean(),
	act: z.enum(['assign', 'export', 'note'])
})
export type GroupsSearch = z.infer<typeof groupsSearchSchema>

export const compareGroupsSearchSchema = searchOf({a: z.string(), b: z.string(), all: z.boolean()})
export type CompareGroupsSearch = z.infer<typeof compareGroupsSearchSchema>

export const groupSearchSchema = searchOf({below: z.boolean(), act: z.enum(['assign', 'note'])})
