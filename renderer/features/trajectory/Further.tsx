import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';

import type { CordonError } from '#shared/contract/errors.ts';
import type { TrajectoryPoint } from '#shared/contract/sight.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { HashLinks } from '../../commands/HashLinks.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Part } from './merge.ts';
import styles from './Trajectory.module.css';
import { t } from './text.ts';

/** From an event to what else can be known or done: who else saw it, the lists that hold it, a note. */
export function Further({ point, part }: { readonly point: TrajectoryPoint; readonly part: Part }) {
	const { history } = useRouter();
	const [isNoting, setNoting] = useState(false);
	const subject = subjectOf(point);
	return (
		<>
			{subject === null ? null : <Prevalence key={subject} subject={subject} />}
			<div className={styles['narrow']} role="group" aria-label={t.searchFurther}>
				{subject === null ? null : (
					<Button size="small" onPress={() => history.push(`/search?q=${encodeURIComponent(subject)}`)}>
						{t.whoElseSaw}
					</Button>
				)}
				{point.sha256 === null ? null : <HashLinks sha256={point.sha256} size="small" />}
				<Button size="small" onPress={() => setNoting(true)} aria-haspopup="dialog">
					{t.noteMore}
				</Button>
			</div>
			{isNoting ? (
				<NoteDialog
					target={{ guid: part.guid, label: part.hostname }}
					text={`${point.at} ${point.text}${point.sha256 === null ? '' : ` (${point.sha256})`}\n`}
					onClose={() => setNoting(false)}
				/>
			) : null}
		</>
	);
}

/** What the service can be asked about: the file, or the address of a connection. */
function subjectOf({ sha256, shape, text }: TrajectoryPoint): string | null {
	if (shape !== 'network') return sha256;
	return /\b(?:\d{1,3}\.){3}\d{1,3}\b/.exec(text)?.[0] ?? sha256;
}

/** On how many computers it was seen: one call, when somebody asks. */
function Prevalence({ subject }: { readonly subject: string }) {
	const { client, queries, cache } = useApi();
	const { id: connection } = useActiveConnection();
	const input = { connection, text: subject, kind: 'activity' } as const;
	const { data } = useQuery(queries.search.asked.queryOptions({ input }));
	const [isAsking, setAsking] = useState(false);
	const [error, setError] = useState<CordonError | null>(null);
	const ask = async () => {
		setAsking(true);
		setError(null);
		try {
			const stream = await client.search.activity(input);
			// The first page tells how many there are; the search goes on from there if somebody wants to know which.
			await stream.next();
			await stream.return?.();
			await cache.invalidateQueries({ queryKey: queries.search.asked.queryKey({ input }) });
		} catch (thrown) {
			setError(asCordonError(thrown));
		} finally {
			setAsking(false);
		}
	};
	if (data !== null && data !== undefined)
		return (
			<p className={styles['hint']} role="status">
				{t.queried(
					data.error === null
						? t.seenOn(counted(data.total ?? data.computers.length, nouns.computer))
						: data.error.message,
				)}{' '}
				<Time at={data.askedAt} focusable />
			</p>
		);
	return (
		<p className={styles['hint']}>
			{error === null ? null : (
				<span className={styles['problem']} role="alert">
					{error.message}{' '}
				</span>
			)}
			<Button
				size="small"
				onPress={() => void ask()}
				reason={isAsking ? t.queryInProgress : data === undefined ? t.lookingUp : null}
			>
				{isAsking ? t.queryingMore : t.checkPrevalence}
			</Button>
		</p>
	);
}
