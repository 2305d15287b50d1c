/** `cordon parameters …`: server parameters as rows of keys and values. */
import type {ParameterRow} from '#contract/instances.ts'

import {optionOf, type Sub} from './argv.ts'
import {withAdvice} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {withInstances, withSession} from './session.ts'
import {tableText} from './terminal-table.ts'

export async function runParameters(sub: Sub, host: CliHost, output: Output): Promise<number> {
	return await withSession(sub.globals, host, 'stores', session =>
		withInstances(session, async ({store}) => {
			const [key = '', value = ''] = sub.words
			const confirm = optionOf(sub, 'confirm')
			if (sub.spec.name === 'parameters list') {
				list(store.parameterRows(), store.settings().problems, output)
				return 0
			}
			const removes = sub.spec.name === 'parameters remove'
			const rows = await withAdvice(() => store.setParameter(key, removes ? null : value, confirm))
			const message = removes ? `${key} is not set any more.` : `${key} is ${value}. ${meaningOf(rows, key)}`
			printObject(output, sub.spec.name, removes ? {key} : {key, value}, rows, message.trimEnd())
			return 0
		}),
	)
}

function list(
	rows: readonly ParameterRow[],
	problems: readonly {readonly key: string; readonly problem: string}[],
	output: Output,
): void {
	const message = rows.length === 0 ? 'No server parameter is set.' : `${rows.length} server parameters.`
	if (output.mode === 'text' && rows.length > 0)
		output.print(
			tableText(
				{columns: ['Key', 'Value', 'What it does'], rows: rows.map(({key, value, meaning}) => [key, value, meaning])},
				output.width,
			),
		)
	else printObject(output, 'parameters list', {}, rows, message)
	for (const {problem} of problems) output.say(`Note: ${problem}`)
}

function meaningOf(rows: readonly ParameterRow[], key: string): string {
	return rows.find(row => row.key === key.normalize('NFC'))?.meaning ?? ''
}
