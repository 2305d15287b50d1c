/** `cordon parameters …`: server parameters as rows of keys and values. */
import type {ParameterRow} from '#contract/instances.ts'

import {withAdvice} from './faults.ts'
import {printObject, printTable} from './result.ts'
import {inSession, withInstances, type SubCall} from './session.ts'

export async function runParameters(call: SubCall) {
	const {sub, option, output} = call
	return await inSession(call, 'stores', ({session}) =>
		withInstances(session, async ({store}) => {
			const [key = '', value = ''] = sub.words
			if (sub.spec.name === 'parameters list') {
				const all = store.parameterRows()
				const none = all.length === 0 ? 'No server parameter is set.' : `${all.length} server parameters.`
				const cells = all.map(row => [row.key, row.value, row.meaning])
				printTable(call, ['Key', 'Value', 'What it does'], cells, all, none)
				for (const {problem} of store.settings().problems) output.say(`Note: ${problem}`)
				return 0
			}
			const removes = sub.spec.name === 'parameters remove'
			const rows = await withAdvice(() => store.setParameter(key, removes ? null : value, option('confirm')))
			const message = removes ? `${key} is not set any more.` : `${key} is ${value}. ${meaningOf(rows, key)}`
			return printObject(call, removes ? {key} : {key, value}, rows, message.trimEnd())
		})
	)
}

function meaningOf(rows: readonly ParameterRow[], key: string) {
	return rows.find(row => row.key === key.normalize('NFC'))?.meaning ?? ''
}
