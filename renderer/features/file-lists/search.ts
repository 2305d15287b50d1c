import {z} from 'zod'

import {draftViews} from '#shared/model/list-draft.ts'

const guid = z.string().min(1).optional().catch(undefined)

/** A dialog that an address may open: opening one sends nothing. */
const act = z.enum(['add', 'block']).optional().catch(undefined)

/** `/file-lists`: which lists are shown. */
export const fileListsSearchSchema = z.object({
	/** Part of the name. */
	name: z.string().optional().catch(undefined),
	act,
})

export const itemSorts = ['sha256', 'description', 'source', 'seen'] as const
export type ItemSort = (typeof itemSorts)[number]

/** `/file-lists/<guid>`: the view of one list. */
export const fileListSearchSchema = z.object({
	view: z.enum(['coverage', 'ages']).optional().catch(undefined),
	/** A hash or its beginning, or words of the note. */
	search: z.string().optional().catch(undefined),
	sort: z.enum(itemSorts).optional().catch(undefined),
	descending: z.boolean().optional().catch(undefined),
	/** Hash of the item in the side panel. */
	item: z.string().optional().catch(undefined),
	act,
})
export type FileListSearch = z.infer<typeof fileListSearchSchema>

/** `/file-lists/<guid>/edit`: which staged rows are shown. */
export const listEditorSearchSchema = z.object({view: z.enum(draftViews).optional().catch(undefined)})

/** `/file-lists/<guid>/<sha256>` and `/file-lists/hash/<sha256>`. */
export const hashSearchSchema = z.object({
	act,
	/** The list that the dialog is about. */
	list: guid,
})
export type HashSearch = z.infer<typeof hashSearchSchema>
