import {z} from 'zod'

import {targetOutcomes} from '#model/job.ts'
import {searchOf} from '#kit/search-of.ts'

export const jobsSearchSchema = searchOf({act: z.enum(['import'])})

/** A job's address: the receipts shown. */
export const jobSearchSchema = searchOf({outcomes: z.array(z.enum(targetOutcomes)), search: z.string().max(200)})
