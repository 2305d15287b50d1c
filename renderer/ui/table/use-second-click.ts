import {useEffect, useEffectEvent, useRef, type MouseEvent} from 'react'

interface First<Row> {
	row: Row
	x: number
	y: number
}

/** Distance in pixels within which two clicks are a double click. */
const nearby = 8

/** Opens the row of a double click's first click: the second one may hit the panel that the first one opened. */
export function useSecondClick<Row>(open: (row: Row) => void): (event: MouseEvent, row: Row) => void {
	const first = useRef<First<Row> | null>(null)
	const onPair = useEffectEvent(open)
	useEffect(() => {
		// The browser sends no `dblclick` when the pressed row is replaced before the button is released.
		const onRelease = ({button, detail, clientX, clientY}: globalThis.MouseEvent) => {
			if (button !== 0 || detail !== 2) return
			// After the second click, which follows in this task.
			setTimeout(() => {
				const from = first.current
				first.current = null
				if (from !== null && Math.hypot(clientX - from.x, clientY - from.y) < nearby) onPair(from.row)
			})
		}
		// A click elsewhere, such as on a box of the same row, begins no pair.
		const onClick = ({detail}: globalThis.MouseEvent) => {
			if (detail === 1) first.current = null
		}
		window.addEventListener('mouseup', onRelease)
		window.addEventListener('click', onClick, true)
		return () => {
			window.removeEventListener('mouseup', onRelease)
			window.removeEventListener('click', onClick, true)
		}
	}, [])
	return ({detail, clientX, clientY}, row) => {
		// The first one goes astray when its row is replaced under the pressed button.
		if (detail === 1 || first.current === null) first.current = {row, x: clientX, y: clientY}
	}
}
