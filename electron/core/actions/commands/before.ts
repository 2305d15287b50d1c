/** Notes the value before a change with its intent, and says what cannot be undone. */
import type {CommandName} from '#shared/commands/catalogue.ts'

import type {CommandRequest, RunnerServices} from './types.ts'

interface Prepared {
	spec: {name: CommandName}
	args: Readonly<Record<string, unknown>>
	connection: {id: string}
}

/** A job and the undo list supply the value themselves. */
export async function notedBefore(
	{lookBefore}: Pick<RunnerServices, 'lookBefore'>,
	{facts, job, signal, onNotice}: CommandRequest,
	{spec: {name}, args, connection}: Prepared
): Promise<Readonly<Record<string, unknown>>> {
	if (job !== undefined || facts?.['before'] !== undefined) return {}
	const seen = await lookBefore?.({name, args, connection: connection.id, signal})
	if (seen === undefined) return {}
	const {observed, impossible} = seen
	if (impossible !== null) onNotice?.(`This cannot be undone. ${impossible}`)
	return observed === null ? {} : {before: observed}
}
