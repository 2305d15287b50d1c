import {type CSSProperties, type DragEvent, memo, type ReactNode, type RefObject, useId, useLayoutEffect, useMemo, useState} from 'react'

import {ChoiceDialog} from '../ChoiceDialog.tsx'
import {cx} from '../cx.ts'
import {useKey} from '../keys/KeyRegistry.tsx'
import {Skeleton} from '../States.tsx'
import {t} from '../text.ts'
import {clockExtra} from '../time.ts'
import {useTimeZone} from '../Time.tsx'
import {checkWidth, pinOf, pinsOf} from './bands.ts'
import {type ColumnSizes, useColumnSizes} from './column-sizes.ts'
import styles from './DataTable.module.css'
import {HeaderRow} from './HeaderRow.tsx'
import {RowBox} from './RowBox.tsx'
import type {DataTableProps, RowSource, TableColumn, TableSort} from './types.ts'
import {type RowHandlers, type TableView, useTableView} from './use-table-view.ts'

type GivenRows<Row> = RowSource<Row> | readonly Row[] | undefined

interface GivenProps<Row> extends Omit<DataTableProps<Row>, 'source'> {
	/** All rows, or where they come from; `undefined` until something is known of them. */
	source: GivenRows<Row>
	/** How many grey lines stand for rows that are not known yet. */
	skeletons?: number
}

/** A grid for very many rows, of which it draws the visible ones. */
export function DataTable<Row>({source, skeletons = 20, ...props}: GivenProps<Row>) {
	const rows = useMemo(() => sourceOf(source, skeletons), [source, skeletons])
	return <Grid {...props} source={rows} />
}

function sourceOf<Row>(given: GivenRows<Row>, skeletons: number): RowSource<Row> {
	if (given !== undefined && 'want' in given) return given
	return {count: given?.length ?? skeletons, row: index => given?.[index], want: () => {}, ...(given && {all: given})}
}

function Grid<Row>(props: DataTableProps<Row>) {
	const {label, source, sort = null, onSort, onSelectionChange, onFit, empty, isBusy = false} = props
	const id = useId()
	const view = useTableView(props)
	const selectable = onSelectionChange !== undefined
	const columns = useFitting(props.columns, view.scroller, selectable)
	const fitting = columns.map(column => column.id).join(' ')
	useLayoutEffect(() => onFit?.(fitting), [fitting, onFit])
	const sizes = useColumnSizes(columns, props.onWidths)
	const isDrawn = view.items.some(item => item.index === view.at)
	return (
		<>
			<div
				ref={view.scroller}
				role="grid"
				aria-label={label}
				aria-rowcount={source.count + 1}
				aria-colcount={columns.length}
				aria-multiselectable={selectable}
				aria-busy={isBusy}
				data-opens={props.onOpen && true}
				data-acts={props.menu && true}
				data-peeks={props.onPeek && true}
				{...(isDrawn && {'aria-activedescendant': `${id}-${view.at}`, 'data-cursor': true})}
				tabIndex={0}
				className={styles.grid}
				style={{...layoutOf(sizes, selectable), ...pinsAsProperties(pinsOf(columns, sizes.widths, selectable))}}
				onKeyDown={view.press}
				onContextMenu={view.rowMenu.onContextMenu}
			>
				<HeaderRow {...{columns, sizes, sort, onSort, selectable}} picked={pickedOf(props, view.items)} onPick={view.pickAll} />
				{source.count === 0 && empty !== undefined ? <Instead>{empty}</Instead> : <Rows id={id} table={props} columns={columns} view={view} />}
				<OnPaper items={view.items} count={source.count} />
			</div>
			{view.rowMenu.menu}
			{onSort !== undefined && <SortDialog label={label} columns={props.columns} sort={sort} onSort={onSort} />}
		</>
	)
}

/** Which rows paper has. */
export function OnPaper({items, count}: {items: readonly {index: number}[]; count: number}) {
	const [first, last] = [items[0], items.at(-1)].map(item => (item?.index ?? -1) + 1)
	return <p className={styles.onPaper}>{t.rowsOnPaper(first ?? 0, last ?? 0, count)}</p>
}

