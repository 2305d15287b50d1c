import {reportedStream} from '../router-errors.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function searchProcedures(os: Implementer, {searches, stopping, programLog}: RouterDependencies) {
	const routes = os.search
	return {
		local: routes.local.handler(({input}) => searches.local(input.connection, input.text, input.limit)),
		asked: routes.asked.handler(({input: {connection, ...question}}) => searches.asked(connection, question)),
		activity: routes.activity.handler(({input: {connection, ...question}, signal}) => {
			const end = signal === undefined ? stopping : AbortSignal.any([signal, stopping])
			return reportedStream(searches.ask(connection, question, end), 'search.activity', programLog)
		}),
	}
}
