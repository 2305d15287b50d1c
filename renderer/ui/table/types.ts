import type {ReactNode, Ref} from 'react'

export interface TableHandle {
	/** Moves the cursor and brings it into view. */
	goTo(index: number): void
	/** Puts the mark of the cursor on the row that its object has moved to, -1 for none; nothing scrolls. */
	place(index: number): void
	focus(): void
	/** The row whose place a person knows: the one with the cursor if it is in view, else the first in view; `null` at the top. */
	anchor(): number | null
	/** Scrolls by so many rows, down if positive. */
	shift(rows: number): void
	/** Whether any of the selected rows is in view at this moment. */
	showsSelection(): boolean
}

export interface DataTableProps<Row> extends TableActions<Row> {
	readonly label: string
	readonly source: RowSource<Row>
	readonly columns: readonly TableColumn<Row>[]
	readonly rowKey: (row: Row) => string
	/** A row in words, as it is announced. */
	readonly describe: (row: Row) => string
	readonly sort?: TableSort | null
	readonly onSort?: (column: string) => void
	readonly selection?: ReadonlySet<string>
	/** Left out, rows cannot be selected. */
	readonly onSelectionChange?: (selection: ReadonlySet<string>) => void
	/** Told whenever the first of the selected rows comes into view, or the last one leaves it; none selected counts as in view. */
	readonly onSelectionInView?: (isInView: boolean) => void
	readonly rowTone?: (row: Row) => 'struck' | 'bad' | undefined
	/** Shown in place of rows when there are none. */
	readonly empty?: ReactNode
	readonly isBusy?: boolean
	/** A person gave columns these widths, in pixels, since the table is shown; told a moment later. */
	readonly onWidths?: (widths: Readonly<Record<string, number>>) => void
	readonly handle?: Ref<TableHandle>
}

/** Rows by position. The table asks for ranges and shows skeletons for what is not there yet. */
export interface RowSource<Row> {
	/** How many rows there are, loaded or not. */
	readonly count: number
	row(index: number): Row | undefined
	/** Told whenever other rows come into view; `to` is exclusive. */
	want(from: number, to: number): void
}

export interface TableColumn<Row> {
	readonly id: string
	readonly title: string
	/** Width in pixels; it grows in proportion while there is room, and is the least. */
	readonly width: number
	/** Its share of the room that is left, beside the widths of the others; 0 keeps it at `width`. Left out: `width`. */
	readonly grows?: number
	/** A person gave it this width: it does not grow. */
	readonly isFixed?: boolean
	/** It is left out while the table is too narrow for all; the highest goes first. Left out, it always stays. */
	readonly yields?: number
	readonly sortable?: boolean
	readonly align?: 'start' | 'end'
	/** `name` is the strong first column, `mono` for addresses and ids. */
	readonly look?: 'plain' | 'name' | 'mono' | 'dim'
	/** It stays at the left while the others scroll sideways; pinned columns come first. */
	readonly isPinned?: boolean
	/** Neighbours with the same band stand under it, with titles of up to two lines. */
	readonly band?: string
	readonly cell: (row: Row) => ReactNode
}

export interface TableSort {
	readonly column: string
	readonly descending: boolean
}

/** What a person can do in the table beside looking. */
export interface TableActions<Row> {
	/** Enter or double click. */
	readonly onOpen?: (row: Row) => void
	/** Space. */
	readonly onPeek?: (row: Row) => void
	/** The cursor moved to another row; `undefined` while it is not loaded. */
	readonly onCursor?: (row: Row | undefined, index: number) => void
	/** Ctrl+A: all rows, also those that are not loaded, are the caller's business. */
	readonly onSelectAll?: () => void
	/** A row is dragged: what it stands for goes into the transfer. Left out, rows cannot be dragged. */
	readonly onDrag?: ((row: Row, transfer: DataTransfer) => void) | undefined
}
