import type {ReactNode, Ref} from 'react'

import type {RowActs} from './RowMenu.tsx'

export interface TableHandle {
	/** Moves the cursor and brings it into view. */
	goTo(index: number): void
	/** Moves the cursor mark to the new row of its object, -1 for none; scrolls to it, or to the top, only in a new list. */
	place(index: number, isNew?: boolean): void
	/** The row at the cursor is gone: the one in its place is marked. */
	pass(): void
	focus(): void
	/** The reader's reference row: at the cursor if visible, else the first visible; `null` at the top. */
	anchor(): number | null
	/** Scrolls by this many rows, down if positive. */
	shift(rows: number): void
	/** Whether any selected row is visible. */
	showsSelection(): boolean
}

export interface DataTableProps<Row> extends TableActions<Row> {
	label: string
	source: RowSource<Row>
	columns: readonly TableColumn<Row>[]
	rowKey: (row: Row) => string
	/** A row in words, for announcements. */
	describe: (row: Row) => string
	sort?: TableSort | null
	onSort?: (column: string) => void
	selection?: ReadonlySet<string>
	/** Omitted when rows are not selectable. */
	onSelectionChange?: (selection: ReadonlySet<string>) => void
	/** Called when the first selected row becomes visible, or the last one invisible; an empty selection counts as visible. */
	onSelectionInView?: (isInView: boolean) => void
	/** Another value makes another list, which begins at its top or its mark. Omitted where the screen moves the mark. */
	list?: string
	rowTone?: (row: Row) => 'struck' | 'bad' | undefined
	/** Shown when there are no rows. */
	empty?: ReactNode
	isBusy?: boolean
	/** Widths of columns resized since the table was shown, in pixels; called with a short delay. */
	onWidths?: (widths: Readonly<Record<string, number>>) => void
	/** Gets the columns that fit, joined by blanks. */
	onFit?: (ids: string) => void
	handle?: Ref<TableHandle>
}

/** Rows by index. The table requests ranges and shows skeletons for missing ones. */
export interface RowSource<Row> {
	/** Number of rows, loaded or not. */
	count: number
	/** Where all are here the table keeps its mark on its object; elsewhere the screen does. */
	all?: readonly Row[]
	row(index: number): Row | undefined
	/** Called when other rows become visible; `to` is exclusive. */
	want(from: number, to: number): void
}

export interface TableColumn<Row> {
	id: string
	title: string
	/** Minimum width in pixels; grows in proportion when there is room. */
	width: number
	/** Columns that yield do so before this one is narrower. Default: `width`. */
	wants?: number
	/** Holds a time of day: `width` is for `14:02:11`, and other clocks and zones widen it. */
	hasClock?: boolean
	/** Its share of the free space; 0 keeps it at `width`. Default: `width`. */
	grows?: number
	/** Resized by the operator: does not grow. */
	isFixed?: boolean
	/** Dropped while the table is too narrow; the highest number goes first. Default: never dropped. */
	yields?: number
	sortable?: boolean
	align?: 'start' | 'end'
	/** `name` is the strong first column, `mono` for addresses and ids. */
	look?: 'plain' | 'name' | 'mono' | 'dim'
	/** Stays at the left while the others scroll sideways; pinned columns come first. */
	isPinned?: boolean
	/** Neighbours with the same band share a heading, with titles of up to two lines. */
	band?: string
	cell: (row: Row) => ReactNode
}

export interface TableSort {
	column: string
	descending: boolean
}

/** Actions of a table. */
interface TableActions<Row> {
	/** Enter, a double click, or a click on the name. */
	onOpen?: (row: Row) => void
	/** Space; a click on a row while `isPeeking` is false. */
	onPeek?: (row: Row) => void
	/** Whether the panel that follows the cursor is open. Omitted: a click opens nothing. */
	isPeeking?: boolean
	/** The context menu, beside opening and showing. It acts on the selection when the row is part of it. */
	menu?: (row: Row) => RowActs
	/** The cursor moved to another row; `undefined` while it is not loaded. `byRows`: its row went or came back. */
	onCursor?: (row: Row | undefined, index: number, byRows?: boolean) => void
	/** Ctrl+A: the caller selects all rows, including those not loaded. */
	onSelectAll?: () => void
	/** A row is dragged: put its data into the transfer. Omitted when rows cannot be dragged. */
	onDrag?: ((row: Row, transfer: DataTransfer) => void) | undefined
}
