import {useState} from 'react'

/**
 * The picked item of a list that may still change: it stays picked when others move before it; without it,
 * none is picked.
 */
export function usePicked(ids: readonly string[]) {
	const [id, setId] = useState<string | null>(null)
	return {
		picked: id === null ? -1 : ids.indexOf(id),
		/** -1 picks none. */
		pick: (index: number) => setId(ids[index] ?? null)
	}
}
