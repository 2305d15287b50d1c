import {z} from 'zod'

import {draftViews} from '#model/list-draft.ts'
import {searchOf} from '#kit/search-of.ts'

const guid = z.string().min(1)

/** A dialog that an address may open: opening one sends nothing. */
const act = z.enum(['add', 'block'])

/** `/file-lists`: which lists are shown. */
export const fileListsSearchSchema = searchOf({
	/** Part of the name. */
	name: z.string(),
	act
})

export const itemSorts = ['sha256', 'description', 'source', 'seen'] as const

/** `/file-lists/<guid>`: the view of one list. */
export const fileListSearchSchema = searchOf({
	view: z.enum(['coverage', 'ages']),
	/** A hash or its beginning, or words of the note. */
	search: z.string(),
	sort: z.enum(itemSorts),
	descending: z.boolean(),
	/** Hash of the item in the side panel. */
	item: z.string(),
	act
})
export type FileListSearch = z.infer<typeof fileListSearchSchema>

/** `/file-lists/<guid>/edit`: which staged rows are shown. */
export const listEditorSearchSchema = searchOf({view: z.enum(draftViews)})

/** `/file-lists/<guid>/<sha256>` and `/file-lists/hash/<sha256>`. */
export const hashSearchSchema = searchOf({
	act,
	/** The list that the dialog is about. */
	list: guid
})
export type HashSearch = z.infer<typeof hashSearchSchema>
