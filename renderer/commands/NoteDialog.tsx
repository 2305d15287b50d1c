import {useState} from 'react'

import type {LogEntry} from '#model/incident.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnectionOrNull, useApi, useSettings} from '#api/hooks.tsx'
import {TextArea} from '#ui/Field.tsx'
import {ActDialog} from './ActDialog.tsx'
import styles from './NoteDialog.module.css'
import {t} from './text.ts'

interface NoteDialogProps {
	/** The entry that the note is about; `null` for a note on its own. */
	about?: LogEntry | null
	/** The object that the note is about: its screen shows the note again. */
	target?: {guid: string; label: string}
	/** The incident on screen; else the note joins its entry's incident, or the one that new entries join. */
	incident?: string | null
	text?: string
	onClose: () => void
}

/** Entries never change: anything to add about one is a further entry. */
export function NoteDialog({about = null, target, incident = null, text: first = '', onClose}: NoteDialogProps) {
	const {client} = useApi()
	const {activeIncident} = useSettings()
	const active = useActiveConnectionOrNull()
	const [text, setText] = useState(first)
	const isWritten = text.trim() !== ''
	const save = () =>
		client.log.note({
			text: text.trim(),
			about: about?.id ?? null,
			...omitUndefined({target}),
			incident: about?.incident ?? incident ?? activeIncident,
			connection: (about === null ? active : about.connection)?.id ?? null
		})
	return (
		<ActDialog
			title={target === undefined ? t.addANote : t.addNoteAbout(target.label)}
			act={t.addNote}
			work={save}
			isReady={isWritten}
			done="The note is in the incident log"
			onClose={onClose}
		>
			{({wasPressed}) => (
				<>
					{about !== null && <blockquote className={styles.quote}>{about.message}</blockquote>}
					<TextArea
						label={t.note}
						value={text}
						onChange={setText}
						isRequired
						autoFocus
						rows={4}
						maxLength={10_000}
						error={wasPressed && !isWritten ? t.typeANote : null}
						description={t.noteCannot}
					/>
				</>
			)}
		</ActDialog>
	)
}
