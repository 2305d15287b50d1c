import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { AccessToken, MadeToken } from '#shared/model/door.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag, type Tone } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './automation.module.css';
import { t } from './text.ts';
import { TokenDialog } from './TokenDialog.tsx';

const everyMs = 5000;
const tones: Readonly<Record<AccessToken['state'], Tone>> = { live: 'ok', expired: 'warn', revoked: 'plain' };

/** Who may come, until when, and what they did. */
export function Tokens() {
	const { queries, client } = useApi();
	const [isMaking, setMaking] = useState(false);
	const [made, setMade] = useState<MadeToken | null>(null);
	const list = useQuery({ ...queries.doors.tokens.queryOptions(), refetchInterval: everyMs });
	const revoke = useMutation({
		mutationFn: (id: string) => client.doors.revoke({ id }),
		onSuccess: () => void list.refetch(),
	});
	const failed = revoke.error ?? list.error;
	return (
		<>
			{made === null ? null : <NewToken made={made} />}
			{failed === null ? null : <Banner tone="bad">{asCordonError(failed).message}</Banner>}
			{list.data === undefined ? (
				<SkeletonLines lines={3} label={t.tokens} />
			) : (
				<Table all={list.data} onRevoke={revoke.mutate} />
			)}
			<div className={styles['row']}>
				<Button onPress={() => setMaking(true)} aria-haspopup="dialog">
					{t.createTokenMore}
				</Button>
			</div>
			{isMaking ? (
				<TokenDialog
					onClose={() => setMaking(false)}
					onMade={(one) => {
						setMade(one);
						setMaking(false);
						void list.refetch();
					}}
				/>
			) : null}
		</>
	);
}

function NewToken({ made: { name, token } }: { readonly made: MadeToken }) {
	return (
		<Banner tone="warning">
			{t.shownOnce(name)}
			<span className={styles['token']}>
				{token} <CopyButton text={token} what={t.token} />
			</span>
		</Banner>
	);
}

interface TableProps {
	readonly all: readonly AccessToken[];
	readonly onRevoke: (id: string) => void;
}

function Table({ all, onRevoke }: TableProps) {
	const { queries } = useApi();
	const { data: connections = [] } = useQuery(queries.connections.list.queryOptions());
	if (all.length === 0) return <p className={styles['dim']}>{t.noTokens}</p>;
	const named = (ids: readonly string[]): string =>
		ids.map((id) => connections.find((one) => one.id === id)?.name ?? id).join(', ');
	return (
		<PlainTable>
			<thead>
				<tr>
					{[t.name, t.tokenFor, t.scope, t.connections, t.state, t.expires, t.lastUse, t.requests, t.refused, ''].map(
						(title) => (
							<th key={title} scope="col">
								{title}
							</th>
						),
					)}
				</tr>
			</thead>
			<tbody>
				{all.map((one) => (
					<tr key={one.id}>
						<th scope="row">{one.name}</th>
						<td>{one.kind}</td>
						<td>{one.scope === 'change' && one.kind === 'assistant' ? t.proposes : one.scope}</td>
						<td>{named(one.connections)}</td>
						<td>
							<Tag tone={tones[one.state]}>{one.state}</Tag>
						</td>
						<td>
							<Time at={one.endsAt} form="exact" />
						</td>
						<td title={one.client ?? ''}>
							<Time at={one.usedAt} unknown={t.never} />
						</td>
						<td>{formatCount(one.requests)}</td>
						<td>{formatCount(one.refused)}</td>
						<td>
							{one.state === 'live' ? (
								<Button size="small" onPress={() => onRevoke(one.id)} aria-label={t.revokeToken(one.name)}>
									{t.revoke}
								</Button>
							) : null}
						</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}
