import {useMutation} from '@tanstack/react-query'
import {useState} from 'react'

import type {LogEntry} from '#model/incident.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnectionOrNull, useApi, useSettings} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea} from '#ui/Field.tsx'
import {Failure} from './Failure.tsx'
import styles from './NoteDialog.module.css'
import {t} from './text.ts'

interface NoteDialogProps {
	/** The entry that the note is about; `null` for a note on its own. */
	about?: LogEntry | null
	/** The object that the note is about: its screen shows the note again. */
	target?: {readonly guid: string; readonly label: string}
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
	const announce = useAnnounce()
	const [text, setText] = useState(first)
	const [tried, setTried] = useState(false)
	const noting = useMutation({
		mutationFn: () =>
			client.log.note({
				text: text.trim(),
				about: about?.id ?? null,
				...omitUndefined({target}),
				incident: about?.incident ?? incident ?? activeIncident,
				connection: (about === null ? active : about.connection)?.id ?? null,
			}),
		onSuccess: () => {
			announce('The note is in the incident log')
			onClose()
		},
	})
	const save = () => {
		setTried(true)
		if (text.trim() !== '') noting.mutate()
	}
	return (
		<Dialog
			title={target === undefined ? t.addANote : t.addNoteAbout(target.label)}
			cancel
			onClose={onClose}
			act={[t.addNote, save, noting.isPending ? t.saving : null]}
		>
			<div className="stack">
				{about !== null && <blockquote className={styles.quote}>{about.message}</blockquote>}
				<TextArea
					label={t.note}
					value={text}
					onChange={setText}
					isRequired
					autoFocus
					rows={4}
					maxLength={10_000}
					error={tried && text.trim() === '' ? t.typeANote : null}
					description={t.noteCannot}
				/>
				<Failure error={noting.error} />
			</div>
		</Dialog>
	)
}
