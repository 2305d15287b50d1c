import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { differencesOf, type Difference } from '#shared/model/playbook-diff.ts';
import type { PlaybookDetail, PlaybookVersion } from '#shared/model/playbook.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PlainTable } from '../../../ui/PlainTable.tsx';
import { Select } from '../../../ui/Select.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { t } from '../text.ts';
import styles from './Editor.module.css';
import type { Draft } from './edit.ts';

interface VersionsDialogProps {
	readonly title: string;
	readonly detail: PlaybookDetail;
	readonly onRestore: (version: Draft) => void;
	readonly onClose: () => void;
}

/** Every version as it was stored, what differs between two, and the way back to one. */
export function VersionsDialog({ title, detail: { id, versions, digest }, onRestore, onClose }: VersionsDialogProps) {
	const [{ older, newer }, choose] = useState({ older: versions[1]?.digest ?? digest, newer: digest });
	const [before, after] = [useVersion(id, older), useVersion(id, newer)];
	const error = before.error ?? after.error;
	const options = versions.map((one) => ({
		value: one.digest,
		label: one.digest.slice(0, 12),
		detail: one.addedAt.slice(0, 16).replace('T', ' '),
	}));
	return (
		<Dialog title={title} isOpen size="large" onClose={onClose} footer={<Button onPress={onClose}>{t.close}</Button>}>
			<div className={styles['fields']}>
				<PlainTable>
					<thead>
						<tr>
							{[t.version, t.name, t.added, t.addedBy, ''].map((one) => (
								<th key={one} scope="col">
									{one}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{versions.map((one) => (
							<Version
								key={one.digest}
								version={one}
								isNewest={one.digest === digest}
								onCompare={() => choose({ older: one.digest, newer: digest })}
							/>
						))}
					</tbody>
				</PlainTable>
				<div className={styles['row']}>
					<Select
						label={t.before}
						value={older}
						options={options}
						onChange={(value) => choose({ older: value, newer })}
					/>
					<Select
						label={t.after}
						value={newer}
						options={options}
						onChange={(value) => choose({ older, newer: value })}
					/>
					<Button
						onPress={() => before.document !== undefined && onRestore(before.document)}
						reason={older === digest || before.document === undefined ? t.thisIsNewest : null}
					>
						{t.restoreVersion(older.slice(0, 12))}
					</Button>
				</div>
				{error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
				{before.document === undefined || after.document === undefined ? (
					<SkeletonLines lines={3} label={t.differences} />
				) : (
					<Differences all={differencesOf(before.document, after.document)} />
				)}
			</div>
		</Dialog>
	);
}

function useVersion(playbook: string, version: string) {
	const { queries } = useApi();
	const { data, error } = useQuery({
		...queries.playbooks.get.queryOptions({ input: { playbook, version } }),
		staleTime: Infinity,
	});
	// Checked when it was stored.
	return { document: data?.document as Draft | undefined, error };
}

interface VersionProps {
	readonly version: PlaybookVersion;
	readonly isNewest: boolean;
	readonly onCompare: () => void;
}

function Version({ version: { digest, name, addedAt, addedBy }, isNewest, onCompare }: VersionProps) {
	return (
		<tr>
			<th scope="row">
				<code>{digest.slice(0, 12)}</code>
			</th>
			<td>{name}</td>
			<td>
				<Time at={addedAt} />
			</td>
			<td>{addedBy}</td>
			<td>
				{isNewest ? (
					t.newest
				) : (
					<Button size="small" onPress={onCompare} aria-label={t.compare(` ${digest.slice(0, 12)}`)}>
						{t.compare('')}
					</Button>
				)}
			</td>
		</tr>
	);
}

function Differences({ all }: { readonly all: readonly Difference[] }) {
	if (all.length === 0) return <p className={styles['dim']}>{t.noDifferences}</p>;
	return (
		<PlainTable>
			<caption className={styles['dim']}>{t.differences}</caption>
			<thead>
				<tr>
					{[t.step, t.field, t.before, t.after].map((title) => (
						<th key={title} scope="col">
							{title}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{all.map(({ step, field, before, after }) => (
					<tr key={`${step} ${field}`}>
						<th scope="row">{step ?? t.playbook}</th>
						<td>{field}</td>
						<td className={styles['removed']}>{before}</td>
						<td className={styles['added']}>{after}</td>
					</tr>
				))}
			</tbody>
		</PlainTable>
	);
}