/** All means the rows in sight, too. */
function pickedOf<Row>({source, selection, rowKey}: DataTableProps<Row>, items: TableView['items']): 'none' | 'some' | 'all' {
	if (selection === undefined || selection.size === 0) return 'none'
	const rows = items.map(({index}) => source.row(index))
	const isAll = selection.size >= source.count && rows.every(row => row !== undefined && selection.has(rowKey(row)))
	return isAll ? 'all' : 'some'
}

interface RowsProps<Row> {
	id: string
	table: DataTableProps<Row>
	columns: readonly TableColumn<Row>[]
	view: TableView
}

function Rows<Row>({id, table, columns, view}: RowsProps<Row>) {
	const {source, selection, rowKey, describe, rowTone} = table
	const selectable = table.onSelectionChange !== undefined
	return (
		<div role="rowgroup" className={styles.body} style={{height: view.height}}>
			{view.items.map(item => {
				const row = source.row(item.index)
				return (
					<TableRow
						key={item.index}
						id={`${id}-${item.index}`}
						index={item.index}
						top={item.start}
						row={row}
						columns={columns}
						label={row === undefined ? t.loading : describe(row)}
						isCursor={item.index === view.at}
						isSelected={selectable ? row !== undefined && selection?.has(rowKey(row)) === true : null}
						tone={row === undefined ? undefined : rowTone?.(row)}
						on={view.on}
						isDraggable={table.onDrag !== undefined && row !== undefined}
					/>
				)
			})}
		</div>
	)
}

function useFitting<Row>(columns: readonly TableColumn<Row>[], scroller: RefObject<HTMLElement | null>, selectable: boolean) {
	const [width, setWidth] = useState(Infinity)
	const [scale, setScale] = useState(1)
	useLayoutEffect(() => {
		const element = scroller.current
		if (element === null) return
		const measure = () => {
			setWidth(element.clientWidth)
			setScale(Math.max(1, parseFloat(getComputedStyle(element).fontSize) / usualText))
		}
		const observer = new ResizeObserver(measure)
		measure()
		observer.observe(element)
		return () => observer.disconnect()
	}, [scroller])
	const room = width - (selectable ? checkWidth : 0)
	const extra = clockExtra(useTimeZone()) * characterWidth
	return useMemo(() => {
		const scaled = columns.map(column =>
			column.isFixed === true
				? {...column, wants: column.width}
				: {...column, width: (column.width + (column.hasClock === true ? extra : 0)) * scale, wants: (column.wants ?? 0) * scale}
		)
		return pinnedThatFit(columnsThatFit(scaled, room), room)
	}, [columns, room, scale, extra])
}

/** Of a time, at the usual text size, in pixels. */
const characterWidth = 8

/** The text size of the given widths, in pixels. */
const usualText = 13

/** For the stylesheet: the columns, and the width below which they scroll. */
function layoutOf(sizes: ColumnSizes, selectable: boolean): CSSProperties {
	const properties: Record<string, string> = {
		'--columns': `${selectable ? `${checkWidth}px ` : ''}${sizes.template}`,
		'--min-width': `${sizes.minWidth + (selectable ? checkWidth : 0)}px`
	}
	return properties
}

/** `--pin-0` and so on, and `--pinned-room`: rows need no redraw when a pinned column is resized. */
function pinsAsProperties(pins: readonly number[]): CSSProperties {
	const named = pins.map((left, place) => [place === pins.length - 1 ? '--pinned-room' : `--pin-${place}`, `${left}px`])
	return Object.fromEntries(named)
}

function Instead({children}: {children: ReactNode}) {
	return (
		<div role="rowgroup" className={styles.empty}>
			<div role="row">
				<div role="gridcell">{children}</div>
			</div>
		</div>
	)
}

type Sized = Pick<TableColumn<never>, 'id' | 'width' | 'wants' | 'yields'>

/** The columns that fit into a width in pixels: yielding ones are dropped first. */
export function columnsThatFit<Column extends Sized>(columns: readonly Column[], width: number): readonly Column[] {
	let kept = columns
	for (;;) {
		const needed = kept.reduce((sum, {width: least, wants = 0}) => sum + Math.max(least, wants), 0)
		const next = kept.reduce<Column | null>((found, column) => (gives(column) > gives(found) ? column : found), null)
		if (needed <= width || next === null) return kept
		kept = kept.filter(column => column !== next)
	}
}

/** Most of the width for pinned columns. */
const mostPinned = 0.5

