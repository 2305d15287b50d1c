import {type KeyboardEvent, type PointerEvent, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState} from 'react'

import type {TrajectoryPoint} from '#contract/insight.ts'
import {useChartTheme} from '#ui/chart/theme.ts'
import {isDialogOpen} from '#ui/list-of-screen.ts'
import {useTimeZone} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {formatExact, type TimeZone} from '#ui/time.ts'
import {type Bead, beadsOf, type LaneLayout, type Layout, type Span, timeOf} from './layout.ts'
import {fileOf} from './merge.ts'
import type {Move} from './moves.ts'
import {paint} from './paint.ts'
import {axisHeight, rowHeight} from './painting.ts'
import {between, panned, within, zoomed} from './span.ts'
import {t} from './text.ts'
import styles from './Trajectory.module.css'
import {usePainter} from './use-painter.ts'
import {useOnView, type ViewStore} from './view-store.ts'

export interface LanesHandle {
	/** Scrolls to the lane of that point. */
	reveal(index: number): void
	focus(): void
}

interface LanesProps {
	layout: Layout
	view: ViewStore
	selected: number | null
	marked: readonly number[]
	label: string
	labelWidth: number
	onPick: (index: number) => void
	onMove: (move: Move) => void
	onPan: (share: number) => void
	onInspect: () => void
	onFocus: (isFocused: boolean) => void
	handle: Ref<LanesHandle>
}

/** The swim lanes. The canvas is below an empty scroller, which has focus, keys and pointer. */
export function Lanes(props: LanesProps) {
	const {layout, view, selected, marked, label, labelWidth, handle} = props
	const theme = useChartTheme()
	const zone = useTimeZone()
	const scroller = useRef<HTMLDivElement>(null)
	const canvas = useRef<HTMLCanvasElement>(null)
	const [isFocused, setFocused] = useState(false)
	const repaint = usePainter(canvas, (pen, width, height) =>
		paint(pen, {
			...{layout, span: view.get(), theme, zone, height, labelWidth, selected, isFocused, marked},
			width: scroller.current?.clientWidth ?? width,
			top: scroller.current?.scrollTop ?? 0
		})
	)
	useOnView(view, repaint)
	const pointer = usePointer({scroller, layout, view, labelWidth, zone, onPick: props.onPick})
	useImperativeHandle(handle, () => ({
		reveal: index => scrollTo(scroller.current, layout.places.get(index)?.row),
		focus: () => scroller.current?.focus()
	}))
	const focus = (is: boolean) => {
		setFocused(is)
		props.onFocus(is)
	}
	// Spread, because the lint rule does not know that an application handles keys and pointer.
	const on = {
		...pointer.on,
		onScroll: repaint,
		onKeyDown: (event: KeyboardEvent) => press(event, props),
		onFocus: () => focus(true),
		onBlur: () => {
			// A dialog, such as the list of shortcuts, returns the focus here.
			if (!isDialogOpen()) focus(false)
		}
	}
	return (
		<div className={styles.stage}>
			<canvas ref={canvas} className={styles.canvas} aria-hidden />
			<div
				ref={scroller}
				role="application"
				aria-roledescription={t.swimLanes}
				aria-label={label}
				tabIndex={0}
				className={cx(styles.scroller, pointer.tip !== null && styles.pointing, pointer.isDragging && styles.dragging)}
				{...on}
			>
				<div style={{height: axisHeight + layout.lanes.length * rowHeight}} />
			</div>
			{pointer.tip !== null && <TipBox tip={pointer.tip} />}
		</div>
	)
}

function TipBox({tip}: {tip: Tip}) {
	const side = tip.isRight ? {right: tip.x} : {left: tip.x}
	return (
		<div className={styles.tip} style={{...side, top: tip.y}} aria-hidden>
			{tip.lines.map(line => (
				<div key={line}>{line}</div>
			))}
		</div>
	)
}

const arrows: Readonly<Record<string, Move>> = {ArrowLeft: 'previous', ArrowRight: 'next', ArrowUp: 'up', ArrowDown: 'down'}

