/** Prints a command's result in the output's mode and returns the exit code. */
import type {CommandSpec} from '#shared/commands/define.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import {recordsOf, tableOf, type ResultTable} from '#shared/commands/table.ts'
import {errorTable, type ErrorReport} from '#contract/errors.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {printed} from './failure.ts'
import type {Output} from './output.ts'
import type {SubCall} from './session.ts'
import {recordText, tableText} from './terminal-table.ts'

interface Extras {
	/** Number of records already printed. */
	streamed: number
	/** A revealed unlock code; `null` without a code, `undefined` when not requested. */
	code: string | null | undefined
}

export function printResult(spec: CommandSpec, result: CommandResult, output: Output, extras: Extras) {
	const incomplete = incompleteReport(result)
	if (output.mode === 'json') output.json(objectOf(result, extras, incomplete))
	else if (output.mode === 'jsonl') printRecords(result, output, extras)
	else printText(spec, result, output)
	if (output.mode === 'text' && extras.code !== undefined) output.print(`Unlock code: ${extras.code ?? 'there is none'}`)
	if (incomplete !== undefined) return errorTable.incomplete.exit
	return result.matches === false ? 1 : 0
}

export const verdictWords = {ok: '✓ ok', warning: '! warning', failed: '✗ failed', skipped: '– skipped'}

type Printing = Pick<SubCall, 'output' | 'sub'>

/** For subcommands: one object with the common fields. Returns the exit code. */
export function printObject(
	{output, sub}: Printing,
	args: Readonly<Record<string, unknown>>,
	data: unknown,
	message: string,
	{code = 0, ...more}: {code?: number; [field: string]: unknown} = {}
) {
	if (output.mode === 'json') output.json({ok: code === 0, command: sub.spec.name, args, data, message, entry: null, ...more})
	else if (output.mode === 'jsonl') for (const record of Array.isArray(data) ? data : [data]) output.json(record)
	else output.print(message)
	return code
}

/** A test's stages as they come, and at last what `end` says of all. */
export async function printStages<Stage>(
	run: Printing,
	args: Readonly<Record<string, unknown>>,
	stages: AsyncIterable<Stage>,
	lineOf: (stage: Stage) => string,
	end: (all: readonly Stage[]) => {code: number; message: string}
) {
	const {output} = run
	const all: Stage[] = []
	for await (const stage of stages) {
		all.push(stage)
		if (output.mode === 'text') output.print(lineOf(stage))
		if (output.mode === 'jsonl') output.json(stage)
	}
	const {message, ...more} = end(all)
	if (output.mode === 'jsonl') return more.code
	return printObject(run, args, all, output.mode === 'text' ? `\n${message}` : message, more)
}

/** Above its sentence, in text only. */
export function printRows({output}: Printing, columns: readonly string[], rows: ResultTable['rows']) {
	if (output.mode === 'text' && rows.length > 0) output.print(`${tableText({columns, rows}, output.width)}\n`)
}

/** A list: in text its table, or the message where there is no row. */
export function printTable(run: Printing, columns: readonly string[], rows: ResultTable['rows'], data: unknown, message: string, args = {}) {
	const {output} = run
	if (output.mode !== 'text' || rows.length === 0) return printObject(run, args, data, message)
	output.print(tableText({columns, rows}, output.width))
	return 0
}

function objectOf(result: CommandResult, {code}: Extras, incomplete: ErrorReport | undefined): Readonly<Record<string, unknown>> {
	const {command, args, data, message, entry, total, missing, matches, status, requestId, durationMs} = result
	const gone = missing?.length === 0 ? undefined : missing
	const error = incomplete && printed(incomplete)
	const known = {total, missing: gone, matches, unlock_code: code, status, requestId, durationMs, error}
	return {ok: incomplete === undefined, command, args, data, message, entry, ...omitUndefined(known)}
}

function printRecords(result: CommandResult, output: Output, {streamed, code}: Extras) {
	const records = streamed > 0 ? [] : recordsOf(result.data)
	for (const record of records) output.json(code === undefined ? record : {...Object(record), unlock_code: code})
	output.say(result.message)
}

/** The table is the result; the sentence goes to the terminal with it, or to stderr for a pipe. */
function printText(spec: CommandSpec, result: CommandResult, output: Output) {
	const table = tableOf(spec.result, result.data)
	const form = spec.result.kind === 'list' ? tableText : recordText
	if (table.rows.length > 0) output.print(form(table, output.width))
	if (table.rows.length > 0 && output.width === null) output.say(result.message)
	else output.print(table.rows.length > 0 ? `\n${result.message}` : result.message)
}

function incompleteReport({missing, message}: CommandResult): ErrorReport | undefined {
	if (missing === undefined || missing.length === 0) return undefined
	const {fault, retry} = errorTable.incomplete
	return {code: 'incomplete', message, fault, retry, missing}
}
