import type {FileListItemRow, FileListRow} from '#contract/directory.ts'
import {shortHash} from '#model/file-hash.ts'
import {isBlocking} from '#model/file-list.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveConnection} from '#api/hooks.tsx'
import {ChangeDialog} from '#commands/change/ChangeDialog.tsx'
import {useChange} from '#commands/change/use-change.ts'
import {useUi} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {KeyValue, fact} from '#ui/Facts.tsx'
import {t} from './text.ts'
import {kindWords} from './words.ts'

/** Removes one hash from a list. Enter in the reason inserts a line: it never confirms. */
export function RemoveDialog({list, item, onClose}: {list: FileListRow; item: FileListItemRow; onClose: () => void}) {
	const {id: connection} = useActiveConnection()
	const announce = useAnnounce()
	const addChange = useUi(ui => ui.addHashChange)
	const {sha256, description: note} = item
	const change = useChange({name: 'svc_delete_file_list_files_by_sha', args: {file_list_guid: list.guid, sha256}})
	const send = async () => {
		const at = new Date().toISOString()
		const result = await change.send()
		if (result === null) return
		const {entry, message, status = null, requestId = null} = result
		const where = {connection, list: {guid: list.guid, name: list.name}}
		addChange({change: {kind: 'hash_removed', ...where, sha256, note, at, entry}, message, status, requestId})
		announce(message)
		onClose()
	}
	const act = `Remove ${shortHash(sha256)} from ${list.name}`
	return (
		<ChangeDialog
			title={act}
			size="large"
			change={change}
			waits={list.vanishedAt === null ? null : t.listDeletedElsewhere}
			reasonNote={t.goesIntoIncident}
			reasonFirst
			options={<p className="quiet">{t.nextPolicy(isBlocking(list.type) ? t.fileNoLonger : t.fileNoLongerAllowed)}</p>}
			onClose={onClose}
			onConfirm={() => void send()}
		>
			<KeyValue
				facts={[
					fact('SHA-256', sha256, 'mono'),
					fact('Note', note === '' ? '–' : note),
					fact('List', `${list.name} · ${kindWords(list.type).one}`),
					fact('Enforced on', enforcedWords(list))
				]}
			/>
		</ChangeDialog>
	)
}

function enforcedWords({covered}: FileListRow) {
	if (covered === null) return 'not known yet'
	return `${counted(covered, nouns.computer)}`
}
