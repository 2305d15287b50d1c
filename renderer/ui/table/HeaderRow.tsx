import {ArrowDown, ArrowUp} from 'lucide-react'

import {cx} from '../cx.ts'
import {t} from '../text.ts'
import {bandsOf, pinOf, type Band} from './bands.ts'
import type {ColumnSizes} from './column-sizes.ts'
import styles from './DataTable.module.css'
import {RowBox} from './RowBox.tsx'
import type {TableColumn, TableSort} from './types.ts'

interface HeaderRowProps<Row> {
	columns: readonly TableColumn<Row>[]
	sizes: ColumnSizes
	sort: TableSort | null
	onSort: ((column: string) => void) | undefined
	selectable: boolean
	picked: 'none' | 'some' | 'all'
	/** Selects all, or clears an existing selection. */
	onPick: () => void
}

export function HeaderRow<Row>({columns, sizes, sort, onSort, selectable, picked, onPick}: HeaderRowProps<Row>) {
	const bands = bandsOf(columns)
	const hasPins = columns[0]?.isPinned === true
	return (
		<div role="rowgroup" className={styles.head}>
			{bands !== null && <BandRow bands={bands} selectable={selectable} />}
			<div role="row" aria-rowindex={1} className={cx(styles.headRow, bands !== null && styles.tall)}>
				{selectable && (
					<span role="presentation" className={cx(styles.check, hasPins && styles.pinnedCheck)}>
						<RowBox
							isTicked={picked !== 'none'}
							isPartly={picked === 'some'}
							title={picked === 'none' ? t.selectAll : t.clearSelection}
							onPress={onPick}
						/>
					</span>
				)}
				{columns.map((column, position) => {
					const sorted = sort?.column === column.id ? sort : null
					return (
						<div
							key={column.id}
							role="columnheader"
							aria-colindex={position + 1}
							{...(column.sortable === true && {'aria-sort': sorted === null ? 'none' : sorted.descending ? 'descending' : 'ascending'})}
							{...pinOf(column, position)}
							className={cx(styles.header, column.align === 'end' && styles.end, column.isPinned === true && styles.pinned)}
						>
							{column.sortable === true && onSort !== undefined ? (
								<button
									type="button"
									className={styles.sort}
									onClick={() => onSort(column.id)}
									onKeyDown={event => {
										if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
										event.preventDefault()
										event.stopPropagation()
										sizes.nudge(column.id, event.key === 'ArrowRight' ? 16 : -16)
									}}
								>
									{column.title}
									<SortMark sort={sorted} />
								</button>
							) : (
								<span className={styles.title} title={column.band === undefined ? column.title : `${column.title}, ${column.band}`}>
									{column.title}
								</span>
							)}
							<span
								aria-hidden
								className={styles.resizer}
								onPointerDown={event => sizes.startDrag(column.id, event)}
								onDoubleClick={() => sizes.reset(column.id)}
							/>
						</div>
					)
				})}
			</div>
		</div>
	)
}

/** A common heading of several columns, repeated in each column's title. */
function BandRow({bands, selectable}: {bands: readonly Band[]; selectable: boolean}) {
	return (
		<div aria-hidden className={styles.bands}>
			{selectable && <span />}
			{bands.map(({title, from, span}) => (
				<span key={from} className={cx(styles.band, title === '' && styles.noBand)} style={{gridColumn: `span ${span}`}}>
					<span className={cx(styles.bandTitle, 'cut')} title={title}>
						{title}
					</span>
				</span>
			))}
		</div>
	)
}

function SortMark({sort}: {sort: TableSort | null}) {
	if (sort === null) return <span className={styles.noMark} aria-hidden />
	const Icon = sort.descending ? ArrowDown : ArrowUp
	return <Icon size={12} aria-hidden />
}