/** Arrows repeat while held, so they are handled here instead of by the page's shortcuts. */
function press(event: KeyboardEvent, {onMove, onPan, onInspect}: LanesProps) {
	if (event.altKey || event.ctrlKey || event.metaKey) return
	const move = arrows[event.key]
	if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) onPan(event.key === 'ArrowRight' ? 0.2 : -0.2)
	else if (move !== undefined) onMove(move)
	else if (event.key === 'Enter') onInspect()
	else return
	event.preventDefault()
	event.stopPropagation()
}

function scrollTo(scroller: HTMLElement | null, row: number | undefined) {
	if (scroller === null || row === undefined) return
	const y = row * rowHeight
	const room = scroller.clientHeight - axisHeight - rowHeight
	if (y < scroller.scrollTop) scroller.scrollTop = y
	else if (y > scroller.scrollTop + room) scroller.scrollTop = y - room
}

/** Distances from the nearest corner of the chart. */
interface Tip {
	x: number
	y: number
	isRight: boolean
	lines: readonly string[]
}

interface PointerOptions {
	scroller: RefObject<HTMLDivElement | null>
	layout: Layout
	view: ViewStore
	labelWidth: number
	zone: TimeZone
	onPick: (index: number) => void
}

interface Drag {
	x: number
	y: number
	span: Span
	top: number
	moved: boolean
}

/** Maximum movement of a click, in pixels. */
const slip = 4

/** The wheel zooms (over the names it scrolls), dragging pans, a click selects, a double click zooms in. */
function usePointer(options: PointerOptions) {
	const {scroller, layout, view, labelWidth, zone, onPick} = options
	const drag = useRef<Drag | null>(null)
	const [isDragging, setDragging] = useState(false)
	const [tip, setTip] = useState<Tip | null>(null)
	useWheel(options)

	const hitOf = (event: PointerEvent | React.MouseEvent): {hit: Hit | null; x: number; y: number} => {
		const box = event.currentTarget.getBoundingClientRect()
		const [x, y] = [event.clientX - box.left, event.clientY - box.top]
		const facts = {layout, span: view.get(), labelWidth, width: event.currentTarget.clientWidth}
		return {hit: hitAt({...facts, top: event.currentTarget.scrollTop}, x, y), x, y}
	}
	const move = (event: PointerEvent<HTMLDivElement>) => {
		if (drag.current !== null) return dragTo(event, drag.current)
		const {hit, x, y} = hitOf(event)
		const lines = hit === null ? [] : tipOf(hit, x < labelWidth, zone)
		const width = event.currentTarget.clientWidth
		const isRight = x > width / 2
		setTip(lines.length === 0 ? null : {lines, isRight, x: isRight ? width - x + 14 : x + 14, y: y + 14})
	}
	const dragTo = (event: PointerEvent<HTMLDivElement>, from: Drag) => {
		const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
		if (!from.moved && Math.hypot(dx, dy) < slip) return
		if (!from.moved) {
			from.moved = true
			setDragging(true)
			setTip(null)
		}
		const plot = Math.max(1, event.currentTarget.clientWidth - labelWidth)
		event.currentTarget.scrollTop = from.top - dy
		view.set(panned(from.span, layout.span, -dx / plot))
	}
	const end = (event: PointerEvent<HTMLDivElement>) => {
		const was = drag.current
		drag.current = null
		setDragging(false)
		if (was === null || was.moved || event.type === 'pointercancel') return
		const {hit} = hitOf(event)
		const index = hit === null ? undefined : (hit.bead?.worst ?? (isLabel(event, labelWidth) ? hit.lane.points.at(-1) : undefined))?.index
		if (index !== undefined) onPick(index)
	}
	const closer = (event: React.MouseEvent<HTMLDivElement>) => {
		const bead = hitOf(event).hit
		const [first, last] = [bead?.lane.points[bead.bead?.first ?? -1], bead?.lane.points[bead.bead?.last ?? -1]]
		if (first === undefined || last === undefined) return
		const [one, other] = [timeOf(first), timeOf(last)]
		const air = Math.max(1, (other - one) * 0.2)
		view.set(within(between(one - air, other + air, layout.span), layout.span))
	}
	const on = {
		onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
			if (event.button !== 0 || isScrollbar(event)) return
			event.currentTarget.setPointerCapture(event.pointerId)
			const top = event.currentTarget.scrollTop
			drag.current = {x: event.clientX, y: event.clientY, span: view.get(), top, moved: false}
		},
		onPointerMove: move,
		onPointerUp: end,
		onPointerCancel: end,
		onPointerLeave: () => setTip(null),
		onDoubleClick: closer
	}
	return {isDragging, tip, on, scroller}
}

