/** Labels of computers stored by this console: unknown to the service. */
import {z} from 'zod'

import {computerRoles, type ComputerRole} from './guard.ts'

/** One word or a few, such as `tier 0` or `loaner`. */
export const tagSchema = z
	.string()
	.trim()
	.min(1)
	.max(40)
	.regex(/^[^",*\n\r\t]+$/, 'A tag has no quotation mark, comma or asterisk.')

export interface ComputerLabels {
	/** As first written; tags that differ only in case are equal. */
	readonly tags: readonly string[]
	/** Assigned by an operator, never guessed. */
	readonly roles: readonly ComputerRole[]
}

export const noLabels: ComputerLabels = {tags: [], roles: []}

const given = {tags: z.array(tagSchema).max(50).default([]), roles: z.array(z.enum(computerRoles)).default([])}

/** The same change for many computers; a label in both `add` and `remove` is added. */
export const labelChangeSchema = z.object({
	guids: z.array(z.string().min(1)).min(1).max(200_000),
	add: z.object(given).default({tags: [], roles: []}),
	remove: z.object(given).default({tags: [], roles: []})
})
export type LabelChange = z.infer<typeof labelChangeSchema>

/** Short typed words for roles. */
const shortRoles: Readonly<Record<string, ComputerRole>> = {dc: 'domain_controller', hv: 'hypervisor', infra: 'infrastructure', jump: 'jump_host'}

/** The role of a typed word; ignores case, blanks and `-`. */
export function roleNamed(typed: string): ComputerRole | undefined {
	const word = typed
		.trim()
		.toLowerCase()
		.replaceAll(/[\s-]+/g, '_')
	return shortRoles[word] ?? computerRoles.find(role => role === word)
}

/** The filter word of a role: the short one if any. */
export function roleWord(role: ComputerRole) {
	return Object.entries(shortRoles).find(([, each]) => each === role)?.[0] ?? role
}
