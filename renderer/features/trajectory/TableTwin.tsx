import { useEffect, useMemo, useRef, type Ref } from 'react';

import type { TrajectoryPoint } from '#shared/contract/sight.ts';

import { useTimeZone } from '../../ui/Clock.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { columnsFor } from './columns.tsx';
import type { Layout } from './layout.ts';
import { partOf, type Drawn } from './merge.ts';
import styles from './Trajectory.module.css';
import { t } from './text.ts';
import { describePoint } from './words.ts';
import type { TableHandle } from '../../ui/table/types.ts';

interface TableTwinProps {
	readonly trajectory: Drawn;
	readonly layout: Layout;
	readonly selected: number | null;
	readonly onSelect: (index: number) => void;
	readonly onInspect: (index: number) => void;
	readonly handle: Ref<TableHandle>;
}

/** The same events as rows, newest first, with the same selection. */
export function TableTwin({ trajectory, layout, selected, onSelect, onInspect, handle }: TableTwinProps) {
	const zone = useTimeZone();
	const table = useRef<TableHandle>(null);
	const rows = useMemo(() => layout.points.toReversed(), [layout]);
	const rowOf = useMemo(() => new Map(rows.map(({ index }, row) => [index, row])), [rows]);
	const lanes = useMemo(() => new Map(trajectory.lanes.map((lane) => [lane.id, lane])), [trajectory]);
	const columns = useMemo(
		() => columnsFor(lanes, trajectory.parts.length < 2 ? null : (point) => hostOf(trajectory, point)),
		[lanes, trajectory],
	);
	const source = useMemo(
		() => ({ count: rows.length, row: (row: number) => rows[row], want: () => undefined }),
		[rows],
	);
	/** Where the table's own cursor is: a row, and the event that was there. */
	const cursor = useRef({ index: -1, row: -1 });
	const row = selected === null ? undefined : rowOf.get(selected);
	useEffect(() => {
		if (row === undefined) return table.current?.place(-1);
		if (cursor.current.index !== selected || cursor.current.row !== row) table.current?.goTo(row);
	}, [row, selected]);
	return (
		<div className={styles['table']}>
			<DataTable
				label={t.eventsTrajectory}
				source={source}
				columns={columns}
				rowKey={keyOf}
				describe={(point) => describePoint(point, lanes.get(point.lane)?.label ?? point.lane, zone)}
				onCursor={(point, at) => {
					if (point === undefined) return;
					cursor.current = { index: point.index, row: at };
					onSelect(point.index);
				}}
				onOpen={({ index }) => onInspect(index)}
				onPeek={({ index }) => onInspect(index)}
				handle={(made) => {
					table.current = made;
					if (typeof handle === 'function') handle(made);
					else if (handle !== null) handle.current = made;
				}}
			/>
		</div>
	);
}

function hostOf({ parts }: Drawn, { lane }: TrajectoryPoint): string {
	return parts[partOf(lane)]?.hostname ?? '';
}

function keyOf({ index }: TrajectoryPoint): string {
	return String(index);
}
