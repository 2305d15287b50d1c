import {useNavigate} from '@tanstack/react-router'
import {useState} from 'react'

import {type Difference, differencesOf} from '#model/playbook-diff.ts'
import type {PlaybookDetail, PlaybookSummary, PlaybookVersion} from '#model/playbook.ts'
import {useApi, useAsked, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {RemoveDialog} from '#commands/RemoveDialog.tsx'
import {Banner, SkeletonLines} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {CodeView, PlainTable, tableRow} from '#ui/Facts.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {Menu} from '#ui/Menu.tsx'
import {saveText} from '#ui/save.ts'
import {Screen, ScreenBody, ScreenBar} from '#ui/Screen.tsx'
import {Select} from '#ui/Select.tsx'
import {Time} from '#ui/Time.tsx'
import {LazyGraph} from '../LazyGraph.tsx'
import {StartDialog} from '../StartDialog.tsx'
import {t} from '../text.ts'
import {Badges} from './Badges.tsx'
import type {Draft} from './edit.ts'
import styles from './Editor.module.css'

const noMarks = new Map<string, never>()

/** A document included in Cordon: to be read, started and copied. */
export function LibraryDocument({detail}: {detail: PlaybookDetail}) {
	const [chosen, setChosen] = useState<string | null>(null)
	// Checked when it was stored.
	const document = detail.document as unknown as Draft
	const step = chosen === null ? undefined : document.workflow[chosen]
	return (
		<Screen>
			<ScreenBar within={{list: t.playbooks, href: '/playbooks'}} title={detail.name} facts={<Badges verdict={detail.verdict} />}>
				<DocumentActions detail={detail} />
			</ScreenBar>
			<ScreenBody>
				<div className={styles.picture}>
					<LazyGraph document={document} marks={noMarks} selected={chosen} onSelect={setChosen} />
				</div>
				<aside className={styles.form} aria-label={t.document}>
					<Banner>{t.libraryIsReadOnly}</Banner>
					<p>{detail.description}</p>
					<CodeView label={step === undefined ? t.jsonOfPlaybook : t.jsonOfStep} value={step ?? document} />
				</aside>
			</ScreenBody>
		</Screen>
	)
}

interface DocumentActionsProps {
	detail: PlaybookDetail
	/** Omitted without versions. */
	onRestore?: (version: Draft) => void
}

type Shown = 'start' | 'versions' | 'tags' | 'remove'

export function DocumentActions({detail, onRestore}: DocumentActionsProps) {
	const navigate = useNavigate()
	const {queries, cache} = useApi()
	const [shown, setShown] = useState<Shown | null>(null)
	const [isOpen, setOpen] = useState(false)
	const {id, name, versions} = detail
	const exported = useCall(client => client.playbooks.export({playbook: id}), {onSuccess: file => saveText(file)})
	const acts: Readonly<Record<string, () => void>> = {
		copy: () => void navigate({to: '/playbooks/document/$playbook', params: {playbook: 'new'}, search: {from: id}}),
		tags: () => setShown('tags'),
		versions: () => setShown('versions'),
		export: () => exported.mutate(),
		remove: () => setShown('remove')
	}
	const own = [
		{id: 'versions', label: t.versionsMore, detail: String(versions.length)},
		{id: 'remove', label: t.deletePlaybookMore}
	]
	const entries = [
		{id: 'copy', label: t.copyAndChange},
		{id: 'tags', label: t.tagsMore},
		{id: 'export', label: t.exportPlaybook},
		...(onRestore === undefined ? [] : own)
	]
	return (
		<>
			<Failure error={exported.error} />
			<Menu label={t.more} isOpen={isOpen} onOpenChange={setOpen} groups={[{entries}]} onAction={act => acts[act]?.()} />
			{onRestore === undefined && <Button onPress={() => acts['copy']?.()}>{t.copyAndChange}</Button>}
			<Button onPress={() => setShown('start')} opens>
				{t.startMore}
			</Button>
			{shown === 'start' && (
				<StartDialog
					playbook={detail}
					given={{}}
					onClose={() => setShown(null)}
					onStarted={run => void navigate({to: '/playbooks/$id', params: {id: run.id}})}
				/>
			)}
			{shown === 'remove' && (
				<RemoveDialog
					title={t.removeNamed(name)}
					act={t.deletePlaybook}
					means={t.deletesVersions}
					call={client => client.playbooks.remove({playbook: id})}
					onDone={() => {
						void cache.invalidateQueries({queryKey: queries.playbooks.list.key()})
						void navigate({to: '/playbooks'})
					}}
					onClose={() => setShown(null)}
				/>
			)}
			{shown === 'tags' && <TagsDialog playbook={detail} onClose={() => setShown(null)} />}
			{shown === 'versions' && onRestore !== undefined && (
				<VersionsDialog
					title={t.versionsOf(name)}
					detail={detail}
					onClose={() => setShown(null)}
					onRestore={version => {
						setShown(null)
						onRestore(version)
					}}
				/>
			)}
		</>
	)
}

/** Search tags of a playbook, outside the document. */
function TagsDialog({playbook: {id, name, tags}, onClose}: {playbook: PlaybookSummary; onClose: () => void}) {
	const {client, queries, cache} = useApi()
	const [text, setText] = useState(tags.join(', '))
	const save = async () => {
		await client.playbooks.tag({playbook: id, tags: text.split(/\s*,\s*/).filter(Boolean)})
		void cache.invalidateQueries({queryKey: queries.playbooks.list.key()})
		void cache.invalidateQueries({queryKey: queries.playbooks.get.key()})
	}
	return (
		<ActDialog title={t.tagsOf(name)} act={t.saveTags} work={save} onClose={onClose}>
			<TextField label={t.tags} description={t.tagsAreSeparated} value={text} onChange={setText} autoFocus />
		</ActDialog>
	)
}

interface VersionsDialogProps {
	title: string
	detail: PlaybookDetail
	onRestore: (version: Draft) => void
	onClose: () => void
}

/** All stored versions, their differences, and restoring. */
function VersionsDialog({title, detail: {id, versions, digest}, onRestore, onClose}: VersionsDialogProps) {
	const [{older, newer}, choose] = useState({older: versions[1]?.digest ?? digest, newer: digest})
	const [before, after] = [useVersion(id, older), useVersion(id, newer)]
	const options = versions.map(one => ({value: one.digest, label: one.digest.slice(0, 12), detail: one.addedAt.slice(0, 16).replace('T', ' ')}))
	return (
		<Dialog title={title} size="large" onClose={onClose} cancel={t.close}>
			<div className={styles.fields}>
				<PlainTable columns={[t.version, t.name, t.added, t.addedBy, '']}>
					{versions.map(one => (
						<Version
							key={one.digest}
							version={one}
							isNewest={one.digest === digest}
							onCompare={() => choose({older: one.digest, newer: digest})}
						/>
					))}
				</PlainTable>
				<div className="fields">
					<Select label={t.before} value={older} options={options} onChange={value => choose({older: value, newer})} />
					<Select label={t.after} value={newer} options={options} onChange={value => choose({older, newer: value})} />
					<Button
						onPress={() => before.document !== undefined && onRestore(before.document)}
						reason={older === digest || before.document === undefined ? t.thisIsNewest : null}
					>
						{t.restoreVersion(older.slice(0, 12))}
					</Button>
				</div>
				<Failure error={before.error} />
				<Failure error={after.error === before.error ? null : after.error} />
				{before.document === undefined || after.document === undefined ? (
					<SkeletonLines lines={3} label={t.differences} />
				) : (
					<Differences all={differencesOf(before.document, after.document)} />
				)}
			</div>
		</Dialog>
	)
}

function useVersion(playbook: string, version: string) {
	const {data, error} = useAsked(q => q.playbooks.get, {input: {playbook, version}, staleTime: Infinity})
	// Checked when it was stored.
	return {document: data?.document as Draft | undefined, error}
}

interface VersionProps {
	version: PlaybookVersion
	isNewest: boolean
	onCompare: () => void
}

function Version({version: {digest, name, addedAt, addedBy}, isNewest, onCompare}: VersionProps) {
	return tableRow(
		digest,
		<code>{digest.slice(0, 12)}</code>,
		name,
		<Time at={addedAt} />,
		addedBy,
		isNewest ? (
			t.newest
		) : (
			<Button small onPress={onCompare} aria-label={t.compare(` ${digest.slice(0, 12)}`)}>
				{t.compare('')}
			</Button>
		)
	)
}

function Differences({all}: {all: readonly Difference[]}) {
	if (all.length === 0) return <p className="quiet">{t.noDifferences}</p>
	return (
		<PlainTable caption={t.differences} columns={[t.step, t.field, t.before, t.after]}>
			{all.map(({step, field, before, after}) => (
				<tr key={`${step} ${field}`}>
					<th scope="row">{step ?? t.playbook}</th>
					<td>{field}</td>
					<td className={styles.removed}>{before}</td>
					<td className={styles.added}>{after}</td>
				</tr>
			))}
		</PlainTable>
	)
}
