import {columnResizingFeature, columnSizingFeature, columnVisibilityFeature, tableFeatures, useTable, type ColumnDef} from '@tanstack/react-table'
import {useEffect, useEffectEvent, useMemo, useRef, type PointerEvent} from 'react'

import type {TableColumn} from './types.ts'

const features = tableFeatures({columnVisibilityFeature, columnSizingFeature, columnResizingFeature})
const noRows: readonly Record<string, never>[] = []

const narrowest = 56

export type ColumnSizes = ReturnType<typeof useColumnSizes>

/** Column widths, stored by TanStack Table. */
export function useColumnSizes<Row>(columns: readonly TableColumn<Row>[], onWidths?: (widths: Readonly<Record<string, number>>) => void) {
	const definitions = useMemo<ColumnDef<typeof features, Record<string, never>>[]>(
		() => columns.map(column => ({id: column.id, header: column.title, size: column.width, minSize: narrowest, maxSize: 1200})),
		[columns]
	)
	const table = useTable({features, columns: definitions, data: noRows, columnResizeMode: 'onChange'})
	const given = table.state.columnSizing
	useTold(given, onWidths)
	const width = (id: string) => table.getColumn(id)?.getSize() ?? narrowest
	return {
		/** For `grid-template-columns`: a column shares the free space until it is resized. */
		template: columns.map(column => (given[column.id] === undefined ? trackOf(column) : `${width(column.id)}px`)).join(' '),
		/** Minimum width of all columns in pixels. */
		minWidth: columns.reduce((sum, {id}) => sum + width(id), 0),
		/** Minimum width of each, in order. */
		widths: columns.map(({id}) => width(id)),
		startDrag(id: string, event: PointerEvent<HTMLElement>) {
			const cell = event.currentTarget.parentElement
			// A flexible column starts from its displayed width.
			if (cell !== null) table.setColumnSizing(old => ({...old, [id]: Math.round(cell.getBoundingClientRect().width)}))
			const header = table.getFlatHeaders().find(each => each.id === id)
			header?.getResizeHandler()(event.nativeEvent)
		},
		/** Resizes a column by this many pixels. */
		nudge(id: string, by: number) {
			table.setColumnSizing(old => ({...old, [id]: Math.max(narrowest, (old[id] ?? width(id)) + by)}))
		},
		reset(id: string) {
			table.getColumn(id)?.resetSize()
		}
	}
}

/** The width of a column not resized yet. */
export function trackOf({width, grows = width, isFixed = false}: Pick<TableColumn<never>, 'width' | 'grows' | 'isFixed'>) {
	const least = Math.max(narrowest, width)
	return isFixed || grows === 0 ? `${least}px` : `minmax(${least}px, ${grows}fr)`
}

/** Long enough for the end of a drag or repeated keys (ms). */
const toldAfter = 400

function useTold(given: Readonly<Record<string, number>>, onWidths: ((widths: Readonly<Record<string, number>>) => void) | undefined) {
	const tell = useEffectEvent((widths: typeof given) => onWidths?.(widths))
	const before = useRef(given)
	useEffect(() => {
		if (before.current === given) return undefined
		const timer = setTimeout(() => {
			before.current = given
			tell(given)
		}, toldAfter)
		return () => clearTimeout(timer)
	}, [given])
}
