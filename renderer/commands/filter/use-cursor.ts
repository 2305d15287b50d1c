import {useEffect, useEffectEvent, useRef, type RefObject} from 'react'
import type {TableHandle} from '#ui/table/types.ts'

export interface Cursor {
	current(): string | undefined
	set(key: string | undefined): void
}

export interface Followed<Question> {
	question: Question
	/** Another value makes another list, to be read from its top; default: the question. Time that passes makes none. */
	list?: object
	/** Grows when the rows change by themselves; `undefined` while they answer an older question. */
	revision: number | undefined
	table: RefObject<TableHandle | null>
	/** The object's place in the rows now, -1 when it does not match. Keep the function's identity. */
	locate: (question: Question, key: string, signal: AbortSignal) => Promise<number>
	/** Marks the row in its place: only where keys remove objects, not where a refresh may. */
	passes?: boolean
	/** It no longer matches. */
	onLost?: () => void
}

/**
 * Keeps the cursor on its object, not on its place: a filter, sort or refresh moves rows, and a key must never act on
 * an object other than the marked one. The mark goes when the object no longer matches. Rows of another question begin at their
 * top, or keep the marked row in view.
 */
export function useCursor<Question>(followed: Followed<Question>): Cursor {
	const {question, list = question, revision, table, locate, passes = false, onLost} = followed
	const key = useRef<string | undefined>(undefined)
	const text = JSON.stringify(question)
	const listed = JSON.stringify(list)
	const placed = useRef(listed)
	const lose = useEffectEvent((isNew: boolean) => {
		key.current = undefined
		table.current?.place(-1, isNew)
		onLost?.()
	})
	useEffect(() => {
		if (revision === undefined) return
		const wanted = key.current
		const isNew = placed.current !== listed
		if (wanted === undefined) {
			if (isNew) table.current?.place(-1, isNew)
			placed.current = listed
			return
		}
		const abort = new AbortController()
		const asked = JSON.parse(text) as Question
		const follow = async () => {
			const index = await locate(asked, wanted, abort.signal)
			if (abort.signal.aborted || key.current !== wanted) return
			if (index < 0 && passes && !isNew) return table.current?.pass()
			placed.current = listed
			if (index < 0) lose(isNew)
			else table.current?.place(index, isNew)
		}
		follow().catch(() => {
			// The host is away or the question is old: mark nothing without a known place.
			if (abort.signal.aborted || key.current !== wanted) return
			placed.current = listed
			lose(isNew)
		})
		return () => abort.abort()
	}, [text, listed, revision, locate, table, passes])
	return {
		current: () => key.current,
		set: next => {
			key.current = next
			placed.current = listed
		}
	}
}
