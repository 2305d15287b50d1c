import {useEffect, useEffectEvent, type RefObject} from 'react'

interface View {
	/** Index of the row at the cursor, -1 for none. */
	at: number
	rowHeight: number
	/** Height of the sticky header, px. */
	head: number
	/** Scroll position, and former and present height of the view; px, with the header. */
	top: number
	before: number
	now: number
}

/** Scroll distance that keeps a visible row visible. */
export function keptInView({at, rowHeight, head, top, before, now}: View) {
	const [start, end] = [at * rowHeight, (at + 1) * rowHeight]
	const wasInView = at >= 0 && end > top && start + head < top + before
	return wasInView ? Math.max(top, end + head - now) : top
}

/** The row at the cursor if completely visible, else the first visible one; `null` at the top. */
export function anchorRow({at, rowHeight, head, top, room}: Pick<View, 'at' | 'rowHeight' | 'head' | 'top'> & {room: number}) {
	const isInView = at >= 0 && at * rowHeight >= top && (at + 1) * rowHeight + head <= top + room
	if (isInView) return at
	return top <= 0 ? null : Math.ceil(top / rowHeight)
}

/** When the view shrinks, for example by a bar below, the row at the cursor stays visible. */
export function useKeptInView(scroller: RefObject<HTMLDivElement | null>, at: number, rowHeight: number, head = rowHeight) {
	const kept = useEffectEvent((top: number, before: number, now: number) => keptInView({at, rowHeight, head, top, before, now}))
	useEffect(() => {
		const element = scroller.current
		if (element === null) return
		let before = element.clientHeight
		const observer = new ResizeObserver(() => {
			const now = element.clientHeight
			const top = kept(element.scrollTop, before, now)
			if (now < before && top !== element.scrollTop) element.scrollTop = top
			before = now
		})
		observer.observe(element)
		return () => observer.disconnect()
	}, [scroller])
}
