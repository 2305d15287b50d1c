import {useEffect, useRef} from 'react'
import type {Followed} from './use-cursor.ts'

interface KeptPlace<Row, Question> extends Followed<Question> {
	source: {row(index: number): Row | undefined}
}

interface Place {
	key: string
	index: number
}

/**
 * Rows added or removed above the view must not move it: after a refresh, the list scrolls by as much as the row at the
 * cursor moved, or else the first row in view. At the top without a cursor, it stays at the top.
 */
export function useKeptPlace<Row extends {guid: string}, Question>(kept: KeptPlace<Row, Question>): void {
	const {question, revision, table, source, locate} = kept
	const text = JSON.stringify(question)
	const before = useRef({source, revision, text})
	const place = useRef<Place | null>(null)
	const search = useRef<AbortController>(undefined)
	useEffect(() => {
		const old = before.current
		before.current = {source, revision, text}
		if (old.text === text && old.revision === revision) return
		search.current?.abort()
		const isSameList = old.text === text && old.revision !== undefined && revision !== undefined
		// While an earlier change is still being located, the rows stand where that one put them.
		place.current = isSameList ? (place.current ?? placeOf(table.current, old.source)) : null
		const wanted = place.current
		if (wanted === null) return
		const abort = new AbortController()
		search.current = abort
		const asked = JSON.parse(text) as Question
		const found = (index: number) => {
			if (abort.signal.aborted) return
			place.current = null
			if (index >= 0) table.current?.shift(index - wanted.index)
		}
		locate(asked, wanted.key, abort.signal).then(found, () => found(-1))
	}, [text, revision, source, table, locate])
	useEffect(() => () => search.current?.abort(), [])
}

function placeOf(table: Followed<unknown>['table']['current'], source: {row(index: number): {guid: string} | undefined}): Place | null {
	const index = table?.anchor() ?? null
	const key = index === null ? undefined : source.row(index)?.guid
	return index === null || key === undefined ? null : {key, index}
}
