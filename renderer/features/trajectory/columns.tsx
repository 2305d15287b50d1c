import type { TrajectoryLane, TrajectoryPoint } from '#shared/contract/sight.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { dispositionLooks, shapeLooks } from './looks.ts';
import { fileOf } from './merge.ts';

/** `hostOf`: with several computers, which one it happened on. */
export function columnsFor(
	lanes: ReadonlyMap<string, TrajectoryLane>,
	hostOf: ((point: TrajectoryPoint) => string) | null,
): readonly TableColumn<TrajectoryPoint>[] {
	const nameOf = (id: string): string => lanes.get(id)?.label ?? id;
	return [
		{ id: 'at', title: 'Time', width: 188, look: 'dim', cell: ({ at }) => <Time at={at} form="exact" /> },
		...(hostOf === null
			? []
			: [
					{
						id: 'computer',
						title: 'Computer',
						width: 116,
						cell: (point: TrajectoryPoint) => <span title={hostOf(point)}>{hostOf(point)}</span>,
					},
				]),
		{ id: 'what', title: 'What', width: 98, cell: (point) => <What point={point} /> },
		{ id: 'lane', title: 'Lane', width: 116, cell: ({ lane }) => <span title={fileOf(lane)}>{nameOf(lane)}</span> },
		{
			id: 'disposition',
			title: 'Disposition',
			width: 92,
			cell: ({ disposition }) =>
				disposition === 'none' ? (
					''
				) : (
					<Tag tone={dispositionLooks[disposition].tone}>{dispositionLooks[disposition].word}</Tag>
				),
		},
		{ id: 'text', title: 'Event', width: 216, cell: ({ text }) => <span title={text}>{text}</span> },
		{
			id: 'parent',
			title: 'Parent',
			width: 116,
			yields: 1,
			look: 'dim',
			cell: ({ parent }) =>
				parent === null ? '' : <span title={fileOf(parent)}>{fileOf(nameOf(parent)).slice(0, 24)}</span>,
		},
		{
			id: 'type',
			title: 'Type',
			width: 124,
			yields: 2,
			look: 'dim',
			cell: ({ type }) => <span title={type}>{type}</span>,
		},
	];
}

function What({ point: { shape } }: { readonly point: TrajectoryPoint }) {
	const { sign, word } = shapeLooks[shape];
	return (
		<>
			<span aria-hidden="true">{sign}</span> {word}
		</>
	);
}
