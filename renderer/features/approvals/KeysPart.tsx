import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { KeyView } from '#shared/model/approval.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './approvals.module.css';
import { CreateKeyDialog, RevokeKeyDialog, TrustKeyDialog } from './KeyDialogs.tsx';
import { t } from './text.ts';

type Shown = { readonly kind: 'create' | 'add' } | { readonly kind: 'trust' | 'revoke'; readonly key: KeyView };

/** Whose signatures count here, and own keys. */
export function KeysPart() {
	const { queries } = useApi();
	const { data = [], error, refetch } = useQuery(queries.approvals.keys.queryOptions());
	const [shown, setShown] = useState<Shown | null>(null);
	const close = (): void => {
		setShown(null);
		void refetch();
	};
	return (
		<section className={styles['fields']} aria-label={t.keys}>
			<div className={styles['row']}>
				<h2>{t.keys}</h2>
				<Button size="small" onPress={() => setShown({ kind: 'create' })} aria-haspopup="dialog">
					{t.createKeyMore}
				</Button>
				<Button size="small" onPress={() => setShown({ kind: 'add' })} aria-haspopup="dialog">
					{t.addKeyMore}
				</Button>
			</div>
			<p className={styles['dim']}>{data.length === 0 ? t.noKeys : t.keysNote}</p>
			{error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
			{data.length === 0 ? null : <KeyTable keys={data} onAct={(kind, key) => setShown({ kind, key })} />}
			{shown?.kind === 'create' ? <CreateKeyDialog onClose={close} /> : null}
			{shown?.kind === 'add' ? <TrustKeyDialog known={null} onClose={close} /> : null}
			{shown?.kind === 'trust' ? <TrustKeyDialog known={shown.key} onClose={close} /> : null}
			{shown?.kind === 'revoke' ? <RevokeKeyDialog known={shown.key} onClose={close} /> : null}
		</section>
	);
}

interface TableProps {
	readonly keys: readonly KeyView[];
	readonly onAct: (act: 'trust' | 'revoke', key: KeyView) => void;
}

function KeyTable({ keys, onAct }: TableProps) {
	return (
		<PlainTable>
			<thead>
				<tr>
					{[t.person, t.usedFor, t.groups, t.signWith, t.state].map((title) => (
						<th key={title} scope="col">
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{keys.map((key) => (
					<tr key={`${key.origin} ${key.id} ${key.use}`}>
						<th scope="row">{key.name}</th>
						<td>{key.use === 'approve' ? t.useApprove : t.usePublish}</td>
						<td>{key.groups.join(', ')}</td>
						<td>
							<span className={styles['row']}>
								<code>{key.id.slice(0, 16)}</code> <CopyButton text={key.publicKey} what={t.copyPublicKey} />
							</span>
						</td>
						<td>
							<KeyTags of={key} />
						</td>
						<td>
							{key.origin === 'managed' || key.revokedAt !== null ? null : (
								<span className={styles['row']}>
									{key.trusted ? null : (
										<Button
											size="small"
											onPress={() => onAct('trust', key)}
											aria-haspopup="dialog"
											aria-label={t.trustNamed(key.name)}
										>
											{t.trustMore}
										</Button>
									)}
									<Button
										size="small"
										onPress={() => onAct('revoke', key)}
										aria-haspopup="dialog"
										aria-label={t.revokeNamed(key.name)}
									>
										{t.revokeMore}
									</Button>
								</span>
							)}
						</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}

function KeyTags({ of: { trusted, revokedAt, own, origin } }: { readonly of: KeyView }) {
	return (
		<>
			{revokedAt !== null ? (
				<Tag tone="bad">{t.revoked}</Tag>
			) : trusted ? (
				<Tag tone="ok">{t.trusted}</Tag>
			) : (
				<Tag tone="warn">{t.notTrusted}</Tag>
			)}{' '}
			{own ? <Tag>{t.ownKey}</Tag> : null} {origin === 'managed' ? <Tag>{t.managed}</Tag> : null}
		</>
	);
}
