import {formatLine} from '#shared/commands/parse.ts'
import {csvOf} from '#shared/commands/table.ts'
import type {FileListItemRow} from '#contract/directory.ts'
import {shortHash} from '#model/file-hash.ts'
import {CopyDialog} from '#commands/CopyDialog.tsx'
import {t} from './text.ts'

interface CopyItemDialogProps {
	item: FileListItemRow
	/** GUID of the list; `null` for a hash without one. */
	list: string | null
	onClose: () => void
}

/** A hash of a file list. */
export function CopyItemDialog({item, list, onClose}: CopyItemDialogProps) {
	const forms = copyForms(item, list, window.location.href.replace(/#.*$/, ''))
	return <CopyDialog title={t.copyAs(shortHash(item.sha256))} forms={forms} onClose={onClose} />
}

/** Copy forms of a list's hash: pure. */
interface CopyForm {
	id: 'sha256' | 'csv' | 'json' | 'markdown' | 'command' | 'link'
	title: string
	text: string
}

const titles = ['SHA-256', 'Note', 'Source', 'First seen here', 'Seen on', 'Names', 'Dispositions'] as const

/** `list` is its GUID, `null` for a hash without one; `page` is the address of this page. */
export function copyForms(item: FileListItemRow, list: string | null, page: string): readonly CopyForm[] {
	const {sha256} = item
	const cells = cellsOf(item)
	const line =
		list === null
			? formatLine('svc_get_computer_activity', {q: sha256})
			: formatLine('svc_get_file_list_files_by_sha', {file_list_guid: list, sha256})
	return [
		{id: 'sha256', title: 'SHA-256', text: sha256},
		{id: 'csv', title: 'CSV with its header', text: csvOf({columns: [...titles], rows: [cells]})},
		{id: 'json', title: 'JSON', text: JSON.stringify(item, null, 2)},
		{id: 'markdown', title: 'Markdown', text: markdownOf(cells)},
		{id: 'command', title: 'Command', text: `!${line}`},
		{id: 'link', title: 'Link to this page', text: `${page}#/file-lists/${list ?? 'hash'}/${sha256}`}
	]
}

function cellsOf({sha256, description, source, firstSeen, seen}: FileListItemRow) {
	const {computers, names, dispositions} = seen
	return [sha256, description, source, firstSeen ?? '', String(computers), names.join(', '), dispositions.join(', ')]
}

function markdownOf(cells: readonly string[]) {
	const plain = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, sign => `\\${sign}`)
	return titles.flatMap((title, index) => (cells[index] ? [`- ${title}: ${plain(cells[index])}`] : [])).join('\n')
}
