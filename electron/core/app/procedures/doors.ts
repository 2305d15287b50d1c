import {actingSurface} from '#core/base/acting.ts'
import {apiReference} from '#core/doors/operations.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function doorProcedures(os: Implementer, {doors}: RouterDependencies) {
	const routes = os.doors
	const surface = () => actingSurface('screen')
	return {
		state: routes.state.handler(() => doors.state()),
		set: routes.set.handler(({input}) => doors.set(input, surface())),
		tokens: routes.tokens.handler(() => doors.tokens.list()),
		create: routes.create.handler(({input}) => doors.tokens.create(input, surface())),
		revoke: routes.revoke.handler(({input}) => doors.tokens.revoke(input.id, surface())),
		test: routes.test.handler(({input}) => doors.test(input, surface())),
		reference: routes.reference.handler(() => apiReference),
	}
}
