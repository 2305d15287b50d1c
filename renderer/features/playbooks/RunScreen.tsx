import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import type { PlaybookRunDetail } from '#shared/model/playbook.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { saveText } from '../../ui/save.ts';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import styles from './playbooks.module.css';
import { RunGraph } from './RunGraph.tsx';
import { FailedStep, Question, Steps, type Act } from './RunParts.tsx';
import { runTones } from './PlaybooksScreen.tsx';
import { t } from './text.ts';

const everyMs = 1000;

/** One run: its steps as they go, what it asks, and what can be done about it. */
export function RunScreen() {
	const { id } = useParams({ from: '/playbooks/$id' });
	const { queries } = useApi();
	const { data, error, refetch } = useQuery({
		...queries.playbooks.run.queryOptions({ input: { run: id } }),
		refetchInterval: ({ state }) => (state.data?.endedAt === null ? everyMs : false),
	});
	if (data !== undefined) return <Run key={id} run={data} onChange={() => void refetch()} />;
	if (error === null)
		return (
			<div className={styles['waiting']}>
				<SkeletonLines lines={8} label={t.stepsOfRun} />
			</div>
		);
	const failure = asCordonError(error);
	if (failure.code !== 'unknown_run')
		return <ErrorState error={failure} title={t.couldNotLoad} onRetry={() => void refetch()} />;
	return (
		<EmptyState title={t.thereNoRun} action={<Link href="/playbooks">{t.toPlaybooks}</Link>}>
			{failure.message}
		</EmptyState>
	);
}

interface RunProps {
	readonly run: PlaybookRunDetail;
	readonly onChange: () => void;
}

function Run({ run, onChange }: RunProps) {
	const { state, because, questions, steps, startedAt, startedBy } = run;
	const [view, setView] = useState<'graph' | 'list'>('graph');
	const act = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), onSettled: onChange });
	const failed = act.error === null ? null : asCordonError(act.error).message;
	return (
		<Screen>
			<ScreenBar within={{ list: t.playbooks, href: '/playbooks' }} title={run.title}>
				<Actions run={run} act={act.mutate} />
			</ScreenBar>
			<div className={styles['head']}>
				{failed === null ? null : <Banner tone="bad">{failed}</Banner>}
				<div className={styles['row']}>
					<Tag tone={runTones[state]}>{state}</Tag>
					<span className={styles['dim']}>
						<Time at={startedAt} /> {startedBy}
					</span>
					<span className={styles['spring']} />
					<Segments
						label={t.view}
						value={view}
						onChange={setView}
						options={[
							{ value: 'graph', title: t.graph },
							{ value: 'list', title: t.list },
						]}
					/>
				</div>
				{because === null ? null : <Banner tone={state === 'failed' ? 'bad' : 'warning'}>{because}</Banner>}
				{questions.map((question) => (
					<Question key={question.step} run={run.id} question={question} act={act.mutate} />
				))}
				{run.failed.map((step) => (
					<FailedStep
						key={step}
						run={run.id}
						step={step}
						name={steps.find(({ id }) => id === step)?.name ?? step}
						act={act.mutate}
					/>
				))}
			</div>
			{view === 'graph' ? (
				<RunGraph run={run} />
			) : (
				<div className={styles['scroll']}>
					{steps.length === 0 ? <p className={styles['dim']}>{t.noStepsYet}</p> : <Steps steps={steps} />}
				</div>
			)}
		</Screen>
	);
}

function Actions({ run: { id, state, endedAt }, act }: { readonly run: PlaybookRunDetail; readonly act: Act }) {
	const { client } = useApi();
	const navigate = useNavigate();
	const again = async (): Promise<void> => {
		const next = await client.playbooks.again({ run: id, newest: false });
		await navigate({ to: '/playbooks/$id', params: { id: next.id } });
	};
	const save = async (): Promise<void> => saveText(await client.playbooks.exportRun({ run: id }));
	if (endedAt !== null)
		return (
			<>
				<Button onPress={() => act(save)}>{t.exportRun}</Button>
				<Button onPress={() => act(again)}>{t.runAgain}</Button>
			</>
		);
	const isAtRest = state === 'paused' || state === 'interrupted';
	return (
		<>
			{isAtRest ? (
				<Button tone="primary" onPress={() => act(() => client.playbooks.resume({ run: id }))}>
					{t.resumeRun}
				</Button>
			) : (
				<Button onPress={() => act(() => client.playbooks.pause({ run: id }))}>{t.pauseRun}</Button>
			)}
			<Button onPress={() => act(() => client.playbooks.cancel({ run: id }))}>{t.cancelRun}</Button>
		</>
	);
}
