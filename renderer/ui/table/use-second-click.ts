import {useEffect, useRef, type MouseEvent} from 'react'

/** Distance in pixels within which two clicks are a double click. */
const nearby = 8

/** Tells of a double click on a row by its first click: the second one may hit the panel that the first one opened. */
export function useSecondClick(open: (index: number) => void): (event: MouseEvent, index: number) => void {
	const first = useRef({index: -1, x: -1, y: -1})
	const latest = useRef(open)
	useEffect(() => {
		latest.current = open
	})
	useEffect(() => {
		const onDoubleClick = ({clientX, clientY}: globalThis.MouseEvent) => {
			const {index, x, y} = first.current
			if (index >= 0 && Math.hypot(clientX - x, clientY - y) < nearby) latest.current(index)
		}
		// A click elsewhere, such as on a box of the same row, is not the first one of a pair.
		const onClick = ({detail}: globalThis.MouseEvent) => {
			if (detail === 1) first.current = {index: -1, x: -1, y: -1}
		}
		window.addEventListener('dblclick', onDoubleClick)
		window.addEventListener('click', onClick, true)
		return () => {
			window.removeEventListener('dblclick', onDoubleClick)
			window.removeEventListener('click', onClick, true)
		}
	}, [])
	return ({detail, clientX, clientY}, index) => {
		if (detail === 1) first.current = {index, x: clientX, y: clientY}
	}
}
