import {type HTMLAttributes, type ReactNode, type Ref, useEffect, useRef, useState} from 'react'

import {csvOf} from '#shared/commands/table.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {useAnnounce} from '../Announcer.tsx'
import {cx, unseen} from '../cx.ts'
import type {Act} from '../Button.tsx'
import {MoreMenu} from '../Menu.tsx'
import {saveBlob, saveText} from '../save.ts'
import {t} from '../text.ts'
import styles from './Figure.module.css'
import {basics} from './looks.ts'
import {Picture, type PictureHandle, type Place} from './Picture.tsx'
import {type ChartTheme, type Tone, useChartTheme} from './theme.ts'
import type {Draw, LegendItem, PictureOption, TwinRow, TwinTable} from './view.ts'

export interface FigureProps {
	title: string
	/** Summary of the chart, in a sentence: its accessible name, and the subtitle of its file. */
	summary: string
	draw: Draw
	table: TwinTable
	height: number
	legend?: readonly LegendItem[]
	/** Prefix of saved file names, such as `events`. */
	fileName: string
	/** Shown instead of an empty chart; `null` otherwise. */
	empty?: string | null
	/** Further controls in the head. */
	controls?: ReactNode
	/** First in its menu. */
	acts?: readonly Act[]
	/** Props of the element around the canvas that make it operable. */
	stage?: HTMLAttributes<HTMLDivElement> & {ref?: Ref<HTMLDivElement>} & Readonly<Record<`data-${string}`, string | boolean>>
	/** Over the canvas. */
	over?: ReactNode
	onPick?: ((place: Place) => void) | undefined
	handle?: Ref<PictureHandle>
}

/** Head, chart and table of every chart: one content, two forms, and a file of each. */
export function Figure(props: FigureProps) {
	const {title, summary, draw, table, height, legend = [], empty = null, controls, stage, over, onPick, handle} = props
	const [wantsTable, setTable] = useState(false)
	const [hasFailed, setFailed] = useState(false)
	const isTable = wantsTable || hasFailed
	return (
		<figure className={styles.figure}>
			<figcaption className={styles.head}>
				<h2 className={styles.title}>{title}</h2>
				<span className={styles.legends}>{!isTable && <Legend items={legend} />}</span>
				<span className={styles.controls}>
					{controls}
					<Actions {...props} isTable={isTable} onTable={setTable} canDraw={!hasFailed} />
				</span>
			</figcaption>
			{hasFailed && <p className="quiet">{t.couldNotLoadChartTable}</p>}
			{isTable ? (
				<Twin title={title} table={table} height={height} empty={empty} />
			) : empty === null ? (
				<div {...stage} className={styles.stage}>
					<Picture draw={draw} height={height} onPick={onPick} onFail={() => setFailed(true)} {...omitUndefined({handle})} />
					{over}
				</div>
			) : (
				<p className={styles.empty} style={{height}}>
					{empty}
				</p>
			)}
			<p className={unseen}>{summary}</p>
		</figure>
	)
}

interface ActionsProps extends FigureProps {
	isTable: boolean
	onTable: (isTable: boolean) => void
	canDraw: boolean
}

function Actions(props: ActionsProps) {
	const {title, table, fileName, empty = null, acts = [], isTable, onTable, canDraw} = props
	const announce = useAnnounce()
	const theme = useChartTheme()
	const savePicture = async () => {
		const {drawFile} = await import('./engine.ts')
		const size = {width: fileWidth, height: props.height + fileTop + fileBottom}
		const option = fileOption(props, theme, size)
		saveBlob(await drawFile(option, {...size, background: theme.panel}), `${fileName}.png`)
		announce('Saving image')
	}
	const saveTable = () => {
		const text = csvOf({columns: table.columns, rows: table.rows.map(({cells}) => cells)})
		saveText({name: `${fileName}.csv`, text})
		announce('Saving table')
	}
	const nothing = empty === null ? null : 'There is nothing to save.'
	const undrawn = canDraw ? null : t.couldNotLoadChart
	return (
		<MoreMenu
			label={t.chartActions(title)}
			acts={[
				...acts,
				[isTable ? t.showChart : t.showAsTable, () => onTable(!isTable), undrawn],
				[t.saveImage, () => void savePicture().catch(() => announce('Could not save the image')), undrawn ?? nothing],
				[t.saveTable, saveTable, nothing]
			]}
		/>
	)
}

