import {text as textOf} from 'node:stream/consumers'

import {targetsIn} from '#model/target-list.ts'

import {usage} from './faults.ts'
import {unreadable} from './files.ts'
import {type CliHost, inputOf} from './host.ts'

/** Throws `usage` for a file that is unreadable or empty. */
export async function readTargets(host: CliHost, file: string) {
	const targets = targetsIn(await readText(host, file, 'targets'))
	if (targets.length === 0) throw usage(`${file === '-' ? 'Standard input' : file} holds no target`, 'write one GUID or name a line', 'targets')
	return targets
}

export async function readText(host: CliHost, file: string, field: string) {
	return await (file === '-' ? textOf(inputOf(host)) : host.files.read(file)).catch(unreadable(file, field))
}
