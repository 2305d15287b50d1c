import { useQuery } from '@tanstack/react-query';

import { errorFromReport } from '#shared/contract/errors.ts';
import type { Overview, OverviewDuring } from '#shared/contract/sight.ts';
import type { FrameState } from '#shared/model/frame.ts';

import { useActiveConnection, useActiveFrame } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import type { TimeRange } from '../../ui/chart/histogram-shapes.ts';
import { cx } from '../../ui/cx.ts';
import { ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import { AllConnections } from './AllConnections.tsx';
import { Attention } from './Attention.tsx';
import { EventsPicture } from './EventsPicture.tsx';
import { LastActions } from './LastActions.tsx';
import { Missing } from './Missing.tsx';
import { OverviewBar } from './OverviewBar.tsx';
import styles from './OverviewScreen.module.css';
import { ConnectorsPicture, GroupsPicture, IsolationPicture } from './Pictures.tsx';
import { Tiles } from './Tiles.tsx';
import { t } from './text.ts';
import { useChosenTime } from './use-chosen-time.ts';
import { useRefreshAll } from './use-refresh-all.ts';

/** Some of it changes by time alone: a request becomes too old, a computer silent. It costs the service nothing. */
const lookAgainMs = 30_000;

/** What needs a human in the next ten minutes, and how the tenant of the window's connection stands. */
export function OverviewScreen() {
	const { queries } = useApi();
	const { id } = useActiveConnection();
	const frame = useActiveFrame();
	const { data, error, refetch } = useQuery(
		queries.overview.queryOptions({ input: { connection: id }, refetchInterval: lookAgainMs }),
	);
	return (
		<div className={styles['screen']}>
			<OverviewBar overview={data} frame={frame} />
			<Missing inventory={frame?.inventory} isToldAbove={frame?.link.kind === 'failing'} />
			<div className={styles['body']} tabIndex={-1}>
				{error !== null && data === undefined ? (
					<ErrorState error={asCordonError(error)} title={t.couldNotLoadLocalData} onRetry={() => void refetch()} />
				) : (
					<Parts overview={data} frame={frame} />
				)}
			</div>
		</div>
	);
}

interface PartsProps {
	readonly overview: Overview | undefined;
	readonly frame: FrameState | null;
}

function Parts({ overview, frame }: PartsProps) {
	const { refresh } = useRefreshAll();
	const { id: connection } = useActiveConnection();
	const inventory = frame?.inventory;
	const isKnown = overview !== undefined && (overview.computersAt !== null || (inventory?.rows ?? 0) > 0);
	const failure = isKnown || inventory?.phase !== 'failed' ? null : inventory.error;
	const isOld = inventory?.phase === 'failed' || frame?.link.kind === 'failing';
	const shown = isKnown ? overview : undefined;
	return (
		<>
			<Attention
				connection={connection}
				items={
					overview === undefined || (!isKnown && failure === null && overview.attention.length === 0)
						? undefined
						: overview.attention
				}
				checkedAt={overview?.checkedAt}
				isBlind={!isKnown}
			/>
			<AllConnections />
			{failure === null ? (
				<Tiles tiles={shown?.tiles} isOld={isOld} />
			) : (
				<Card title={t.computers}>
					<ScreenErrorState error={errorFromReport(failure)} title={t.couldNotLoadComputers} onRetry={refresh} />
				</Card>
			)}
			<div className={styles['card']}>
				<EventsPicture hasEvents={overview?.eventsAt != null} />
			</div>
			{shown !== undefined ? <Facts key={connection} overview={shown} /> : failure === null ? <FactsToCome /> : null}
		</>
	);
}

/** As high as what comes, so that nothing jumps. */
function FactsToCome() {
	return (
		<div className={styles['grid']} aria-hidden="true">
			{['groups', 'connectors'].map((each) => (
				<div key={each} className={styles['card']}>
					<Skeleton width="100%" height={262} />
				</div>
			))}
		</div>
	);
}

function Facts({ overview }: { readonly overview: Overview }) {
	const { range, isolation, lastActions } = useDuring(overview);
	return (
		<div className={styles['grid']}>
			<div className={styles['card']}>
				<GroupsPicture groups={overview.groups} />
			</div>
			<div className={styles['card']}>
				<ConnectorsPicture connectors={overview.connectors} />
			</div>
			<div className={styles['lastActions']}>
				<LastActions actions={lastActions} audit={overview.audit} range={range} />
			</div>
			<div className={cx(styles['card'], styles['isolations'])}>
				<IsolationPicture isolation={isolation ?? noIsolation} range={range} />
			</div>
		</div>
	);
}

const noIsolation = { requested: 0, accepted: 0, isolated: 0 };

/** What belongs to a time: of the one that was chosen, else the newest. */
function useDuring(overview: Overview): Partial<OverviewDuring> & { readonly range: TimeRange | null } {
	const { queries } = useApi();
	const { id: connection } = useActiveConnection();
	const { range } = useChosenTime();
	const { from, to } = range ?? { from: overview.checkedAt, to: overview.checkedAt };
	const { data } = useQuery(
		queries.overviewDuring.queryOptions({
			input: { connection, from, to },
			enabled: range !== null,
			placeholderData: (old) => old,
		}),
	);
	return { ...(range === null ? overview : data), range };
}