const fileWidth = 1200
const fileTop = 56
const fileBottom = 28

function fileOption({title, summary, draw, legend = []}: FigureProps, theme: ChartTheme, size: Size): PictureOption {
	const height = size.height - fileTop - fileBottom
	const view = {theme, width: size.width, height, top: fileTop, bottom: fileBottom}
	const named = legend.filter(({share}) => share === undefined).map(({name}) => name)
	const look = {fontFamily: theme.font, color: theme.ink2, fontSize: 12}
	return {
		...basics(view),
		...draw(view),
		title: {text: title, subtext: summary, left: 12, top: 8, textStyle: {...look, color: theme.ink, fontSize: 15}, subtextStyle: look},
		...(named.length !== 0 && {legend: {data: named, bottom: 4, left: 12, textStyle: look}})
	}
}

interface Size {
	width: number
	height: number
}

function shareOf(tone: Tone, percent: number) {
	return `color-mix(in srgb, var(${tone === 'bad' ? '--bad' : '--accent'}) ${percent}%, color-mix(in srgb, var(--line-strong) var(--shade-ground, 35%), var(--panel)))`
}

function Legend({items}: {items: readonly LegendItem[]}) {
	const {isPatterned} = useChartTheme()
	return items.map(({name, tone, share, sign}) => (
		<span key={name} className={styles.legend}>
			{sign === undefined ? (
				<span
					className={cx(styles.swatch, share === undefined && styles[tone], isPatterned && styles.patterned)}
					aria-hidden
					{...(share !== undefined && {style: {background: shareOf(tone, share)}})}
				/>
			) : (
				<span className={cx(styles.sign, styles[tone])} aria-hidden>
					{sign}
				</span>
			)}
			{name}
		</span>
	))
}

interface TwinProps {
	title: string
	table: TwinTable
	/** Of the replaced chart: nothing jumps. */
	height: number
	empty: string | null
}

/** A chart as a table: row names act like the shapes. */
function Twin({title, table, height, empty}: TwinProps) {
	const scroll = useRef<HTMLDivElement>(null)
	useEffect(() => {
		// The selection in the chart stays visible in the table.
		scroll.current?.querySelector('[data-chosen]')?.scrollIntoView({block: 'center'})
	}, [])
	if (empty !== null)
		return (
			<p className={styles.empty} style={{height}}>
				{empty}
			</p>
		)
	return (
		<div ref={scroll} className={styles.scroll} style={{height}} tabIndex={0} role="region" aria-label={t.asATableOf(title)}>
			<table className={styles.table}>
				<thead>
					<tr>
						{table.columns.map(column => (
							<th key={column} scope="col">
								{column}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{table.rows.map(row => (
						<Row key={row.key} row={row} columns={table.columns} />
					))}
				</tbody>
			</table>
		</div>
	)
}

function Row({row, columns}: {row: TwinRow; columns: readonly string[]}) {
	const {cells, isSelected = false, onPress} = row
	const [name = '', ...rest] = cells
	return (
		<tr className={cx(isSelected && styles.selected)} {...(isSelected && {'data-chosen': true})}>
			<th scope="row">
				{onPress === undefined ? (
					name
				) : (
					<button
						type="button"
						className={styles.rowName}
						{...(row.isSelected !== undefined && {'aria-pressed': isSelected})}
						onClick={event => onPress(event.shiftKey)}
					>
						{name}
					</button>
				)}
			</th>
			{rest.map((cell, index) => (
				<td key={columns[index + 1] ?? index}>{cell}</td>
			))}
		</tr>
	)
}
