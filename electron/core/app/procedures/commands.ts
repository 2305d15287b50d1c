import {omitUndefined} from '#shared/omit-undefined.ts'
import type {CommandRequest} from '#core/actions/commands/types.ts'
import {redactLine} from '#core/base/redact.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function commandProcedures(os: Implementer, deps: RouterDependencies) {
	const {runner, live, inventories, profile} = deps
	const routes = os.commands
	return {
		run: routes.run.handler(({input, signal}) => {
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
				onProgress: progress => live.publish({kind: 'run', run, progress}),
			}
			return runner.run(request)
		}),
		suggest: routes.suggest.handler(({input}) =>
			inventories.open(input.connection).suggest(input.source, input.prefix, input.limit),
		),
		find: routes.find.handler(({input}) => inventories.open(input.connection).find(input.text, input.limit)),
		history: routes.history.handler(() => profile.history.lines()),
		remember: routes.remember.handler(({input}) => profile.history.remember(redactLine(input.line))),
	}
}
