import {type Ref, useEffect, useImperativeHandle, useRef, useState} from 'react'

import {Skeleton} from '../States.tsx'
import {useLatest} from '../use-latest.ts'
import type {Drawing} from './engine.ts'
import styles from './Figure.module.css'
import {prefersStill, useChartTheme} from './theme.ts'
import type {Draw} from './view.ts'

/** One object of a chart, by its index in the option; data may have its own `place` instead. */
export interface Place {
	series: number
	index: number
}

export interface PictureHandle {
	/** Shows the tooltip of an object and highlights it; `null` ends that. */
	point(place: Place | null): void
}

interface PictureProps {
	draw: Draw
	/** In pixels; the width is the container's. */
	height: number
	/** A click on a drawn object. */
	onPick?: ((place: Place) => void) | undefined
	onFail: () => void
	handle?: Ref<PictureHandle>
}

/** Only the canvas, hidden from assistive technology: its surroundings describe it. */
export function Picture({draw, height, onPick, onFail, handle}: PictureProps) {
	const root = useRef<HTMLDivElement>(null)
	const {drawing, width} = useDrawing(root, height, onFail)
	const theme = useChartTheme()
	const [drawn, setDrawn] = useState<Drawing | null>(null)
	useEffect(() => {
		if (drawing === null || width === 0) return
		const redraw = () => {
			try {
				drawing.resize({width, height})
				// Only the first drawing is animated: later changes are immediate.
				const animation = drawn !== drawing && !prefersStill()
				drawing.setOption({...draw({theme, width, height, top: 0, bottom: 0}), animation}, {notMerge: true})
				setDrawn(drawing)
			} catch (error) {
				onFail()
				throw error
			}
		}
		if (!window.matchMedia('print').matches) return inTurn(redraw)
		// Paper takes what is drawn by the end of this task.
		redraw()
		return drawing.getZr().flush()
		// What was drawn before decides whether it moves, not whether it is drawn.
		// oxlint-disable-next-line react-hooks/exhaustive-deps
	}, [drawing, width, height, draw, theme])
	const isDrawn = drawing !== null && drawn === drawing

	const pick = useLatest(onPick)
	useEffect(() => {
		drawing?.on('click', ({seriesIndex = 0, dataIndex, data}) => {
			const index = placeOf(data) ?? dataIndex
			if (index !== undefined) pick.current?.({series: seriesIndex, index})
		})
	}, [drawing, pick])
	const pointed = useRef<Place | null>(null)
	useImperativeHandle(
		handle,
		() => ({
			point: place => {
				pointAt(drawing, pointed.current, place)
				pointed.current = place
			}
		}),
		[drawing]
	)
	return (
		<div className={styles.picture} style={{height}} aria-hidden data-drawn={isDrawn}>
			<div ref={root} />
			{!isDrawn && (
				<div className={styles.waiting}>
					<Skeleton width="100%" height={height - 24} />
				</div>
			)}
		</div>
	)
}

function placeOf(data: unknown) {
	const has = typeof data === 'object' && data !== null && 'place' in data && typeof data.place === 'number'
	return has ? Number(data.place) : undefined
}

/** Loads the engine and opens a drawing for the life of the element. */
function useDrawing(root: {current: HTMLDivElement | null}, height: number, onFail: () => void) {
	const [drawing, setDrawing] = useState<Drawing | null>(null)
	const [width, setWidth] = useState(0)
	const fail = useLatest(onFail)
	useEffect(() => {
		const element = root.current
		const parent = element?.parentElement
		if (element == null || parent == null) return
		const measure = () => setWidth(Math.floor(parent.clientWidth))
		const observer = new ResizeObserver(measure)
		observer.observe(parent)
		measure()
		let opened: Drawing | null = null
		let isGone = false
		const open = async () => {
			const {openDrawing} = await import('./engine.ts')
			if (isGone) return
			opened = openDrawing(element, Math.max(1, parent.clientWidth), height)
			setDrawing(opened)
		}
		open().catch(() => {
			if (!isGone) fail.current()
		})
		return () => {
			isGone = true
			observer.disconnect()
			opened?.dispose()
			setDrawing(null)
		}
		// The height follows through `resize`.
		// oxlint-disable-next-line react-hooks/exhaustive-deps
	}, [root])
	return {drawing, width}
}

function pointAt(drawing: Drawing | null, before: Place | null, place: Place | null) {
	if (drawing === null || drawing.isDisposed()) return
	if (before !== null) drawing.dispatchAction({type: 'downplay', seriesIndex: before.series, dataIndex: before.index})
	if (place === null) {
		drawing.dispatchAction({type: 'hideTip'})
		return
	}
	const at = {seriesIndex: place.series, dataIndex: place.index}
	drawing.dispatchAction({type: 'highlight', ...at})
	drawing.dispatchAction({type: 'showTip', ...at})
}

/** Charts that appear together are drawn one after the other, so that the page stays responsive. */
const waiting: (() => void)[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Draws soon, in a separate task. Returns a cancel function. */
export function inTurn(draw: () => void) {
	waiting.push(draw)
	timer ??= setTimeout(drawNext)
	return () => {
		const place = waiting.indexOf(draw)
		if (place >= 0) waiting.splice(place, 1)
	}
}

function drawNext() {
	const draw = waiting.shift()
	timer = waiting.length === 0 ? undefined : setTimeout(drawNext)
	draw?.()
}
