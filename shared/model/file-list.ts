import {z} from 'zod'

export const fileListTypes = ['application_blocking', 'simple_custom_detections'] as const
export type FileListType = (typeof fileListTypes)[number]

export const fileListSchema = z.looseObject({guid: z.string(), name: z.string(), type: z.string().optional()})
export type FileList = z.infer<typeof fileListSchema>

/** In the order of screens. */
export const kindNames: Readonly<Record<string, string>> = {
	simple_custom_detections: 'simple custom detections',
	application_blocking: 'application blocking',
	allowed_applications: 'allowed applications'
}

/** The kind of a list; unknown kinds keep the service's word. */
export function listKind(type: string): string {
	return kindNames[type] ?? (type === '' ? 'Unknown kind' : type)
}

export function isBlocking(type: string) {
	return type !== 'allowed_applications'
}

interface ItemsRead {
	readonly items: number | null
	readonly itemsRead: {readonly read: number; readonly of: number | null; readonly at: string | null; readonly running: boolean}
	readonly problem: unknown
}

/** How far the items of a list are loaded. Without a total of the service, their number is known once all were read. */
export function itemsKnown({items, itemsRead: {read, of, at, running}, problem}: ItemsRead) {
	if (running) return 'reading'
	if (at === null) return 'never'
	const all = of ?? items
	return problem !== null || all === null || read < all ? 'part' : 'whole'
}

/** Hashes are compared in lower case; `description` is missing when none was given (API reference, "File lists"). */
export const fileListItemSchema = z.looseObject({sha256: z.string(), description: z.string().nullish(), source: z.string().nullish()})
export type FileListItem = z.infer<typeof fileListItemSchema>

/** GET `/file_lists/{guid}/files` returns an object, not an array. */
export const fileListFilesSchema = z.looseObject({
	name: z.string(),
	guid: z.string(),
	policies: z.array(z.looseObject({guid: z.string(), name: z.string()})).optional(),
	items: z.array(fileListItemSchema)
})
export type FileListFiles = z.infer<typeof fileListFilesSchema>
