import {useState} from 'react'

/**
 * The picked item of a list that may still change: it stays picked when others move before it; without it,
 * none is picked. So does -1.
 */
export function usePicked(ids: readonly string[]) {
	const [id, setId] = useState<string | null>(null)
	return {picked: id === null ? -1 : ids.indexOf(id), pick: (index: number) => setId(ids[index] ?? null)}
}
