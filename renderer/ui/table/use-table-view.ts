import {useVirtualizer, type VirtualItem} from '@tanstack/react-virtual'
import {
	useEffect,
	useEffectEvent,
	useImperativeHandle,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
	type DragEvent,
	type KeyboardEvent,
	type MouseEvent,
	type RefObject
} from 'react'

import {useRowHeight} from '../RowHeight.tsx'
import {useLatest} from '../use-latest.ts'
import {useSingleKeys} from '../SingleKeys.tsx'
import {t} from '../text.ts'
import {headHeight} from './bands.ts'
import {anchorRow, useKeptInView} from './kept-in-view.ts'
import {keyInTable, type TableKey} from './movement.ts'
import {keysBetween, toggled} from './picking.ts'
import {isOnLink} from './RowLink.tsx'
import type {Act} from '../Button.tsx'
import {useRowMenu} from './RowMenu.tsx'
import type {DataTableProps} from './types.ts'
import {useSecondClick} from './use-second-click.ts'

/** Callbacks of rows, stable for the life of the table, so that rows are redrawn only for their own changes. */
export interface RowHandlers {
	click(event: MouseEvent, index: number): void
	/** `extend`: also all rows up to the last one. */
	toggle(index: number, extend: boolean): void
	drag(event: DragEvent, index: number): void
}

export type TableView = ReturnType<typeof useTableView>

/** Rows drawn beyond the edges are not visible. */
function showsSelection<Row>(
	{source, selection, rowKey}: DataTableProps<Row>,
	element: HTMLElement | null,
	items: readonly VirtualItem[],
	head: number
) {
	if (element === null) return false
	const [top, bottom] = [element.scrollTop, element.scrollTop + element.clientHeight - head]
	return items.some(({index, start, end}) => {
		const row = start < bottom && end > top ? source.row(index) : undefined
		return row !== undefined && selection?.has(rowKey(row)) === true
	})
}

function useSelectionTold(shows: () => boolean, onSelectionInView: ((isInView: boolean) => void) | undefined) {
	const told = useRef<boolean>(undefined)
	useEffect(() => {
		if (onSelectionInView === undefined) return
		const isInView = shows()
		if (told.current !== isInView) onSelectionInView(isInView)
		told.current = isInView
	})
}

/** Visible rows, the cursor, and the effect of keys and clicks. */
export function useTableView<Row>(props: DataTableProps<Row>) {
	const {source} = props
	const scroller = useRef<HTMLDivElement>(null)
	const [cursor, setCursor] = useState(-1)
	const marked = useRef<Row>(undefined)
	const letters = useSingleKeys()
	const rowHeight = useRowHeight()
	const head = headHeight(props.columns, rowHeight)
	const at = Math.min(cursor, source.count - 1)
	const rows = useVirtualizer({
		count: source.count,
		getScrollElement: () => scroller.current,
		estimateSize: () => rowHeight,
		overscan: useOverscan(),
		// Covered by the sticky header.
		scrollPaddingEnd: head,
		useFlushSync: false
	})
	useEffect(() => rows.measure(), [rows, rowHeight])
	useKeptInView(scroller, at, rowHeight, head)
	const items = rows.getVirtualItems()
	const from = items[0]?.index ?? 0
	const to = (items.at(-1)?.index ?? -1) + 1
	useEffect(() => source.want(from, to), [source, from, to])
	const shows = () => showsSelection(props, scroller.current, items, head)
	// An empty selection counts as visible: the bar does not start with a message that is withdrawn.
	useSelectionTold(() => props.selection?.size === 0 || shows(), props.onSelectionInView)

	const mark = (index: number) => {
		setCursor(index)
		marked.current = source.row(index)
	}
	const acts = useActs(props, at, index => {
		mark(index)
		rows.scrollToIndex(index, {align: 'auto'})
	})
	const begin = (index: number) => rows.scrollToIndex(Math.max(0, index), {align: index < 0 ? 'start' : 'auto'})
	const place = (index: number) => {
		setCursor(index)
		acts.restart(index)
	}
	useFollowed(props, cursor, marked, {place, begin})
	useImperativeHandle(props.handle, () => ({
		goTo: index => acts.moveTo(index, false),
		place: (index, isNew = false) => {
			mark(index)
			acts.restart(index)
			if (isNew) begin(index)
		},
		pass: () => props.onCursor?.(source.row(at), at),
		focus: () => scroller.current?.focus(),
		showsSelection: shows,
		anchor: () => scroller.current && anchorIn(scroller.current, {at, rowHeight, head}),
		shift: by => {
			if (scroller.current !== null) scroller.current.scrollTop += by * rowHeight
		}
	}))

	const rowMenu = useRowMenu(scroller, at, index => {
		acts.moveTo(index, false)
		return actsOf(props, source.row(index))
	})
	const press = (event: KeyboardEvent<HTMLDivElement>) => {
		// Header buttons have their own keys.
		if (event.target !== event.currentTarget || event.defaultPrevented) return
		const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2)
		const facts = {key: event.key, shift: event.shiftKey, control: event.ctrlKey || event.metaKey, alt: event.altKey}
		const isMenu = rowMenu.press(event)
		const key = isMenu ? null : keyInTable(facts, {cursor: at, count: source.count, page, letters})
		if (!isMenu && (key === null || !acts.obey(key))) return
		// A zoomed screen scrolls, too.
		event.currentTarget.scrollIntoView({block: 'nearest'})
		event.preventDefault()
		event.stopPropagation()
	}
	return {
		scroller,
		/** Index of the row at the cursor, -1 for none. */
		at,
		items,
		/** Total height of the rows. */
		height: rows.getTotalSize(),
		on: acts.on,
		press,
		rowMenu,
		/** Selects all rows, or clears an existing selection. */
		pickAll: () => pickAll(props)
	}
}

