import {type Ref, useEffect, useImperativeHandle, useRef, useState} from 'react'

import {Skeleton} from '../Skeleton.tsx'
import type {Drawing} from './engine.ts'
import styles from './Figure.module.css'
import {prefersStill, useChartTheme} from './theme.ts'
import type {Draw} from './view.ts'

/** One thing in a picture, by its place in the option; data may carry a `place` of its own instead of its index. */
export interface Place {
	readonly series: number
	readonly index: number
}

export interface PictureHandle {
	/** Shows the tooltip of a place and lifts it out; `null` ends that. */
	point(place: Place | null): void
}

export interface PictureProps {
	readonly draw: Draw
	/** In pixels; the width is that of the surroundings. */
	readonly height: number
	/** A click on something that is drawn. */
	readonly onPick?: ((place: Place) => void) | undefined
	readonly onFail: () => void
	readonly handle?: Ref<PictureHandle>
}

/** The canvas alone, hidden from assistive technology: what surrounds it says what it shows. */
export function Picture({draw, height, onPick, onFail, handle}: PictureProps) {
	const root = useRef<HTMLDivElement>(null)
	const {drawing, width} = useDrawing(root, height, onFail)
	const theme = useChartTheme()
	const [drawn, setDrawn] = useState<Drawing | null>(null)
	useEffect(() => {
		if (drawing === null || width === 0) return
		return inTurn(() => {
			try {
				drawing.resize({width, height})
				// Only the first drawing moves: what changes under a reader's eyes changes at once.
				const animation = drawn !== drawing && !prefersStill()
				drawing.setOption({...draw({theme, width, height, top: 0, bottom: 0}), animation}, {notMerge: true})
				setDrawn(drawing)
			} catch (error) {
				onFail()
				throw error
			}
		})
		// What was drawn before decides whether it moves, not whether it is drawn.
		// oxlint-disable-next-line react-hooks/exhaustive-deps
	}, [drawing, width, height, draw, theme])
	const isDrawn = drawing !== null && drawn === drawing

	const pick = useRef(onPick)
	useEffect(() => {
		pick.current = onPick
	})
	useEffect(() => {
		drawing?.on('click', ({seriesIndex = 0, dataIndex, data}) => {
			const index = placeOf(data) ?? dataIndex
			if (index !== undefined) pick.current?.({series: seriesIndex, index})
		})
	}, [drawing])
	const pointed = useRef<Place | null>(null)
	useImperativeHandle(
		handle,
		() => ({
			point: place => {
				pointAt(drawing, pointed.current, place)
				pointed.current = place
			},
		}),
		[drawing],
	)
	return (
		<div className={styles['picture']} style={{height}} aria-hidden="true" data-drawn={isDrawn}>
			<div ref={root} />
			{isDrawn ? null : (
				<div className={styles['waiting']}>
					<Skeleton width="100%" height={height - 24} />
				</div>
			)}
		</div>
	)
}

function placeOf(data: unknown): number | undefined {
	const has = typeof data === 'object' && data !== null && 'place' in data && typeof data.place === 'number'
	return has ? Number(data.place) : undefined
}

/** Loads the engine and opens a drawing that lives as long as the element. */
function useDrawing(root: {readonly current: HTMLDivElement | null}, height: number, onFail: () => void) {
	const [drawing, setDrawing] = useState<Drawing | null>(null)
	const [width, setWidth] = useState(0)
	const fail = useRef(onFail)
	useEffect(() => {
		fail.current = onFail
	})
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

function pointAt(drawing: Drawing | null, before: Place | null, place: Place | null): void {
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

/** Pictures that come at the same time are drawn one after the other, so that the page answers between them. */
const waiting: (() => void)[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Draws soon, in a task of its own. Returns the way to call it off. */
export function inTurn(draw: () => void): () => void {
	waiting.push(draw)
	timer ??= setTimeout(drawNext)
	return () => {
		const place = waiting.indexOf(draw)
		if (place >= 0) waiting.splice(place, 1)
	}
}

function drawNext(): void {
	const draw = waiting.shift()
	timer = waiting.length === 0 ? undefined : setTimeout(drawNext)
	draw?.()
}
