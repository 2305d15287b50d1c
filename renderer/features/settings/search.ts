import {z} from 'zod'

export const sectionIds = [
	'look',
	'times',
	'keys',
	'notices',
	'connections',
	'data',
	'secrets',
	'managed',
	'about',
	'diagnostics',
] as const
export type SectionId = (typeof sectionIds)[number]

export const settingsSearchSchema = z.object({
	/** The part to scroll to. */
	section: z.enum(sectionIds).optional().catch(undefined),
	/** Search words. */
	find: z.string().optional().catch(undefined),
})
