import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

/** The group in the side panel, by the key of any of its events. */
export const detectionsSearchSchema = searchOf({group: z.string()})
