/** Headings above several columns, and columns that stay while others scroll sideways: pure. */
import type {CSSProperties} from 'react'

import type {TableColumn} from './types.ts'

type Banded = Pick<TableColumn<never>, 'band' | 'isPinned'>

export interface Band {
	readonly title: string
	/** Place of the first of its columns, and how many stand under it. */
	readonly from: number
	readonly span: number
}

/** Room for check boxes, px. */
export const checkWidth = 32

const [bandHeight, twoLines] = [24, 40]

/** Bands from left to right, an empty title over columns that have none; `null` when no column has one. */
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

/** Height of the header in pixels, which covers so much of the rows. */
export function headHeight(columns: readonly Banded[], rowHeight: number): number {
	return bandsOf(columns) === null ? rowHeight : bandHeight + twoLines
}

/** How far from the left each pinned column stays, by its place, after the check boxes; last, where the others begin. */
export function pinsOf(columns: readonly Banded[], widths: readonly number[], selectable: boolean): readonly number[] {
	const pinned = columns.findIndex(({isPinned}) => isPinned !== true)
	const count = pinned < 0 ? columns.length : pinned
	const first = selectable ? checkWidth : 0
	if (count === 0) return []
	return Array.from({length: count + 1}, (_, place) => widths.slice(0, place).reduce((sum, width) => sum + width, first))
}

/** Where a pinned column stays, from the custom properties of the table. */
export function pinOf(column: Banded, place: number): {readonly style?: CSSProperties} {
	return column.isPinned === true ? {style: {left: `var(--pin-${place})`}} : {}
}