/** Rows that are all here may move: the mark stays on its object, goes with it, and comes back with it. Of others, a new list has none. */
function useFollowed<Row>(
	{source, rowKey, onCursor, list}: DataTableProps<Row>,
	/** May be beyond the rows, where they became fewer. */
	at: number,
	marked: RefObject<Row | undefined>,
	{place, begin}: Record<'place' | 'begin', (index: number) => void>
) {
	const listed = useRef(list)
	const placeOf = () => {
		if (source.all === undefined) return listed.current === list ? at : -1
		// Marked before its row was loaded.
		const was = (marked.current ??= source.row(at))
		return was === undefined ? at : source.all.findIndex(row => rowKey(row) === rowKey(was))
	}
	const follow = useEffectEvent(() => {
		const index = placeOf()
		if (index !== at) place(index)
		if (index !== at && (index < 0 || at < 0)) onCursor?.(source.row(index), index, true)
		if (listed.current !== list) begin(index)
		listed.current = list
	})
	useLayoutEffect(() => follow(), [source, list])
}

/** Rows beyond the edges come after the first frame, which nobody has to wait for them. */
function useOverscan() {
	const [isDrawn, setDrawn] = useState(false)
	useEffect(() => {
		const timer = setTimeout(() => setDrawn(true), 200)
		return () => clearTimeout(timer)
	}, [])
	return isDrawn ? 10 : 0
}

function actsOf<Row>({menu, onOpen, isPeeking, onPeek}: DataTableProps<Row>, row: Row | undefined) {
	if (row === undefined || menu === undefined) return null
	const first: readonly Act[] = [
		...(onOpen === undefined ? [] : [[t.open, () => onOpen(row)] as const]),
		...(onPeek === undefined || isPeeking !== false ? [] : [[t.preview, () => onPeek(row)] as const])
	]
	return {own: menu(row), first}
}

function anchorIn(scroller: HTMLElement, facts: Omit<Parameters<typeof anchorRow>[0], 'top' | 'room'>) {
	return anchorRow({...facts, top: scroller.scrollTop, room: scroller.clientHeight})
}

/** While the rows belong to an earlier query, Enter and Ctrl+A wait for the new ones. */
function useLater<Act extends string>(isBusy: boolean, acts: Record<Act, () => void>) {
	const wanted = useRef<Act>(undefined)
	useEffect(() => {
		if (isBusy || wanted.current === undefined) return
		const act = wanted.current
		wanted.current = undefined
		acts[act]()
	})
	return {
		act: (act: Act) => {
			if (isBusy) wanted.current = act
			else acts[act]()
		},
		forget: () => void (wanted.current = undefined)
	}
}

/** Shift-click would select text in a browser; here it selects rows. */
function unmarkText() {
	getSelection()?.removeAllRanges()
}

