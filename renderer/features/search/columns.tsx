import type { ActivityComputer } from '#shared/contract/search.ts';

import type { TableColumn } from '../../ui/table/types.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { t } from './text.ts';

/** `hasEvents`: whether it can be told who is silent. */
export function activityColumns(hasEvents: boolean): readonly TableColumn<ActivityComputer>[] {
	const told: TableColumn<ActivityComputer> = {
		id: 'silent',
		title: 'Stored events',
		width: 104,
		cell: ({ silent }) => (silent ? <Tag tone="hold">{t.noLocalEventsTitle}</Tag> : <Tag>{t.named}</Tag>),
	};
	return [
		{ id: 'name', title: 'Computer', width: 130, look: 'name', cell: ({ hostname }) => <Text value={hostname} /> },
		...(hasEvents ? [told] : []),
		{
			id: 'group',
			title: 'Group',
			width: 130,
			yields: 2,
			cell: (row) => <Text value={row.group ?? t.notListedHere} />,
		},
		{ id: 'os', title: 'System', width: 120, yields: 3, look: 'dim', cell: ({ os }) => <Text value={os} /> },
		{
			id: 'seen',
			title: 'Last seen',
			width: 100,
			yields: 1,
			look: 'dim',
			cell: ({ lastSeen, active }) => (active ? <Time at={lastSeen} unknown="–" /> : 'inactive'),
		},
	];
}

function Text({ value }: { readonly value: string }) {
	return <span title={value}>{value}</span>;
}
