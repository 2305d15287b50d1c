import {omitUndefined} from '#shared/omit-undefined.ts'
import type {CommandRequest} from '#core/actions/commands/types.ts'
import {redactLine} from '#base/redact.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function commandProcedures({runner, live, inventories, profile}: RouterDependencies): Procedures['commands'] {
	return {
		run: ({input, signal}) => {
			const {run, connection, name, args, surface, incident, isolation} = input
			const {all, wait} = input.options
			const request: CommandRequest = {
				connection,
				name,
				args,
				surface,
				incident,
				agreement: omitUndefined(input.agreement),
				isolation,
				options: {...(all !== undefined && {all}), ...(wait !== undefined && {wait})},
				signal,
				onProgress: progress => live.publish({kind: 'run', run, progress})
			}
			return runner.run(request)
		},
		suggest: ({input}) => inventories.open(input.connection).suggest(input.source, input.prefix, input.limit),
		find: ({input}) => inventories.open(input.connection).find(input.text, input.limit),
		history: () => profile.history.lines(),
		remember: ({input}) => profile.history.remember(redactLine(input.line))
	}
}
