import type {Procedures, RouterDependencies} from './dependencies.ts'

export function undoProcedures({undo}: RouterDependencies): Procedures['undo'] {
	return {
		list: ({input}) => undo.list(input.connection),
		preview: ({input, signal}) => undo.preview(input.connection, input.id, signal),
		apply: ({input, signal}) => undo.apply({...input, signal})
	}
}
