import {type KeyboardEvent, type PointerEvent, useRef, useState} from 'react'

import {type BinRange, spanned} from './histogram-shapes.ts'

export interface BrushOptions extends DragOptions {
	/** `null`: everything. */
	readonly onBrush: (range: BinRange | null) => void
	readonly onOpen: ((range: BinRange) => void) | undefined
}

export interface Brushing extends Dragging {
	/** Where the keyboard is. */
	readonly cursor: number
	/** The next arrows span instead of moving. */
	readonly isSpanning: boolean
	begin(): void
	/** Moves what is chosen by so many bins. */
	shift(by: number): void
	readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Spans a range of bins, by dragging or by keys. */
export function useBrush(options: BrushOptions): Brushing {
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
	const act = (event: KeyboardEvent): boolean => {
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
		isSpanning,
		begin,
		shift: by => {
			if (brush === null) return
			const range = moved(brush, by, count)
			anchor.current = null
			setPlace(range.last)
			onBrush(range)
		},
		onKeyDown: event => {
			if (event.ctrlKey || event.metaKey || event.altKey || !act(event)) return
			event.preventDefault()
			event.stopPropagation()
		},
		...drag,
	}
}

/** At an edge of what is chosen the other edge stays. */
function farEnd(brush: BinRange | null, cursor: number): number {
	if (brush?.last === cursor) return brush.first
	return brush?.first === cursor ? brush.last : cursor
}

function targetOf(key: string, cursor: number, count: number): number | null {
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
	readonly count: number
	readonly brush: BinRange | null
	/** The place under one of the screen (x in pixels): bins as a fraction, also beyond both ends. */
	readonly placeAt: (clientX: number) => number
}

interface Dragging {
	/** What is being spanned, before it is final. */
	readonly draft: BinRange | null
	/** What a drag from where the pointer is takes hold of. */
	readonly grip: Grip
	readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
	readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
	readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
	readonly onPointerCancel: () => void
}

/** So near an edge is on it; less than this is no drag (pixels). */
const [reachPx, stillPx] = [6, 4]

/** Spans a range of bins with the pointer, moves it from its inside and resizes it by its edges. Shift always spans anew. */
function useDrag({count, brush, placeAt}: DragOptions, onEnd: (range: BinRange | null) => void): Dragging {
	const [draft, setDraft] = useState<BinRange | null>(null)
	const [grip, setGrip] = useState<Grip>('span')
	const drag = useRef<(Drag & {readonly x: number}) | null>(null)
	const gripOf = ({clientX, shiftKey}: PointerEvent): Grip => {
		const at = placeAt(clientX)
		return shiftKey ? 'span' : gripAt(at, brush, count, placeAt(clientX + reachPx) - at)
	}
	const isStill = ({clientX}: PointerEvent): boolean => Math.abs(clientX - (drag.current?.x ?? 0)) < stillPx
	return {
		draft,
		grip,
		onPointerDown: event => {
			if (event.button !== 0) return
			event.currentTarget.setPointerCapture(event.pointerId)
			const [at, taken] = [placeAt(event.clientX), gripOf(event)]
			drag.current = {grip: taken, brush, from: at, x: event.clientX}
			setGrip(taken)
			setDraft(taken === 'span' ? dragged(drag.current, at, count) : brush)
		},
		onPointerMove: event => {
			if (drag.current === null) setGrip(gripOf(event))
			else setDraft(dragged(drag.current, placeAt(event.clientX), count))
		},
		onPointerUp: event => {
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
		},
	}
}

/** A click on the one bin that is chosen gives it up. */
function clicked(bin: number, brush: BinRange | null): BinRange | null {
	return brush?.first === bin && brush.last === bin ? null : {first: bin, last: bin}
}

/* What dragging does to a chosen range of bins: pure. Places and distances are bins as fractions. */

/** `span`: chooses anew; `move`: the chosen range as it is; `first`, `last`: that edge of it. */
type Grip = 'span' | 'move' | 'first' | 'last'

/** What a drag that begins at a place takes hold of. `reach`: how near an edge is close enough. */
export function gripAt(place: number, brush: BinRange | null, count: number, reach: number): Grip {
	if (brush === null) return 'span'
	const [start, end] = [brush.first, brush.last + 1]
	// A narrow range keeps a middle to be moved by.
	const within = Math.min(reach, (end - start) / 4)
	if (place > start - reach && place < start + within) return 'first'
	if (place > end - within && place < end + reach) return 'last'
	// Where everything is chosen there is nowhere to move to.
	return place >= start && place <= end && end - start < count ? 'move' : 'span'
}

export interface Drag {
	readonly grip: Grip
	/** The chosen range when it began. */
	readonly brush: BinRange | null
	readonly from: number
}

/** The range that a drag has led to. */
export function dragged({grip, brush, from}: Drag, to: number, count: number): BinRange {
	if (brush === null || grip === 'span') return spanned(binOf(from, count), binOf(to, count))
	if (grip === 'move') return moved(brush, Math.round(to - from), count)
	const edge = Math.max(0, Math.min(count, Math.round(to)))
	const fixed = grip === 'first' ? brush.last + 1 : brush.first
	// Pulled onto the other edge, one bin is left; pulled past it, the edges change places.
	const least = grip === 'first' ? fixed - 1 : fixed + 1
	const other = edge === fixed ? least : edge
	return {first: Math.min(fixed, other), last: Math.max(fixed, other) - 1}
}

/** As long as before, and never beyond the ends. */
export function moved({first, last}: BinRange, by: number, count: number): BinRange {
	const shift = Math.max(-first, Math.min(count - 1 - last, by))
	return {first: first + shift, last: last + shift}
}

function binOf(place: number, count: number): number {
	return Math.max(0, Math.min(count - 1, Math.floor(place)))
}
