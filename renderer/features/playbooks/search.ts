import {z} from 'zod'

import {playbookRunFilters} from '#shared/model/playbook.ts'

const value = z.string().max(20_000).optional().catch(undefined)

export const playbooksSearchSchema = z.object({
	/** Initial values of a start: host name or GUID, several of them, SHA-256, and indicators. */
	computer: value,
	computers: value,
	sha256: value,
	indicators: value,
	/** Of the playbooks. */
	find: z.string().max(200).optional().catch(undefined),
	tag: z.string().max(50).optional().catch(undefined),
	/** Of the runs. */
	search: z.string().max(200).optional().catch(undefined),
	state: z.enum(playbookRunFilters).optional().catch(undefined),
})
export type PlaybooksSearch = z.infer<typeof playbooksSearchSchema>

export const playbookDocumentSearchSchema = z.object({
	/** A new one begins as a copy of this one. */
	from: z.string().max(300).optional().catch(undefined),
	/** Or as a draft of these incident log entries. */
	entries: value,
})
