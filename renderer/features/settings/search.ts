import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

export const sectionIds = ['look', 'times', 'keys', 'notices', 'connections', 'data', 'secrets', 'managed', 'about', 'diagnostics'] as const
export type SectionId = (typeof sectionIds)[number]

export const settingsSearchSchema = searchOf({section: z.enum(sectionIds), find: z.string()})