/** Where pinned columns leave too little width, the last of them scroll too. */
export function pinnedThatFit<Column extends Pick<TableColumn<never>, 'width' | 'isPinned'>>(
	columns: readonly Column[],
	width: number
): readonly Column[] {
	const pinned = columns.filter(({isPinned}) => isPinned === true)
	const needed = pinned.reduce((sum, column) => sum + column.width, 0)
	const last = pinned.at(-1)
	if (last === undefined || needed <= width * mostPinned) return columns
	return pinnedThatFit(
		columns.map(column => (column === last ? {...column, isPinned: false} : column)),
		width
	)
}

function gives(column: Sized | null) {
	return column?.yields ?? 0
}

interface SortDialogProps {
	label: string
	/** Dropped ones, too. */
	columns: readonly TableColumn<never>[]
	sort: TableSort | null
	onSort: (column: string) => void
}

/** Sorting by keyboard. */
function SortDialog({label, columns, sort, onSort}: SortDialogProps) {
	const [isOpen, setOpen] = useState(false)
	const choices = sortChoices(columns, sort)
	useKey('list.sort', () => setOpen(true), choices.length > 0)
	if (!isOpen) return null
	return (
		<ChoiceDialog
			title={t.sortOf(label.toLowerCase())}
			label={t.sortBy}
			details="beside"
			choices={choices.map(({id, title, now, next}) => ({...{id, title, detail: next}, ...(now !== null && {mark: ` · now ${now}`})}))}
			onChoose={onSort}
			onClose={() => setOpen(false)}
		/>
	)
}

interface SortChoice {
	id: string
	title: string
	/** The present direction; `null`: not sorted by it. */
	now: Direction | null
	/** The direction after choosing: the present one reversed. */
	next: Direction
}

type Direction = 'ascending' | 'descending'

/** In column order. */
export function sortChoices(
	columns: readonly Pick<TableColumn<never>, 'id' | 'title' | 'sortable'>[],
	sort: TableSort | null
): readonly SortChoice[] {
	return columns.filter(({sortable}) => sortable === true).map(({id, title}) => ({id, title, ...directions(sort?.column === id ? sort : null)}))
}

function directions(sort: TableSort | null): Pick<SortChoice, 'now' | 'next'> {
	if (sort === null) return {now: null, next: 'ascending'}
	return sort.descending ? {now: 'descending', next: 'ascending'} : {now: 'ascending', next: 'descending'}
}

interface TableRowProps<Row> {
	id: string
	index: number
	top: number
	row: Row | undefined
	columns: readonly TableColumn<Row>[]
	label: string
	isCursor: boolean
	/** `null` when rows are not selectable. */
	isSelected: boolean | null
	tone: 'struck' | 'bad' | undefined
	on: RowHandlers
	isDraggable?: boolean
}

function Row<R>({id, index, top, row, columns, label, isCursor, isSelected, tone, on, isDraggable = false}: TableRowProps<R>) {
	return (
		<div
			id={id}
			role="row"
			aria-rowindex={index + 2}
			aria-label={label}
			{...(isSelected !== null && {'aria-selected': isSelected})}
			className={cx(styles.row, isCursor && styles.cursor, isSelected === true && styles.selected, tone === 'struck' && styles.struck)}
			style={{transform: `translateY(${top}px)`}}
			onClick={event => on.click(event, index)}
			{...(isDraggable && {draggable: true, onDragStart: (event: DragEvent) => on.drag(event, index)})}
		>
			{isSelected !== null && (
				<span className={cx(styles.check, columns[0]?.isPinned === true && styles.pinnedCheck)} role="presentation">
					{row !== undefined && <RowBox isTicked={isSelected} onPress={event => on.toggle(index, event.shiftKey)} />}
				</span>
			)}
			{columns.map((column, position) => (
				<div
					key={column.id}
					role="gridcell"
					aria-colindex={position + 1}
					{...pinOf(column, position)}
					className={cx(
						'cut',
						styles.cell,
						styles[column.look ?? 'plain'],
						column.align === 'end' && styles.end,
						column.align !== 'end' && column.isPinned !== true && styles.spills,
						column.isPinned === true && styles.pinned
					)}
				>
					{row === undefined ? <Skeleton width={`${44 + ((index * 17 + position * 29) % 40)}%`} /> : column.cell(row)}
				</div>
			))}
		</div>
	)
}

const TableRow = memo(Row) as typeof Row // memo() forgets the type parameter
