import {z} from 'zod'

import {targetOutcomes} from '#shared/model/job.ts'

export const jobsSearchSchema = z.object({act: z.enum(['import']).optional().catch(undefined)})

/** A job's address: the receipts shown. */
export const jobSearchSchema = z.object({
	outcomes: z.array(z.enum(targetOutcomes)).optional().catch(undefined),
	search: z.string().max(200).optional().catch(undefined),
})
