/** Headings above several columns, and columns pinned during sideways scrolling: pure. */
import type {CSSProperties} from 'react'

import type {TableColumn} from './types.ts'

type Banded = Pick<TableColumn<never>, 'band' | 'isPinned'>

export interface Band {
	title: string
	/** Index of the first column, and the number of columns. */
	from: number
	span: number
}

/** Width of the check box column, px. */
export const checkWidth = 32

const [bandHeight, twoLines] = [24, 40]

/** Bands from left to right, with empty titles over other columns; `null` without any. */
export function bandsOf(columns: readonly Banded[]): readonly Band[] | null {
	if (columns.every(({band}) => band === undefined)) return null
	const bands: Band[] = []
	for (const [from, {band: title = ''}] of columns.entries()) {
		const last = bands.at(-1)
		if (last?.title === title) bands[bands.length - 1] = {...last, span: last.span + 1}
		else bands.push({title, from, span: 1})
	}
	return bands
}

/** Height of the sticky header in pixels. */
export function headHeight(columns: readonly Banded[], rowHeight: number) {
	return bandsOf(columns) === null ? rowHeight : bandHeight + twoLines
}

/** Left offset of each pinned column, after the check boxes; last, the start of the others. */
export function pinsOf(columns: readonly Banded[], widths: readonly number[], selectable: boolean): readonly number[] {
	const pinned = columns.findIndex(({isPinned}) => isPinned !== true)
	const count = pinned < 0 ? columns.length : pinned
	const first = selectable ? checkWidth : 0
	if (count === 0) return []
	return Array.from({length: count + 1}, (_, place) => widths.slice(0, place).reduce((sum, width) => sum + width, first))
}

/** Position of a pinned column, from the table's custom properties. */
export function pinOf(column: Banded, place: number): {style?: CSSProperties} {
	return column.isPinned === true ? {style: {left: `var(--pin-${place})`}} : {}
}
