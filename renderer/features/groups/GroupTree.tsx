import {useVirtualizer} from '@tanstack/react-virtual'
import {useEffect, useEffectEvent, useId, useImperativeHandle, useMemo, useRef} from 'react'

import {cx} from '#ui/cx.ts'
import {Skeleton} from '#ui/States.tsx'
import {OnPaper} from '#ui/table/DataTable.tsx'
import {useRowMenu} from '#ui/table/RowMenu.tsx'
import {useKeptInView} from '#ui/table/kept-in-view.ts'
import table from '#ui/table/DataTable.module.css'
import styles from './GroupTree.module.css'
import {t} from './text.ts'
import {TreeRow} from './TreeRow.tsx'
import {useTreeActs} from './use-tree-acts.ts'
import type {GroupTreeProps} from './use-tree-selection.ts'

/** Line height in pixels, as `--row` in tokens.css. */
const lineHeight = 28
const skeletons = 16
const titles = ['Group', 'Computers', 'Compromised', 'Isolated', 'Policies'] as const

/** The groups as a tree that draws only visible lines; one line has the cursor. */
export function GroupTree(props: GroupTreeProps) {
	const it = useGroupTree(props)
	const {lines, isBusy, empty} = props
	const {id, scroller, at, rows, acts, menu, items, isDrawn} = it
	return (
		<div className={styles.frame}>
			<div
				ref={scroller}
				role="treegrid"
				aria-label={t.groups}
				aria-rowcount={lines.length + 1}
				aria-colcount={titles.length}
				aria-multiselectable={true}
				aria-busy={isBusy}
				{...(isDrawn && {'aria-activedescendant': `${id}-${at}`, 'data-cursor': true})}
				tabIndex={0}
				className={cx(table.grid, styles.tree)}
				onKeyDown={event => {
					if (menu.press(event)) event.preventDefault()
					else acts.press(event)
				}}
				onContextMenu={menu.onContextMenu}
				onBlur={acts.endJump}
			>
				<div role="rowgroup" className={table.head}>
					<div role="row" aria-rowindex={1} className={cx(table.headRow, styles.headRow)}>
						<span role="presentation" />
						{titles.map(title => (
							<div key={title} role="columnheader" className={styles.header}>
								{title}
							</div>
						))}
					</div>
				</div>
				{lines.length > 0 ? (
					<div role="rowgroup" className={table.body} style={{height: rows.getTotalSize()}}>
						{items.map(({index, start}) => {
							const line = lines[index]
							return line === undefined ? null : (
								<TreeRow
									key={line.node.guid}
									id={`${id}-${index}`}
									index={index}
									top={start}
									line={line}
									whole={props.whole}
									odd={props.odd.get(line.node.guid)}
									isCursor={index === at}
									isSelected={props.selection.has(line.node.guid)}
									isTarget={index === acts.target}
									on={acts.on}
								/>
							)
						})}
					</div>
				) : empty === undefined ? (
					<Waiting />
				) : (
					<div role="rowgroup">
						<div role="row">
							<div role="gridcell">{empty}</div>
						</div>
					</div>
				)}
				<OnPaper items={items} count={lines.length} />
			</div>
			{menu.menu}
			{acts.jump !== null && (
				<div className={styles.jump} role="status">
					{t.jumpTo} <b>{acts.jump === '' ? t.typeBeginning : acts.jump}</b>
				</div>
			)}
		</div>
	)
}

function useGroupTree(props: GroupTreeProps) {
	const {lines, cursor} = props
	const id = useId()
	const scroller = useRef<HTMLDivElement>(null)
	const at = useMemo(() => lines.findIndex(({node}) => node.guid === cursor), [lines, cursor])
	const rows = useVirtualizer({
		count: lines.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => lineHeight,
		overscan: 10,
		scrollPaddingEnd: lineHeight,
		useFlushSync: false
	})
	useKeptInView(scroller, at, lineHeight)
	const begin = useEffectEvent(() => rows.scrollToIndex(Math.max(0, at), {align: at < 0 ? 'start' : 'auto'}))
	// Lines of another search.
	useEffect(() => begin(), [props.wanted])
	const acts = useTreeActs(props, at, index => rows.scrollToIndex(index, {align: 'auto'}))
	const menu = useRowMenu(scroller, at, index => {
		const node = lines[index]?.node
		if (node === undefined) return null
		props.onCursor(node)
		return {own: props.menu(node), first: [[t.open, () => props.onPage(node)]]}
	})
	useImperativeHandle(props.handle, () => ({
		focus: () => scroller.current?.focus(),
		show: guid => {
			const index = lines.findIndex(({node}) => node.guid === guid)
			if (index >= 0) rows.scrollToIndex(index, {align: 'auto'})
		}
	}))
	const items = rows.getVirtualItems()
	const isDrawn = items.some(({index}) => index === at)
	return {id, scroller, at, rows, acts, menu, items, isDrawn}
}

function Waiting() {
	return (
		<div role="rowgroup" className={styles.waiting}>
			{Array.from({length: skeletons}, (_, index) => (
				<div key={index} role="row" aria-label={t.loading} className={styles.skeleton}>
					<span role="gridcell" style={{paddingLeft: `${12 + ((index * 7) % 3) * 16}px`}}>
						<Skeleton width={`${90 + ((index * 37) % 110)}px`} />
					</span>
				</div>
			))}
		</div>
	)
}
