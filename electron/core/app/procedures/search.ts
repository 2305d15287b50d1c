import type {Procedures, RouterDependencies} from './dependencies.ts'

export function searchProcedures({searches, stopping}: RouterDependencies): Procedures['search'] {
	return {
		local: ({input}) => searches.local(input.connection, input.text, input.limit),
		asked: ({input: {connection, ...question}}) => searches.asked(connection, question),
		activity: ({input: {connection, ...question}, signal = stopping}) => searches.ask(connection, question, AbortSignal.any([signal, stopping]))
	}
}
