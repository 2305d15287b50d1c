import {z} from 'zod'
import {searchOf} from '#kit/search-of.ts'

/** Maximum other computers in one chart. */
export const mostCompared = 4

export const trajectorySearchSchema = searchOf({
	/** The service's filter: address, SHA-256 or URL; `user:` and a name for a user's activity. */
	q: z.union([z.string().max(2000), z.number().transform(String)]),
	hide: z.boolean(),
	/** Id of an event or of its detection: the event that is selected first. */
	event: z.string().max(200),
	/** GUIDs of other computers on the same axis, separated by commas. */
	with: z.string().max(200),
	/** Only files on several computers. */
	shared: z.boolean()
})

export function comparedIn(text: string | undefined, own: string): readonly string[] {
	const guids = (text ?? '').split(',').filter(guid => /^[\da-f-]{36}$/i.test(guid) && guid !== own)
	return [...new Set(guids)].slice(0, mostCompared)
}
