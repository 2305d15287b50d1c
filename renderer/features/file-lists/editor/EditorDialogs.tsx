import {useEffect, useRef, useState} from 'react'

import type {FileListRow} from '#contract/directory.ts'
import type {DraftRow, DraftState} from '#model/list-draft.ts'
import {formatBytes, formatCount, counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {LimitWait} from '#commands/LimitWait.tsx'
import {Banner} from '#ui/States.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {RadioGroup, TextArea, TextField} from '#ui/Field.tsx'
import {Tag, LookTag} from '#ui/Tag.tsx'
import {readCalls} from '../words.ts'
import {CommitDialog} from './CommitDialog.tsx'
import {isHashText, levelTones, verdictWords} from './draft-words.ts'
import {DifferenceDialog, DiscardDialog, PreviewDialog} from './DraftDialogs.tsx'
import styles from './Editor.module.css'
import {FilesDialog} from './FilesDialog.tsx'
import {ResultDialog} from './ResultDialog.tsx'
import {StageDialog} from './StageDialog.tsx'
import {t} from './text.ts'
import {useCommitJob} from './use-commit-job.ts'
import {type DraftChanges, useAct} from './use-draft.ts'

export type OpenDialog =
	| {kind: 'stage'; name: string; text: string}
	| {kind: 'files'; files: readonly File[]; note?: string | null}
	| {kind: 'row'; keys: readonly string[]; row: DraftRow | undefined}
	| {kind: 'prevalence'; keys: readonly string[]}
	| {kind: 'difference' | 'preview' | 'discard'}
	| {kind: 'result'; job: string}
	| {kind: 'commit'; retryOf?: string}

interface EditorDialogsProps {
	list: FileListRow
	state: DraftState
	open: OpenDialog | null
	changes: DraftChanges
	onOpen: (dialog: OpenDialog) => void
	onClose: () => void
}

export function EditorDialogs({list, state, open, changes, onOpen, onClose}: EditorDialogsProps) {
	switch (open?.kind) {
		case undefined:
			return null
		case 'stage':
			return <StageDialog name={open.name} text={open.text} isOpenText changes={changes} onClose={onClose} />
		case 'files':
			return <SortedFiles files={open.files} note={open.note ?? null} changes={changes} onClose={onClose} />
		case 'row':
			return <RowDialog keys={open.keys} row={open.row} changes={changes} onClose={onClose} />
		case 'prevalence':
			return <PrevalenceDialog keys={open.keys} changes={changes} onClose={onClose} />
		case 'difference':
			return <DifferenceDialog list={list} changes={changes} onClose={onClose} />
		case 'preview':
			return <PreviewDialog list={list} state={state} onCommit={() => onOpen({kind: 'commit'})} onClose={onClose} />
		case 'discard':
			return <DiscardDialog state={state} changes={changes} onClose={onClose} />
		case 'commit':
			return (
				<CommitDialog
					list={list}
					state={state}
					listCalls={readCalls(list)}
					retryOf={open.retryOf}
					onStarted={job => onOpen({kind: 'result', job})}
					onClose={onClose}
				/>
			)
		case 'result':
			return <Result job={open.job} onOpen={onOpen} onClose={onClose} />
	}
}

interface ResultProps extends Pick<EditorDialogsProps, 'onOpen' | 'onClose'> {
	job: string
}

/** Only of that job: a new commit does not show the end of the earlier one. */
function Result({job, onOpen, onClose}: ResultProps) {
	const summary = useCommitJob(job)
	return summary && <ResultDialog job={summary} onRetry={() => onOpen({kind: 'commit', retryOf: job})} onClose={onClose} />
}

interface SortedFilesProps {
	files: readonly File[]
	/** What was omitted. */
	note: string | null
	changes: DraftChanges
	onClose: () => void
}

/** Texts are searched for hashes unless the files themselves are wanted; other files are hashed. */
function SortedFiles({files, note, changes, onClose}: SortedFilesProps) {
	const texts = files.filter(isHashText)
	const [choice, setChoice] = useState<'read' | 'hash'>('read')
	const [isChosen, setChosen] = useState(texts.length === 0)
	const [contents, setContents] = useState<readonly string[] | null>(null)
	const [at, setAt] = useState(0)
	const [failed, setFailed] = useState<string | null>(null)
	const goOn = () => {
		if (choice === 'read')
			Promise.all(texts.map(file => file.text().catch(() => Promise.reject(new Error(t.couldNotOpen(file.name)))))).then(
				setContents,
				({message}: Error) => setFailed(message)
			)
		setChosen(true)
	}
	if (!isChosen)
		return (
			<Dialog
				title={files.length === 1 ? (files[0]?.name ?? t.file) : t.files(formatCount(files.length))}
				cancel
				onClose={onClose}
				act={[t.goOn, goOn]}
			>
				<div className="stack">
					{note !== null && <Banner tone="warning">{note}</Banner>}
					<ul className={styles.detail} aria-label={t.filesTitle}>
						{files.map(file => (
							<li key={`${file.name} ${file.size} ${file.lastModified}`}>
								{file.name}, {formatBytes(file.size)}
							</li>
						))}
					</ul>
					<RadioGroup
						label={t.whatIsWanted}
						value={choice}
						onChange={setChoice}
						options={[
							{
								value: 'read',
								label: texts.length === 1 ? 'Read the hashes that are written in it' : 'Read the hashes that are written in them',
								detail:
									texts.length === files.length
										? 'text, CSV or STIX 2.1'
										: `of the ${formatCount(texts.length)} that are texts; drop the others by themselves`
							},
							{value: 'hash', label: 'Hash these files themselves', detail: 'on this computer; nothing of them is sent'}
						]}
					/>
				</div>
			</Dialog>
		)
	if (texts.length === 0 || choice === 'hash') return <FilesDialog files={files} note={note} changes={changes} onClose={onClose} />
	if (failed !== null)
		return (
			<Dialog title={t.couldNotLoadFile} onClose={onClose} size="small">
				<p>{failed}</p>
			</Dialog>
		)
	const text = contents?.[at]
	if (text === undefined) return null
	// Sequentially: each has its own columns.
	const name = texts[at]?.name ?? 'file'
	const isLast = at === texts.length - 1
	return (
		<StageDialog
			key={at}
			name={name.slice(0, 300)}
			text={text}
			isOpenText={false}
			changes={changes}
			onClose={isLast ? onClose : () => setAt(at + 1)}
		/>
	)
}

interface RowDialogProps {
	keys: readonly string[]
	/** Set for a single row, where it is known: of others nothing is replaced by what was left empty. */
	row: DraftRow | undefined
	changes: DraftChanges
	onClose: () => void
}

/** Note and reason of one or many rows; for one also all arguments for and against it. */
function RowDialog({keys, row, changes, onClose}: RowDialogProps) {
	const [note, setNote] = useState(row?.note ?? '')
	const [reason, setReason] = useState(row?.reason ?? '')
	const isKnown = row !== undefined
	const save = () => {
		const changed = {
			...((isKnown ? note.trim() !== row.note : note.trim() !== '') && {note: note.trim()}),
			...((isKnown || reason.trim() !== '') && {reason: reason.trim() === '' ? null : reason.trim()})
		}
		return changes.annotate(keys, changed)
	}
	return (
		<ActDialog
			title={keys.length === 1 ? t.stagedRow : t.stagedRowsOf(formatCount(keys.length))}
			size="large"
			act={t.keep}
			work={save}
			onClose={onClose}
		>
			{row !== undefined && <RowFacts row={row} />}
			<TextField
				label={t.note}
				value={note}
				onChange={setNote}
				maxLength={1000}
				autoFocus
				description={isKnown ? t.serviceShows : t.replacesNotes}
			/>
			<TextArea label={t.reason} value={reason} onChange={setReason} rows={2} maxLength={500} description={t.whyRowNeeded} />
		</ActDialog>
	)
}

function RowFacts({row: {key, marks, verdict, source, place, result}}: {row: DraftRow}) {
	return (
		<>
			<p>
				<LookTag {...verdictWords[verdict]} /> <code className="hashes wraps">{key}</code>
			</p>
			<p className="quiet">{t.fromOf(source, place === null ? '' : `, ${place}`)}</p>
			{marks.length === 0 && result === null ? null : (
				<ul className={styles.detail} aria-label={t.findings}>
					{result !== null && (
						<li>
							{t.lastCommitColon} {result}
						</li>
					)}
					{marks.map(({kind, level, message}) => (
						<li key={kind}>
							<Tag tone={levelTones[level]}>{level === 'plain' ? t.noteInline : verdictWords[level].word}</Tag> {message}
						</li>
					))}
				</ul>
			)}
		</>
	)
}

/** Queries the prevalence of each from the service: the cost is shown first. */
function PrevalenceDialog({keys, changes, onClose}: {keys: readonly string[]; changes: DraftChanges; onClose: () => void}) {
	const hashes = keys.filter(key => /^[0-9a-f]{64}$/.test(key))
	const stop = useRef<AbortController>(null)
	// Leaving the screen ends the queries, too.
	useEffect(() => () => stop.current?.abort(), [])
	const asking = useAct(() => changes.prevalence(hashes, (stop.current = new AbortController()).signal), onClose)
	const calls = counted(hashes.length, nouns.call)
	return (
		<Dialog
			title={t.checkPrevalenceTitle}
			onClose={onClose}
			size="small"
			cancel={asking.isRunning ? t.stopQueries : true}
			act={[t.query(calls), asking.run, asking.isRunning ? t.querying : hashes.length === 0 ? t.noSha256Among : null]}
		>
			<div className="stack">
				<p>{t.n1CallEachHashes(formatCount(hashes.length))}</p>
				{asking.isRunning && (
					<>
						<p role="status">{t.queryingMore}</p>
						<LimitWait />
					</>
				)}
				<Failure error={asking.error} />
			</div>
		</Dialog>
	)
}
