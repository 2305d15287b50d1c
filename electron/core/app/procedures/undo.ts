import type {Implementer, RouterDependencies} from './dependencies.ts'

export function undoProcedures(os: Implementer, {undo}: RouterDependencies) {
	const routes = os.undo
	return {
		list: routes.list.handler(({input}) => undo.list(input.connection)),
		preview: routes.preview.handler(({input, signal}) => undo.preview(input.connection, input.id, signal)),
		apply: routes.apply.handler(({input, signal}) => undo.apply({...input, signal})),
	}
}