function isLabel(event: PointerEvent<HTMLDivElement>, labelWidth: number) {
	return event.clientX - event.currentTarget.getBoundingClientRect().left < labelWidth
}

function isScrollbar(event: PointerEvent<HTMLDivElement>) {
	return event.clientX - event.currentTarget.getBoundingClientRect().left > event.currentTarget.clientWidth
}

/** React adds passive wheel listeners, which could not stop the page from scrolling. */
function useWheel({scroller, layout, view, labelWidth}: PointerOptions) {
	useEffect(() => {
		const element = scroller.current
		if (element === null) return
		const onWheel = (event: WheelEvent) => {
			const x = event.clientX - element.getBoundingClientRect().left
			const plot = element.clientWidth - labelWidth
			if (x < labelWidth || plot <= 0) return
			event.preventDefault()
			const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
			const delta = event.deltaMode === 1 ? 16 : 1
			const by = (event.deltaX === 0 || !isPan ? event.deltaY : event.deltaX) * delta
			if (isPan) return view.set(panned(view.get(), layout.span, by / plot))
			view.set(zoomed(view.get(), layout.span, Math.exp(Math.max(-240, Math.min(240, by)) / 400), (x - labelWidth) / plot))
		}
		element.addEventListener('wheel', onWheel, {passive: false})
		return () => element.removeEventListener('wheel', onWheel)
	}, [scroller, layout, view, labelWidth])
}

interface Hit {
	row: number
	lane: LaneLayout
	/** `null`: on the name of the lane, or between its events. */
	bead: Bead | null
}

interface HitFacts {
	layout: Layout
	span: Span
	width: number
	labelWidth: number
	top: number
}

const reach = 10

function hitAt({layout, span, width, labelWidth, top}: HitFacts, x: number, y: number): Hit | null {
	const row = Math.floor((y - axisHeight + top) / rowHeight)
	const lane = y < axisHeight ? undefined : layout.lanes[row]
	if (lane === undefined) return null
	if (x < labelWidth) return {row, lane, bead: null}
	const at = x - labelWidth
	const beads = beadsOf(lane, span, width - labelWidth)
	const near = beads.reduce<Bead | null>((best, bead) => (Math.abs(bead.x - at) < Math.abs((best?.x ?? Infinity) - at) ? bead : best), null)
	return {row, lane, bead: near !== null && Math.abs(near.x - at) <= reach ? near : null}
}

function tipOf({lane, bead}: Hit, isLabel: boolean, zone: TimeZone) {
	if (bead !== null) return beadLines(lane.points, bead, zone)
	if (!isLabel) return []
	if (lane.header !== undefined) return [lane.header.hostname, `${lane.header.events} events`]
	const {label, names, disposition, keeps} = lane.lane
	const id = fileOf(lane.lane.id)
	const hash = id.length === 64 ? [id] : []
	const role = keeps && disposition === 'clean' ? ['clean, and parent of something bad'] : [disposition]
	return [[label, ...names].join(', '), ...(id === 'system' || id === 'network' ? [] : role), ...hash]
}

function beadLines(points: readonly TrajectoryPoint[], bead: Bead, zone: TimeZone) {
	const [first, last] = [points[bead.first], points[bead.last]]
	if (bead.first === bead.last || first === undefined || last === undefined) return [formatExact(bead.worst.at, zone), bead.worst.text]
	const count = bead.last - bead.first + 1
	return [`${count} events, ${formatExact(first.at, zone)} to ${formatExact(last.at, zone)}`, bead.worst.text]
}
