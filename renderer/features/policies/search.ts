import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

const policyViews = ['list', 'groups', 'lists'] as const
export type PolicyView = (typeof policyViews)[number]

export const policiesSearchSchema = searchOf({
	view: z.enum(policyViews),
	search: z.string(),
	/** One product, in the service's spelling. */
	product: z.string(),
	policy: z.string(),
	/** Index of the first file list column of the matrix. */
	from: z.int().min(0),
	act: z.enum(['export'])
})
export type PoliciesSearch = z.infer<typeof policiesSearchSchema>

export const policyTabs = ['used', 'lists', 'history', 'record', 'xml'] as const

export const policySearchSchema = searchOf({tab: z.enum(policyTabs), act: z.enum(['note'])})

export const compareSearchSchema = searchOf({a: z.string(), b: z.string(), all: z.boolean()})
