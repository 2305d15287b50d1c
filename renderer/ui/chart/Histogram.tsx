import {useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref} from 'react'

import {useTimeZone} from '../Time.tsx'
import {useKeys} from '../keys/KeyRegistry.tsx'
import {t} from '../text.ts'
import {Figure} from './Figure.tsx'
import styles from './Figure.module.css'
import {histogramOption, room, type HistogramSeries} from './histogram-option.ts'
import {binsOf, binWords, rangeWords, spanned, timesOf, type BinRange, type Steps, type TimeRange} from './histogram-shapes.ts'
import type {PictureHandle} from './Picture.tsx'
import {useBrush} from './use-brush.ts'
import type {Draw, TwinTable, View} from './view.ts'

export interface HistogramHandle {
	focus(): void
	/** Focuses the chart and starts a selection at its cursor: the arrow keys extend it. */
	beginBrush(): void
}

export interface HistogramProps {
	title: string
	/** ISO 8601 UTC start of the first step, and its length in milliseconds. */
	from: string
	stepMs: number
	/** One count per step, oldest first; drawn from the bottom up in this order. Keep it stable between renders. */
	series: readonly HistogramSeries[]
	/** The counted unit: singular, plural. */
	unit: readonly [string, string]
	/** The selected span; `null`: everything. Ends are widened to the grid of steps. */
	brush: TimeRange | null
	/** A span was selected, by dragging, a click, or keys; `null`: cleared. Start inclusive, end exclusive, on steps. */
	onBrush: (range: TimeRange | null) => void
	/** Enter on the cursor or the selected span: shows its rows. */
	onOpen?: (range: TimeRange) => void
	/** Spans not loaded: hatched, and named in the table. */
	gaps?: readonly TimeRange[]
	/** Of the chart, in pixels. Default: 140. */
	height?: number
	/** Shown instead of the chart when all counts are 0. */
	empty: string
	/** Prefix of saved file names. */
	fileName: string
	controls?: ReactNode
	handle?: Ref<HistogramHandle>
}

/**
 * Counts over time, stacked by kind, with a brush. Drag or click to select a span, drag inside to move it, drag an edge to resize
 * it; by keyboard the arrows move, Shift+arrows or `b` and arrows select, Enter opens, Escape clears. Its table selects the same
 * spans.
 */
export function Histogram(props: HistogramProps) {
	const it = useHistogram(props)
	const {title, series, empty, fileName, controls} = props
	const {gaps, height, zone, isLog, setLog, stage, picture, count} = it
	const {steps, chosen, brushing, draw, cursor, point, words, summary, isEmpty, shown} = it
	return (
		<Figure
			title={title}
			summary={summary}
			draw={draw}
			height={height}
			legend={series}
			fileName={fileName}
			empty={isEmpty ? empty : null}
			handle={picture}
			table={tableOf(props, steps, chosen, bin => rangeWords(timesOf({first: bin, last: bin}, steps), zone))}
			controls={controls}
			acts={[[isLog ? t.linearScale : t.logScale, () => setLog(!isLog)]]}
			stage={{
				ref: stage,
				'data-grip': brushing.grip,
				'data-dragging': brushing.draft !== null,
				role: 'slider',
				tabIndex: 0,
				'aria-label': `${title}, step of time`,
				'aria-valuemin': 0,
				'aria-valuemax': Math.max(0, count - 1),
				'aria-valuenow': cursor,
				'aria-valuetext': `${words({first: cursor, last: cursor})}${chosen === null ? '' : `; chosen ${words(chosen)}`}`,
				onKeyDown: brushing.onKeyDown,
				onPointerDown: brushing.onPointerDown,
				onPointerMove: brushing.onPointerMove,
				onPointerUp: brushing.onPointerUp,
				onPointerCancel: brushing.onPointerCancel,
				onFocus: point,
				onBlur: () => picture.current?.point(null)
			}}
			over={
				<>
					{gaps.map(gap => (
						<Band key={gap.from} range={binsOf(gap, steps)} count={count} kind="gap" />
					))}
					<Band range={shown} count={count} kind="brush" />
					<Band range={{first: cursor, last: cursor}} count={count} kind="cursor" />
				</>
			}
		/>
	)
}

