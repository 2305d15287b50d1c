import {reportedStream} from '../router-errors.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function searchProcedures({searches, stopping, programLog}: RouterDependencies): Procedures['search'] {
	return {
		local: ({input}) => searches.local(input.connection, input.text, input.limit),
		asked: ({input: {connection, ...question}}) => searches.asked(connection, question),
		activity: ({input: {connection, ...question}, signal = stopping}) => {
			const end = AbortSignal.any([signal, stopping])
			return reportedStream(searches.ask(connection, question, end), 'search.activity', programLog)
		}
	}
}
