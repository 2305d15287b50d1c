import {z} from 'zod'

/** Other computers in one drawing. */
export const mostCompared = 4

/** What the address holds of a trajectory, beside its computer. */
export const trajectorySearchSchema = z.object({
	/** What the service filters by: address, SHA-256 or URL; `user:` and a name: what that user did. */
	q: z
		.union([z.string().max(2000), z.number().transform(String)])
		.optional()
		.catch(undefined),
	/** Clean lanes are hidden. */
	hide: z.boolean().optional().catch(undefined),
	/** GUIDs of other computers on the same axis, separated by commas. */
	with: z.string().max(200).optional().catch(undefined),
	/** Only files that more than one of the computers has. */
	shared: z.boolean().optional().catch(undefined),
})

export function comparedIn(text: string | undefined, own: string): readonly string[] {
	const guids = (text ?? '').split(',').filter(guid => /^[\da-f-]{36}$/i.test(guid) && guid !== own)
	return [...new Set(guids)].slice(0, mostCompared)
}
