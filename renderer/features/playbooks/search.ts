import {z} from 'zod'

import {playbookRunFilters} from '#model/playbook.ts'
import {searchOf} from '#kit/search-of.ts'

const value = z.string().max(20_000)

export const playbooksSearchSchema = searchOf({
	/** Initial values of a start: host name or GUID, several of them, SHA-256, and indicators. */
	computer: value,
	computers: value,
	sha256: value,
	indicators: value,
	/** Of the playbooks. */
	find: z.string().max(200),
	tag: z.string().max(50),
	/** Of the runs. */
	search: z.string().max(200),
	state: z.enum(playbookRunFilters)
})
export type PlaybooksSearch = z.infer<typeof playbooksSearchSchema>

export const playbookDocumentSearchSchema = searchOf({
	/** A new one begins as a copy of this one. */
	from: z.string().max(300),
	/** Or as a draft of these incident log entries. */
	entries: value
})
