import {type KeyboardEvent, type PointerEvent, useRef, useState} from 'react'

import {type BinRange, spanned} from './histogram-shapes.ts'

interface BrushOptions extends DragOptions {
	/** `null`: everything. */
	onBrush: (range: BinRange | null) => void
	onOpen: ((range: BinRange) => void) | undefined
}

/** Selects a range of bins, by dragging or keys. */
export function useBrush(options: BrushOptions) {
	const {count, brush, onBrush, onOpen} = options
	const [place, setPlace] = useState<number | null>(null)
	const [isSpanning, setSpanning] = useState(false)
	const anchor = useRef<number | null>(null)
	const cursor = Math.min(count - 1, place ?? brush?.last ?? count - 1)
	const drag = useDrag(options, range => {
		anchor.current = null
		if (range !== null) setPlace(range.last)
		setSpanning(false)
		onBrush(range)
	})

	const begin = () => {
		anchor.current = cursor
		setPlace(cursor)
		setSpanning(true)
		onBrush({first: cursor, last: cursor})
	}
	const move = (to: number, extend: boolean) => {
		const next = Math.max(0, Math.min(count - 1, to))
		setPlace(next)
		if (!extend && !isSpanning) {
			anchor.current = null
			return
		}
		anchor.current ??= farEnd(brush, cursor)
		onBrush(spanned(anchor.current, next))
	}
	const clear = () => {
		anchor.current = null
		setSpanning(false)
		onBrush(null)
	}
	const act = (event: KeyboardEvent) => {
		const to = targetOf(event.key, cursor, count)
		if (to !== null) move(to, event.shiftKey)
		else if (event.key === 'b' && isSpanning) setSpanning(false)
		else if (event.key === 'b') begin()
		else if (event.key === ' ') onBrush({first: cursor, last: cursor})
		else if (event.key === 'Enter' && isSpanning) setSpanning(false)
		else if (event.key === 'Enter') onOpen?.(brush ?? {first: cursor, last: cursor})
		else if (event.key === 'Escape' && (brush !== null || isSpanning)) clear()
		else return false
		return true
	}
	return {
		cursor,
		/** Whether arrow keys select instead of moving. */
		isSpanning,
		begin,
		/** Moves the selection by this many bins. */
		shift: (by: number) => {
			if (brush === null) return
			const range = moved(brush, by, count)
			anchor.current = null
			setPlace(range.last)
			onBrush(range)
		},
		onKeyDown: (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey || !act(event)) return
			event.preventDefault()
			event.stopPropagation()
		},
		...drag
	}
}

/** At an edge of the selection the opposite edge stays. */
function farEnd(brush: BinRange | null, cursor: number) {
	if (brush?.last === cursor) return brush.first
	return brush?.first === cursor ? brush.last : cursor
}

function targetOf(key: string, cursor: number, count: number) {
	switch (key) {
		case 'ArrowLeft':
		case 'ArrowDown':
			return cursor - 1
		case 'ArrowRight':
		case 'ArrowUp':
			return cursor + 1
		case 'PageUp':
			return cursor + Math.ceil(count / 10)
		case 'PageDown':
			return cursor - Math.ceil(count / 10)
		case 'Home':
			return 0
		case 'End':
			return count - 1
		default:
			return null
	}
}

interface DragOptions {
	count: number
	brush: BinRange | null
	/** The position below a screen coordinate (x in pixels): fractional bins, also beyond both ends. */
	placeAt: (clientX: number) => number
}

/** Distance to an edge for gripping it, and minimum distance of a drag (pixels). */
const [reachPx, stillPx] = [6, 4]

/** Selects a range of bins with the pointer, moves it from inside and resizes it by its edges. Shift always starts a new one. */
function useDrag({count, brush, placeAt}: DragOptions, onEnd: (range: BinRange | null) => void) {
	const [draft, setDraft] = useState<BinRange | null>(null)
	const [grip, setGrip] = useState<Grip>('span')
	const drag = useRef<(Drag & {x: number}) | null>(null)
	const gripOf = ({clientX, shiftKey}: PointerEvent) => {
		const at = placeAt(clientX)
		return shiftKey ? 'span' : gripAt(at, brush, count, placeAt(clientX + reachPx) - at)
	}
	const isStill = ({clientX}: PointerEvent) => Math.abs(clientX - (drag.current?.x ?? 0)) < stillPx
	return {
		/** The unfinished selection. */
		draft,
		/** The part that a drag at the pointer would grip. */
		grip,
		onPointerDown: (event: PointerEvent<HTMLElement>) => {
			if (event.button !== 0) return
			event.currentTarget.setPointerCapture(event.pointerId)
			const [at, taken] = [placeAt(event.clientX), gripOf(event)]
			drag.current = {grip: taken, brush, from: at, x: event.clientX}
			setGrip(taken)
			setDraft(taken === 'span' ? dragged(drag.current, at, count) : brush)
		},
		onPointerMove: (event: PointerEvent<HTMLElement>) => {
			if (drag.current === null) setGrip(gripOf(event))
			else setDraft(dragged(drag.current, placeAt(event.clientX), count))
		},
		onPointerUp: (event: PointerEvent<HTMLElement>) => {
			const from = drag.current
			if (from === null) return
			const isClick = isStill(event)
			drag.current = null
			setDraft(null)
			if (isClick) onEnd(clicked(binOf(from.from, count), brush))
			else onEnd(dragged(from, placeAt(event.clientX), count))
		},
		onPointerCancel: () => {
			drag.current = null
			setDraft(null)
		}
	}
}

/** A click on a selected single bin clears it. */
function clicked(bin: number, brush: BinRange | null): BinRange | null {
	return brush?.first === bin && brush.last === bin ? null : {first: bin, last: bin}
}

/* Dragging of a range of bins: pure. Positions and distances are fractional bins. */

/** `span`: starts a new range; `move`: moves the range; `first`, `last`: that edge. */
type Grip = 'span' | 'move' | 'first' | 'last'

/** What a drag at a position grips. `reach`: distance that counts as an edge. */
export function gripAt(place: number, brush: BinRange | null, count: number, reach: number): Grip {
	if (brush === null) return 'span'
	const [start, end] = [brush.first, brush.last + 1]
	// A narrow range keeps a middle for moving.
	const within = Math.min(reach, (end - start) / 4)
	if (place > start - reach && place < start + within) return 'first'
	if (place > end - within && place < end + reach) return 'last'
	// A range over everything cannot be moved.
	return place >= start && place <= end && end - start < count ? 'move' : 'span'
}

export interface Drag {
	grip: Grip
	/** The selected range at the start. */
	brush: BinRange | null
	from: number
}

export function dragged({grip, brush, from}: Drag, to: number, count: number): BinRange {
	if (brush === null || grip === 'span') return spanned(binOf(from, count), binOf(to, count))
	if (grip === 'move') return moved(brush, Math.round(to - from), count)
	const edge = Math.max(0, Math.min(count, Math.round(to)))
	const fixed = grip === 'first' ? brush.last + 1 : brush.first
	// At the other edge one bin remains; past it, the edges swap.
	const least = grip === 'first' ? fixed - 1 : fixed + 1
	const other = edge === fixed ? least : edge
	return {first: Math.min(fixed, other), last: Math.max(fixed, other) - 1}
}

/** Keeps the length, within the ends. */
export function moved({first, last}: BinRange, by: number, count: number): BinRange {
	const shift = Math.max(-first, Math.min(count - 1 - last, by))
	return {first: first + shift, last: last + shift}
}

function binOf(place: number, count: number) {
	return Math.max(0, Math.min(count - 1, Math.floor(place)))
}
