import {z} from 'zod'

export const policyViews = ['list', 'groups', 'lists'] as const
export type PolicyView = (typeof policyViews)[number]

/** The view of the screen of policies as it stands in its address. */
export const policiesSearchSchema = z.object({
	view: z.enum(policyViews).optional().catch(undefined),
	/** A part of a name, description or GUID. */
	search: z.string().optional().catch(undefined),
	/** One product alone, as the service spells it. */
	product: z.string().optional().catch(undefined),
	/** GUID of the policy in the side panel. */
	policy: z.string().optional().catch(undefined),
	/** From which file list on the columns of the matrix are shown. */
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
export type PolicySearch = z.infer<typeof policySearchSchema>

/** Two policies side by side. */
export const compareSearchSchema = z.object({
	a: z.string().optional().catch(undefined),
	b: z.string().optional().catch(undefined),
	/** What is the same as well. */
	all: z.boolean().optional().catch(undefined),
})
export type CompareSearch = z.infer<typeof compareSearchSchema>
