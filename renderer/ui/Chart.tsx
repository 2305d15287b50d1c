import {ImageDown, Sheet, Table2} from 'lucide-react'
import {useState} from 'react'

import {csvOf} from '#shared/commands/table.ts'
import type {TextFile} from '#shared/model/text-file.ts'
import {useAnnounce} from './Announcer.tsx'
import {IconButton} from './Button.tsx'
import styles from './Chart.module.css'
import {type ChartTheme, useChartTheme} from './chart/theme.ts'
import {useTimeZone} from './Clock.tsx'
import {cx} from './cx.ts'
import {saveBlob, saveText} from './save.ts'
import {t} from './text.ts'
import {formatExact, type TimeZone} from './time.ts'
import {Time} from './Time.tsx'

/** Length of the table's rows, in seconds. */
const rowS = 300

/** Values over time as a small chart, or as a table. */
export function Chart(props: ChartProps) {
	const [isTable, setTable] = useState(false)
	const {title, series} = props
	return (
		<figure className={styles.chart}>
			<figcaption className={styles.head}>
				<span className={styles.title}>{title}</span>
				{series.map(({name, tone, form}) => (
					<span key={name} className={styles.legend}>
						<span className={cx(styles.swatch, styles[tone], styles[form])} aria-hidden="true" />
						{name}
					</span>
				))}
				<span className={styles.controls}>
					<Save {...props} />
					<button
						type="button"
						className={styles.switch}
						aria-pressed={isTable}
						aria-label={t.asATable(title)}
						title={t.asATableTitle}
						onClick={() => setTable(!isTable)}
					>
						<Table2 size={13} aria-hidden="true" />
					</button>
				</span>
			</figcaption>
			{isTable ? <Twin {...props} /> : <Picture {...props} />}
		</figure>
	)
}

function Save(props: ChartProps) {
	const announce = useAnnounce()
	const theme = useChartTheme()
	const zone = useTimeZone()
	const nothing = isEmptyOf(props) ? 'There is nothing to save.' : null
	const savePicture = async () => {
		saveBlob(await chartPicture(props, theme, zone), `${props.fileName}.png`)
		announce('Image saved')
	}
	return (
		<>
			<IconButton
				label={t.saveImage(props.title)}
				size="small"
				reason={nothing}
				onPress={() => void savePicture().catch(() => announce('Could not save the image'))}
			>
				<ImageDown size={13} />
			</IconButton>
			<IconButton
				label={t.saveTable(props.title)}
				size="small"
				reason={nothing}
				onPress={() => {
					saveText(chartTable(props))
					announce('Table saved')
				}}
			>
				<Sheet size={13} />
			</IconButton>
		</>
	)
}

function isEmptyOf({series}: Pick<ChartProps, 'series'>): boolean {
	return series.every(({values}) => values.every(value => value === null || value === 0))
}

