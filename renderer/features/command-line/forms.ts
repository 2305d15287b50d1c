/** Output forms of an answer: pure, for tests without a page. */
import type {KnownCommand} from '#shared/commands/parse.ts'
import {mostOnScreen, type CommandResult} from '#shared/commands/result.ts'
import {csvOf, recordsOf, tableOf, type ResultTable} from '#shared/commands/table.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {counted, formatCount} from '#text/numbers.ts'

export interface AnswerForm {
	readonly id: 'line' | 'message' | 'csv' | 'tsv' | 'markdown' | 'json' | 'jsonl'
	readonly title: string
	readonly mediaType: string
	/** File extension; `null`: copying only. */
	readonly ending: string | null
	text(): string
}

/** Long answers are assembled only on request. */
export function answerForms(spec: KnownCommand, line: string, result: CommandResult): readonly AnswerForm[] {
	const records = recordsOf(result.data)
	const hasTable = spec.result.columns.length > 0 && records.length > 0
	const table = () => tableOf(spec.result, result.data)
	const plain = 'text/plain'
	return [
		{id: 'line', title: 'Line', mediaType: plain, ending: null, text: () => `!${line}`},
		{id: 'message', title: 'Message', mediaType: plain, ending: null, text: () => result.message},
		...(hasTable
			? ([
					{id: 'csv', title: 'CSV', mediaType: 'text/csv', ending: 'csv', text: () => csvOf(table())},
					{id: 'tsv', title: 'Columns with tabs', mediaType: plain, ending: null, text: () => tabbed(table())},
					{id: 'markdown', title: 'Markdown table', mediaType: 'text/markdown', ending: 'md', text: () => piped(table())},
				] as const)
			: []),
		{id: 'json', title: 'JSON', mediaType: 'application/json', ending: 'json', text: () => `${stringifyExact(result.data, 2)}\n`},
		...(records.length > 1
			? ([
					{
						id: 'jsonl',
						title: 'JSON Lines',
						mediaType: 'application/x-ndjson',
						ending: 'jsonl',
						text: () => records.map(record => `${stringifyExact(record)}\n`).join(''),
					},
				] as const)
			: []),
	]
}

function tabbed({columns, rows}: ResultTable) {
	return [columns, ...rows].map(row => `${row.join('\t')}\n`).join('')
}

function piped({columns, rows}: ResultTable) {
	const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
	return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('')
}

/** Whether an answer is complete, in a sentence. */
export function endOf(result: CommandResult): string | null {
	const records = recordsOf(result.data)
	if (!Array.isArray(result.data) && records.length <= 1 && result.total === undefined) return null
	const missing = result.missing?.length ?? 0
	const {total} = result
	if (missing > 0) return `${counted(missing, ['page is', 'pages are'])} missing: this is not all.`
	if (total === undefined) return records.length === 0 ? 'The answer is empty.' : 'End of the answer.'
	const left = total - records.length
	if (left <= 0) return records.length === 0 ? 'The service has none.' : 'End of the answer: these are all.'
	return `End of this answer: ${formatCount(left)} more at the service. “all” reads ${formatCount(mostOnScreen)}, “limit” and “offset” a part.`
}
