import {z} from 'zod'

const reference = z.looseObject({guid: z.string(), name: z.string()})

/** Products of policies; others may appear and are kept (API reference, "Policies"). */
export const policyProducts = ['windows', 'mac', 'linux', 'android', 'ios', 'network'] as const

export const policySchema = z.looseObject({
	guid: z.string(),
	name: z.string(),
	product: z.string(),
	description: z.string().nullish(),
	default: z.boolean().optional(),
	serial_number: z.number().optional(),
	file_lists: z.array(reference.extend({type: z.string()})).optional(),
	ip_lists: z.array(reference.extend({type: z.string()})).optional(),
	exclusion_sets: z.array(reference).optional(),
	used_in_groups: z.array(reference).optional()
})
export type Policy = z.infer<typeof policySchema>
