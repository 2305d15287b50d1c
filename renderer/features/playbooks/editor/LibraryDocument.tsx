import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import type { PlaybookDetail } from '#shared/model/playbook.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { CodeView } from '../../../ui/CodeView.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { saveText } from '../../../ui/save.ts';
import { Screen, ScreenBody } from '../../../ui/Screen.tsx';
import { ScreenBar } from '../../../ui/Toolbar.tsx';
import { LazyGraph } from '../LazyGraph.tsx';
import { StartDialog } from '../StartDialog.tsx';
import { t } from '../text.ts';
import styles from './Editor.module.css';
import type { Draft } from './edit.ts';
import { Badges } from './Badges.tsx';
import { TagsDialog } from './TagsDialog.tsx';
import { VersionsDialog } from './VersionsDialog.tsx';

const noMarks = new Map<string, never>();

/** What Cordon brings: to be read, started and copied. */
export function LibraryDocument({ detail }: { readonly detail: PlaybookDetail }) {
	const [chosen, setChosen] = useState<string | null>(null);
	// Checked when it was stored.
	const document = detail.document as unknown as Draft;
	const step = chosen === null ? undefined : document.workflow[chosen];
	return (
		<Screen>
			<ScreenBar
				within={{ list: t.playbooks, href: '/playbooks' }}
				title={detail.name}
				facts={<Badges verdict={detail.verdict} />}
			>
				<DocumentActions detail={detail} />
			</ScreenBar>
			<ScreenBody>
				<div className={styles['picture']}>
					<LazyGraph document={document} marks={noMarks} selected={chosen} onSelect={setChosen} />
				</div>
				<aside className={styles['form']} aria-label={t.document}>
					<Banner>{t.libraryIsReadOnly}</Banner>
					<p>{detail.description}</p>
					<CodeView label={step === undefined ? t.jsonOfPlaybook : t.jsonOfStep} value={step ?? document} />
				</aside>
			</ScreenBody>
		</Screen>
	);
}

interface DocumentActionsProps {
	readonly detail: PlaybookDetail;
	/** Left out: it has no versions. */
	readonly onRestore?: (version: Draft) => void;
}

type Shown = 'start' | 'versions' | 'tags';

/** What can be done with a stored playbook. */
export function DocumentActions({ detail, onRestore }: DocumentActionsProps) {
	const navigate = useNavigate();
	const { client, queries, cache } = useApi();
	const [shown, setShown] = useState<Shown | null>(null);
	const [isOpen, setOpen] = useState(false);
	const { id, name, versions } = detail;
	const remove = useMutation({
		mutationFn: () => client.playbooks.remove({ playbook: id }),
		onSuccess: () => {
			void cache.invalidateQueries({ queryKey: queries.playbooks.list.key() });
			void navigate({ to: '/playbooks' });
		},
	});
	const exported = useMutation({
		mutationFn: () => client.playbooks.export({ playbook: id }),
		onSuccess: (file) => saveText(file),
	});
	const acts: Readonly<Record<string, () => void>> = {
		copy: () =>
			void navigate({ to: '/playbooks/document/$playbook', params: { playbook: 'new' }, search: { from: id } }),
		tags: () => setShown('tags'),
		versions: () => setShown('versions'),
		export: () => exported.mutate(),
		remove: () => remove.mutate(),
	};
	const own = [
		{ id: 'versions', label: t.versionsMore, detail: String(versions.length) },
		{ id: 'remove', label: t.deletePlaybook },
	];
	const entries = [
		{ id: 'copy', label: t.copyAndChange },
		{ id: 'tags', label: t.tagsMore },
		{ id: 'export', label: t.exportPlaybook },
		...(onRestore === undefined ? [] : own),
	];
	const error = remove.error ?? exported.error;
	return (
		<>
			{error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
			<Menu
				label={t.more}
				isOpen={isOpen}
				onOpenChange={setOpen}
				groups={[{ entries }]}
				onAction={(act) => acts[act]?.()}
			/>
			{onRestore === undefined ? <Button onPress={() => acts['copy']?.()}>{t.copyAndChange}</Button> : null}
			<Button onPress={() => setShown('start')} aria-haspopup="dialog">
				{t.startMore}
			</Button>
			{shown === 'start' ? (
				<StartDialog
					playbook={detail}
					given={{}}
					onClose={() => setShown(null)}
					onStarted={(run) => void navigate({ to: '/playbooks/$id', params: { id: run.id } })}
				/>
			) : null}
			{shown === 'tags' ? <TagsDialog playbook={detail} onClose={() => setShown(null)} /> : null}
			{shown === 'versions' && onRestore !== undefined ? (
				<VersionsDialog
					title={t.versionsOf(name)}
					detail={detail}
					onClose={() => setShown(null)}
					onRestore={(version) => {
						setShown(null);
						onRestore(version);
					}}
				/>
			) : null}
		</>
	);
}
