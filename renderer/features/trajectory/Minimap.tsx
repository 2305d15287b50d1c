import {useMemo, useRef, type PointerEvent} from 'react'

import {useChartTheme, type ChartTheme} from '#ui/chart/theme.ts'
import styles from './Trajectory.module.css'
import {densityOf, type Layout, type Span} from './layout.ts'
import {between, panned, within} from './span.ts'
import {t} from './text.ts'
import {usePainter} from './use-painter.ts'
import {useOnView, type ViewStore} from './view-store.ts'

const parts = 240

/**
 * The whole period, with the visible part as a brush: drag it, or drag elsewhere to show another part. Keys in the lanes move it.
 */
export function Minimap({layout, view, labelWidth}: {layout: Layout; view: ViewStore; labelWidth: number}) {
	const theme = useChartTheme()
	const canvas = useRef<HTMLCanvasElement>(null)
	const bins = useMemo(() => densityOf(layout, parts), [layout])
	const repaint = usePainter(canvas, (pen, width, height) =>
		paintMinimap(pen, {width, height, theme, bins, whole: layout.span, shown: view.get()})
	)
	useOnView(view, repaint)
	const on = useBrush(layout.span, view)
	return (
		<div className={styles.minimap} aria-hidden>
			<span className={styles.minimapLabel} style={{width: labelWidth}}>
				{t.fullTimeline}
			</span>
			<canvas ref={canvas} className={styles.minimapCanvas} {...on} />
		</div>
	)
}

interface Brushing {
	kind: 'move' | 'span'
	x: number
	span: Span
}

function useBrush(whole: Span, view: ViewStore) {
	const brushing = useRef<Brushing | null>(null)
	const shareOf = (event: PointerEvent<HTMLCanvasElement>) => {
		const box = event.currentTarget.getBoundingClientRect()
		return (event.clientX - box.left) / Math.max(1, box.width)
	}
	const length = whole.to - whole.from
	return {
		onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
			if (event.button !== 0) return
			event.currentTarget.setPointerCapture(event.pointerId)
			const [x, span] = [shareOf(event), view.get()]
			const time = whole.from + x * length
			const isAll = span.to - span.from > length * 0.999
			const isInside = !isAll && time >= span.from && time <= span.to
			brushing.current = {kind: isInside ? 'move' : 'span', x, span}
		},
		onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
			const from = brushing.current
			if (from === null) return
			const x = shareOf(event)
			if (from.kind === 'move') {
				const by = ((x - from.x) * length) / (from.span.to - from.span.from)
				return view.set(panned(from.span, whole, by))
			}
			if (Math.abs(x - from.x) < 0.004) return
			view.set(between(whole.from + from.x * length, whole.from + x * length, whole))
		},
		onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
			const from = brushing.current
			brushing.current = null
			// A click outside moves the brush there.
			if (from?.kind !== 'span' || Math.abs(shareOf(event) - from.x) >= 0.004) return
			const [middle, half] = [whole.from + from.x * length, (from.span.to - from.span.from) / 2]
			view.set(within({from: middle - half, to: middle + half}, whole))
		},
		onPointerCancel: () => void (brushing.current = null)
	}
}

interface MinimapFrame {
	width: number
	height: number
	theme: ChartTheme
	bins: ReturnType<typeof densityOf>
	whole: Span
	shown: Span
}

function paintMinimap(pen: CanvasRenderingContext2D, {width, height, theme, bins, whole, shown}: MinimapFrame) {
	pen.clearRect(0, 0, width, height)
	const most = Math.max(1, ...bins.map(({all}) => all))
	const step = width / bins.length
	// By the square root: one bad event must be visible beside a thousand clean ones.
	const tall = (count: number) => (count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * (height - 4)))
	bins.forEach(({all, bad}, at) => {
		pen.fillStyle = theme.tones.faint
		pen.fillRect(at * step, height - tall(all), Math.max(1, step - 0.5), tall(all))
		pen.fillStyle = theme.tones.bad
		pen.fillRect(at * step, height - tall(bad), Math.max(1, step - 0.5), tall(bad))
	})
	const scale = width / (whole.to - whole.from)
	const [from, to] = [(shown.from - whole.from) * scale, (shown.to - whole.from) * scale]
	// A brush over everything would say nothing.
	if (to - from > width - 1) return
	pen.fillStyle = theme.tones.accent
	pen.globalAlpha = 0.14
	pen.fillRect(from, 0, Math.max(2, to - from), height)
	pen.globalAlpha = 1
	pen.strokeStyle = theme.tones.accent
	pen.lineWidth = 1
	pen.strokeRect(from + 0.5, 0.5, Math.max(2, to - from) - 1, height - 1)
}
