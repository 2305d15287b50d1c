import {formatLine} from '#shared/commands/parse.ts'
import {csvOf} from '#shared/commands/table.ts'
import {computerCells, computerColumnTitles, type ComputerRow, readColumns} from '#model/computer.ts'
import {defanged} from '#model/indicator.ts'
import {showUnseen, showUnseenInJson} from '#text/foreign.ts'
import {useSettings} from '#api/hooks.tsx'
import {CopyDialog} from './CopyDialog.tsx'
import {t} from './text.ts'

export function CopyAsDialog({row, onClose}: {row: ComputerRow; onClose: () => void}) {
	const {computerColumns} = useSettings()
	return <CopyDialog title={t.copyAs(row.hostname)} forms={copyForms(row, computerColumns)} onClose={onClose} />
}

/** Pure, so that tests need no page. */
export interface CopyForm {
	id: 'guid' | 'name' | 'csv' | 'markdown' | 'json' | 'defanged' | 'command'
	title: string
	text: string
}

/** `columns`: those of the CSV, in order; unknown ids are left out. */
export function copyForms(row: ComputerRow, columns: readonly string[]): readonly CopyForm[] {
	const known = readColumns(columns).map(({column}) => column)
	const table = {columns: known.map(column => computerColumnTitles[column]), rows: [known.map(column => computerCells[column](row))]}
	const line = formatLine('svc_get_computer_by_connector', {connector_guid: row.guid})
	return [
		{id: 'guid', title: 'GUID', text: row.guid},
		{id: 'name', title: 'Name', text: row.hostname},
		{id: 'csv', title: 'CSV with its header', text: csvOf(table)},
		{id: 'markdown', title: 'Markdown', text: markdownOf(table)},
		{id: 'json', title: 'JSON', text: showUnseenInJson(JSON.stringify(row, null, 2))},
		{id: 'defanged', title: 'Defanged, for a ticket', text: harmless(row)},
		{id: 'command', title: 'Command', text: `!${line}`}
	]
}

function markdownOf({columns, rows}: {columns: readonly string[]; rows: readonly (readonly string[])[]}) {
	const line = (cells: readonly string[]) => `| ${cells.map(cell => showUnseen(cell).replaceAll('|', '\\|')).join(' | ')} |`
	return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Name and addresses in a form that no mail client or chat turns into a link. */
function harmless({hostname, internalIps, externalIp, guid}: ComputerRow) {
	const addresses = [...internalIps, externalIp].filter(address => address !== '')
	return [showUnseen(hostname).replaceAll('.', '[.]'), ...addresses.map(defanged), guid].join(' ')
}
