import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useId, useMemo, useRef, useState, type RefObject } from 'react';

import type { EventQuery, EventRow, EventWindow } from '#shared/contract/events.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { usePaged } from '../../api/pages.ts';
import { FilterBar } from '../../commands/filter/FilterBar.tsx';
import { useCursor } from '../../commands/filter/use-cursor.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import type { HistogramHandle } from '../../ui/chart/Histogram.tsx';
import { Screen, ScreenBody, ScreenMain } from '../../ui/Screen.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { columnsOf } from './columns.tsx';
import { EventsBar } from './EventsBar.tsx';
import { EventsPicture } from './EventsPicture.tsx';
import styles from './EventsScreen.module.css';
import { NoEvents, StateBanner } from './EventsStates.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { Facets } from './Facets.tsx';
import { Grouping } from './Grouping.tsx';
import { lonelyOf } from './grouping.ts';
import { PeekPanel } from './PeekPanel.tsx';
import { t } from './text.ts';
import { useEventsKeys } from './use-events-keys.ts';
import type { EventSpan } from '#shared/contract/event-views.ts';
import { useNarrowingKeys } from './use-narrowing-keys.ts';
import { useQuestion, type EventsView } from './use-question.ts';
import { useRefresh } from './use-refresh.ts';
import { useRoom } from '../../ui/use-room.ts';
import { describeEvent, describeTerm } from './words.ts';
import type { TableHandle } from '../../ui/table/types.ts';

const pageSize = 100;
/** Rows drawn as skeletons while nothing was ever read. */
const skeletonRows = 20;

/** What a choice in the picture does. */
function usePicking({ change, span }: EventsView, table: RefObject<TableHandle | null>) {
	return {
		onSpan: useCallback((next: EventSpan) => change({ span: next, from: undefined, to: undefined }), [change]),
		onBrush: useCallback(
			(range: EventsView['brush']) => change({ from: range?.from, to: range?.to, span }),
			[change, span],
		),
		onOpen: useCallback(() => table.current?.focus(), [table]),
	};
}

