import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';

import { copyOf } from '#shared/model/playbook-document.ts';
import type { PlaybookDetail, PlaybookVerdict } from '#shared/model/playbook.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/EmptyState.tsx';
import { Screen, ScreenBody } from '../../../ui/Screen.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Switch } from '../../../ui/Toggle.tsx';
import { ScreenBar } from '../../../ui/Toolbar.tsx';
import { LazyGraph } from '../LazyGraph.tsx';
import { t } from '../text.ts';
import { SignatureTag } from '../SignatureTag.tsx';
import { Badges } from './Badges.tsx';
import styles from './Editor.module.css';
import { emptyDraft, newId, versionOf, type Draft } from './edit.ts';
import { JsonPart } from './JsonPart.tsx';
import { DocumentActions, LibraryDocument } from './LibraryDocument.tsx';
import { PlaybookForm } from './PlaybookForm.tsx';
import { Problems } from './Problems.tsx';
import { StepForm } from './StepForm.tsx';
import { useDraft, useEditorKeys, useVerdict } from './use-draft.ts';

/** A document: one of the library to be read and copied, an own one to be changed. */
export function EditorScreen() {
	const { playbook } = useParams({ from: '/playbooks/document/$playbook' });
	const { from } = useSearch({ from: '/playbooks/document/$playbook' });
	const { queries } = useApi();
	const source = playbook === 'new' ? from : playbook;
	const { data, error, refetch } = useQuery({
		...queries.playbooks.get.queryOptions({ input: { playbook: source ?? '' } }),
		enabled: source !== undefined,
		// What somebody writes must not be taken away by a reading.
		staleTime: Infinity,
	});
	if (source === undefined) return <NewDocument key="new" />;
	if (error !== null && data === undefined)
		return <ErrorState error={asCordonError(error)} title={t.couldNotLoadPlaybooks} onRetry={() => void refetch()} />;
	if (data === undefined) return <SkeletonLines lines={8} label={t.playbooks} />;
	if (playbook === 'new') return <NewDocument key={`copy ${source}`} source={data} />;
	if (data.origin === 'library') return <LibraryDocument key={playbook} detail={data} />;
	return <Editor key={playbook} place={data.id} first={draftOf(data)} detail={data} />;
}

function draftOf({ document }: PlaybookDetail): Draft {
	// Checked when it was stored.
	return document as unknown as Draft;
}

function NewDocument({ source }: { readonly source?: PlaybookDetail }) {
	const [first] = useState(() => {
		const now = new Date().toISOString();
		return source === undefined
			? emptyDraft(t.newPlaybook, now)
			: copyOf(draftOf(source), newId('playbook'), t.copyOf(source.name), now);
	});
	return <Editor place={`new ${source?.id ?? ''}`} first={first} detail={null} />;
}

interface EditorProps {
	readonly place: string;
	readonly first: Draft;
	/** As it is stored; `null`: not yet. */
	readonly detail: PlaybookDetail | null;
}

/** The same draft as forms, as a graph and as JSON. */
function Editor({ place, first, detail }: EditorProps) {
	const parts = useDraft(place, first);
	const { draft, change } = parts;
	const [{ chosen, isFormFocused }, setChosen] = useState<Chosen>({ chosen: null, isFormFocused: false });
	const [withJson, setJson] = useState(() => window.innerWidth >= 1600);
	const verdict = useVerdict(draft);
	const issues = verdict?.issues ?? [];
	const marks = useMemo(() => marksOf(verdict), [verdict]);
	const seen = useDeferredValue(draft);
	const step = chosen === null ? undefined : draft.workflow[chosen];
	const choose = (id: string | null): void => setChosen({ chosen: id, isFormFocused: true });
	return (
		<Screen>
			<EditorBar {...{ place, detail, parts, verdict, withJson, setJson }} />
			<ScreenBody>
				<div className={styles['picture']}>
					<LazyGraph
						document={seen}
						marks={marks}
						selected={step === undefined ? null : chosen}
						onSelect={(id) => setChosen({ chosen: id, isFormFocused: false })}
					/>
					<Problems verdict={verdict} onChoose={choose} />
				</div>
				<aside className={styles['form']} aria-label={t.editor}>
					{step === undefined || chosen === null ? (
						<PlaybookForm draft={draft} issues={issues} onChange={change} isFocused={isFormFocused} />
					) : (
						<StepForm
							key={chosen}
							{...{ draft, id: chosen, issues, isFocused: isFormFocused }}
							onChange={change}
							onChoose={choose}
						/>
					)}
				</aside>
				{withJson ? (
					<JsonPart key={chosen} draft={draft} step={step === undefined ? null : chosen} onChange={change} />
				) : null}
			</ScreenBody>
		</Screen>
	);
}

