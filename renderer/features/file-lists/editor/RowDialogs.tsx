import {useState} from 'react'

import type {DraftRow} from '#shared/model/list-draft.ts'
import {counted, formatCount} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'

import {Banner} from '../../../ui/Banner.tsx'
import {Button} from '../../../ui/Button.tsx'
import {Dialog} from '../../../ui/Dialog.tsx'
import {TextArea, TextField} from '../../../ui/Field.tsx'
import {Tag} from '../../../ui/Tag.tsx'
import {levelTones, verdictWords} from './draft-words.ts'
import styles from './Editor.module.css'
import {t} from './text.ts'
import {useAct, type DraftChanges} from './use-draft.ts'

interface RowDialogProps {
	readonly keys: readonly string[]
	/** Set for a single row. */
	readonly row: DraftRow | undefined
	readonly changes: DraftChanges
	readonly onClose: () => void
}

/** Note and reason of one or many rows; for one also all arguments for and against it. */
export function RowDialog({keys, row, changes, onClose}: RowDialogProps) {
	const [note, setNote] = useState(row?.note ?? '')
	const [reason, setReason] = useState(row?.reason ?? '')
	const isOne = keys.length === 1
	const saving = useAct(() => {
		const changed = {
			...((isOne ? note.trim() !== row?.note : note.trim() !== '') && {note: note.trim()}),
			...((isOne || reason.trim() !== '') && {reason: reason.trim() === '' ? null : reason.trim()}),
		}
		return changes.annotate(keys, changed)
	}, onClose)
	return (
		<Dialog
			title={isOne ? t.stagedRow : t.stagedRowsOf(formatCount(keys.length))}
			cancel
			onClose={onClose}
			size="large"
			footer={
				<Button tone="primary" onPress={saving.run} reason={saving.isRunning ? t.saving : null}>
					{t.keep}
				</Button>
			}
		>
			<div className={styles.form}>
				{row === undefined ? null : <RowFacts row={row} />}
				<TextField
					label={t.note}
					value={note}
					onChange={setNote}
					maxLength={1000}
					autoFocus
					description={isOne ? t.serviceShows : t.replacesNotes}
				/>
				<TextArea label={t.reason} value={reason} onChange={setReason} rows={2} maxLength={500} description={t.whyRowNeeded} />
				{saving.error === null ? null : <Banner tone="bad">{saving.error.message}</Banner>}
			</div>
		</Dialog>
	)
}

function RowFacts({row: {key, marks, verdict, source, place, result}}: {readonly row: DraftRow}) {
	const {shape, word, tone} = verdictWords[verdict]
	return (
		<>
			<p>
				<Tag tone={tone}>
					<span aria-hidden="true">{shape}</span> {word}
				</Tag>{' '}
				<code className={styles.mono}>{key}</code>
			</p>
			<p className={styles.dim}>{t.fromOf(source, place === null ? '' : `, ${place}`)}</p>
			{marks.length === 0 && result === null ? null : (
				<ul className={styles.detail} aria-label={t.findings}>
					{result === null ? null : (
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

interface PrevalenceDialogProps {
	readonly keys: readonly string[]
	readonly changes: DraftChanges
	readonly onClose: () => void
}

/** Queries the prevalence of each from the service: the cost is shown first. */
export function PrevalenceDialog({keys, changes, onClose}: PrevalenceDialogProps) {
	const hashes = keys.filter(key => /^[0-9a-f]{64}$/.test(key))
	const [stop] = useState(() => new AbortController())
	const asking = useAct(() => changes.prevalence(hashes, stop.signal), onClose)
	const close = () => {
		stop.abort()
		onClose()
	}
	const calls = `${counted(hashes.length, nouns.call)}`
	return (
		<Dialog
			title={t.checkPrevalenceTitle}
			onClose={close}
			size="small"
			footer={
				<>
					<Button onPress={close}>{asking.isRunning ? t.stopQueries : t.cancel}</Button>
					<Button
						tone="primary"
						onPress={asking.run}
						reason={asking.isRunning ? t.querying : hashes.length === 0 ? t.noSha256Among : null}
					>
						{t.query(calls)}
					</Button>
				</>
			}
		>
			<div className={styles.form}>
				<p>{t.n1CallEachHashes(formatCount(hashes.length))}</p>
				{asking.isRunning ? <p role="status">{t.queryingMore}</p> : null}
				{asking.error === null ? null : <Banner tone="bad">{asking.error.message}</Banner>}
			</div>
		</Dialog>
	)
}