function useHistogram(props: HistogramProps) {
	const {from, stepMs, series, unit, brush, onBrush, onOpen, gaps = noGaps, empty} = props
	const {height = 140, handle} = props
	const zone = useTimeZone()
	const [isLog, setLog] = useState(false)
	const stage = useRef<HTMLDivElement>(null)
	const picture = useRef<PictureHandle>(null)
	const count = Math.max(0, ...series.map(({values}) => values.length))
	const steps: Steps = useMemo(() => ({from, stepMs, count}), [from, stepMs, count])
	const chosen = brush && binsOf(brush, steps)
	const brushing = useBrush({
		count,
		brush: chosen,
		onBrush: range => onBrush(range && timesOf(range, steps)),
		onOpen: onOpen && (range => onOpen(timesOf(range, steps))),
		placeAt: x => placeAt(stage.current, x, count)
	})
	useKeys({'picture.earlier': chosen !== null && (() => brushing.shift(-1)), 'picture.later': chosen !== null && (() => brushing.shift(1))})
	const draw: Draw = useCallback(
		(view: View) => histogramOption({steps, series, unit, isLog, zone}, view),
		// The words of the unit, not the pair of them, which a caller may make anew.
		// oxlint-disable-next-line react-hooks/exhaustive-deps
		[steps, series, unit[0], unit[1], isLog, zone]
	)
	useImperativeHandle(handle, () => ({
		focus: () => stage.current?.focus(),
		beginBrush: () => {
			stage.current?.focus()
			if (stage.current !== null) brushing.begin()
		}
	}))
	const {cursor} = brushing
	const point = useCallback(() => {
		if (stage.current?.matches(':focus-visible') === true) picture.current?.point({series: 0, index: cursor})
	}, [cursor])
	useEffect(point, [point])
	const words = (range: BinRange) => `${rangeWords(timesOf(range, steps), zone)}, ${binWords(series, range, unit)}`
	const all = {first: 0, last: Math.max(0, count - 1)}
	const summary = count === 0 ? empty : `${words(all)}${chosen === null ? '' : `. Chosen: ${words(chosen)}`}`
	const isEmpty = series.every(({values}) => values.every(value => value === 0))
	const shown = brushing.draft ?? chosen
	return {
		...{gaps, height, zone, isLog, setLog, stage, picture, count},
		...{steps, chosen, brushing, draw, cursor, point, words, summary, isEmpty, shown}
	}
}

const noGaps: readonly TimeRange[] = []

/** Bins marked over the chart; redrawing it for each pointer move would cost more. */
function Band({range, count, kind}: {range: BinRange | null; count: number; kind: 'gap' | 'brush' | 'cursor'}) {
	if (range === null || count === 0) return null
	const share = `(100% - ${room.left + room.right}px) / ${count}`
	const middle = kind === 'cursor' ? 0.5 : 0
	return (
		<span
			className={styles[kind]}
			aria-hidden
			style={{
				left: `calc(${room.left}px + ${range.first + middle} * ${share})`,
				bottom: room.bottom,
				...(kind !== 'cursor' && {width: `calc(${range.last - range.first + 1} * ${share})`})
			}}
		/>
	)
}

function placeAt(stage: HTMLElement | null, clientX: number, count: number) {
	if (stage === null) return 0
	const {left, width} = stage.getBoundingClientRect()
	return ((clientX - left - room.left) / Math.max(1, width - room.left - room.right)) * count
}

/** Newest first, without empty bins. */
function tableOf(
	{series, gaps = noGaps, onBrush}: HistogramProps,
	steps: Steps,
	chosen: BinRange | null,
	nameOf: (bin: number) => string
): TwinTable {
	const missing = gaps.map(gap => binsOf(gap, steps))
	const bins = Array.from({length: steps.count}, (_, bin) => bin).toReversed()
	const isMissing = (bin: number) => missing.some(gap => gap !== null && bin >= gap.first && bin <= gap.last)
	const press = (bin: number) => (extend: boolean) => {
		const isOnly = chosen?.first === bin && chosen.last === bin
		const range = extend && chosen !== null ? spanned(bin < chosen.first ? chosen.last : chosen.first, bin) : spanned(bin, bin)
		onBrush(isOnly ? null : timesOf(range, steps))
	}
	return {
		columns: ['Time', ...series.map(({name}) => name), ...(missing.length === 0 ? [] : ['Loaded'])],
		rows: bins
			.filter(bin => isMissing(bin) || series.some(({values}) => (values[bin] ?? 0) > 0))
			.map(bin => ({
				key: String(bin),
				cells: [
					nameOf(bin),
					...series.map(({values}) => String(values[bin] ?? 0)),
					...(missing.length === 0 ? [] : [isMissing(bin) ? 'not loaded' : 'loaded'])
				],
				isSelected: chosen !== null && bin >= chosen.first && bin <= chosen.last,
				onPress: press(bin)
			}))
	}
}
