/** `cordon parameters …`: server parameters as rows of keys and values. */
import type {ParameterRow} from '#contract/instances.ts'

import {optionOf, type Sub} from './argv.ts'
import {withAdvice} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject, printTable} from './result.ts'
import {withInstances, withSession} from './session.ts'

export async function runParameters(sub: Sub, host: CliHost, output: Output): Promise<number> {
	return await withSession(sub.globals, host, 'stores', session =>
		withInstances(session, async ({store}) => {
			const [key = '', value = ''] = sub.words
			const confirm = optionOf(sub, 'confirm')
			if (sub.spec.name === 'parameters list') {
				const all = store.parameterRows()
				const none = all.length === 0 ? 'No server parameter is set.' : `${all.length} server parameters.`
				const cells = all.map(row => [row.key, row.value, row.meaning])
				printTable({output, sub}, ['Key', 'Value', 'What it does'], cells, all, none)
				for (const {problem} of store.settings().problems) output.say(`Note: ${problem}`)
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

function meaningOf(rows: readonly ParameterRow[], key: string) {
	return rows.find(row => row.key === key.normalize('NFC'))?.meaning ?? ''
}