/** The local store of events: filter, picture, facets, rows, and one event beside them. */
export function EventsScreen() {
	const { queries, client } = useApi();
	const navigate = useNavigate();
	const announce = useAnnounce();
	const facetsId = useId();
	const view = useQuestion();
	const { search, change, filter, question } = view;
	const { refresh, isRefreshing } = useRefresh();
	const { connection } = question;
	const { data: state } = useQuery(queries.events.state.queryOptions({ input: { connection } }));
	const { data: types } = useQuery(queries.events.types.queryOptions({ input: { connection } }));
	const filterBox = useRef<HTMLInputElement>(null);
	const table = useRef<TableHandle>(null);
	const picture = useRef<HistogramHandle>(null);
	const refreshButton = useRef<HTMLButtonElement>(null);
	const currentRow = useRef<EventRow | undefined>(undefined);
	const [exporting, setExporting] = useState(false);
	const [chosenFacets, setFacets] = useState<boolean | null>(null);

	const rows = usePaged<EventRow, EventWindow>({
		pageSize,
		question: JSON.stringify(question),
		page: (offset, limit) => queries.events.query.queryOptions({ input: { ...question, offset, limit } }),
	});
	const locate = useCallback(
		(asked: EventQuery, key: string, signal: AbortSignal) => client.events.position({ ...asked, key }, { signal }),
		[client],
	);
	const revision = rows.isPrevious ? undefined : rows.newest?.revision;
	const cursor = useCursor({ question, revision, table, locate });
	// Without being asked for, they stand beside the rows as long as there is room for both.
	const room = useRoom(search.event === undefined ? 1000 : 1500);
	const hasFacets = chosenFacets ?? room;
	const picking = usePicking(view, table);
	const peek = (key: string | undefined) => change({ event: key });
	const openComputer = (row: EventRow) => {
		if (row.guid === null) return announce('This event names no computer');
		filter.settle();
		void navigate({ to: '/computers/$guid', params: { guid: row.guid }, search: {} });
	};
	useEventsKeys({
		focusFilter: () => filterBox.current?.focus(),
		focusRefresh: () => refreshButton.current?.focus(),
		beginBrush: () => picture.current?.beginBrush(),
		exportRows: () => setExporting(true),
		isPeeking: search.event !== undefined,
		closePeek: () => {
			peek(undefined);
			table.current?.focus();
		},
		currentId: () => {
			const key = cursor.current();
			return key === undefined ? undefined : currentRow.current?.key === key ? (currentRow.current.id ?? key) : key;
		},
	});
	useNarrowingKeys({
		view,
		currentRow: () => (currentRow.current?.key === cursor.current() ? currentRow.current : undefined),
		hunt: (sha256) => {
			filter.settle();
			void navigate({ to: '/search', search: { q: sha256 } });
		},
	});

	const waiting = rows.isFirstLoad || state === undefined || (state.stored === 0 && state.phase === 'loading');
	const source = useMemo(
		() => (waiting ? { count: skeletonRows, row: () => undefined, want: () => undefined } : rows),
		[waiting, rows],
	);
	return (
		<Screen>
			<EventsBar
				view={view}
				state={state}
				answer={rows.isPrevious ? undefined : rows.newest}
				filtered={filter.applied !== '' || view.isTimed || question.grouping !== 'none'}
				isRefreshing={isRefreshing}
				onRefresh={() => refresh()}
				refreshButton={refreshButton}
				onExport={() => setExporting(true)}
			/>
			<FilterBar
				facets={{ id: facetsId, isOpen: hasFacets, toggle: () => setFacets(!hasFacets) }}
				filter={filter}
				what={t.theEvents}
				example={t.anyWordHash}
				inputRef={filterBox}
				onLeave={() => table.current?.focus()}
				describe={(term) => describeTerm(term, (id) => types?.find((type) => type.id === id)?.name)}
			>
				<Grouping
					grouping={question.grouping}
					within={search.within}
					onChange={(next) => change({ grouping: undefined, within: undefined, ...next })}
				/>
			</FilterBar>
			<StateBanner state={state} onRefresh={() => refresh()} />
			<ScreenBody>
				{hasFacets ? <Facets id={facetsId} question={question} rows={rows} filter={filter} /> : null}
				<ScreenMain>
					<EventsPicture
						filter={filter.applied}
						rows={rows}
						span={view.span}
						pictured={view.pictured}
						brush={view.brush}
						{...picking}
						state={state}
						lonely={rows.isPrevious ? null : lonelyOf(question.grouping, rows.newest?.gathering)}
						onLeaveOut={view.ask}
						onReadMissing={refresh}
						handle={picture}
					/>
					<div className={styles['table']} data-shown={rows.isPrevious ? undefined : JSON.stringify(question)}>
						<DataTable
							label={t.events}
							source={source}
							columns={columnsOf(question.grouping)}
							rowKey={(row) => row.key}
							describe={describeEvent}
							onOpen={openComputer}
							onPeek={(row) => peek(row.key === search.event ? undefined : row.key)}
							onCursor={(row) => {
								cursor.set(row?.key);
								currentRow.current = row;
								if (row !== undefined && search.event !== undefined) peek(row.key);
							}}
							isBusy={rows.isPrevious || waiting}
							empty={
								<NoEvents
									state={state}
									onRefresh={() => refresh()}
									error={rows.error}
									onRetry={rows.retry}
									filter={filter.applied}
									isTimed={view.isTimed}
									onShowAll={view.showAll}
									onAllTime={() => change({ from: undefined, to: undefined, span: 'all' })}
								/>
							}
							handle={table}
						/>
					</div>
				</ScreenMain>
				{search.event === undefined ? null : (
					<PeekPanel
						eventKey={search.event}
						onClose={() => peek(undefined)}
						onOpen={openComputer}
						onPeek={peek}
						onAsk={view.ask}
					/>
				)}
			</ScreenBody>
			{exporting ? (
				<ExportDialog question={question} matching={rows.newest?.matching} onClose={() => setExporting(false)} />
			) : null}
		</Screen>
	);
}
