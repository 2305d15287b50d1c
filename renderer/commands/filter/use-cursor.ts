import {useEffect, useRef, type RefObject} from 'react'
import type {TableHandle} from '../../ui/table/types.ts'

export interface Cursor {
	/** Key of the object at the cursor. */
	current(): string | undefined
	set(key: string | undefined): void
}

interface Followed<Question> {
	/** What the rows answer to. */
	readonly question: Question
	/** Grows when the rows change by themselves; `undefined` while they answer to an older question. */
	readonly revision: number | undefined
	readonly table: RefObject<TableHandle | null>
	/** Where an object stands in the rows now, -1 when it does not match. The function must stay the same. */
	readonly locate: (question: Question, key: string, signal: AbortSignal) => Promise<number>
}

/**
 * Keeps the cursor on its object, not on its place: rows move when the filter, the order or a reading changes them,
 * and a key must never be about another object than the marked one. One that no longer matches loses the mark.
 */
export function useCursor<Question>({question, revision, table, locate}: Followed<Question>): Cursor {
	const key = useRef<string | undefined>(undefined)
	const text = JSON.stringify(question)
	useEffect(() => {
		const wanted = key.current
		if (wanted === undefined || revision === undefined) return
		const abort = new AbortController()
		// The very object above: as text it is the same until its content changes.
		const asked = JSON.parse(text) as Question
		const follow = async () => {
			const index = await locate(asked, wanted, abort.signal)
			if (abort.signal.aborted || key.current !== wanted) return
			table.current?.place(index)
			if (index < 0) key.current = undefined
		}
		follow().catch(() => {
			// The host is away or the question is old: with no place for it, nothing is marked.
			if (abort.signal.aborted || key.current !== wanted) return
			key.current = undefined
			table.current?.place(-1)
		})
		return () => abort.abort()
	}, [text, revision, locate, table])
	return {
		current: () => key.current,
		set: next => {
			key.current = next
		},
	}
}