function Picture({summary, series, from, stepS, format, empty}: ChartProps) {
	const [steps, top] = [stepsOf(series), topOf(series)]
	const isEmpty = isEmptyOf({series})
	const start = Date.parse(from)
	const at = (share: number) => new Date(start + share * steps * stepS * 1000).toISOString()
	return (
		<>
			<div className={styles.plot}>
				<span className={styles.top} aria-hidden="true">
					{isEmpty ? '' : format(top)}
				</span>
				<svg viewBox={`0 0 ${steps} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
					{series.map(({name, values, form, tone}) => (
						<path
							key={name}
							className={cx(styles[form], styles[tone])}
							d={form === 'bars' ? barsOf(values, top) : lineOf(values, top)}
						/>
					))}
				</svg>
				{isEmpty ? <span className={styles.empty}>{empty}</span> : null}
			</div>
			<div className={styles.axis} aria-hidden="true">
				<Time at={at(0)} form="clock" />
				<Time at={at(0.5)} form="clock" />
				<span>{t.now}</span>
			</div>
		</>
	)
}

function Twin({title, series, from, stepS, format}: ChartProps) {
	const each = Math.round(rowS / stepS)
	const folded = series.map(({values, fold}) => foldTo(values, each, fold))
	const start = Date.parse(from)
	const rows = Array.from({length: folded[0]?.length ?? 0}, (_, index) => index).toReversed()
	return (
		<div className={styles.scroll} tabIndex={0} role="region" aria-label={t.asATableOf(title)}>
			<table className={styles.table}>
				<thead>
					<tr>
						<th scope="col">{t.from}</th>
						{series.map(({name}) => (
							<th key={name} scope="col">
								{name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(row => (
						<tr key={row}>
							<th scope="row">
								<Time at={new Date(start + row * rowS * 1000).toISOString()} form="clock" />
							</th>
							{series.map(({name}, index) => {
								const value = folded[index]?.[row] ?? null
								return <td key={name}>{value === null ? '–' : format(value)}</td>
							})}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	)
}

/** Exports of a small chart: its values, and its image with title and times. */
interface ChartSeries {
	readonly name: string
	/** One value per step, oldest first; `null` without one. */
	readonly values: readonly (number | null)[]
	readonly form: 'bars' | 'line'
	readonly tone: 'accent' | 'bad' | 'dim'
	/** How steps are combined into table rows: counts are added, times use the maximum. */
	readonly fold: 'sum' | 'max'
}

interface ChartProps {
	title: string
	/** Summary of the chart, in a sentence: its accessible name. */
	summary: string
	series: readonly ChartSeries[]
	/** Prefix of saved file names, such as `requests`. */
	fileName: string
	/** ISO 8601 start of the first step, and its length in seconds. */
	from: string
	stepS: number
	format: (value: number) => string
	/** Shown instead of an empty chart. */
	empty: string
}

/** One row per step, oldest first; times in UTC, empty cells for missing values. */
export function chartTable({fileName, series, from, stepS}: ChartProps): TextFile {
	const start = Date.parse(from)
	const rows = Array.from({length: stepsOf(series)}, (_, step) => [
		new Date(start + step * stepS * 1000).toISOString(),
		...series.map(({values}) => String(values[step] ?? '')),
	])
	const text = csvOf({columns: ['from', ...series.map(({name}) => name)], rows})
	return {name: `${fileName}.csv`, mediaType: 'text/csv', text}
}

function stepsOf(series: readonly ChartSeries[]): number {
	return Math.max(1, ...series.map(({values}) => values.length))
}

/** The common maximum of the scale. */
function topOf(series: readonly ChartSeries[]): number {
	return axisTop(Math.max(0, ...series.flatMap(({values}) => values.map(value => value ?? 0))))
}

const [width, height] = [900, 320]
const plot = {left: 64, top: 84, width: width - 84, height: height - 124} as const

/** A PNG at twice its 900 by 320 pixels. Rejects without a canvas. */
async function chartPicture(props: ChartProps, theme: ChartTheme, zone: TimeZone): Promise<Blob> {
	const canvas = new OffscreenCanvas(width * 2, height * 2)
	const pen = canvas.getContext('2d')
	if (pen === null) throw new Error('no canvas')
	pen.scale(2, 2)
	pen.fillStyle = theme.panel
	pen.fillRect(0, 0, width, height)
	pen.textBaseline = 'middle'
	writeHead(pen, props, theme)
	writeAxes(pen, props, theme, zone)
	for (const each of props.series) drawSeries(pen, each, props.series, theme)
	return canvas.convertToBlob({type: 'image/png'})
}

type Pen = OffscreenCanvasRenderingContext2D

function writeHead(pen: Pen, {title, summary, series}: ChartProps, theme: ChartTheme): void {
	pen.fillStyle = theme.ink
	pen.font = `600 15px ${theme.font}`
	pen.fillText(title, 12, 20)
	pen.fillStyle = theme.ink2
	pen.font = `12px ${theme.font}`
	pen.fillText(summary, 12, 42)
	let x = 12
	for (const {name, tone} of series) {
		pen.fillStyle = theme.tones[tone]
		pen.fillRect(x, 59, 9, 9)
		pen.fillStyle = theme.ink2
		pen.fillText(name, x + 14, 64)
		x += pen.measureText(name).width + 34
	}
}

function writeAxes(pen: Pen, {series, from, stepS, format}: ChartProps, theme: ChartTheme, zone: TimeZone): void {
	const bottom = plot.top + plot.height
	const end = new Date(Date.parse(from) + stepsOf(series) * stepS * 1000).toISOString()
	pen.fillStyle = theme.line
	pen.fillRect(plot.left, plot.top, plot.width, 1)
	pen.fillStyle = theme.ink3
	pen.fillRect(plot.left, bottom, plot.width, 1)
	pen.fillText(formatExact(from, zone), plot.left, bottom + 18)
	pen.textAlign = 'right'
	pen.fillText(formatExact(end, zone), plot.left + plot.width, bottom + 18)
	pen.fillText(format(topOf(series)), plot.left - 8, plot.top)
	pen.fillText(format(0), plot.left - 8, bottom)
	pen.textAlign = 'left'
}

function drawSeries(pen: Pen, {values, form, tone}: ChartSeries, all: readonly ChartSeries[], theme: ChartTheme): void {
	const path = new Path2D()
	const d = form === 'bars' ? barsOf(values, topOf(all)) : lineOf(values, topOf(all))
	const scale = [plot.width / stepsOf(all), 0, 0, plot.height / 100]
	path.addPath(new Path2D(d), new DOMMatrix([...scale, plot.left, plot.top]))
	pen.fillStyle = theme.tones[tone]
	pen.strokeStyle = theme.tones[tone]
	pen.lineWidth = 1.5
	pen[form === 'bars' ? 'fill' : 'stroke'](path)
}

/** Shapes of small charts in a box of one unit per step and height 100: pure, for tests. */
type Values = readonly (number | null)[]

/** The maximum of the scale: 1, 2 or 5 times a power of ten, at least the largest value. */
export function axisTop(largest: number): number {
	if (!(largest > 0)) return 1
	const power = 10 ** Math.floor(Math.log10(largest))
	const step = [1, 2, 5, 10].find(factor => factor * power >= largest) ?? 10
	return step * power
}

/** A bar for each value above 0, as the `d` of a path. The smallest stays visible. */
export function barsOf(values: Values, top: number): string {
	return values
		.map((value, index) => {
			if (value === null || value <= 0) return ''
			const y = Math.min(98, 100 - (value / top) * 100)
			return `M${index} 100V${round(y)}H${index + 1}V100Z`
		})
		.join('')
}

/** A line through the middles of the steps, interrupted at missing values; a single value is a short dash. */
export function lineOf(values: Values, top: number): string {
	let isDown = false
	return values
		.map((value, index) => {
			if (value === null) {
				isDown = false
				return ''
			}
			const y = round(100 - (Math.min(value, top) / top) * 100)
			const begun = isDown
			isDown = true
			return begun ? `L${index + 0.5} ${y}` : `M${index + 0.2} ${y}H${index + 0.5}`
		})
		.join('')
}

/** Combines `each` steps, the last group perhaps fewer; without any value the result is `null`. */
export function foldTo(values: Values, each: number, how: 'sum' | 'max'): Values {
	const groups = Array.from({length: Math.ceil(values.length / each)}, (_, index) =>
		values.slice(index * each, (index + 1) * each).filter(value => value !== null),
	)
	return groups.map(group => {
		if (group.length === 0) return null
		return how === 'sum' ? group.reduce((sum, value) => sum + value, 0) : Math.max(...group)
	})
}

function round(value: number): number {
	return Math.round(value * 10) / 10
}
