/** Views of the computers list that a person keeps: filter, order and columns under a name. */
import {z} from 'zod'

export const savedViewSchema = z.object({
	id: z.string().min(1).max(60),
	name: z.string().trim().min(1).max(60),
	filter: z.string().max(4000),
	sort: z.string().max(40),
	descending: z.boolean(),
	/** Ids of columns in their order, with a width in pixels behind `=` where a person gave one. */
	columns: z.array(z.string().max(60)).max(60),
	/** Pinned views stand above the list, the others in the menu. */
	pinned: z.boolean(),
	/** The screen opens with it when its address says nothing else. At most one of a connection is. */
	isDefault: z.boolean(),
})
export type SavedView = z.infer<typeof savedViewSchema>
