import { useMemo, useRef } from 'react';

import type { ActivityAnswer, ActivityComputer } from '#shared/contract/search.ts';
import type { Indicator } from '#shared/model/indicator.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';
import { useNavigate } from '@tanstack/react-router';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { Time } from '../../ui/Time.tsx';
import { activityColumns } from './columns.tsx';
import { Parts } from './Parts.tsx';
import { saveComputers } from './save.ts';
import type { ShownPart } from './search.ts';
import styles from './ServicePart.module.css';
import { Stopped } from './Stopped.tsx';
import { t } from './text.ts';
import type { Activity } from './use-activity.ts';
import { describeComputer, isNothingYet } from './words.ts';
import type { TableHandle } from '../../ui/table/types.ts';

interface ActivityResultProps {
	readonly activity: Activity;
	readonly indicator: Indicator;
	/** Without stored events every computer would be silent. */
	readonly hasEvents: boolean;
	readonly show: ShownPart;
	readonly onShow: (show: ShownPart) => void;
}

/** Matching computers, those of them that are silent about it, and what can be done with them. */
export function ActivityResult(props: ActivityResultProps) {
	const { activity } = props;
	const { answer, isAsking } = activity;
	return (
		<div className={styles['result']}>
			<Stopped activity={activity} />
			{answer === null || answer === undefined ? (
				isAsking ? (
					<>
						<Progress activity={activity} />
						<SkeletonLines lines={6} label={t.queryingTheService} />
					</>
				) : null
			) : (
				<Answer {...props} answer={answer} />
			)}
		</div>
	);
}

function Progress({ activity: { answer, stop } }: { readonly activity: Activity }) {
	const read = answer === null || answer === undefined || answer.phase !== 'reading' ? null : answer;
	return (
		<p className={styles['progress']} role="status">
			{read === null
				? t.queryingTheServiceMore
				: t.computersSoFar(
						formatCount(read.read),
						read.total === null ? '' : t.ofOf(formatCount(read.total)),
						counted(read.calls, nouns.call),
					)}
			<Button size="small" onPress={stop}>
				{t.stop}
			</Button>
		</p>
	);
}

function Answer({
	activity,
	answer,
	indicator,
	hasEvents,
	show,
	onShow,
}: ActivityResultProps & { readonly answer: ActivityAnswer }) {
	const navigate = useNavigate();
	const table = useRef<TableHandle>(null);
	const rows = useMemo(() => answer.computers.filter((each) => isIn(each, show)), [answer.computers, show]);
	const source = useMemo(
		() => ({ count: rows.length, row: (index: number) => rows[index], want: () => undefined }),
		[rows],
	);
	const columns = useMemo(() => activityColumns(hasEvents), [hasEvents]);
	useKey('search.silent', () => onShow(show === 'silent' ? 'all' : 'silent'));
	useKey('search.table', () => table.current?.focus());
	if (answer.phase === 'complete' && answer.computers.length === 0)
		return (
			<EmptyState title={t.noMatchNewest}>
				{t.serviceSearches(answer.value, answer.kind === 'user' ? t.session : t.sighting)}{' '}
				<Time at={answer.askedAt} focusable />.
			</EmptyState>
		);
	// Numbers of an answer that never came would say that nobody saw it; why it stopped stands above.
	if (isNothingYet(answer)) return null;
	return (
		<>
			{activity.isAsking ? <Progress activity={activity} /> : null}
			<Parts answer={answer} hasEvents={hasEvents} show={show} onShow={onShow} />
			<Actions answer={answer} rows={rows} show={show} indicator={indicator} />
			<div className={styles['table']}>
				<DataTable
					label={t.matchingComputers}
					source={source}
					columns={columns}
					rowKey={({ guid }) => guid}
					describe={describeComputer}
					onOpen={({ guid }) =>
						void navigate({
							to: '/computers/$guid',
							params: { guid },
							search: { tab: 'trajectory', q: answer.kind === 'user' ? `user:${answer.value}` : answer.value },
						})
					}
					isBusy={activity.isAsking}
					empty={
						<EmptyState
							title={show === 'silent' ? t.allLocalEvents : t.noneTitle}
							action={<Link onPress={() => onShow('all')}>{t.showAll}</Link>}
						>
							{show === 'silent' ? t.allTheseComputers : t.noneTheseComputers}
						</EmptyState>
					}
					handle={table}
				/>
			</div>
		</>
	);
}

function isIn({ silent }: ActivityComputer, show: ShownPart): boolean {
	return show === 'all' || silent === (show === 'silent');
}

/** A filter of the list of computers takes no more GUIDs than these. */
const mostInFilter = 500;

interface ActionsProps {
	readonly answer: ActivityAnswer;
	readonly rows: readonly ActivityComputer[];
	readonly show: ShownPart;
	readonly indicator: Indicator;
}

function Actions({ answer, rows, show, indicator }: ActionsProps) {
	const navigate = useNavigate();
	const announce = useAnnounce();
	const guids = rows.map(({ guid }) => guid);
	const none = rows.length === 0 ? 'No computers to export.' : null;
	const tooMany =
		rows.length > mostInFilter
			? `The list takes up to ${mostInFilter} at once: export them, or narrow them first.`
			: null;
	const copy = async () =>
		announce(
			(await writeClipboard(guids.join('\n')))
				? `${formatCount(guids.length)} GUIDs copied`
				: 'The GUIDs could not be copied',
		);
	const save = (format: 'csv' | 'json') => saveComputers({ answer, rows, show, indicator }, format);
	useKey('search.export', () => (none === null ? save('csv') : announce(none)));
	return (
		<div className={styles['actions']} role="group" aria-label={t.withTheseComputers}>
			<Button
				size="small"
				reason={none ?? tooMany}
				tooltip={t.opensListExactly}
				onPress={() => void navigate({ to: '/computers', search: { filter: `guid=${guids.join(',')}` } })}
			>
				{t.openInComputers}
			</Button>
			<Button size="small" reason={none} onPress={() => void copy()}>
				{t.copyGUIDs}
			</Button>
			<Button size="small" reason={none} onPress={() => save('csv')}>
				{t.exportCsv}
			</Button>
			<Button size="small" reason={none} onPress={() => save('json')}>
				{t.exportJson}
			</Button>
			<span className={styles['hint']}>
				{t.askedInline} <Time at={answer.askedAt} focusable />, {counted(answer.calls, nouns.call)}
			</span>
		</div>
	);
}
