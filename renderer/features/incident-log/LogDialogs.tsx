import {useState} from 'react'

import type {JoinedRow} from '#contract/log.ts'
import type {LogEntry, Pin} from '#model/incident.ts'
import {whole} from '#shared/streams.ts'
import {formatCount} from '#text/numbers.ts'
import {useApi, useActiveConnectionOrNull, useSettings} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {csvFormat, ExportFrame} from '#commands/ExportFrame.tsx'
import {NoteDialog} from '#commands/NoteDialog.tsx'
import {TextField} from '#ui/Field.tsx'
import styles from './IncidentLogScreen.module.css'
import {keyOf} from './rows.ts'
import type {IncidentLogSearch} from './search.ts'
import {t} from './text.ts'
import {questionOf} from './use-log-entries.ts'

type LogDialog = {kind: 'note'; about: LogEntry | null; text?: string} | {kind: 'pin'; row: JoinedRow} | {kind: 'export'}

export type OpenLogDialogs = ReturnType<typeof useLogDialogs>

export function useLogDialogs() {
	const [shown, setShown] = useState<LogDialog | null>(null)
	return {shown, open: setShown, close: () => setShown(null)}
}

interface LogDialogsProps {
	dialogs: OpenLogDialogs
	search: IncidentLogSearch
	matching: number | undefined
	pins: ReadonlyMap<string, Pin>
	/** Connection of the merged audit log. */
	connection: string | null
}

export function LogDialogs({dialogs, search, matching, pins, connection}: LogDialogsProps) {
	const {shown, close} = dialogs
	switch (shown?.kind) {
		case undefined:
			return null
		case 'note':
			return <NoteDialog about={shown.about} incident={search.incident ?? null} text={shown.text ?? ''} onClose={close} />
		case 'pin':
			return <PinDialog row={shown.row} connection={connection} isPinned={pins.has(keyOf(shown.row))} onClose={close} />
		case 'export':
			return <ExportDialog search={search} matching={matching} onClose={close} />
	}
}

/** All matching entries, not only visible ones, as a file. */
function ExportDialog({search, matching, onClose}: {search: IncidentLogSearch; matching: number | undefined; onClose: () => void}) {
	const {client} = useApi()
	const tenant = useActiveConnectionOrNull()?.id
	return (
		<ExportFrame
			title={t.exportTheLog}
			formats={[
				{value: 'jsonl', label: 'JSON Lines', detail: 'one entry a line, nothing lost'},
				csvFormat,
				{value: 'md', label: 'Markdown report', detail: 'for a ticket or a wiki'},
				{value: 'html', label: 'HTML report', detail: 'one page to read and print, without scripts'}
			]}
			write={(format, signal) => whole(client.log.export({query: questionOf(search, Date.now(), tenant), format}, {signal}))}
			lacks={({cut}) =>
				cut
					? 'The file holds the oldest entries only: there are more than one file can take. Choose a shorter time, or use cordon log export, which has no limit.'
					: null
			}
			onClose={onClose}
		>
			<p>
				{search.incident === undefined ? null : t.chosenIncident}
				{t.currentSearch(matching === undefined ? t.allMatchingEntries : t.allEntriesMatch(formatCount(matching)))}
			</p>
		</ExportFrame>
	)
}

interface PinDialogProps {
	row: JoinedRow
	/** Connection of the row's audit log. */
	connection: string | null
	/** Pinned now, to be unpinned. */
	isPinned: boolean
	onClose: () => void
}

/** Pinning and unpinning are log entries: nothing is rewritten. */
function PinDialog({row, connection, isPinned, onClose}: PinDialogProps) {
	const {client} = useApi()
	const {activeIncident: incident} = useSettings()
	const [reason, setReason] = useState('')
	const pin = async () => {
		const common = {reason: reason.trim(), incident}
		if (row.kind === 'own') return client.log.setPinned({id: row.entry.id, pinned: !isPinned, ...common})
		return client.log.pinElsewhere({connection: connection ?? '', key: row.record.key, ...common})
	}
	return (
		<ActDialog
			title={isPinned ? t.unpinEvidence : t.pinAsEvidenceTitle}
			size="small"
			act={isPinned ? t.unpinTitle : t.pin}
			work={pin}
			done={isPinned ? 'Entry unpinned' : 'Pinned as evidence'}
			onClose={onClose}
		>
			<blockquote className={styles.quote}>{row.kind === 'own' ? row.entry.message : `${row.record.user}: ${row.record.message}`}</blockquote>
			<TextField label={t.why} value={reason} onChange={setReason} autoFocus maxLength={1000} />
			<p className="note">{row.kind === 'elsewhere' ? t.copiesRecord : t.cordonRecordsNew}</p>
		</ActDialog>
	)
}
