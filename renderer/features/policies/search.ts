import {z} from 'zod'

const policyViews = ['list', 'groups', 'lists'] as const
export type PolicyView = (typeof policyViews)[number]

/** The state of the policies screen in its address. */
export const policiesSearchSchema = z.object({
	view: z.enum(policyViews).optional().catch(undefined),
	/** A part of a name, description or GUID. */
	search: z.string().optional().catch(undefined),
	/** One product, in the service's spelling. */
	product: z.string().optional().catch(undefined),
	/** GUID of the policy in the side panel. */
	policy: z.string().optional().catch(undefined),
	/** Index of the first file list column of the matrix. */
	from: z.int().min(0).optional().catch(undefined),
	act: z.enum(['export']).optional().catch(undefined),
})
export type PoliciesSearch = z.infer<typeof policiesSearchSchema>

export const policyTabs = ['used', 'lists', 'history', 'record', 'xml'] as const
export type PolicyTab = (typeof policyTabs)[number]

/** The page of one policy. */
export const policySearchSchema = z.object({
	tab: z.enum(policyTabs).optional().catch(undefined),
	act: z.enum(['note']).optional().catch(undefined),
})

/** Two policies side by side. */
export const compareSearchSchema = z.object({
	a: z.string().optional().catch(undefined),
	b: z.string().optional().catch(undefined),
	/** Includes equal lines. */
	all: z.boolean().optional().catch(undefined),
})