function pickAll<Row>({source, selection, rowKey, onSelectionChange, onSelectAll}: DataTableProps<Row>) {
	if ((selection?.size ?? 0) > 0) onSelectionChange?.(new Set())
	else if (onSelectAll !== undefined) onSelectAll()
	else onSelectionChange?.(new Set(keysBetween(source, rowKey, 0, source.count - 1)))
}

interface ClickActs {
	moveTo(index: number, extend: boolean): void
	toggle(index: number): void
	open(index: number): void
}

/** With a modifier a click selects, on the name it opens, and elsewhere it shows the row in the panel. */
function useClick<Row>({source, isPeeking, onPeek, onOpen}: DataTableProps<Row>, {moveTo, toggle, open}: ClickActs) {
	const begin = useSecondClick<Row>(row => onOpen?.(row))
	return (event: MouseEvent, index: number) => {
		const isLink = isOnLink(event)
		const picks = event.shiftKey || event.ctrlKey || event.metaKey
		if (picks && !event.shiftKey) toggle(index)
		if (event.shiftKey) unmarkText()
		moveTo(index, event.shiftKey)
		if (picks) return
		if (isLink) return open(index)
		const row = source.row(index)
		if (row === undefined) return
		begin(event, row)
		if (isPeeking === false) onPeek?.(row)
	}
}

/** Actions on rows. `show` moves the cursor and scrolls to it. */
function useActs<Row>(props: DataTableProps<Row>, at: number, show: (index: number) => void) {
	const {source, selection, onSelectionChange, rowKey} = props
	const anchor = useRef(-1)
	/** Index of the row that is reported once it is loaded, -1 for none. */
	const awaited = useRef(-1)
	const moveTo = (index: number, extend: boolean) => {
		show(index)
		if (extend && onSelectionChange !== undefined) {
			if (anchor.current < 0) anchor.current = Math.max(0, at)
			onSelectionChange(new Set([...(selection ?? []), ...keysBetween(source, rowKey, anchor.current, index)]))
		} else anchor.current = index
		const row = source.row(index)
		awaited.current = row === undefined ? index : -1
		props.onCursor?.(row, index)
	}
	// The cursor may be ahead of loading, and of the drawing that this effect belongs to.
	useEffect(() => {
		const row = awaited.current === at ? source.row(at) : undefined
		if (row === undefined) return
		awaited.current = -1
		props.onCursor?.(row, at)
	})
	const toggle = (index: number, extend = false) => {
		const row = source.row(index)
		if (row === undefined || onSelectionChange === undefined) return
		const from = extend ? anchor.current : -1
		anchor.current = index
		if (from < 0) return onSelectionChange(toggled(selection ?? new Set(), rowKey(row)))
		unmarkText()
		onSelectionChange(new Set([...(selection ?? []), ...keysBetween(source, rowKey, from, index)]))
	}
	const open = (index: number) => {
		const row = source.row(index)
		if (row !== undefined) props.onOpen?.(row)
	}
	const later = useLater(props.isBusy === true, {open: () => open(at), all: () => props.onSelectAll?.()})
	const drag = (event: DragEvent, index: number) => {
		const row = source.row(index)
		if (row !== undefined) props.onDrag?.(row, event.dataTransfer)
	}
	const click = useClick(props, {moveTo, toggle, open})
	/** Returns whether the key had an action here. */
	const obey = (key: TableKey) => {
		const row = source.row(at)
		switch (key.kind) {
			case 'move':
				later.forget()
				moveTo(key.to, key.extend)
				return true
			case 'open':
				later.act('open')
				return props.onOpen !== undefined
			case 'peek':
				if (row !== undefined) props.onPeek?.(row)
				return true
			case 'toggle':
				toggle(at)
				return onSelectionChange !== undefined
			case 'all':
				later.act('all')
				return props.onSelectAll !== undefined
		}
	}
	const latest = useLatest({click, toggle, drag})
	const on = useMemo<RowHandlers>(
		() => ({
			click: (event, index) => latest.current.click(event, index),
			toggle: (index, extend) => latest.current.toggle(index, extend),
			drag: (event, index) => latest.current.drag(event, index)
		}),
		[latest]
	)
	const restart = (index: number) => {
		anchor.current = index
		if (index < 0) awaited.current = -1
	}
	return {moveTo, obey, on, restart}
}
