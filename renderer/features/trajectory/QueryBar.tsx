import { useEffect, useRef, useState } from 'react';

import type { Trajectory } from '#shared/contract/sight.ts';

import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Time } from '../../ui/Time.tsx';
import { judgeQuery } from './query.ts';
import styles from './Trajectory.module.css';
import { UnderwayLine } from './UnderwayLine.tsx';
import { t } from './text.ts';
import type { Underway } from './use-readings.ts';

interface QueryBarProps {
	readonly query: string;
	readonly trajectory: Trajectory | null;
	readonly hostname: string;
	readonly underway: Underway | null;
	readonly onRead: (query: string) => void;
}

/** What to ask the service for, and what that costs. A mistake is told before it costs a call. */
export function QueryBar({ query, trajectory, hostname, underway, onRead }: QueryBarProps) {
	const [typed, setTyped] = useState(query);
	const [problem, setProblem] = useState<string | null>(null);
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => {
		setTyped(query);
		setProblem(null);
	}, [query]);
	useKey('trajectory.ask', () => field.current?.focus());
	const isReading = underway !== null;
	const judged = judgeQuery(typed);
	const submit = () => {
		setProblem(judged.problem);
		if (judged.ask === null || isReading) return;
		// The form that is asked for may differ from what was typed, and be the one that is shown already.
		setTyped(judged.ask);
		onRead(judged.ask);
	};
	const isSame = judged.ask === query || typed.trim() === query;
	return (
		<form
			className={styles['query']}
			role="search"
			onSubmit={(event) => {
				event.preventDefault();
				submit();
			}}
		>
			<TextField
				label={t.queryService}
				hideLabel
				type="search"
				inputRef={field}
				value={typed}
				onChange={(next) => {
					setTyped(next);
					setProblem(null);
				}}
				error={problem}
				mono
				placeholder={t.everythingIPv4}
				className={styles['grow']}
			/>
			{trajectory === null && isSame && !isReading ? null : (
				<Button type="submit" reason={isReading ? t.queryInProgress : null} tooltip={t.queriesService1}>
					{isReading ? t.loadingNow : trajectory !== null && isSame ? t.refreshForOneCall : t.load1Call}
				</Button>
			)}
			<span className={styles['age']}>
				{underway === null ? (
					<ReadAt trajectory={trajectory} />
				) : (
					<UnderwayLine {...{ underway, hostname }} onStopped={() => field.current?.focus()}>
						<ReadAt trajectory={trajectory} />
					</UnderwayLine>
				)}
			</span>
		</form>
	);
}

function ReadAt({ trajectory }: { readonly trajectory: Trajectory | null }) {
	if (trajectory === null) return null;
	return (
		<>
			{t.loadedInline} <Time at={trajectory.readAt} focusable />
		</>
	);
}
