import {useState} from 'react'

import type {FileListItemRow, FileListRow} from '#shared/contract/directory.ts'
import {shortHash} from '#shared/model/file-hash.ts'
import {isBlocking} from '#shared/model/file-list.ts'
import {counted} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'

import {useActiveConnection, useWriteRefusal} from '../../api/active.tsx'
import {buttonWords} from '../../commands/effect.ts'
import {RunNote} from '../../commands/RunNote.tsx'
import {useRun, type Runner} from '../../commands/use-run.ts'
import {useUi} from '../../state/ui.tsx'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {TextArea} from '../../ui/Field.tsx'
import {KeyValue} from '../../ui/KeyValue.tsx'
import styles from './FileLists.module.css'
import {t} from './text.ts'
import {kindWords} from './words.ts'

interface RemoveDialogProps {
	list: FileListRow
	item: FileListItemRow
	onClose: () => void
}

/** Removes one hash from a list. The focus starts on the reason, where Enter inserts a line: it never confirms. */
export function RemoveDialog({list, item, onClose}: RemoveDialogProps) {
	const connection = useActiveConnection()
	const lock = useWriteRefusal()
	const runner = useRun()
	const [reason, setReason] = useState('')
	const send = useSend(list, item, runner, onClose)
	const act = `Remove ${shortHash(item.sha256)} from ${list.name}`
	return (
		<Dialog
			title={act}
			cancel
			onClose={onClose}
			tone="connection"
			size="large"
			footer={
				<Button tone="primary" lock={lock} reason={waitsFor(runner, list, reason)} onPress={() => void send(reason)}>
					{buttonWords(act, connection)}
				</Button>
			}
		>
			<div className="stack">
				<KeyValue
					facts={[
						{name: 'SHA-256', value: item.sha256, mono: true},
						{name: 'Note', value: item.description === '' ? '–' : item.description},
						{name: 'List', value: `${list.name} · ${kindWords(list.type).one}`},
						{name: 'Enforced on', value: enforcedWords(list)},
					]}
				/>
				<TextArea
					label={t.reason}
					value={reason}
					onChange={setReason}
					isRequired
					autoFocus
					rows={2}
					maxLength={255}
					description={t.goesIntoIncident}
				/>
				<p className={styles.dim}>{t.nextPolicy(isBlocking(list.type) ? t.fileNoLonger : t.fileNoLongerAllowed)}</p>
				<RunNote runner={runner} />
			</div>
		</Dialog>
	)
}

function useSend(list: FileListRow, item: FileListItemRow, runner: Runner, onClose: () => void) {
	const {id: connection} = useActiveConnection()
	const announce = useAnnounce()
	const addChange = useUi(ui => ui.addHashChange)
	return async (reason: string) => {
		const {sha256, description: note} = item
		const at = new Date().toISOString()
		const args = {file_list_guid: list.guid, sha256}
		const agreement = {reason: reason.trim()}
		const result = await runner.run({name: 'svc_delete_file_list_files_by_sha', args, agreement})
		if (result === null) return
		const {entry, message, status = null, requestId = null} = result
		const where = {connection, list: {guid: list.guid, name: list.name}}
		addChange({change: {kind: 'hash_removed', ...where, sha256, note, at, entry}, message, status, requestId})
		announce(message)
		onClose()
	}
}

function waitsFor({state}: Runner, list: FileListRow, reason: string): string | null {
	if (state.kind === 'running') return 'The request is under way.'
	if (state.kind === 'failed' && state.error.code === 'outcome_unknown')
		return 'Outcome unknown. Refresh the list before retrying.'
	if (list.vanishedAt !== null) return 'This list was deleted elsewhere.'
	return reason.trim() === '' ? 'Give a reason first.' : null
}

function enforcedWords({covered}: FileListRow): string {
	if (covered === null) return 'not known yet'
	return `${counted(covered, nouns.computer)}`
}
