import {z} from 'zod'

const reference = z.looseObject({guid: z.string(), name: z.string()})

/** A policy within a group, and whether it is inherited (API reference, "Groups"). */
const groupPolicySchema = z.looseObject({guid: z.string(), name: z.string(), product: z.string(), inherited: z.boolean().optional()})

/** `ancestry[0]` is the direct parent; a root group has none. */
export const groupSchema = z.looseObject({
	guid: z.string(),
	name: z.string(),
	description: z.string().nullish(),
	source: z.string().nullish(),
	ancestry: z.array(reference).optional(),
	/** In a single group's record, on newer servers: its direct children. */
	child_groups: z.array(reference).optional(),
	policies: z.array(groupPolicySchema).optional(),
	computers_count: z.number().optional()
})
export type Group = z.infer<typeof groupSchema>

export type GroupRow = Readonly<{
	guid: string
	name: string
	/** Names from the root to this group. */
	path: readonly string[]
	computers: number
}>

/** Whether a group is anywhere below another; the list of groups has paths, and no parents. */
export function isBelow(group: GroupRow, above: GroupRow) {
	return above.path.length < group.path.length && above.path.every((name, index) => name === group.path[index])
}
