import {z} from 'zod'

/** The group in the side panel, by the key of any of its events. */
export const detectionsSearchSchema = z.object({group: z.string().optional().catch(undefined)})
