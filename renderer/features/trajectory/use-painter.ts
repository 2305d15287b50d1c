import {useEffect, useLayoutEffect, useMemo, useRef, type RefObject} from 'react'

type Paint = (pen: CanvasRenderingContext2D, width: number, height: number) => void

/**
 * Paints a canvas at most once a frame, sharp on every screen: after each render, on resize, and on calls of the returned
 * function.
 */
export function usePainter(canvas: RefObject<HTMLCanvasElement | null>, paint: Paint) {
	const latest = useRef(paint)
	const request = useRef(0)
	const schedule = useMemo(() => scheduler(canvas, latest, request), [canvas])
	useLayoutEffect(() => {
		latest.current = paint
		schedule()
	})
	useEffect(() => {
		const observer = new ResizeObserver(schedule)
		if (canvas.current !== null) observer.observe(canvas.current)
		return () => {
			observer.disconnect()
			cancelAnimationFrame(request.current)
			request.current = 0
		}
	}, [canvas, schedule])
	return schedule
}

/** Requests a frame, unless one is pending. */
function scheduler(canvas: RefObject<HTMLCanvasElement | null>, paint: RefObject<Paint>, request: RefObject<number>) {
	return () => {
		if (request.current !== 0) return
		request.current = requestAnimationFrame(() => {
			request.current = 0
			if (canvas.current !== null) paintNow(canvas.current, paint.current)
		})
	}
}

function paintNow(canvas: HTMLCanvasElement, paint: Paint) {
	const pen = canvas.getContext('2d')
	if (pen === null) return
	const {clientWidth: width, clientHeight: height} = canvas
	const ratio = window.devicePixelRatio
	const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
	// Setting a size clears the canvas and costs time, even when unchanged.
	if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high]
	pen.setTransform(ratio, 0, 0, ratio, 0, 0)
	paint(pen, width, height)
}
