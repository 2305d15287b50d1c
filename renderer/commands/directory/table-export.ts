import {csvOf, type ResultTable} from '#shared/commands/table.ts'
import {stringifyExact} from '#model/exact-json.ts'
import type {TextFile} from '#model/text-file.ts'

export interface ExportedTable extends ResultTable {
	name: string
	/** The same rows for JSON. */
	records: readonly unknown[]
}

export function fileOf(table: ExportedTable, format: 'csv' | 'json', at: Date): TextFile {
	const name = `${table.name}-${at.toISOString().slice(0, 19).replaceAll(':', '')}.${format}`
	if (format === 'csv') return {name, text: csvOf(table)}
	return {name, text: `${stringifyExact(table.records, 2) ?? '[]'}\n`}
}
