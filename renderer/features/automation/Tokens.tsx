import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { scopeWords, type AccessToken, type MadeToken, type TokenKind } from '#shared/model/door.ts';
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

/** Programs that may come, until when, and what they did. */
export function Tokens() {
	return <Doors kind="program" />;
}

/** The same of assistants. */
export function Assistants() {
	return <Doors kind="assistant" />;
}

const words = {
	program: { all: t.tokens, none: t.noTokens, make: t.createTokenMore, end: t.revoke, endNamed: t.revokeToken },
	assistant: {
		...{ all: t.assistants, none: t.noAssistants, make: t.enableAssistantMore },
		...{ end: t.disable, endNamed: t.disableNamed },
	},
} as const;

function Doors({ kind }: { readonly kind: TokenKind }) {
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
				<SkeletonLines lines={3} label={words[kind].all} />
			) : (
				<Table kind={kind} all={list.data.filter((one) => one.kind === kind)} onRevoke={revoke.mutate} />
			)}
			<div className={styles['row']}>
				<Button onPress={() => setMaking(true)} aria-haspopup="dialog">
					{words[kind].make}
				</Button>
			</div>
			{isMaking ? (
				<TokenDialog
					kind={kind}
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

function NewToken({ made: { name, token, kind } }: { readonly made: MadeToken }) {
	return (
		<Banner tone="warning">
			{kind === 'assistant' ? t.startedAs(name) : null}
			{t.shownOnce(name)}
			<span className={styles['token']}>
				{token} <CopyButton text={token} what={t.token} />
			</span>
		</Banner>
	);
}

interface TableProps {
	readonly kind: TokenKind;
	readonly all: readonly AccessToken[];
	readonly onRevoke: (id: string) => void;
}

function Table({ kind, all, onRevoke }: TableProps) {
	const { queries } = useApi();
	const { data: connections = [] } = useQuery(queries.connections.list.queryOptions());
	if (all.length === 0) return <p className={styles['dim']}>{words[kind].none}</p>;
	const named = (ids: readonly string[]): string =>
		ids.map((id) => connections.find((one) => one.id === id)?.name ?? id).join(', ');
	return (
		<PlainTable>
			<thead>
				<tr>
					{[t.name, t.scope, t.connections, t.state, t.expires, t.lastUse, t.requests, t.refused, ''].map((title) => (
						<th key={title} scope="col">
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{all.map((one) => (
					<tr key={one.id}>
						<th scope="row">{one.name}</th>
						<td>{scopeWords(one)}</td>
						<td>{named(one.connections)}</td>
						<td>
							<Tag tone={tones[one.state]}>{one.state}</Tag>
						</td>
						<td>
							<Time at={one.endsAt} form="exact" />
						</td>
						<td>
							<Time at={one.usedAt} unknown={t.never} /> {kind === 'assistant' ? one.client : null}
						</td>
						<td>{formatCount(one.requests)}</td>
						<td>{formatCount(one.refused)}</td>
						<td>
							{one.state === 'live' ? (
								<Button size="small" onPress={() => onRevoke(one.id)} aria-label={words[kind].endNamed(one.name)}>
									{words[kind].end}
								</Button>
							) : null}
						</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}
