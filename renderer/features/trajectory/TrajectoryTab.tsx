import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { Trajectory } from '#shared/contract/sight.ts';
import type { ComputerRow } from '#shared/model/computer.ts';

import { Button } from '../../ui/Button.tsx';
import { EmptyState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { FailureBanner } from '../../ui/FailureBanner.tsx';
import { Link } from '../../ui/Link.tsx';
import { Reason } from '../../ui/Reason.tsx';
import { Time } from '../../ui/Time.tsx';
import { CompareBar } from './CompareBar.tsx';
import { Drawing } from './Drawing.tsx';
import { DrawingSkeleton } from './DrawingSkeleton.tsx';
import { merged, type Drawn } from './merge.ts';
import { doubtOf } from './query.ts';
import { QueryBar } from './QueryBar.tsx';
import { comparedIn } from './search.ts';
import styles from './Trajectory.module.css';
import { t } from './text.ts';
import { useCompared, type Compared } from './use-compared.ts';
import { useReading, type Reading } from './use-reading.ts';

/** What one computer did, as swim lanes: files down the side, time across. */
export function TrajectoryTab({ row }: { readonly row: ComputerRow }) {
	const search = useSearch({ from: '/computers/$guid' });
	const navigate = useNavigate({ from: '/computers/$guid' });
	const query = search.q ?? '';
	const reading = useReading(row.guid, query);
	const read = (asked: string) => {
		if (asked !== query)
			void navigate({ search: (old) => ({ ...old, q: asked === '' ? undefined : asked }), replace: true });
		reading.read(asked);
	};
	const compared = useCompared(comparedIn(search.with, row.guid), query);
	const compare = (guids: readonly string[]) =>
		void navigate({
			search: (old) => ({ ...old, with: guids.length === 0 ? undefined : guids.join(','), shared: undefined }),
			replace: true,
		});
	const onlyShared = (only: boolean) =>
		void navigate({ search: (old) => ({ ...old, shared: only ? true : undefined }), replace: true });
	const hide = (hideClean: boolean) =>
		void navigate({ search: (old) => ({ ...old, hide: hideClean ? true : undefined }), replace: true });
	return (
		<div className={styles['tab']}>
			<div className={styles['top']}>
				<QueryBar
					query={query}
					trajectory={reading.trajectory ?? null}
					hostname={row.hostname}
					underway={reading.underway}
					onRead={read}
				/>
				{reading.trajectory === null || reading.trajectory === undefined ? null : (
					<CompareBar row={row} compared={compared} onChange={compare} />
				)}
			</div>
			<Body
				{...{ row, query, reading, read, hide, compared, onlyShared }}
				hideClean={search.hide === true}
				sharedOnly={search.shared === true}
			/>
		</div>
	);
}

interface BodyProps {
	readonly row: ComputerRow;
	readonly query: string;
	readonly reading: Reading;
	readonly read: (query: string) => void;
	readonly hideClean: boolean;
	readonly hide: (hide: boolean) => void;
	readonly compared: readonly Compared[];
	readonly sharedOnly: boolean;
	readonly onlyShared: (only: boolean) => void;
}

function Body({ row, query, reading, read, hideClean, hide, compared, sharedOnly, onlyShared }: BodyProps) {
	const { trajectory, underway, error } = reading;
	const drawn = useDrawn(trajectory, compared);
	const again = () => read(query);
	if (trajectory === null || trajectory === undefined) {
		if (underway !== null) return <DrawingSkeleton label={t.loadingTrajectory(row.hostname)} />;
		if (error !== null) return <ScreenErrorState error={error} title={titleOf(error)} onRetry={again} />;
		return trajectory === null ? <NeverRead {...{ row, query, read }} /> : <DrawingSkeleton label={t.lookingStored} />;
	}
	return (
		<>
			{error === null ? null : (
				<FailureBanner
					error={error}
					tone={error.code === 'rate_limited' ? 'warning' : 'bad'}
					action={
						<Button size="small" onPress={again}>
							{t.tryAgain}
						</Button>
					}
				>
					{titleOf(error)}: <Reason error={error} /> {t.thisIsTheTimeline} <Time at={trajectory.readAt} />.
				</FailureBanner>
			)}
			{drawn === null || drawn.points.length === 0 ? (
				<Nothing {...{ row, query, read }} />
			) : (
				<Drawing
					key={`${trajectory.guid} ${trajectory.query} ${drawn.parts.map(({ guid }) => guid).join(' ')}`}
					trajectory={drawn}
					{...{ hideClean, sharedOnly }}
					onSharedOnly={onlyShared}
					onHide={hide}
					onNarrow={read}
				/>
			)}
		</>
	);
}

/** All that was read, on one axis; made anew only when one of them was read again. */
function useDrawn(first: Trajectory | null | undefined, compared: readonly Compared[]): Drawn | null {
	const others = compared.flatMap(({ trajectory }) => trajectory ?? []);
	const key = others.map(({ guid, readAt }) => `${guid} ${readAt}`).join(' ');
	const latest = useRef(others);
	latest.current = others;
	return useMemo(
		() => (first === null || first === undefined ? null : merged(first, key === '' ? [] : latest.current)),
		[first, key],
	);
}

function titleOf({ code }: CordonError): string {
	if (code === 'not_found') return 'The service does not know this computer any more';
	if (code === 'rate_limited') return 'Waiting for the API limit';
	return 'Could not load the trajectory';
}

interface QuestionProps {
	readonly row: ComputerRow;
	readonly query: string;
	readonly read: (query: string) => void;
}

function NeverRead({ row, query, read }: QuestionProps) {
	return (
		<EmptyState
			title={t.trajectoryNot}
			action={
				<Button tone="primary" onPress={() => read(query)}>
					{t.loadTrajectory}
				</Button>
			}
		>
			{t.showsWhatCreated(row.hostname, query === '' ? '' : t.limitedTo(query))}
		</EmptyState>
	);
}

function Nothing({ row, query, read }: QuestionProps) {
	const doubt = doubtOf(query);
	if (query !== '')
		return (
			<EmptyState title={t.noMatchHere} action={<Link onPress={() => read('')}>{t.loadEverything}</Link>}>
				{t.serviceKeeps(row.hostname, query, doubt === null ? '' : ` ${doubt}`)}
			</EmptyState>
		);
	return <EmptyState title={t.agentSentNothing}>{t.serviceNoEvents(row.hostname)}</EmptyState>;
}