interface Chosen {
	readonly chosen: string | null;
	/** It was chosen from the form or the problems: there the work goes on. */
	readonly isFormFocused: boolean;
}

type Marks = Parameters<typeof LazyGraph>[0]['marks'];

function marksOf(verdict: PlaybookVerdict | null): Marks {
	const wrong = (verdict?.issues ?? []).filter(({ level }) => level === 'error' || level === 'refused');
	return new Map(
		wrong.flatMap(({ step, message }) => (step === null ? [] : [[step, { mark: 'wrong', words: message }]])),
	);
}

interface EditorBarProps extends Pick<EditorProps, 'place' | 'detail'> {
	readonly parts: ReturnType<typeof useDraft>;
	readonly verdict: PlaybookVerdict | null;
	readonly withJson: boolean;
	readonly setJson: (shown: boolean) => void;
}

function EditorBar({ detail, parts, verdict, withJson, setJson }: EditorBarProps) {
	const { draft, undo, redo, isChanged, discard, change } = parts;
	const save = useSave(parts, detail);
	const block = verdict?.valid === false ? t.correctErrors : isChanged || detail === null ? null : t.noChanges;
	useEditorKeys({ undo, redo, save: block === null && !save.isPending ? () => save.mutate() : null });
	return (
		<>
			<ScreenBar
				within={{ list: t.playbooks, href: '/playbooks' }}
				title={draft.name}
				facts={
					<>
						<Badges verdict={verdict} />
						{detail === null || isChanged ? null : <SignatureTag signature={detail.signature} />}
					</>
				}
			>
				<Switch isSelected={withJson} onChange={setJson}>
					{t.json}
				</Switch>
				<Button onPress={() => undo?.()} reason={undo === null ? t.nothingToUndo : null} tooltip={t.undoKeys}>
					{t.undo}
				</Button>
				<Button onPress={() => redo?.()} reason={redo === null ? t.nothingToRedo : null} tooltip={t.redoKeys}>
					{t.redo}
				</Button>
				{detail === null || !isChanged ? null : <Button onPress={discard}>{t.discard}</Button>}
				{detail === null || isChanged ? null : <DocumentActions detail={detail} onRestore={change} />}
				<Button tone="primary" onPress={() => save.mutate()} reason={block} tooltip={t.saveKeys}>
					{detail === null ? t.savePlaybook : t.saveVersion}
				</Button>
			</ScreenBar>
			{save.error === null ? null : <Banner tone="bad">{asCordonError(save.error).message}</Banner>}
		</>
	);
}

function useSave({ draft, saved }: Pick<EditorBarProps['parts'], 'draft' | 'saved'>, detail: PlaybookDetail | null) {
	const { client, queries, cache } = useApi();
	const navigate = useNavigate();
	return useMutation({
		mutationFn: async () => {
			const version = versionOf(draft, new Date().toISOString());
			return { version, stored: await client.playbooks.import({ text: JSON.stringify(version) }) };
		},
		onSuccess: ({ version, stored }) => {
			saved(version);
			cache.setQueryData(queries.playbooks.get.queryKey({ input: { playbook: stored.id } }), stored);
			void cache.invalidateQueries({ queryKey: queries.playbooks.list.key() });
			if (detail === null)
				void navigate({ to: '/playbooks/document/$playbook', params: { playbook: stored.id }, replace: true });
		},
	});
}
