import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import type { Approval } from '#shared/model/approval.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { unseen } from '../../ui/unseen.ts';
import { AnswerDialog } from './AnswerDialog.tsx';
import styles from './approvals.module.css';
import { EditDialog } from './EditDialog.tsx';
import { KeysPart } from './KeysPart.tsx';
import { t } from './text.ts';
import { WaitingCard, type Act } from './WaitingCard.tsx';
import { answerWords, states, toldOf, waits } from './words.ts';

const shownEnded = 100;

/** What waits for another person, what came of the rest, and whose keys count. */
export function ApprovalsScreen() {
	const { queries } = useApi();
	const { data, error, refetch } = useQuery({
		...queries.approvals.list.queryOptions({ input: { all: true } }),
		staleTime: 0,
	});
	const [chosen, setChosen] = useState<{ readonly act: Act; readonly approval: Approval } | null>(null);
	const [told, setTold] = useState<string | null>(null);
	const close = (outcome?: string): void => {
		setChosen(null);
		if (outcome !== undefined) setTold(outcome);
		void refetch();
	};
	if (error !== null && data === undefined)
		return <ErrorState error={asCordonError(error)} title={t.couldNotLoadApprovals} onRetry={() => void refetch()} />;
	const waiting = data?.filter(waits) ?? [];
	const ended = data?.filter((one) => !waits(one)) ?? [];
	return (
		<Screen>
			<ScreenBar
				title={t.approvals}
				facts={data === undefined ? undefined : <span>{formatCount(waiting.length)}</span>}
			>
				<SignatureButton onTaken={close} />
			</ScreenBar>
			<div className={styles['scroll']}>
				{told === null ? null : <Banner tone="info">{told}</Banner>}
				{data === undefined ? (
					<SkeletonLines lines={6} label={t.approvals} />
				) : waiting.length === 0 ? (
					<EmptyState title={t.nothingWaits}>{t.whatWaits}</EmptyState>
				) : (
					waiting.map((one) => (
						<WaitingCard key={one.id} approval={one} onAct={(act) => setChosen({ act, approval: one })} />
					))
				)}
				<KeysPart />
				<h2>{t.ended}</h2>
				{ended.length === 0 ? <p className={styles['dim']}>{t.noneEnded}</p> : <Ended rows={ended} />}
			</div>
			{chosen === null ? null : chosen.act === 'edit' ? (
				<EditDialog approval={chosen.approval} onClose={close} />
			) : (
				<AnswerDialog act={chosen.act} approval={chosen.approval} onClose={close} />
			)}
		</Screen>
	);
}

/** A signature that was made on another computer. */
function SignatureButton({ onTaken }: { readonly onTaken: (outcome: string) => void }) {
	const { client } = useApi();
	const picker = useRef<HTMLInputElement>(null);
	const take = useMutation({
		mutationFn: async (file: File) => await client.approvals.accept({ text: await file.text() }),
		onSuccess: (approval) => onTaken(approval === null ? t.signatureKept : toldOf(approval)),
		onError: (error) => onTaken(asCordonError(error).message),
	});
	return (
		<>
			<Button onPress={() => picker.current?.click()}>{t.takeSignature}</Button>
			<input
				ref={picker}
				type="file"
				accept=".json,.sig,application/json"
				aria-label={t.takeSignature}
				className={unseen}
				tabIndex={-1}
				onChange={(event) => {
					const [file] = event.target.files ?? [];
					if (file !== undefined) take.mutate(file);
					event.target.value = '';
				}}
			/>
		</>
	);
}

function Ended({ rows }: { readonly rows: readonly Approval[] }) {
	return (
		<PlainTable>
			<thead>
				<tr>
					{[t.what, t.state, t.requestedBy, t.answers, t.outcome].map((title) => (
						<th key={title} scope="col">
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.slice(0, shownEnded).map(({ id, title, state, requester, requestedAt, answers, outcome, run }) => (
					<tr key={id}>
						<th scope="row" className={styles['wrap']}>
							{run === null ? title : <Link href={`/playbooks/${run.id}`}>{title}</Link>}
						</th>
						<td>
							<Tag tone={states[state].tone}>{states[state].word}</Tag>
						</td>
						<td>
							{requester} <Time at={requestedAt} />
						</td>
						<td className={styles['wrap']}>
							{answers.map((one) => (
								<div key={`${one.at} ${one.by}`}>
									{answerWords(one)} <Time at={one.at} />
								</div>
							))}
						</td>
						<td className={styles['wrap']}>{outcome}</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}
