import {useMemo, useState} from 'react'

import type {TrajectoryPoint} from '#contract/insight.ts'

import {fileOf, type Drawn} from './merge.ts'

const storage = 'cordon.bookmarks'
/** Computers with bookmarks stored in this browser. */
const mostKept = 200

/** Bookmarked events, stored on this computer for the next reading: by content, not by index. */
export function useBookmarks(drawn: Drawn) {
	const [kept, setKept] = useState(readKept)
	const marked = useMemo(() => markedIn(drawn, kept), [drawn, kept])
	return {
		/** Indices of bookmarked points, oldest first. */
		marked,
		/** Toggles a bookmark; returns whether it is set now. */
		toggle: (index: number) => {
			const part = drawn.originOf(index)?.part
			const point = drawn.points[index]
			if (part === undefined || point === undefined) return false
			const own = new Set(kept.get(part.guid) ?? [])
			const key = keyOf(point)
			const isNew = !own.delete(key)
			if (isNew) own.add(key)
			const next = new Map([...kept].filter(([guid]) => guid !== part.guid).slice(-mostKept))
			if (own.size > 0) next.set(part.guid, [...own])
			write(next)
			setKept(next)
			return isNew
		},
		/** The next bookmarked point, cyclic. */
		after: (index: number | null) => marked.find(each => index === null || each > index) ?? marked[0] ?? null
	}
}

type Kept = ReadonlyMap<string, readonly string[]>

function markedIn(drawn: Drawn, kept: Kept) {
	if (drawn.parts.every(({guid}) => !kept.has(guid))) return []
	const keys = new Map([...kept].map(([guid, own]) => [guid, new Set(own)]))
	return drawn.points.filter(point => keys.get(drawn.originOf(point.index)?.part.guid ?? '')?.has(keyOf(point)) === true).map(({index}) => index)
}

/** The same event has the same key in every reading. */
function keyOf({at, nanoseconds, lane, type}: TrajectoryPoint) {
	return [at, nanoseconds, fileOf(lane), type].join(' ')
}

function readKept(): Kept {
	try {
		const found: unknown = JSON.parse(localStorage.getItem(storage) ?? '{}')
		if (typeof found !== 'object' || found === null) return new Map()
		return new Map(Object.entries(found).flatMap(([guid, own]) => (Array.isArray(own) ? [[guid, own.map(String)] as const] : [])))
	} catch {
		// Without valid storage, bookmarks last as long as the chart.
		return new Map()
	}
}

function write(kept: Kept) {
	try {
		localStorage.setItem(storage, JSON.stringify(Object.fromEntries(kept)))
	} catch {
		// As above.
	}
}
