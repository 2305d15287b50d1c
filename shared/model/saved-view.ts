/** Saved views of the computers list: filter, order and columns under a name. */
import {z} from 'zod'

export const savedViewSchema = z.object({
	id: z.string().min(1).max(60),
	name: z.string().trim().min(1).max(60),
	filter: z.string().max(4000),
	sort: z.string().max(40),
	descending: z.boolean(),
	/** Ids of columns in order, with `=` and a width in pixels if resized. */
	columns: z.array(z.string().max(60)).max(60),
	/** Pinned views are above the list, the others in the menu. */
	pinned: z.boolean(),
	/** Opened by default without a view in the address. At most one per connection. */
	isDefault: z.boolean()
})
export type SavedView = z.infer<typeof savedViewSchema>
