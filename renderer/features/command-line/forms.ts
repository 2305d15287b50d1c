/** Output forms of an answer: pure, for tests without a page. */
import type {KnownCommand} from '#shared/commands/parse.ts'
import {mostOnScreen, type CommandResult} from '#shared/commands/result.ts'
import {csvOf, recordsOf, tableOf, type ResultTable} from '#shared/commands/table.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {counted, formatCount} from '#text/numbers.ts'

export interface AnswerForm {
	id: 'line' | 'message' | 'csv' | 'tsv' | 'markdown' | 'json' | 'jsonl'
	title: string
	/** File extension; `null`: copying only. */
	ending: string | null
	text(): string
}

/** Long answers are assembled only on request. */
export function answerForms(spec: KnownCommand, line: string, result: CommandResult): readonly AnswerForm[] {
	const records = recordsOf(result.data)
	const hasTable = spec.result.columns.length > 0 && records.length > 0
	const table = () => tableOf(spec.result, result.data)
	return [
		{id: 'line', title: 'Line', ending: null, text: () => `!${line}`},
		{id: 'message', title: 'Message', ending: null, text: () => result.message},
		...(hasTable
			? ([
					{id: 'csv', title: 'CSV', ending: 'csv', text: () => csvOf(table())},
					{id: 'tsv', title: 'Columns with tabs', ending: null, text: () => tabbed(table())},
					{id: 'markdown', title: 'Markdown table', ending: 'md', text: () => piped(table())}
				] as const)
			: []),
		{id: 'json', title: 'JSON', ending: 'json', text: () => `${stringifyExact(result.data, 2)}\n`},
		...(records.length > 1
			? ([
					{id: 'jsonl', title: 'JSON Lines', ending: 'jsonl', text: () => records.map(record => `${stringifyExact(record)}\n`).join('')}
				] as const)
			: [])
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
export function endOf(result: CommandResult) {
	const records = recordsOf(result.data)
	if (!Array.isArray(result.data) && records.length <= 1 && result.total === undefined) return null
	const missing = result.missing?.length ?? 0
	if (missing > 0) return `${counted(missing, ['page is', 'pages are'])} missing: this is not all.`
	const left = leftOf(result)
	if (left === Infinity) return `These are the first ${formatCount(mostOnScreen)}: “limit” and “offset” read what follows.`
	if (left > 0)
		return `End of this answer: ${formatCount(left)} more at the service. “all” reads ${formatCount(mostOnScreen)}, “limit” and “offset” a part.`
	if (result.total === undefined) return records.length === 0 ? 'The answer is empty.' : 'End of the answer.'
	return records.length === 0 ? 'The service has none.' : 'End of the answer: these are all.'
}

/** How many records follow; `Infinity` where nobody says so of a cut answer. */
function leftOf({args, data, total}: CommandResult) {
	const count = recordsOf(data).length
	if (total === undefined) return count >= mostOnScreen ? Infinity : 0
	return total - (Number(args['offset']) || 0) - count
}

export function isPart(result: CommandResult) {
	return (result.missing ?? []).length > 0 || (Array.isArray(result.data) && leftOf(result) > 0)
}
