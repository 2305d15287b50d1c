import {useState} from 'react'

export interface Picked {
	/** Its place; -1 while none is picked. */
	readonly picked: number
	/** -1 picks none. */
	pick(index: number): void
}

/**
 * What is picked of a list that an answer may still change: it stays picked when others come before it; when it is gone,
 * nothing is.
 */
export function usePicked(ids: readonly string[]): Picked {
	const [id, setId] = useState<string | null>(null)
	return {picked: id === null ? -1 : ids.indexOf(id), pick: index => setId(ids[index] ?? null)}
}
