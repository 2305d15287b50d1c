import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { WhatIf } from '#shared/contract/guards.ts';
import type { Connection } from '#shared/model/connection.ts';
import type { GuardRules } from '#shared/model/guard.ts';
import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { useAnnounce } from '../../../ui/Announcer.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { connectionTitle } from '../../../ui/connection-words.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { draftOf, type RulesDraft, rulesOf } from './draft.ts';
import styles from './guards.module.css';
import { RulesForm } from './RulesForm.tsx';
import { t } from './text.ts';

interface GuardsDialogProps {
	readonly connection: Connection;
	readonly onClose: () => void;
}

/** What has to hold before a change of this connection. Changing it is confirmed with the connection's name, and logged. */
export function GuardsDialog({ connection, onClose }: GuardsDialogProps) {
	const { queries } = useApi();
	const stored = useQuery({
		...queries.guards.get.queryOptions({ input: { connection: connection.id } }),
		staleTime: 0,
		retry: false,
	});
	if (stored.data !== undefined)
		return <Editor key={JSON.stringify(stored.data)} connection={connection} rules={stored.data} onClose={onClose} />;
	return (
		<Dialog title={t.guardRulesOf(connection.name)} size="large" isOpen onClose={onClose}>
			{stored.error === null ? (
				<SkeletonLines lines={8} label={t.loadingGuard} />
			) : (
				<Banner tone="bad">{asCordonError(stored.error).message}</Banner>
			)}
		</Dialog>
	);
}

function Editor({ connection, rules, onClose }: GuardsDialogProps & { readonly rules: GuardRules }) {
	const { client, cache, queries } = useApi();
	const announce = useAnnounce();
	const [draft, setDraft] = useState<RulesDraft>(() => draftOf(rules));
	const [confirm, setConfirm] = useState('');
	const [tried, setTried] = useState(false);
	const { rules: wanted, problems } = rulesOf(draft);
	const whatIf = useQuery({
		...queries.guards.whatIf.queryOptions({ input: { connection: connection.id, rules: wanted ?? rules } }),
		placeholderData: keepPreviousData,
	});
	const isNamed = confirm.trim().toLowerCase() === connection.name.toLowerCase();
	const isSame = wanted !== null && JSON.stringify(wanted) === JSON.stringify(rules);
	const save = useMutation({
		mutationFn: (next: GuardRules) =>
			client.guards.set({ connection: connection.id, rules: next, confirm: confirm.trim() }),
		onSuccess: () => {
			void cache.invalidateQueries({ queryKey: queries.guards.key() });
			announce(`Guard rules of ${connection.name} changed`);
			onClose();
		},
	});
	const send = () => {
		setTried(true);
		if (wanted !== null && isNamed) save.mutate(wanted);
	};
	return (
		<Dialog
			title={t.guardRulesOf(connection.name)}
			size="large"
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button tone="primary" onPress={send} reason={save.isPending ? t.saving : isSame ? t.noChangesYet : null}>
						{t.changeRules(connectionTitle(connection))}
					</Button>
				</>
			}
		>
			<div className={styles['editor']}>
				<p className={styles['note']}>{t.guardRules}</p>
				<RulesForm connection={connection.id} draft={draft} problems={problems} onChange={setDraft} />
				<WhatIfTable rows={whatIf.data} />
				<TextField
					label={t.typeConnections(connection.name)}
					value={confirm}
					onChange={setConfirm}
					isRequired
					autoComplete="off"
					error={tried && !isNamed ? t.typeOf(connection.name) : null}
					description={t.incidentLogKeeps}
				/>
				{save.error === null ? null : <Banner tone="bad">{asCordonError(save.error).message}</Banner>}
			</div>
		</Dialog>
	);
}

/** The rules, told by examples, as they are typed. */
function WhatIfTable({ rows }: { readonly rows: readonly WhatIf[] | undefined }) {
	return (
		<table className={styles['table']}>
			<caption className={styles['caption']}>{t.whatHappens}</caption>
			<thead>
				<tr>
					<th scope="col">{t.computers}</th>
					<th scope="col">{t.tier}</th>
					<th scope="col">{t.whatIsAsked}</th>
				</tr>
			</thead>
			<tbody>
				{(rows ?? []).map(({ what, answer, tier, refused }) => (
					<tr key={what}>
						<th scope="row">{what}</th>
						<td>
							{refused ? <Tag tone="bad">{t.refused}</Tag> : <Tag tone={tier === 3 ? 'warn' : 'plain'}>{tier}</Tag>}
						</td>
						<td>{answer}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
