import {formatCount} from '#text/numbers.ts'

import {csvFormat, ExportFrame} from '../ExportFrame.tsx'
import {t} from '../text.ts'
import {fileOf, type ExportedTable} from './table-export.ts'

interface TableExportDialogProps {
	title: string
	table: ExportedTable
	/** What the file lacks, in a sentence; `null` when it is complete. */
	lacks: string | null
	onClose: () => void
}

export function TableExportDialog({title, table, lacks, onClose}: TableExportDialogProps) {
	return (
		<ExportFrame
			title={title}
			formats={[csvFormat, {value: 'json', label: 'JSON', detail: 'records with GUIDs'}]}
			write={format => fileOf(table, format, new Date())}
			onClose={onClose}
		>
			<p>
				{t.allRowsShown(formatCount(table.rows.length))} {lacks}
			</p>
		</ExportFrame>
	)
}
