import {type RefObject, useEffect, useMemo, useRef} from 'react'

import type {TrajectoryLane, TrajectoryPoint} from '#contract/insight.ts'
import {useTimeZone, Time} from '#ui/Time.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn, TableHandle} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import type {Layout} from './layout.ts'
import {dispositionLooks, shapeLooks} from './looks.ts'
import {type Drawn, fileOf, partOf} from './merge.ts'
import {t} from './text.ts'
import styles from './Trajectory.module.css'
import {describePoint} from './words.ts'

interface TableTwinProps {
	trajectory: Drawn
	layout: Layout
	selected: number | null
	onSelect: (index: number) => void
	isInspecting: boolean
	onInspect: (index: number) => void
	table: RefObject<TableHandle | null>
}

/** The same events as rows, newest first, with the same selection. */
export function TableTwin({trajectory, layout, selected, onSelect, isInspecting, onInspect, table}: TableTwinProps) {
	const zone = useTimeZone()
	const rows = useMemo(() => layout.points.toReversed(), [layout])
	const rowOf = useMemo(() => new Map(rows.map(({index}, row) => [index, row])), [rows])
	const lanes = useMemo(() => new Map(trajectory.lanes.map(lane => [lane.id, lane])), [trajectory])
	const columns = useMemo(() => columnsFor(lanes, trajectory.parts.length < 2 ? null : point => hostOf(trajectory, point)), [lanes, trajectory])
	/** The table's cursor: a row, and its event. */
	const cursor = useRef({index: -1, row: -1})
	const row = selected === null ? undefined : rowOf.get(selected)
	useEffect(() => {
		if (row === undefined) return table.current?.place(-1)
		if (cursor.current.index !== selected || cursor.current.row !== row) table.current?.goTo(row)
	}, [row, selected, table])
	return (
		<div className={styles.table}>
			<DataTable
				label={t.eventsTrajectory}
				source={rows}
				columns={columns}
				rowKey={keyOf}
				describe={point => describePoint(point, lanes.get(point.lane)?.label ?? point.lane, zone)}
				onCursor={(point, at) => {
					if (point === undefined) return
					cursor.current = {index: point.index, row: at}
					onSelect(point.index)
				}}
				onOpen={({index}) => onInspect(index)}
				isPeeking={isInspecting}
				onPeek={({index}) => onInspect(index)}
				handle={table}
			/>
		</div>
	)
}

function hostOf({parts}: Drawn, {lane}: TrajectoryPoint) {
	return parts[partOf(lane)]?.hostname ?? ''
}

function keyOf({index}: TrajectoryPoint) {
	return String(index)
}

/** `hostOf`: with several computers, the event's one. */
function columnsFor(
	lanes: ReadonlyMap<string, TrajectoryLane>,
	hostOf: ((point: TrajectoryPoint) => string) | null
): readonly TableColumn<TrajectoryPoint>[] {
	const nameOf = (id: string) => lanes.get(id)?.label ?? id
	return [
		{id: 'at', title: 'Time', width: 188, hasClock: true, look: 'dim', cell: ({at}) => <Time at={at} form="exact" />},
		...(hostOf === null
			? []
			: [{id: 'computer', title: 'Computer', width: 116, cell: (point: TrajectoryPoint) => <span title={hostOf(point)}>{hostOf(point)}</span>}]),
		{id: 'what', title: 'What', width: 98, cell: point => <What point={point} />},
		{id: 'lane', title: 'Lane', width: 116, cell: ({lane}) => <span title={fileOf(lane)}>{nameOf(lane)}</span>},
		{
			id: 'disposition',
			title: 'Disposition',
			width: 92,
			cell: ({disposition}) =>
				disposition === 'none' ? '' : <Tag tone={dispositionLooks[disposition].tone}>{dispositionLooks[disposition].word}</Tag>
		},
		{id: 'text', title: 'Event', width: 216, cell: ({text}) => text},
		{
			id: 'parent',
			title: 'Parent',
			width: 116,
			yields: 1,
			look: 'dim',
			cell: ({parent}) => (parent === null ? '' : <span title={fileOf(parent)}>{fileOf(nameOf(parent)).slice(0, 24)}</span>)
		},
		{id: 'type', title: 'Type', width: 124, yields: 2, look: 'dim', cell: ({type}) => type}
	]
}

function What({point: {shape}}: {point: TrajectoryPoint}) {
	const {sign, word} = shapeLooks[shape]
	return (
		<>
			<span aria-hidden>{sign}</span> {word}
		</>
	)
}
