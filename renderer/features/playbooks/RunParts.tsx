/** Parts of a run: what it asks, what failed, and its steps as a list. */
import { useState } from 'react';

import type { PlaybookQuestion, PlaybookStepRun } from '#shared/model/playbook.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './playbooks.module.css';
import { stateWords, stepTones } from './steps.ts';
import { t } from './text.ts';

export type Act = (work: () => Promise<unknown>) => void;

interface QuestionProps {
	readonly run: string;
	readonly question: PlaybookQuestion;
	readonly act: Act;
}

export function Question({ run, question: { step, name, question, free, approval }, act }: QuestionProps) {
	const { client } = useApi();
	const [text, setText] = useState('');
	const answer = (given: string) => act(() => client.playbooks.answer({ run, step, answer: given, reason: null }));
	return (
		<section className={styles['question']} aria-label={t.questionOf(name)}>
			<Banner tone="warning">{question}</Banner>
			<div className={styles['row']}>
				{free ? (
					<>
						<TextField label={t.answer} value={text} onChange={setText} />
						<Button
							tone="primary"
							onPress={() => answer(text)}
							reason={text.trim() === '' ? t.missing(t.answer) : null}
						>
							{t.answer}
						</Button>
					</>
				) : null}
				{approval === null ? null : <Link href="/approvals">{t.toApprovals}</Link>}
				{free || approval !== null ? null : (
					<>
						<Button tone="primary" onPress={() => answer('yes')}>
							{t.yesToIt}
						</Button>
						<Button onPress={() => answer('no')}>{t.noToIt}</Button>
					</>
				)}
			</div>
		</section>
	);
}

interface FailedStepProps {
	readonly run: string;
	readonly step: string;
	readonly name: string;
	readonly act: Act;
}

export function FailedStep({ run, step, name, act }: FailedStepProps) {
	const { client } = useApi();
	const [reason, setReason] = useState('');
	return (
		<div className={styles['row']} role="group" aria-label={t.failedStep(name)}>
			<strong>{name}</strong>
			<Button tone="primary" onPress={() => act(() => client.playbooks.retry({ run, step }))}>
				{t.retryStep}
			</Button>
			<TextField label={t.reasonForSkipping} value={reason} onChange={setReason} />
			<Button
				onPress={() => act(() => client.playbooks.skip({ run, step, reason }))}
				reason={reason.trim() === '' ? t.missing(t.reasonForSkipping) : null}
			>
				{t.skipStep}
			</Button>
		</div>
	);
}

export function Steps({ steps }: { readonly steps: readonly PlaybookStepRun[] }) {
	return (
		<PlainTable>
			<caption className={styles['dim']}>{t.stepsOfRun}</caption>
			<tbody>
				{steps.map(({ id, name, kind, state, attempt, begunAt, error, output }) => (
					<tr key={id}>
						<th scope="row">{name}</th>
						<td>
							<Tag tone={stepTones[state]}>{stateWords({ kind, state })}</Tag>
						</td>
						<td>{attempt > 1 ? t.attemptOf(attempt) : null}</td>
						<td>{begunAt === null ? null : <Time at={begunAt} />}</td>
						<td className={styles['result']} title={resultOf(error, output)}>
							{resultOf(error, output)}
						</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}

function resultOf(error: PlaybookStepRun['error'], output: unknown): string {
	if (error !== null) return error.message;
	if (typeof output === 'string') return output;
	const answer: unknown = typeof output === 'object' && output !== null && 'payload' in output ? output.payload : null;
	return typeof answer === 'object' && answer !== null && 'answer' in answer ? String(answer.answer) : '';
}
