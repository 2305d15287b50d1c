import {z} from 'zod'

/** Maximum other computers in one chart. */
export const mostCompared = 4

/** A trajectory in the address, besides its computer. */
export const trajectorySearchSchema = z.object({
	/** The service's filter: address, SHA-256 or URL; `user:` and a name for a user's activity. */
	q: z
		.union([z.string().max(2000), z.number().transform(String)])
		.optional()
		.catch(undefined),
	/** Hides clean lanes. */
	hide: z.boolean().optional().catch(undefined),
	/** Id of an event or of its detection: the event that is selected first. */
	event: z.string().max(200).optional().catch(undefined),
	/** GUIDs of other computers on the same axis, separated by commas. */
	with: z.string().max(200).optional().catch(undefined),
	/** Only files on several computers. */
	shared: z.boolean().optional().catch(undefined),
})

export function comparedIn(text: string | undefined, own: string): readonly string[] {
	const guids = (text ?? '').split(',').filter(guid => /^[\da-f-]{36}$/i.test(guid) && guid !== own)
	return [...new Set(guids)].slice(0, mostCompared)
}
